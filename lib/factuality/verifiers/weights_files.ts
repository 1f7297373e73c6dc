import { type Json, writeJsonAtomic } from "../../files/json_file.ts";
import { readTextIfThere } from "../../files/read_text.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { type BaselineSettings, parseBaselineSettings } from "./baseline_settings.ts";
import { type HeadWeights, parseHeadWeights } from "./head_weights.ts";
import { parseVerifierWeights, type VerifierWeights } from "./verifier_weights.ts";

/** What ships; written by `deno task verifier`. */
const { verifierWeights: VERIFIER_WEIGHTS, verifierBaselines } = FACTUALITY_PATHS;
export const VERIFIER_BASELINES = verifierBaselines;

/**
 * The trained verifier's weights.
 * @throws {Deno.errors.NotFound} where the file is missing.
 * @throws {SyntaxError} naming it, where it is damaged or of other features.
 */
export function readVerifierWeights(path: string = VERIFIER_WEIGHTS): VerifierWeights {
  return parseVerifierWeights(Deno.readTextFileSync(path), path);
}

/** Weights of the verifier that ships (version 1), or of one's own training (version 2). */
export type TrainedWeights = VerifierWeights | HeadWeights;

/** Weights of either version. Throws as {@link readVerifierWeights} does. */
export function readTrainedWeights(path: string): TrainedWeights {
  const text = Deno.readTextFileSync(path);
  const value = jsonOrUndefined(text);
  return typeof value === "object" && value !== null && "version" in value && value.version === 2
    ? parseHeadWeights(value, path)
    : parseVerifierWeights(text, path);
}

/** Undefined of a damaged file: whoever parses its text says so. */
function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The baselines' thresholds. Throws as {@link readVerifierWeights} does. */
export function readBaselineSettings(path: string = VERIFIER_BASELINES): BaselineSettings {
  return parseBaselineSettings(Deno.readTextFileSync(path), path);
}

/** Writes the baselines' thresholds; those of PMI that are there stay where there are no new ones. */
export function writeBaselineSettings(
  settings: BaselineSettings,
  path: string = VERIFIER_BASELINES,
): void {
  const pmi = settings.pmi ?? writtenPmi(path);
  const written = pmi === undefined ? settings : { ...settings, pmi };
  writeJsonAtomic(path, written as unknown as Json);
}

/** None of a file that is damaged: it is about to be replaced by a sound one. */
function writtenPmi(path: string): BaselineSettings["pmi"] {
  const text = readTextIfThere(path);
  try {
    return text === undefined ? undefined : parseBaselineSettings(text, path).pmi;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
