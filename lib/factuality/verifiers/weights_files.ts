import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BaselineSettings } from "./baseline_settings.ts";
import { parseBaselineSettings } from "./baseline_settings.ts";
import { parseVerifierWeights, type VerifierWeights } from "./verifier_weights.ts";

/** What ships; written by `deno task verifier`. */
const FOLDER = fileURLToPath(new URL("../../../data/factuality", import.meta.url));

export const VERIFIER_WEIGHTS = join(FOLDER, "verifier_weights.json");
export const VERIFIER_BASELINES = join(FOLDER, "verifier_baselines.json");

/**
 * The trained verifier's weights.
 * @throws {Deno.errors.NotFound} where the file is missing.
 * @throws {SyntaxError} naming it, where it is damaged or of other features.
 */
export function readVerifierWeights(path: string = VERIFIER_WEIGHTS): VerifierWeights {
  return parseVerifierWeights(Deno.readTextFileSync(path), path);
}

/** The baselines' thresholds. Throws as {@link readVerifierWeights} does. */
export function readBaselineSettings(path: string = VERIFIER_BASELINES): BaselineSettings {
  return parseBaselineSettings(Deno.readTextFileSync(path), path);
}
