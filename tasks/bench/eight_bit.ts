import { join } from "node:path";
import { formatPrecisionEffect, precisionEffect } from "../../lib/models/llama/precision_effect.ts";
import { expandedWeights } from "../../lib/models/llama/weights.ts";
import type { BenchWeights } from "./inputs.ts";

/** What 8-bit weights do to a model's scores of these texts, against 32-bit floats; in words. */
export async function eightBitEffect(
  { entry, shipped, expanded }: BenchWeights,
  options: {
    readonly cacheDirectory: string;
    readonly threads: number;
    readonly texts: readonly string[];
  },
): Promise<string> {
  const directory = join(options.cacheDirectory, "models");
  const settings = { directory, precision: "Q8_0", threads: options.threads } as const;
  const rough = await expandedWeights(shipped, settings);
  const effect = await precisionEffect(expanded.path, rough.path, options);
  return `${entry.id} on 8-bit weights: ${formatPrecisionEffect(effect)}`;
}
