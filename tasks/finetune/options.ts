import { parseArgs } from "node:util";
import { KNOWLEDGE_SEED } from "../../lib/factuality/training/knowledge_claims.ts";
import { wholeNumber, withUsage } from "../command.ts";

export const USAGE =
  `deno task finetune: fine-tunes MiniLM's own weights as a cross-encoder, and measures it

  --seed NUMBER      order of training, first weights of the head; ${KNOWLEDGE_SEED} unless told
  --epochs NUMBER    rounds over the training claims; 2 unless told
  --threads NUMBER   of PyTorch and of llama.cpp; 1 unless told

Makes a scratch environment for Python with PyTorch in .cache/python (1.3 GB, once), writes the network
to .cache/finetune/minilm_cross_encoder.gguf and figures to data/factuality/fine_tuning_*.csv. Ctrl-C
keeps what is there, and a further run goes on from it.`;

/** What the task was asked for. */
export interface FineTuneOptions {
  readonly seed: number;
  readonly epochs: number;
  readonly threads: number;
}

/** @throws {SyntaxError | RangeError} for a command line that is none, with the usage. */
export function fineTuneOptions(args: readonly string[]): FineTuneOptions {
  const { seed, epochs, threads } = withUsage(USAGE, () =>
    parseArgs({
      args: [...args],
      options: {
        seed: { type: "string", default: String(KNOWLEDGE_SEED) },
        epochs: { type: "string", default: "2" },
        threads: { type: "string", default: "1" },
      },
    })).values;
  return {
    seed: wholeNumber("seed", seed, 0),
    epochs: wholeNumber("epochs", epochs),
    threads: wholeNumber("threads", threads),
  };
}
