import { DOMParser } from "linkedom";
import { protectInput } from "../../files/atomic.ts";
import { termsOf, writtenTerms } from "./index.ts";

/**
 * Converts an HTML fragment to text; line breaks and paragraphs become "; ", white space is
 * collapsed.
 */
export function plainText(html: string): string {
  const flat = html
    .replace(/\s+/gu, " ")
    // A heading on its own line: "<em><br>2025:</em>" must not become ";2025".
    .replace(/(?:\s*<\/?(?:br|p)\b[^>]*>)+\s*/giu, "\n")
    .replace(/<\/?[a-z][^<>]*>/giu, "");
  return decodeEntities(flat)
    .replace(/\s*\n\s*/gu, "\n")
    .trim()
    .replace(/([.;:,!?]?)\n/gu, (_, before: string) => before === "" ? "; " : `${before} `)
    .replace(/\s+/gu, " ");
}

/** Decodes HTML entities; unknown ones stay unchanged. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/giu, decodeEntity);
}

const decoded = new Map<string, string>();

const decodeEntity = (entity: string) =>
  decoded.getOrInsertComputed(entity, () => {
    const document = new DOMParser().parseFromString(`<p>${entity}</p>`, "text/html");
    return document.querySelector("p")?.textContent ?? entity;
  });

/**
 * Yields the lines of a text file without line ends (LF or CR LF); `.gz` is decompressed. Bytes
 * that are not UTF-8 become U+FFFD. @throws {Deno.errors.NotFound} for a missing file;
 * {SyntaxError} for another compression.
 */
export async function* textLines(path: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of textChunks(path)) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.replace(/\r$/u, "");
  }
  if (rest !== "") yield rest;
}

/** Yields the text of a file in chunks. Throws as {@link textLines} does. */
export async function* textChunks(path: string): AsyncGenerator<string> {
  if (/\.(?:bz2|zst|7z|xz|zip)$/u.test(path)) {
    const remedy = "Unpack it first (bunzip2 -k, say), or pack it as .gz";
    throw new SyntaxError(`Cannot read ${path}: its packing is not known here. ${remedy}.`);
  }
  protectInput(path);
  const { readable } = await Deno.open(path, { read: true });
  const unpacked = path.endsWith(".gz")
    ? readable.pipeThrough(new DecompressionStream("gzip"))
    : readable;
  yield* unpacked.pipeThrough(new TextDecoderStream());
}

/**
 * Maximum length of a paragraph in characters. Longer ones are cut, so that a file without blank
 * lines never fills memory.
 */
const MAX_BLOCK = 20_000;

/** A paragraph with its heading. */
export interface TextBlock {
  /** Heading; the empty string before the first. */
  readonly heading: string;
  readonly text: string;
}

/** Splits plain text into paragraphs at blank lines. */
export async function* plainBlocks(
  lines: AsyncIterable<string> | Iterable<string>,
  headingOf: (line: string) => string | undefined = () => undefined,
): AsyncGenerator<TextBlock> {
  let [heading, text] = ["", ""];
  for await (const line of lines) {
    const next = headingOf(line);
    const isText = next === undefined && line.trim() !== "";
    if (isText) text += `${line}\n`;
    if (text !== "" && (!isText || text.length > MAX_BLOCK)) {
      yield { heading, text };
      text = "";
    }
    heading = next ?? heading;
  }
  if (text !== "") yield { heading, text };
}

/**
 * Splits Markdown into paragraphs under `#` headings, without emphasis, code marks and link
 * targets.
 */
