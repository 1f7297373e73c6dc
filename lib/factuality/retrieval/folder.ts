import { basename, join, relative } from "node:path";
import { z } from "zod";
import { sha256Hex, sha256OfFile } from "../../files/atomic.ts";
import { WORDS } from "../component.ts";
import type { Passage } from "../types.ts";
import { knowledgeBase, LOOKUP } from "./retriever.ts";
import { hashedSource, type KnowledgeSource } from "./store.ts";
import { feverText, feverTitle, markdownBlocks, passageParts, plainBlocks } from "./texts.ts";
import { type TextBlock, textLines } from "./texts.ts";
import { readWikipediaDump } from "./wikipedia.ts";

/** A folder of the user's texts. */
export const folder = knowledgeBase(
  z.strictObject({ kind: z.literal("folder"), path: WORDS, ...LOOKUP }),
  ({ path }) => folderSource(path),
);

/** A user's folder, hashed at once by names and content. @throws {Error} for none to read. */
export function folderSource(folder: string): KnowledgeSource {
  return hashedSource(folder, () => readFolder(folder), () => {
    const lines = readableFiles(folder)
      .map((path) => `${sha256OfFile(path)} ${relative(folder, path)}\n`);
    return sha256Hex(lines.join(""));
  });
}

/** Reads the file at a path; its passages are of `file` in a collection. */
type Reader = (path: string, file: string, collection: string) => AsyncIterable<Passage>;

const READERS: readonly { readonly ending: RegExp; readonly read: Reader }[] = [
  { ending: /\.txt(?:\.gz)?$/u, read: blockReader(plainBlocks) },
  { ending: /\.md(?:\.gz)?$/u, read: blockReader(markdownBlocks) },
  { ending: /\.jsonl(?:\.gz)?$/u, read: readJsonLines },
  { ending: /\.xml(?:\.gz|\.bz2)?$/u, read: readWikipediaDump },
];

/** The files of a folder that can be read, those of folders in it too, sorted; not hidden ones. */
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
 * Passages of a folder's `.txt`, `.md`, `.jsonl` (`{text, title?, id?}` a line, or FEVER's wiki-pages;
 * other lines are passed over) and `.xml` (Wikipedia dump) files, each also as `.gz`, in the order of
 * their paths and never whole in memory. The title is the file's name, sections are Markdown's
 * headings.
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

/** A table that was saved as JSON has nulls, and numbers where others have words. */
const CELL = z.union([z.string(), z.number()]).nullish().transform((value) => String(value ?? ""));
const OWN_ROW = z.object({ text: z.string().min(1), title: CELL, id: CELL });

/** A page of FEVER's wiki-pages; some hold no text, and all write brackets as words. */
const FEVER_ROW = z.object({ id: z.string(), text: z.string(), lines: z.string() })
  .transform(({ id, text }) => ({ id, text: feverText(text), title: feverTitle(id) }));

const ROW = z.union([FEVER_ROW, OWN_ROW]);

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
    // An id that another line has, too, would give the one the other's text.
    const stem = row.id === "" || taken.has(row.id) ? `${file}#${line}` : row.id;
    taken.add(stem);
    for (const [index, text] of passageParts(row.text).entries()) {
      const id = index === 0 ? stem : `${stem}#${index + 1}`;
      yield { id, text, collection, title: row.title, section: "" };
    }
  }
}
