import { dirname, join } from "node:path";
import { markdownTable } from "../../../figures/markdown_table.ts";
import { writeTextAtomic } from "../../../files/atomic.ts";
import { CASE_FORMATS, type CaseFormatName, readLabelledCases } from "../../cases/case_formats.ts";

const ABOUT: Readonly<Record<CaseFormatName, string>> = {
  file: "CSV or JSONL of one’s own: claim, label, source",
  fever: "FEVER’s claims (JSONL), its `wiki-pages` beside them",
  truthfulqa: "TruthfulQA’s table; no sources: a knowledge base, or none",
  halueval: "HaluEval, questions with a right and a made-up answer",
  "halueval-dialogue": "HaluEval, dialogues",
  "halueval-summaries": "HaluEval, summaries",
  ragtruth: "RAGTruth’s responses, `source_info.jsonl` beside them",
  factcheckgpt: "FactCheckGPT’s claims with the stance of web passages",
  begin: "BEGIN, replies against a sentence of Wikipedia",
};

/** Every format that labelled claims are read from, and what a user runs. */
export function formatsTable(): string {
  return markdownTable(
    ["format", "what it is", "measured by"],
    CASE_FORMATS.map((format) => [
      ...[`\`${format}\``, ABOUT[format], `\`deno task compare --cases ${format}:FILE\``],
    ]),
  );
}

const FEVER_PAGE = { id: "Alpha", text: "", lines: "0\tAlpha is a river .\n1\tIt is 9 km long ." };
const evidence = (sentence: number) => [[[0, 0, "Alpha", sentence]]];
const FEVER_CLAIMS = [
  { id: 1, claim: "Alpha is a river.", label: "SUPPORTS", evidence: evidence(0) },
  { id: 2, claim: "Alpha is 90 km long.", label: "REFUTES", evidence: evidence(1) },
  { id: 3, claim: "Alpha is cold.", label: "NOT ENOUGH INFO", evidence: [[[0, null, null, null]]] },
  { id: 4, claim: "Alpha", label: "MAYBE", evidence: [] },
];
const TRUTHFULQA = "Question,Best Answer,Correct Answers,Incorrect Answers\n" +
  "Is the moon cheese?,It is rock.,It is rock.; I have no comment,It is cheese.\n";

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** Files in the form of two benchmarks, and what each gives. */
const EXAMPLES: readonly {
  readonly format: CaseFormatName;
  readonly path: string;
  readonly files: Readonly<Record<string, string>>;
}[] = [
  {
    ...{ format: "fever", path: "fever.jsonl" },
    files: { "fever.jsonl": lines(FEVER_CLAIMS), "wiki-pages/wiki-001.jsonl": lines([FEVER_PAGE]) },
  },
  {
    ...{ format: "truthfulqa", path: "truthfulqa.csv" },
    files: { "truthfulqa.csv": TRUTHFULQA },
  },
];

/** Reads a small file of each example, which it writes into the folder: a row a case. */
export async function readingTable(folder: string): Promise<string> {
  const cells: (readonly string[])[] = [];
  for (const { format, path, files } of EXAMPLES) {
    for (const [name, text] of Object.entries(files)) {
      Deno.mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeTextAtomic(join(folder, name), text);
    }
    const { cases, damaged, leftOut } = await readLabelledCases(format, join(folder, path));
    const empty = ["", ""];
    cells.push(
      ...cases.map(({ claim, label, passages }) => [
        ...[format, claim, label, passages.map(({ text }) => text).join(" ") || "–"],
      ]),
      ...damaged.map(({ line }) => [format, `line ${line} is damaged`, ...empty]),
      ...leftOut.map(({ id, reason }) => [format, `${id} is left out: ${reason}`, ...empty]),
    );
  }
  return markdownTable(["format", "claim", "label", "evidence"], cells);
}
