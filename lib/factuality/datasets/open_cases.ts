import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { labelledFile, type LoadedCases } from "./labelled_case.ts";
import { factcheckgptCases, factscoreCases, feverCases, feverPageNames } from "./public_sets.ts";
import { haluevalDialogues, haluevalQuestions, haluevalSummaries } from "./public_sets.ts";
import { ragtruthCases, readFeverPages, truthfulqaCases } from "./public_sets.ts";

/** A file of labelled claims and the format that it is read in. */
export interface CaseSource {
  readonly format: CaseFormatName;
  readonly path: string;
}

/** FORMAT:FILE, or FILE in one's own format; "C:" is a drive. @throws {RangeError} for others. */
export function caseSource(text: string): CaseSource {
  const [, prefix, rest] = /^([^:/\\]{2,}):(.*)$/su.exec(text) ?? [];
  const format = prefix === undefined ? "file" : CASE_FORMATS.find((name) => name === prefix);
  const path = rest ?? text;
  if (format !== undefined && path !== "") return { format, path };
  throw new RangeError(
    `Cannot read the cases: --cases is "${text}"; it is FORMAT:FILE or FILE. The formats are ` +
      `${CASE_FORMATS.join(", ")}.`,
  );
}

/** How the files of a format are read; of a set of several files the path is that of the claims. */
const FORMATS = {
  file: labelledFile,
  async fever(path) {
    const folder = join(dirname(path), "wiki-pages");
    const names = () => feverPageNames(path);
    return feverCases(path, existsSync(folder) ? await readFeverPages(folder, names()) : undefined);
  },
  truthfulqa: truthfulqaCases,
  halueval: haluevalQuestions,
  "halueval-dialogue": haluevalDialogues,
  "halueval-summaries": haluevalSummaries,
  ragtruth: (path) =>
    ragtruthCases({ responses: path, sources: join(dirname(path), "source_info.jsonl") }),
  factcheckgpt: (path) => factcheckgptCases(path, "left out"),
} as const satisfies Record<string, (path: string) => LoadedCases | Promise<LoadedCases>>;

/** A format that labelled claims come in; `file` is one's own. */
type CaseFormatName = keyof typeof FORMATS;
export const CASE_FORMATS = Object.keys(FORMATS) as readonly CaseFormatName[];

/** The labelled claims of a file, and of what stands beside it. @throws {Error} naming the file. */
export const readLabelledCases = async (format: CaseFormatName, path: string) =>
  await FORMATS[format](path);

/** Human-labelled data beside the project; it is measured on and never copied into it. */
export const SHARED_DATA = fileURLToPath(new URL("../../../../shared/data", import.meta.url));

/** Sets that are looked for, by the name that their cases carry. */
const SHARED_SETS = [
  {
    name: "factcheckgpt_stance",
    file: "factcheckgpt_stance.jsonl",
    load: (path: string) => factcheckgptCases(path, "left out"),
  },
  {
    name: "factcheckgpt_stance with partial",
    file: "factcheckgpt_stance.jsonl",
    load: (path: string) => factcheckgptCases(path, "not supported"),
  },
  { name: "halueval_qa", file: "halueval_qa.jsonl", load: haluevalQuestions },
  { name: "factscore_labeled", file: "factscore_labeled.jsonl", load: factscoreCases },
];

/** The sets whose files are there, in the order of {@link SHARED_SETS}; none without the folder. */
export const presentSets = (folder = SHARED_DATA) =>
  SHARED_SETS.filter(({ file }) => existsSync(join(folder, file)));

/** The cases of a shared set. @throws {Error} naming the file, where it cannot be read. */
export const loadSharedSet = ({ file, load }: typeof SHARED_SETS[number], folder = SHARED_DATA) =>
  load(join(folder, file));
