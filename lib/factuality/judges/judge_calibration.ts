import { z } from "zod";
import { MEASURED_FIELDS } from "./measured_fields.ts";
import type { MeasuredAccuracy } from "./judgement.ts";
import type { PlattScaling } from "./platt.ts";
import type { PromptTemplates } from "./prompts.ts";

const SHARE = z.number().min(0).max(1);

const ENTRY = z.strictObject({
  /** The model's id. */
  id: z.string().min(1),
  readout: z.enum(["generation", "next-token"]),
  /** The prompt that was asked, and its hash then. */
  prompt: z.string().min(1),
  promptSha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Of the model's file as it was published. */
  modelSha256: z.string().regex(/^[0-9a-f]{64}$/),
  scaling: z.strictObject({ slope: z.number(), intercept: z.number() }).nullable(),
  measured: z.strictObject(MEASURED_FIELDS),
  areaUnderCurve: SHARE,
  /** Claims that it gave no score. */
  unscored: z.int().min(0),
});

const FILE = z.strictObject({ schemaVersion: z.literal(1), entries: z.array(ENTRY) });

/** What was measured of one model, asked by one prompt. */
export type JudgeCalibrationEntry = Readonly<z.infer<typeof ENTRY>>;

/** What is known of a model read in one way. */
export interface JudgeCalibration {
  /** Of the probability of "yes"; undefined for a model that writes its score. */
  readonly scaling: PlattScaling | undefined;
  readonly measured: MeasuredAccuracy;
}

/**
 * What was measured of a model, by its id, its readout (`generation`, `next-token`, or the name of a
 * next word prompt) and its file as it was published. Undefined where nobody has measured it: where
 * file or prompt are others by now, and for a server, whose weights nobody knows.
 */
export type CalibrationOf = (
  id: string,
  readout: string,
  modelSha256: string | undefined,
) => JudgeCalibration | undefined;

/**
 * What was measured of judges, from JSON. Of a model measured with several next word prompts,
 * `next-token` is the one that the prompt `claim` names as its form.
 *
 * @param file Named in errors.
 * @throws {SyntaxError} for what is no such file.
 */
export function readJudgeCalibration(
  text: string,
  file: string,
  prompts: PromptTemplates,
): CalibrationOf {
  const { entries } = parsed(text, file);
  const form = prompts.templates.find(({ name }) => name === "claim")?.nextWordForm;
  return (id, readout, modelSha256) => {
    const prompt = readout === "next-token" ? form : readout === "generation" ? "claim" : readout;
    const found = entries.find((entry) =>
      entry.id === id && entry.prompt === prompt && entry.modelSha256 === modelSha256
    );
    const now = prompts.templates.find(({ name }) => name === prompt);
    if (found === undefined || found.promptSha256 !== now?.sha256) return undefined;
    return { scaling: found.scaling ?? undefined, measured: found.measured };
  };
}

function parsed(text: string, file: string): z.infer<typeof FILE> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new SyntaxError(`Cannot read judge calibration ${file}: it is not JSON`, { cause });
  }
  const result = FILE.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new SyntaxError(`Cannot read judge calibration ${file}: ${problems.join("; ")}`);
}
