import { basename, join, relative } from "node:path";
import { SaxesParser } from "saxes";
import { z } from "zod";
import { sha256Hex, sha256OfFile } from "../../files/atomic.ts";
import { assertSha256, NON_BLANK, PATH } from "../component.ts";
import type { Passage } from "../types.ts";
import { knowledgeBase, LOOKUP } from "./retriever.ts";
import { hashedSource, type KnowledgeSource } from "./store.ts";
import { decodeEntities, feverText, feverTitle, markdownBlocks, passageParts } from "./texts.ts";
import { plainBlocks, textChunks, textLines } from "./texts.ts";
import type { TextBlock } from "./texts.ts";

/** A knowledge base from a Wikipedia dump in XML. */
export const wikipedia = knowledgeBase(
  z.strictObject({ kind: z.literal("wikipedia"), ...PATH, ...LOOKUP }),
  ({ path, sha256 }) => {
    assertSha256(path, sha256);
    return wikipediaSource(path);
  },
);

/**
 * Returns a dump as a source; its hash is computed at once. @throws {Error} where it cannot be
 * read.
 */
export const wikipediaSource = (path: string) =>
  hashedSource(path, () => readWikipediaDump(path), () => sha256OfFile(path));

/** Elements without running text, which are dropped. */
const DROPPED = "ref|math|gallery|timeline|imagemap|syntaxhighlight|source|score|chem";

/** Namespaces of links that are not part of the text. */
const NON_TEXT_NAMESPACES = /^\s*(?:file|image|category|media)\s*:/iu;

/** Templates with text, by the positions of their visible arguments. All others are dropped. */
const VISIBLE_ARGUMENTS: Readonly<Record<string, readonly number[]>> = {
  convert: [1, 2],
  cvt: [1, 2],
  lang: [2],
  nowrap: [1],
  "as of": [1],
};

/**
 * Converts MediaWiki markup to plain paragraphs by heading, "" before the first. Comments,
 * references, tables, templates, files and categories are dropped; links and emphasis keep their
 * words. Computed templates are lost, except the few that only show their arguments.
 */
