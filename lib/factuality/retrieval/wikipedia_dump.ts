import { basename } from "node:path";
import { SaxesParser } from "saxes";
import type { Passage } from "./passage.ts";
import { passageParts } from "./passage_parts.ts";
import { textChunks } from "./text_lines.ts";
import { wikiSections } from "./wiki_markup.ts";

/** An article as the dump has it. */
export interface WikiPage {
  readonly title: string;
  /** MediaWiki markup of its newest revision in the dump. */
  readonly markup: string;
}

/**
 * The articles of a Wikipedia XML dump as passages, one a paragraph, headings as sections; `.xml`
 * or `.xml.gz`, one article in memory at a time. Pages of other name spaces and redirects are
 * skipped.
 * @throws {SyntaxError} where the file is no dump, is cut short or is packed as `.bz2`: unpack such
 * a one first. @throws {Deno.errors.NotFound} where there is no such file.
 */
export async function* readWikipediaDump(path: string): AsyncGenerator<Passage> {
  for await (const page of dumpPages(textChunks(path), path)) {
    yield* articlePassages(page, basename(path));
  }
}

/** The articles in the text of a dump, each as soon as it is whole; `path` is named in errors. */
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
    throw new SyntaxError(
      `Cannot read the dump ${path}: ${cause.message}. Fetch or unpack it again: it is damaged, ` +
        "cut short, or no MediaWiki export.",
      { cause },
    );
  }
  yield* whole;
}

const KEPT_ELEMENTS: ReadonlySet<string> = new Set(["title", "ns", "text"]);

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
    // A page with several revisions: the last one counts.
    if (name === "text") page.text = "";
    open = name;
  });
  parser.on("text", (text) => {
    if (KEPT_ELEMENTS.has(open)) page[open as "title" | "ns" | "text"] += text;
  });
  parser.on("closetag", ({ name }) => {
    open = "";
    if (name === "page" && page.ns.trim() === "0" && !page.redirect) {
      onPage({ title: page.title.trim(), markup: page.text });
    }
  });
  return parser;
}

/** Passages of one article, numbered through it. */
export function articlePassages({ title, markup }: WikiPage, collection: string): Passage[] {
  const passages: Passage[] = [];
  for (const { heading, paragraphs } of wikiSections(markup)) {
    for (const text of paragraphs.flatMap((paragraph) => passageParts(paragraph))) {
      const id = `${title}#${passages.length + 1}`;
      passages.push({ id, text, collection, title, section: heading });
    }
  }
  return passages;
}
