import { join } from "node:path";
import { comparedJudge, comparedVerifier } from "../../lib/factuality/own/ask_components.ts";
import type { GroupOptions, OpenGroup } from "../../lib/factuality/own/ask_components.ts";
import {
  BASELINE_GROUP,
  claimPrompts,
  type ComparedPanel,
  componentGroup,
  configuredGroup,
  judgeName,
  QUICK_COMPONENTS,
} from "../../lib/factuality/own/component_groups.ts";
import { readJudgeCalibration } from "../../lib/factuality/judges/ensemble.ts";
import { generatingJudge } from "../../lib/factuality/judges/generating_judge.ts";
import { readPromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import {
  largerJudges,
  openStudyWriter,
  WRITER,
  WRITING_TIMEOUT,
} from "../../lib/studies/factuality/robustness/panel.ts";
import { promptedVerifier } from "../../lib/factuality/verifiers/prompted.ts";
import { readTextIfThere } from "../../lib/files/atomic.ts";
import { modelFile } from "../../lib/models/llama/local_models.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { engineNextWord } from "../../lib/models/llama/roles.ts";
import { expandedWeights } from "../../lib/models/llama/weights.ts";

/** Maximum number of words in a chunk, the configuration's value for language-model verifiers. */
const CHUNK_WORDS = 300;

const { cache: cacheDirectory } = FACTUALITY_PATHS;
const YES_OR_NO = `${WRITER.id} (yes or no)`;
const WRITTEN_SCORE = judgeName(WRITER.id, "generation");

/** Opens SmolLM2 as a verifier prompted like MiniCheck: document and claim, yes or no. */
async function openPrompted({ threads }: GroupOptions): Promise<OpenGroup> {
  const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  const published = await modelFile(WRITER, cacheDirectory);
  const { sha256 } = published;
  const how = { directory: join(cacheDirectory, "models"), precision: "F32", threads } as const;
  const { path } = await expandedWeights(published, how);
  const engine = await openEngine(path, { threads, contextTokens: WRITER.contextTokens });
  const model = engineNextWord(WRITER.id, engine, { fileSha256: sha256 });
  const template = prompts.template("support");
  const file = FACTUALITY_PATHS.judgeCalibration;
  const text = readTextIfThere(file);
  const known = text === undefined ? undefined : readJudgeCalibration(text, file, prompts);
  const calibration = known?.(WRITER.id, "support", { modelSha256: sha256, weights: "F32" })
    ?.scaling;
  const options = { calibration, modelSha256: sha256, chunkWords: CHUNK_WORDS };
  const verifier = promptedVerifier(model, template, options);
  const settings = { promptSha256: template.sha256 };
  return componentGroup([comparedVerifier(verifier, YES_OR_NO, settings)], engine);
}

/** Opens SmolLM2 as a generating judge. A grammar restricts its reasons and score to JSON. */
async function openWriter({ threads }: GroupOptions): Promise<OpenGroup> {
  const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  const model = await openStudyWriter(threads, { seed: 0, temperature: 0 });
  const modelSha256 = String(model.settings["fileSha256"]);
  const timeoutSeconds = WRITING_TIMEOUT;
  const options = { weight: 1, measured: undefined, modelSha256, timeoutSeconds };
  const judge = generatingJudge(model, prompts, options);
  return componentGroup([comparedJudge(judge, WRITTEN_SCORE, claimPrompts(prompts, judge))], model);
}

/** Components of the study: those of its configuration, baselines, and SmolLM2 in two more uses. */
export const studyPanel = (): ComparedPanel => ({
  groups: [
    configuredGroup(FACTUALITY_PATHS.configuration),
    BASELINE_GROUP,
    { names: [YES_OR_NO], open: openPrompted },
    { names: [WRITTEN_SCORE], open: openWriter },
  ],
  isQuick: (component) => QUICK_COMPONENTS.includes(component),
  isSlow: (component) => component === WRITTEN_SCORE,
});

/** Judges of larger models, asked only on request. They form no ensemble, whose name is taken. */
export const largerPanel = (): ComparedPanel => ({
  groups: [{ ...configuredGroup(FACTUALITY_PATHS.largerJudge), names: largerJudges() }],
  isQuick: () => false,
  isSlow: () => false,
});
