import { join } from "node:path";
import { z } from "zod";
import { textLines } from "../retrieval/text_lines.ts";

/** Sentences by number, by the page's name as the claims' file writes it. */
export type FeverPages = ReadonlyMap<string, readonly string[]>;

const PAGE = z.object({ id: z.string(), lines: z.string() });

/**
 * The named pages out of FEVER's folder of wiki-pages (`wiki-001.jsonl` …, or the same as `.gz`),
 * read line by line: only what is asked for is kept. A line that is no page is passed over.
 * @throws {Error} naming the folder, where it has no such file.
 */
export async function readFeverPages(
  folder: string,
  names: ReadonlySet<string>,
): Promise<FeverPages> {
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => /\.jsonl(?:\.gz)?$/u.test(name)).sort();
  if (files.length === 0) {
    throw new Error(
      `Cannot read FEVER's pages: ${folder} holds no .jsonl file. Unpack wiki-pages.zip there.`,
    );
  }
  const pages = new Map<string, readonly string[]>();
  for (const file of files) {
    for await (const line of textLines(join(folder, file))) {
      const page = parsePage(line);
      if (page && names.has(page.id)) pages.set(page.id, sentencesIn(page.lines));
    }
  }
  return pages;
}

function parsePage(line: string): z.infer<typeof PAGE> | undefined {
  try {
    return PAGE.parse(JSON.parse(line));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

/** Each line is number, sentence and links, separated by tabs; some sentences hold line breaks. */
function sentencesIn(lines: string): readonly string[] {
  const sentences: string[] = [];
  for (const line of lines.split("\n")) {
    const [, number, sentence] = /^(\d+)\t([^\t]*)/u.exec(line) ?? [];
    if (number !== undefined && sentence !== undefined) sentences[Number(number)] = sentence;
  }
  return sentences;
}