export async function* markdownBlocks(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<TextBlock> {
  const headingOf = (line: string) => /^ {0,3}#{1,6}\s+(.*?)\s*#*$/u.exec(line)?.[1];
  for await (const { heading, text } of plainBlocks(lines, headingOf)) {
    yield { heading: withoutMarks(heading), text: withoutMarks(text) };
  }
}

function withoutMarks(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replace(/^\s*(?:[-*+]|\d{1,3}[.)]|>)\s+/gmu, "")
    .replace(/(\*\*|__|~~|`+)(\S(?:[^\n]*?\S)?)\1/gu, "$2")
    .replace(/(?<![\p{L}\p{N}])([*_])(\S(?:[^\n]*?\S)?)\1(?![\p{L}\p{N}])/gu, "$2");
}

const SIGNS = { LRB: "(", RRB: ")", LSB: "[", RSB: "]", COLON: ":" };

/** Restores brackets in FEVER's texts: "Colombiana -LRB- film -RRB-". */
export function feverText(text: string): string {
  const signOf = (_: string, mark: string) => SIGNS[mark as keyof typeof SIGNS];
  return text.replace(/-(LRB|RRB|LSB|RSB|COLON)-/gu, signOf);
}

/** Restores the title of a FEVER page: "Colombiana_-LRB-film-RRB-" becomes "Colombiana (film)". */
export const feverTitle = (page: string) => feverText(page).replaceAll("_", " ");

/** Maximum passage length in words. A reader or a small model can take in about as much. */
const MAX_PASSAGE_WORDS = 200;

/**
 * Splits a text into parts of at most `longest` words (default 200). It cuts at sentence ends, then
 * at list items. A longer sentence stays whole. The parts joined by spaces are the text with white
 * space collapsed. An empty text has none.
 */
export function passageParts(text: string, longest = MAX_PASSAGE_WORDS): readonly string[] {
  const folded = text.replace(/\s+/gu, " ").trim();
  if (folded === "") return [];
  if (wordCount(folded) <= longest) return [folded];
  const sentences = folded.split(/(?<=[.!?]["”’)\]]?) (?=["“(\[]?[\p{Lu}\d])/u);
  const pieces = sentences.flatMap((sentence) =>
    wordCount(sentence) <= longest ? [sentence] : pack(sentence.split(/(?<=;) /u), longest)
  );
  return pack(pieces, longest);
}

/** Joins neighbouring pieces while they stay within the limit. */
function pack(pieces: readonly string[], longest: number): readonly string[] {
  const parts: string[] = [];
  let words = 0;
  for (const piece of pieces) {
    const more = wordCount(piece);
    if (parts.length > 0 && words + more <= longest) {
      parts[parts.length - 1] += ` ${piece}`;
      words += more;
    } else {
      parts.push(piece);
      words = more;
    }
  }
  return parts;
}

const wordCount = (text: string) => text.split(" ").length;

/** Capitalised terms of a claim. The first word counts only where there is no other. */
export function nameTerms(claim: string): ReadonlySet<string> {
  const words = [...claim.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(([word]) => word);
  const capital = (word: string) => /^\p{Lu}/u.test(word);
  const within = words.slice(1).filter(capital).flatMap(termsOf);
  return new Set(within.length > 0 ? within : words.slice(0, 1).filter(capital).flatMap(termsOf));
}

/** Titles of an index's passages, by number and by name. */
export interface TitleIndex {
  /** Titles with their other names from the knowledge source. */
  readonly titles: readonly { readonly title: string; readonly also: readonly string[] }[];
  /** Title number of each passage. */
  readonly titleOf: Uint32Array<ArrayBuffer>;
  /** Numbers of the titles by name, a name being its terms joined by spaces. */
  readonly names: ReadonlyMap<string, readonly number[]>;
}

/** Other names of titles ("French" for France); titles without any are absent. */
export type TitleAliases = ReadonlyMap<string, readonly string[]>;

/** Builds the index of titles by name. */
export function titleIndex(
  titles: TitleIndex["titles"],
  titleOf: TitleIndex["titleOf"],
): TitleIndex {
  const names = new Map<string, number[]>();
  for (const [number, { title, also }] of titles.entries()) {
    // "Turkey (Turkiye)", "Mercury (planet)": the name precedes the bracket.
    const titleNames = [title, title.replace(/ \([^()]*\)$/u, ""), ...also]
      .map((name) => termsOf(name).join(" "));
    for (const name of new Set(titleNames)) {
      if (name.length >= 2) names.getOrInsert(name, []).push(number);
    }
  }
  return { titles, titleOf, names };
}

/** Maximum length of a name in terms. */
const MAX_NAME_TERMS = 8;

/**
 * Finds up to four titles that a claim names, in order. Each is returned once, with the terms of
 * the name. A name begins with a capital; of overlapping names the longest counts ("Equatorial
 * Guinea").
 */
export function namedTitles({ names }: TitleIndex, claim: string) {
  const words = writtenTerms(claim);
  const titles = new Map<number, { readonly number: number; readonly name: readonly string[] }>();
  for (let at = 0; at < words.length;) {
    const most = words[at]!.capital ? MAX_NAME_TERMS : 0;
    let name = words.slice(at, at + most).map(({ term }) => term);
    while (name.length > 0 && !names.has(name.join(" "))) name = name.slice(0, -1);
    for (const number of names.get(name.join(" ")) ?? []) {
      titles.getOrInsert(number, { number, name });
    }
    at += name.length || 1;
  }
  return [...titles.values()].slice(0, 4);
}
