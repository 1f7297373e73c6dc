import { basename, join, resolve } from "node:path";
import { type LabelledCase, labelledFile } from "../../../lib/factuality/labelled_case.ts";
import { caseAddress, drawCases } from "../../../lib/factuality/own/ask_components.ts";
import type { JudgeEntry } from "../../../lib/factuality/check/configuration.ts";
import { claimTask } from "../../../lib/factuality/check/judge.ts";
import { readConfiguration } from "../../../lib/factuality/check/configuration.ts";
import { openJudge } from "../../../lib/factuality/check/components.ts";
import { CLAIM_TEMPLATE, isTransient } from "../../../lib/factuality/types.ts";
import type { JudgeCalibrationEntry } from "../../../lib/factuality/judges/ensemble.ts";
import { readJudgeEntries, weightFromAccuracy } from "../../../lib/factuality/judges/ensemble.ts";
import { readPromptTemplates } from "../../../lib/factuality/judges/prompts.ts";
import { FACTUALITY_PATHS, userFolder } from "../../../lib/factuality/paths.ts";
import { accuracyWords, measureJudge } from "../../../lib/factuality/own/training/measures.ts";
import { TRAINING_SEED } from "../../../lib/factuality/own/training/splits.ts";
import { JUDGE_SCORES, type JudgeScore } from "../../../lib/factuality/own/training/tables.ts";
import { makeFolder, readTextIfThere, shownPath } from "../../../lib/files/atomic.ts";
import { addressOf } from "../../../lib/files/asking.ts";
import { writeJsonAtomic } from "../../../lib/files/json.ts";
import { askWithProgress } from "../../../lib/files/progress.ts";
import { randomSource } from "../../../lib/stats/random.ts";
import { command, EXIT, int } from "../../command.ts";
import { FACTBOOK_CLAIMS } from "../../open_studies.ts";
import { openReporting } from "../../user_answers.ts";

/** Name of the set of claims made from the factbook. */
export const ON_COUNTRIES = "claims made out of the factbook, development countries";

/** A judge with the prompt for its calibration. */
export interface JudgePlan {
  readonly entry: JudgeEntry;
  readonly prompt: string;
  /** Maximum number of claims asked. */
  readonly most: number;
}

const HELP = `
The judges of a configuration are measured as configured: GGUF files and servers, by probabilities or by
written scores. --cases is CSV or JSON lines with claim, source and label, as for deno task factcheck
compare. Results go to --out, never into data/; the command prints the line that makes a configuration
use them. Answers are saved; another run asks for missing ones.`;

export const TASK = command(
  "factcheck train judges",
  "Accuracy of judges, and the scaling of their scores to probabilities, on your claims or on claims " +
    "made from the factbook about countries outside all training data. " +
    "Writes judge_scores.csv and judge_calibration.json.",
  (c) =>
    c.option("--config <file>", "whose judges; those of data/factuality/evaluation.yaml by default")
      .option("--cases <file>", "your labelled claims instead of those about countries")
      .option("--claims <n>", "number of claims, a multiple of 4", int({ min: 4 }), 160)
      .option("--threads <n>", "of evaluation", int({ min: 1, max: 1024 }), 2)
      .option("--out <folder>", "for the files; .cache/judges/NAME by default")
      .addHelpText("after", HELP),
  async ({ config, cases, claims: count, threads, out }, { signal }) => {
    const path = config ?? FACTUALITY_PATHS.configuration;
    const folder = out ?? userFolder("judges", config ?? cases ?? path);
    const plans = await plansOf(readConfiguration(path));
    const claims = cases === undefined
      ? await (await FACTBOOK_CLAIMS.stated()).calibrationClaims(count)
      : userClaims(cases, count);
    const on = cases === undefined ? ON_COUNTRIES : `claims of ${basename(cases)}`;
    makeFolder(folder);
    const isDone = await calibrateJudges({ claims, on, threads, folder, signal }, path, plans);
    return isDone ? EXIT.done : EXIT.incomplete;
  },
);

