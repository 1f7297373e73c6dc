import { existsSync } from "node:fs";
import { z } from "zod";
import { writeTextAtomic } from "../../../files/atomic.ts";
import { sha256Hex } from "../../../files/checksum.ts";
import { type CsvAppender, openCsvAppender } from "../../../files/csv_appender.ts";
import { formatCsv, readCsv } from "../../../files/csv.ts";
import { inertText } from "../../../files/inert_text.ts";
import { readWhole } from "../../../files/whole_table.ts";
import type { LabelledCase } from "../../cases/labelled_case.ts";
import { claimKind } from "../../claims/claim_kind.ts";
import type { ComponentAnswer, ComponentRun } from "../../evaluation/component_answer.ts";
import { UNSCORED_REASONS } from "../../verdicts/verdict.ts";
import { type ComparedComponent, settingsSha256 } from "./compared_component.ts";

const COLUMNS = [
  ...["set", "case_id", "case_sha256", "cluster", "claim_kind", "label", "component"] as const,
  ...["status", "supported", "reason", "milliseconds", "settings_sha256"] as const,
];
type Column = typeof COLUMNS[number];

const ROW = z.object({
  set: z.string(),
  case_id: z.string(),
  /** Of claim, label and passages: a case that was made anew is another. */
  case_sha256: z.string(),
  cluster: z.string(),
  claim_kind: z.string(),
  label: z.string(),
  component: z.string(),
  /** `scored`, or why there is no score. */
  status: z.enum(["scored", ...UNSCORED_REASONS]),
  /** Probability that the claim is supported, 0–1; empty where there is no score. */
  supported: z.union([z.literal(""), z.coerce.number().min(0).max(1)]),
  reason: z.string(),
  milliseconds: z.coerce.number().min(0),
  /** Of the component's settings. */
  settings_sha256: z.string(),
}).refine((row) => (row.status === "scored") === (row.supported !== ""), {
  message: "status and supported contradict one another",
});

/** One component's answer about one case. */
export type AnswerRow = Readonly<z.infer<typeof ROW>>;

/** The table of answers, open for more. */
export type AnswerTable = CsvAppender<Column, AnswerRow>;

/** A judge's reasoning can be long; what is cut ends in "…". */
const LONGEST_REASON = 400;

const MAKER = "deno task compare";

/** The table of answers, made where it is missing. */
export function openComponentAnswers(path: string): AnswerTable {
  return openCsvAppender(path, COLUMNS, (record) => ROW.parse(record));
}

/** All answers of a finished table. @throws {SyntaxError} naming the first damaged line. */
export function readComponentAnswers(path: string): readonly AnswerRow[] {
  return readWhole(path, COLUMNS, (record) => ROW.parse(record), MAKER);
}

/** A case as it was asked. */
export function caseSha256({ claim, label, passages }: LabelledCase): string {
  const texts = passages.map(({ title, section, text }) => [title, section, text]);
  return sha256Hex(JSON.stringify([claim, label, texts])).slice(0, 16);
}

/** An answer as a row. */
export function answerRow(
  { name, settings }: Pick<ComparedComponent, "name" | "settings">,
  one: LabelledCase,
  answer: ComponentAnswer,
): AnswerRow {
  const { supported, unscored, reason, milliseconds } = answer;
  const text = inertText(reason);
  return {
    ...{ set: one.set, case_id: one.id, case_sha256: caseSha256(one) },
    ...{ cluster: one.cluster, claim_kind: claimKind(one.claim), label: one.label },
    component: name,
    status: unscored ?? "scored",
    supported: supported === undefined ? "" : Number(supported.toFixed(6)),
    reason: text.length > LONGEST_REASON
      ? `${text.slice(0, LONGEST_REASON).toWellFormed()}…`
      : text,
    milliseconds: Number(milliseconds.toFixed(2)),
    settings_sha256: settingsSha256(settings),
  };
}

/** The row as an answer again. */
export function answerOfRow({ status, supported, reason, milliseconds }: AnswerRow) {
  const unscored = status === "scored" ? undefined : status;
  return {
    supported: supported === "" ? undefined : supported,
    ...{ unscored, reason, milliseconds },
  } satisfies ComponentAnswer;
}

/** Each component's answers about these cases as they are now, components in order of the table. */
export function componentRuns(
  rows: readonly AnswerRow[],
  cases: readonly LabelledCase[],
): readonly ComponentRun[] {
  const hashes = new Map(cases.map((one) => [`${one.set}\n${one.id}`, caseSha256(one)]));
  const current = rows.filter(({ set, case_id, case_sha256 }) =>
    hashes.get(`${set}\n${case_id}`) === case_sha256
  );
  return [...Map.groupBy(current, ({ component }) => component)].map(([component, own]) => ({
    component,
    answers: new Map(own.map((row) => [row.case_id, answerOfRow(row)])),
  }));
}

/** The components that were asked about as many cases as any other. */
export function completeRuns(runs: readonly ComponentRun[]): readonly ComponentRun[] {
  const most = Math.max(0, ...runs.map(({ answers }) => answers.size));
  return runs.filter(({ answers }) => answers.size === most);
}

/** What takes rows out of the table. */
export interface SetAside {
  /** Where they are kept, appended. */
  readonly path: string;
  readonly isStale: (row: AnswerRow) => boolean;
}

/**
 * Moves answers that were given with other settings, or to another case of the same name, out of the
 * table: they are kept, and mixed with none. First written there, then taken out here, so that a kill
 * loses nothing. @returns how many.
 */
export function setAnswersAside(table: string, { path, isStale }: SetAside): number {
  if (!existsSync(table)) return 0;
  const rows = readCsv(table, COLUMNS, (record) => ROW.parse(record)).rows;
  const stale = rows.filter(isStale);
  if (stale.length === 0) return 0;
  {
    using aside = openComponentAnswers(path);
    for (const row of stale) aside.append(row);
  }
  writeTextAtomic(table, formatCsv(COLUMNS, rows.filter((row) => !isStale(row))));
  return stale.length;
}
