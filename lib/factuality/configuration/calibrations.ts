import { z } from "zod";
import { shownPath } from "../../files/shown_path.ts";
import type { MeasuredAccuracy } from "../judges/judgement.ts";
import type { PlattScaling } from "../judges/platt.ts";

/** What was measured of a model read in one way. */
export interface Calibration {
  /** Of the probability of "yes"; undefined for a model that writes its score. */
  readonly scaling: PlattScaling | undefined;
  readonly measured: MeasuredAccuracy | undefined;
}

/** What is known of a model by its id and readout; undefined where nobody has measured it so. */
export type CalibrationOf = (id: string, readout: string) => Calibration | undefined;

const SHARE = z.number().min(0).max(1);
const FILE = z.object({
  version: z.literal(1),
  models: z.array(z.object({
    id: z.string(),
    /** `generation`, `next-token`, or the name of a prompted verifier's prompt. */
    readout: z.string(),
    scaling: z.object({ slope: z.number(), intercept: z.number() }).nullable(),
    measured: z.object({
      ...{ balancedAccuracy: SHARE, low: SHARE, high: SHARE, n: z.int().min(1), on: z.string() },
    }).nullable(),
  })),
});

/**
 * @throws {SyntaxError} naming the file, where it is no file of calibrations.
 */
export function parseCalibrations(text: string, file: string): CalibrationOf {
  try {
    const { models } = FILE.parse(JSON.parse(text));
    return (id, readout) => {
      const found = models.find((model) => model.id === id && model.readout === readout);
      return found && {
        scaling: found.scaling ?? undefined,
        measured: found.measured ?? undefined,
      };
    };
  } catch (cause) {
    throw new SyntaxError(
      `Cannot read what was measured of the judges: ${file} is no file of calibrations; restore it, ` +
        "or leave judgeCalibration out: they are then reported as unmeasured",
      { cause },
    );
  }
}

/** As {@link parseCalibrations}, from a file; without one nothing is known of any model. */
export async function readCalibrations(path: string | undefined): Promise<CalibrationOf> {
  if (path === undefined) return () => undefined;
  return parseCalibrations(await Deno.readTextFile(path), shownPath(path));
}
