/** An evaluation as JSON and back; what it holds is the schema of `../types.ts`. */
import { damageReason } from "../../files/csv.ts";
import { EVALUATION, type Evaluation, SCHEMA_VERSION } from "../types.ts";

/** Digits after the point that another processor reproduces: of probabilities 3, of points and nats fewer. */
const DIGITS: Readonly<Record<string, number>> = {
  supported: 3,
  refuted: 3,
  "not enough info": 3,
  probability: 3,
  relevance: 3,
  cosine: 3,
  bm25: 2,
  value: 2,
  score: 1,
  variance: 1,
  range: 1,
};

/** An evaluation whose figures are rounded to what another processor reproduces, for files that are kept. */
export function roundedEvaluation(evaluation: Evaluation): Evaluation {
  const rounded = (key: string, value: unknown) =>
    typeof value === "number" && key in DIGITS ? Number(value.toFixed(DIGITS[key])) : value;
  const record = JSON.stringify(evaluationRecord(evaluation), rounded);
  return readEvaluation(JSON.parse(record), evaluation.request.id);
}

/** An evaluation as indented JSON, null for unknown. @throws {RangeError} for NaN. */
export const evaluationJson = (evaluation: Evaluation) => finiteJson(evaluation, "evaluation");

/** The same as an object whose JSON is one line's worth. Throws as {@link evaluationJson} does. */
export const evaluationRecord = (evaluation: Evaluation): object =>
  JSON.parse(evaluationJson(evaluation));

/** A value as indented JSON, null for `undefined`. Throws as {@link evaluationJson} does. */
export function finiteJson(value: unknown, what: string): string {
  const known = (key: string, value: unknown) => {
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw new RangeError(`Cannot write the ${what}: ${key} is ${value}, no finite number.`);
    }
    return value === undefined ? null : value;
  };
  return `${JSON.stringify(value, known, 2)}\n`;
}

/** What a JSON text holds. Throws SyntaxError naming `name` for what is no JSON. */
export function parsedJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(`Cannot read ${name}: it is no JSON (${damageReason(error)})`);
  }
}

/** The evaluation in a JSON text; `name` is for messages. @throws {SyntaxError} for any other. */
export const readEvaluationJson = (text: string, name: string) =>
  readEvaluation(parsedJson(text, name), name);

/** {@link readEvaluationJson} for a value that was JSON. */
export function readEvaluation(value: unknown, name: string): Evaluation {
  const version = (value as { readonly schemaVersion?: unknown } | null)?.schemaVersion;
  if (typeof version !== "number") {
    throw new SyntaxError(`Cannot read ${name}: it is no evaluation, for it has no schemaVersion.`);
  }
  if (version !== SCHEMA_VERSION) {
    const advice = "read it with the Touchstone that wrote it, or evaluate the text again";
    throw new SyntaxError(
      `Cannot read ${name}: its schema is version ${version}, ` +
        `this Touchstone reads version ${SCHEMA_VERSION}; ${advice}.`,
    );
  }
  const { data, error } = EVALUATION.safeParse(value);
  if (data !== undefined) return data;
  throw new SyntaxError(`Cannot read ${name}: ${damageReason(error)}`);
}
