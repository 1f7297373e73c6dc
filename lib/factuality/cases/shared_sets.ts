import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beginCases } from "./begin.ts";
import { factcheckgptCases } from "./factcheckgpt.ts";
import { factscoreCases } from "./factscore.ts";
import { haluevalQuestions } from "./halueval.ts";
import type { LoadedCases } from "./load_cases.ts";

/** Human-labelled data beside the project; it is measured on and never copied into it. */
export const SHARED_DATA = fileURLToPath(new URL("../../../../shared/data", import.meta.url));

/** A set that is looked for, by the name that its cases carry. */
export interface SharedSet {
  readonly name: string;
  readonly file: string;
  readonly load: (path: string) => LoadedCases;
}

export const SHARED_SETS: readonly SharedSet[] = [
  {
    name: "factcheckgpt_stance",
    file: "factcheckgpt_stance.jsonl",
    load: (path) => factcheckgptCases(path, "left out"),
  },
  {
    name: "factcheckgpt_stance with partial",
    file: "factcheckgpt_stance.jsonl",
    load: (path) => factcheckgptCases(path, "not supported"),
  },
  { name: "begin_wow", file: "begin_wow.jsonl", load: beginCases },
  { name: "halueval_qa", file: "halueval_qa.jsonl", load: haluevalQuestions },
  { name: "factscore_labeled", file: "factscore_labeled.jsonl", load: factscoreCases },
];

/** The sets whose files are there, in the order of {@link SHARED_SETS}; none without the folder. */
export function presentSets(folder = SHARED_DATA): readonly SharedSet[] {
  return SHARED_SETS.filter(({ file }) => existsSync(join(folder, file)));
}

/** The cases of a shared set. @throws {Error} naming the file, where it cannot be read. */
export function loadSharedSet({ file, load }: SharedSet, folder = SHARED_DATA): LoadedCases {
  return load(join(folder, file));
}
