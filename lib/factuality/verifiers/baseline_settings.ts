import { z } from "zod";
import { MEASURED_FIELDS } from "../judges/measured_fields.ts";
import type { ScoreCalibration } from "./score_verifier.ts";

const SHARE = z.number().min(0).max(1);
const CALIBRATION = z.object({ threshold: z.number(), slope: z.number(), refutedShare: SHARE });
const PMI = CALIBRATION.extend({
  /** The model's id; it is found by the SHA-256 of its file as it was published. */
  id: z.string().min(1),
  modelSha256: z.string().regex(/^[0-9a-f]{64}$/),
  chunkWords: z.int().min(1),
  /** By a threshold fitted without the claim's own country. */
  measured: z.object(MEASURED_FIELDS),
  areaUnderCurve: SHARE,
  /** Claims that it gave no score. */
  unscored: z.int().min(0),
});
const SETTINGS = z.object({
  /** Shares of the labels on the development split. */
  majority: z.object({ supported: SHARE, refuted: SHARE, "not enough info": SHARE }),
  overlap: CALIBRATION,
  cosine: CALIBRATION,
  /** Of nats a token, an entry a model; fitted by `deno task judges`. */
  pmi: z.array(PMI).optional(),
});

/** Thresholds of the baselines, chosen on the development split of the knowledge base's claims. */
export type BaselineSettings = z.infer<typeof SETTINGS>;

/** What was fitted and measured of PMI under one model. */
export type PmiCalibration = Readonly<z.infer<typeof PMI>>;

/**
 * The threshold for PMI under a model.
 * @param path Of the settings, for the message.
 * @throws {Error} where none was fitted for this file.
 */
export function pmiCalibration(
  { pmi = [] }: BaselineSettings,
  { id, sha256 }: { readonly id: string; readonly sha256: string },
  path: string,
): ScoreCalibration {
  const found = pmi.find(({ modelSha256 }) => modelSha256 === sha256);
  if (found === undefined) {
    throw new Error(
      `Cannot verify by PMI under ${id}: ${path} has no threshold for its file (SHA-256 ` +
        `${sha256}). Run "deno task judges --pmi FILE", which fits one.`,
    );
  }
  const { threshold, slope, refutedShare } = found;
  return { threshold, slope, refutedShare };
}

/** @throws {SyntaxError} naming the file, where it is no file of baselines. */
export function parseBaselineSettings(text: string, path: string): BaselineSettings {
  try {
    return SETTINGS.parse(JSON.parse(text));
  } catch (cause) {
    throw new SyntaxError(
      `Cannot read the baselines' thresholds: ${path} is no file of them. ` +
        `Restore it, or run "deno task verifier".`,
      { cause },
    );
  }
}