export function wikiSections(markup: string) {
  const sections: { heading: string; paragraphs: string[] }[] = [{ heading: "", paragraphs: [] }];
  for (const line of runningText(markup).split("\n")) {
    const heading = /^\s*(={2,6})\s*(.+?)\s*\1\s*$/u.exec(line)?.[2];
    const text = line.replace(/^[*#:;\s]+/u, "").replace(/\s+/gu, " ").trim();
    if (heading !== undefined) sections.push({ heading, paragraphs: [] });
    else if (/[\p{L}\p{N}]/u.test(text)) sections.at(-1)!.paragraphs.push(text);
  }
  return sections.filter(({ paragraphs }) => paragraphs.length > 0);
}

function runningText(markup: string): string {
  let text = markup
    .replace(/<!--[^]*?(?:-->|$)/gu, "")
    .replace(new RegExp(`<(${DROPPED})\\b[^<>]*/>`, "giu"), "")
    .replace(new RegExp(`<(${DROPPED})\\b[^<>]*>[^]*?</\\1\\s*>`, "giu"), "");
  text = replaceNested(text, "{{", "}}", templateText);
  text = replaceNested(text, "{|", "|}", () => "");
  text = replaceNested(text, "[[", "]]", linkText);
  return decodeEntities(
    text
      .replace(/\[(?:https?:)?\/\/[^\s\]]+\s*([^\]]*)\]/gu, "$1")
      .replace(/<br\s*\/?>/giu, " ")
      .replace(/<\/?[a-z][^<>]*>/giu, "")
      .replace(/'{2,5}/gu, "")
      .replace(/__[A-Z]+__/gu, ""),
  );
}

/** Replaces content between paired marks, innermost first; unpaired marks are dropped. */
function replaceNested(
  text: string,
  open: string,
  close: string,
  replacement: (content: string) => string,
): string {
  const levels = [""];
  const marks = new RegExp(`${RegExp.escape(open)}|${RegExp.escape(close)}`, "g");
  let position = 0;
  for (const { 0: mark, index } of text.matchAll(marks)) {
    levels[levels.length - 1] += text.slice(position, index);
    position = index + mark.length;
    if (mark === open) levels.push("");
    else if (levels.length > 1) {
      const content = levels.pop()!;
      levels[levels.length - 1] += replacement(content);
    }
  }
  return levels.join("") + text.slice(position);
}

function templateText(content: string): string {
  const parts = content.split("|").map((part) => part.trim());
  const shown = VISIBLE_ARGUMENTS[parts[0]!.toLowerCase()] ?? [];
  return shown.map((index) => parts[index] ?? "").join(" ");
}

function linkText(content: string): string {
  return NON_TEXT_NAMESPACES.test(content) ? "" : content.slice(content.lastIndexOf("|") + 1);
}

/** An article: its title, and the markup of its latest revision in the dump. */
type WikiPage = Readonly<Record<"title" | "markup", string>>;

/**
 * Reads a Wikipedia XML dump (`.xml`, `.xml.gz`) as passages, one per paragraph, with headings as
 * sections. One article is in memory at a time; other namespaces and redirects are skipped. @throws
 * {SyntaxError} for an incomplete dump or another compression. @throws {Deno.errors.NotFound}
 */
export async function* readWikipediaDump(path: string): AsyncGenerator<Passage> {
  for await (const page of dumpPages(textChunks(path), path)) {
    yield* articlePassages(page, basename(path));
  }
}

/** Yields the articles of a dump's text, each as soon as it is complete; errors name `path`. */
export async function* dumpPages(
  chunks: AsyncIterable<string> | Iterable<string>,
  path: string,
): AsyncGenerator<WikiPage> {
  const whole: WikiPage[] = [];
  const parser = dumpParser((page) => whole.push(page));
  try {
    for await (const chunk of chunks) {
      parser.write(chunk);
      yield* whole.splice(0);
    }
    parser.close();
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const remedy = "Fetch or unpack it again: it is damaged, cut short, or no MediaWiki export";
    throw new SyntaxError(`Cannot read the dump ${path}: ${cause.message}. ${remedy}.`, { cause });
  }
  yield* whole;
}

function dumpParser(onPage: (page: WikiPage) => void): SaxesParser {
  const parser = new SaxesParser();
  let page = { title: "", ns: "", text: "", redirect: false };
  let open = "";
  parser.on("error", (error) => {
    throw new SyntaxError(error.message);
  });
  parser.on("opentag", ({ name }) => {
    if (name === "page") page = { title: "", ns: "", text: "", redirect: false };
    if (name === "redirect") page.redirect = true;
    // Of several revisions of a page the last one counts.
    if (name === "text") page.text = "";
    open = name;
  });
  parser.on("text", (text) => {
    if (open === "title" || open === "ns" || open === "text") page[open] += text;
  });
  parser.on("closetag", ({ name }) => {
    open = "";
    if (name === "page" && page.ns.trim() === "0" && !page.redirect) {
      onPage({ title: page.title.trim(), markup: page.text });
    }
  });
  return parser;
}

/** Makes the passages of one article, numbered. */
function articlePassages({ title, markup }: WikiPage, collection: string): Passage[] {
  const passages: Passage[] = [];
  for (const { heading, paragraphs } of wikiSections(markup)) {
    for (const text of paragraphs.flatMap((paragraph) => passageParts(paragraph))) {
      const id = `${title}#${passages.length + 1}`;
      passages.push({ id, text, collection, title, section: heading });
    }
  }
  return passages;
}

/** A knowledge base from a folder of the user's texts. */
export const folder = knowledgeBase(
  z.strictObject({ kind: z.literal("folder"), path: NON_BLANK, ...LOOKUP }),
  ({ path }) => folderSource(path),
);

/**
 * Returns a user's folder as a source. Its hash covers names and content. @throws {Error} without a
 * readable file.
 */
export function folderSource(folder: string): KnowledgeSource {
  return hashedSource(folder, () => readFolder(folder), () => {
    const lines = readableFiles(folder)
      .map((path) => `${sha256OfFile(path)} ${relative(folder, path)}\n`);
    return sha256Hex(lines.join(""));
  });
}

/** Reads a file; its passages carry the name `file` and a collection. */
type Reader = (path: string, file: string, collection: string) => AsyncIterable<Passage>;

const READERS: readonly { readonly ending: RegExp; readonly read: Reader }[] = [
  { ending: /\.txt(?:\.gz)?$/u, read: blockReader(plainBlocks) },
  { ending: /\.md(?:\.gz)?$/u, read: blockReader(markdownBlocks) },
  { ending: /\.jsonl(?:\.gz)?$/u, read: readJsonLines },
  { ending: /\.xml(?:\.gz|\.bz2)?$/u, read: readWikipediaDump },
];

/** Readable files of a folder and its subfolders, sorted, without hidden ones. */
function readableFiles(folder: string): readonly string[] {
  return [...Deno.readDirSync(folder)]
    .filter(({ name }) => !name.startsWith("."))
    .flatMap(({ name, isDirectory, isFile }) => {
      const path = join(folder, name);
      if (isDirectory) return readableFiles(path);
      return isFile && READERS.some(({ ending }) => ending.test(name)) ? [path] : [];
    }).sort();
}

/**
 * Reads the passages of a folder's files in path order, without loading whole files. It reads
 * `.txt`, `.md`, `.jsonl` (`{text, title?, id?}` per line, or FEVER's wiki-pages; other lines are
 * skipped) and `.xml` (Wikipedia dumps), each also as `.gz`. Titles are file names, sections
 * Markdown headings.
 */
async function* readFolder(folder: string): AsyncGenerator<Passage> {
  for (const path of readableFiles(folder)) {
    const reader = READERS.find(({ ending }) => ending.test(path))!;
    const file = relative(folder, path).replaceAll("\\", "/");
    yield* reader.read(path, file, basename(folder));
  }
}

function blockReader(blocksOf: (lines: AsyncIterable<string>) => AsyncIterable<TextBlock>): Reader {
  return async function* (path, file, collection) {
    const title = basename(file).replace(/\.(?:txt|md)(?:\.gz)?$/u, "");
    let count = 0;
    for await (const { heading: section, text: block } of blocksOf(textLines(path))) {
      for (const text of passageParts(block)) {
        yield { id: `${file}#${++count}`, text, collection, title, section };
      }
    }
  };
}

/** A cell of a table saved as JSON: null becomes empty, numbers become text. */
const CELL = z.union([z.string(), z.number()]).nullish().transform((value) => String(value ?? ""));
const TEXT_ROW = z.object({ text: z.string().min(1), title: CELL, id: CELL });

/** A page of FEVER's wiki-pages. Some have no text, and all write brackets as words. */
const FEVER_ROW = z.object({ id: z.string(), text: z.string(), lines: z.string() })
  .transform(({ id, text }) => ({ id, text: feverText(text), title: feverTitle(id) }));

const ROW = z.union([FEVER_ROW, TEXT_ROW]);

async function* readJsonLines(
  path: string,
  file: string,
  collection: string,
): AsyncGenerator<Passage> {
  let line = 0;
  const taken = new Set<string>();
  for await (const content of textLines(path)) {
    line++;
    let row: z.infer<typeof ROW>;
    try {
      row = ROW.parse(JSON.parse(content));
    } catch {
      continue;
    }
    // A repeated id would give one line's text to the other.
    const stem = row.id === "" || taken.has(row.id) ? `${file}#${line}` : row.id;
    taken.add(stem);
    for (const [index, text] of passageParts(row.text).entries()) {
      const id = index === 0 ? stem : `${stem}#${index + 1}`;
      yield { id, text, collection, title: row.title, section: "" };
    }
  }
}
