import { z } from "zod";

const SHARE = z.number().min(0).max(1);
const CALIBRATION = z.object({ threshold: z.number(), slope: z.number(), refutedShare: SHARE });
const SETTINGS = z.object({
  /** Shares of the labels on the development split. */
  majority: z.object({ supported: SHARE, refuted: SHARE, "not enough info": SHARE }),
  overlap: CALIBRATION,
  cosine: CALIBRATION,
});

/** Thresholds of the baselines, chosen on the development split of the knowledge base's claims. */
export type BaselineSettings = z.infer<typeof SETTINGS>;

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
