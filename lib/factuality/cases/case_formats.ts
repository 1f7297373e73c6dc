import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { beginCases } from "./begin.ts";
import { factcheckgptCases } from "./factcheckgpt.ts";
import { feverCases, feverPageNames } from "./fever.ts";
import { readFeverPages } from "./fever_pages.ts";
import { haluevalDialogues, haluevalQuestions, haluevalSummaries } from "./halueval.ts";
import { labelledFile } from "./labelled_file.ts";
import type { LoadedCases } from "./load_cases.ts";
import { ragtruthCases } from "./ragtruth.ts";
import { truthfulqaCases } from "./truthfulqa.ts";

/** How the files of a format are read; of a set of several files the path is that of the claims. */
type CaseFormat = (path: string) => LoadedCases | Promise<LoadedCases>;

const FORMATS = {
  file: labelledFile,
  fever: feverBesidePages,
  truthfulqa: truthfulqaCases,
  halueval: haluevalQuestions,
  "halueval-dialogue": haluevalDialogues,
  "halueval-summaries": haluevalSummaries,
  ragtruth: (path) =>
    ragtruthCases({ responses: path, sources: join(dirname(path), "source_info.jsonl") }),
  factcheckgpt: (path) => factcheckgptCases(path, "left out"),
  begin: beginCases,
} as const satisfies Readonly<Record<string, CaseFormat>>;

/** A format that labelled claims come in; `file` is one's own. */
export type CaseFormatName = keyof typeof FORMATS;

export const CASE_FORMATS = Object.keys(FORMATS) as readonly CaseFormatName[];

/**
 * The labelled claims of a file. FEVER's pages are looked for in `wiki-pages` beside it, without
 * which its claims have no evidence; RAGTruth's sources in `source_info.jsonl`.
 * @throws {Error} naming the file, where it cannot be read.
 */
export async function readLabelledCases(
  format: CaseFormatName,
  path: string,
): Promise<LoadedCases> {
  return await FORMATS[format](path);
}

async function feverBesidePages(path: string): Promise<LoadedCases> {
  const folder = join(dirname(path), "wiki-pages");
  if (!existsSync(folder)) return feverCases(path);
  return feverCases(path, await readFeverPages(folder, feverPageNames(path)));
}