/** Options of a calibration. */
export interface CalibrationOptions {
  readonly claims: readonly LabelledCase[];
  /** Name of the claims, in words. */
  readonly on: string;
  readonly threads: number;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Claims of a file that have a source. Of more than `count`, a balanced sample. */
function userClaims(path: string, count: number): readonly LabelledCase[] {
  const { cases, damaged, leftOut } = labelledFile(path);
  const sourced = cases.filter(({ passages }) => passages.length > 0);
  const passedOver = cases.length - sourced.length + damaged.length + leftOut.length;
  console.log(`${shownPath(path)}: ${sourced.length} claims, ${passedOver} lines skipped.`);
  if (sourced.length <= count) return sourced;
  return drawCases(sourced, count, randomSource(`${TRAINING_SEED}/calibration of judges`));
}

/** Plans for a configuration's judges, with the prompts that they will use. */
export async function plansOf(
  { name, judges, prompts }: ReturnType<typeof readConfiguration>,
): Promise<readonly JudgePlan[]> {
  const form = (await readPromptTemplates(prompts)).template(CLAIM_TEMPLATE).nextWordForm;
  const plans = judges.map((entry): JudgePlan => {
    const isRead = entry.readout === "next-token";
    return { entry, prompt: isRead && (entry.prompt ?? form) || CLAIM_TEMPLATE, most: Infinity };
  });
  if (plans.length > 0) return plans;
  throw new RangeError(`Cannot measure judges: the configuration ${name} names none under judges.`);
}

/** Calibrates all judges in sequence. @returns true where all have answered. */
export async function calibrateJudges(
  work: CalibrationOptions,
  path: string,
  plans: readonly JudgePlan[],
): Promise<boolean> {
  using table = JUDGE_SCORES.at(join(work.folder, basename(JUDGE_SCORES.path))).open();
  const entries: JudgeCalibrationEntry[] = [];
  let isWhole = true;
  for (const plan of plans) {
    const entry = await measureCalibration(plan, path, table, work);
    if (work.signal.aborted) return false;
    if (entry === undefined) isWhole = false;
    else entries.push(entry);
  }
  const file = resolve(work.folder, "judge_calibration.json");
  const isOfStudy = file === resolve(FACTUALITY_PATHS.judgeCalibration);
  if (entries.length === 0 || isOfStudy && !isWhole) return false;
  // Entries of the study's file that this run did not measure stay.
  const text = isOfStudy ? readTextIfThere(file) : undefined;
  const before = text === undefined ? [] : readJudgeEntries(text, shownPath(file));
  writeJsonAtomic(file, { schemaVersion: 1, entries: renewEntries(before, entries) });
  if (!isOfStudy) {
    console.log(`Measured: ${entries.map(({ id }) => id).join(", ")}. In your configuration:`);
    console.log(`judgeCalibration: ${JSON.stringify(file)}`);
  }
  return isWhole;
}

/** Updates measured entries in their old positions, so that the order never changes. */
export function renewEntries(
  before: readonly JudgeCalibrationEntry[],
  measured: readonly JudgeCalibrationEntry[],
): readonly JudgeCalibrationEntry[] {
  const keyOf = ({ id, prompt }: JudgeCalibrationEntry) => JSON.stringify([id, prompt]);
  const entries = [...before, ...measured].map((entry) => [keyOf(entry), entry] as const);
  return [...new Map(entries).values()];
}

/** Measures one judge; undefined where answers are missing. */
async function measureCalibration(
  { entry, prompt, most }: JudgePlan,
  config: string,
  table: ReturnType<typeof JUDGE_SCORES.open>,
  { claims, on, threads, signal }: CalibrationOptions,
): Promise<JudgeCalibrationEntry | undefined> {
  await using opened = await openReporting({ config, threads }, async (opening) => {
    const promptSha256 = opening.prompts.template(prompt).sha256;
    // The uncalibrated answer is measured.
    const bare = { ...opening, calibrationOf: () => undefined };
    return { ...await openJudge(entry, bare), promptSha256 };
  });
  const { judge, measured: { modelSha256, weights }, promptSha256 } = opened;
  const { id, readout } = entry;
  const scoring = readout === "generation" && entry.scoring === "expected" && entry.scoring;
  const model = addressOf(judge.settings);
  const address = ({ claim, passages }: LabelledCase) =>
    addressOf([promptSha256, caseAddress({ claim, passages })]);
  const label = `${id}, ${prompt}`;
  const asked = claims.slice(0, most);
  let trouble = "";
  const keyOf = (one: LabelledCase) => JSON.stringify([id, readout, prompt, one.id]);
  for (const one of asked) {
    // A changed label does not change the answer.
    const row = table.rows.get(keyOf(one));
    if (row?.prompt_sha256 === address(one)) table.put({ ...row, label: one.label });
  }
  const answers = await askWithProgress(label, {
    questions: asked,
    keyOf,
    table,
    isCurrent: (row, one) => row.prompt_sha256 === address(one) && row.model_sha256 === model,
    async ask(one, signal): Promise<JudgeScore | undefined> {
      const task = { ...claimTask(one.claim, one.passages, ""), template: prompt };
      const judgement = await judge.judge(task, { signal });
      // A server's failure says nothing about its model: it is asked again.
      const isLost = modelSha256 === undefined && judgement.kind === "unscored" &&
        isTransient(judgement.reason);
      if (isLost) trouble = judgement.message;
      if (isLost) return undefined;
      return {
        judge: id,
        readout,
        prompt,
        prompt_sha256: address(one),
        model_sha256: model,
        case: one.id,
        country: one.cluster,
        claim: one.claim,
        label: one.label,
        status: judgement.kind === "scored" ? "scored" : judgement.reason,
        score: judgement.kind === "scored" ? judgement.score : "",
      };
    },
    signal,
    concurrency: judge.concurrency,
  });
  if (answers === undefined) {
    if (trouble !== "") console.error(`${label}: ${trouble}`);
    return undefined;
  }
  const scored = answers.flatMap(({ country, label, score }) =>
    score === "" ? [] : [{ cluster: country, supported: label === "supported", score }]
  );
  if (scored.length === 0) {
    const why = `it gave no score on ${answers.length} claims (${answers[0]?.status ?? "none"})`;
    throw new RangeError(`Cannot measure ${label}: ${why}. Try another readout or prompt.`);
  }
  const random = randomSource(`${TRAINING_SEED}/${id}/${prompt}`);
  const { scaling, ...measures } = measureJudge(scored, { readout, on, random });
  const figures = { ...measures, unscored: answers.length - scored.length };
  const weight = weightFromAccuracy(measures.measured).toFixed(2);
  console.log(`${label}: ${accuracyWords({ ...figures.measured, ...figures })}, weight ${weight}`);
  const identity = { id, readout, prompt, promptSha256, modelSha256: modelSha256 ?? null, weights };
  return { ...identity, ...scoring && { scoring }, scaling: scaling ?? null, ...figures };
}
