import { DOMParser } from "linkedom";

/**
 * Text of a fragment of HTML: tags go, entities become their characters, white space is folded.
 * A line break or paragraph becomes "; " unless punctuation stands before it, so that what was set
 * apart stays apart.
 */
export function plainText(html: string): string {
  const flat = html
    .replace(/\s+/gu, " ")
    // A heading of its own line: "<em><br>2025:</em>" must not become ";2025".
    .replace(/(?:\s*<\/?(?:br|p)\b[^>]*>)+\s*/giu, "\n")
    .replace(/<\/?[a-z][^<>]*>/giu, "");
  return decodeEntities(flat)
    .replace(/\s*\n\s*/gu, "\n")
    .trim()
    .replace(/([.;:,!?]?)\n/gu, (_, before: string) => before === "" ? "; " : `${before} `)
    .replace(/\s+/gu, " ");
}

/** Characters for the entities of HTML; what is none stays as it is written. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/giu, decodeEntity);
}

const decoded = new Map<string, string>();

function decodeEntity(entity: string): string {
  const known = decoded.get(entity);
  if (known !== undefined) return known;
  const document = new DOMParser().parseFromString(`<p>${entity}</p>`, "text/html");
  const character = document.querySelector("p")?.textContent ?? entity;
  decoded.set(entity, character);
  return character;
}
