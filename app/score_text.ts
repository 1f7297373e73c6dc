/**
 * The score that a rater's text says: undefined for an empty box, a number where the text is one
 * (decimal comma or point, any sign for minus), else the text itself, which is a violation that the
 * rater is told of. Nothing is rounded or clamped.
 */
export function parseScore(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const plain = trimmed.replace("−", "-").replace(",", ".");
  return /^-?\d{1,15}(?:\.\d{0,15})?$/.test(plain) ? Number(plain) : trimmed;
}

/** The score as it stands in the number box. */
export function formatScore(da: number | string | undefined): string {
  return da === undefined ? "" : String(da);
}
