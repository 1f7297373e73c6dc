/** Others' words as text of a page or value of an attribute, never as markup. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;")
    // What HTML does not allow at all, lone halves of characters among it.
    .replace(/(?![\t\n\r])\p{Cc}/gu, "\ufffd").toWellFormed();
}

/** A section with a heading; nothing where it would be empty. */
export function titled(title: string, content: string, id = ""): string {
  if (content === "") return "";
  const attribute = id === "" ? "" : ` id="${id}"`;
  return `<section${attribute}>\n<h2>${title}</h2>\n${content}\n</section>`;
}

/** A list; nothing without items. The items are markup. */
export function list(items: readonly string[]): string {
  return items.length === 0
    ? ""
    : `<ul>\n${items.map((item) => `<li>${item}</li>`).join("\n")}\n</ul>`;
}

/** A table in a box that scrolls by itself. Cells are markup; the first of a row is its heading. */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join("");
  const body = rows.map(([first, ...cells]) =>
    `<tr><th scope="row">${first}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`
  ).join("\n");
  return `<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table>\n` +
    `<caption>${caption}</caption>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody>\n` +
    "</table></div>";
}
