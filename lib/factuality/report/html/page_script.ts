/** What a page without a script does not have: a claim's words can be clicked, not only its number. */
export const PAGE_SCRIPT = `
document.addEventListener("click", ({ target }) => {
  const words = target.closest("[data-go]");
  if (words && getSelection().isCollapsed) location.hash = words.dataset.go;
});
`;
