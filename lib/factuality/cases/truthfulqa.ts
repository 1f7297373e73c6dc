import { z } from "zod";
import { damageReason } from "../../files/damage_reason.ts";
import { casesOfRecords, readCsvRecords } from "./csv_records.ts";
import { labelled, leftOut, type LoadedCases, type RowCases } from "./load_cases.ts";

const SET = "truthfulqa";

const ROW = z.object({
  Question: z.string().min(1),
  "Best Answer": z.string().min(1),
  "Correct Answers": z.string(),
  "Incorrect Answers": z.string(),
});
type Row = z.infer<typeof ROW>;

/**
 * TruthfulQA (Lin et al. 2022, arXiv 2109.07958) as its authors' CSV: each answer is a claim,
 * correct ones supported and incorrect ones refuted by the world; answers are separated by ";".
 * There is no evidence in the file, so there are no passages: such claims need a knowledge base,
 * or are judged without. An answer that says nothing ("I have no comment") is left out. The cluster
 * is the question.
 * @throws {Error} naming the file, where it cannot be read or lacks a column.
 */
export function truthfulqaCases(path: string): LoadedCases {
  return casesOfRecords(readRecords(path), ROW, casesOf);
}

function readRecords(path: string) {
  try {
    return readCsvRecords(path, withNeededColumns);
  } catch (cause) {
    throw new Error(
      `Cannot read the cases: ${path} is no TruthfulQA table: ${damageReason(cause)}. ` +
        "Take the authors' TruthfulQA.csv as it is.",
      { cause },
    );
  }
}

function withNeededColumns(header: readonly string[]): string[] {
  const missing = Object.keys(ROW.shape).find((column) => !header.includes(column));
  if (missing !== undefined) throw new SyntaxError(`the column "${missing}" is missing`);
  return [...header];
}

function casesOf(row: Row, line: number): readonly RowCases[] {
  const correct = new Set([row["Best Answer"].trim(), ...answersIn(row["Correct Answers"])]);
  const incorrect = new Set(answersIn(row["Incorrect Answers"]));
  const cluster = row.Question.trim();
  const claims = [
    ...[...correct].map((claim) => ({ claim, label: "supported" as const })),
    ...[...incorrect].map((claim) => ({ claim, label: "refuted" as const })),
  ];
  return claims.map(({ claim, label }, index) => {
    const id = `truthfulqa-${line}/${index + 1}`;
    if (/^I (?:have no comment|don['’]t know)/iu.test(claim)) return leftOut(id, "says nothing");
    return labelled({ id, claim, passages: [], label, cluster, set: SET });
  });
}

function answersIn(field: string): readonly string[] {
  return field.split(";").map((answer) => answer.trim()).filter((answer) => answer !== "");
}
