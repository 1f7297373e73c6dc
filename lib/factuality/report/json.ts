import { damageReason } from "../../files/damage_reason.ts";
import type { Evaluation } from "../evaluation/evaluation.ts";
import { EVALUATION, SCHEMA_VERSION } from "./schema.ts";

/**
 * An evaluation as an indented JSON text, null where something is unknown.
 * @throws {RangeError} for NaN and infinities, which JSON would turn into null unasked.
 */
export function evaluationJson(evaluation: Evaluation): string {
  return `${JSON.stringify(evaluation, nullForUnknown, 2)}\n`;
}

/** The same as an object whose JSON is one line's worth. Throws as {@link evaluationJson} does. */
export function evaluationRecord(evaluation: Evaluation): object {
  return JSON.parse(JSON.stringify(evaluation, nullForUnknown));
}

function nullForUnknown(key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new RangeError(`Cannot write the evaluation: ${key} is ${value}, no finite number.`);
  }
  return value === undefined ? null : value;
}

/**
 * The evaluation in a JSON text.
 * @param name what is read, for messages.
 * @throws {SyntaxError} for what is no JSON, is of another schema version, or lacks something.
 */
export function readEvaluationJson(text: string, name: string): Evaluation {
  return readEvaluation(parsed(text, name), name);
}

/** {@link readEvaluationJson} for a value that was JSON. */
export function readEvaluation(value: unknown, name: string): Evaluation {
  checkVersion(value, name);
  const result = EVALUATION.safeParse(value);
  if (result.success) return result.data;
  throw new SyntaxError(`Cannot read ${name}: ${damageReason(result.error)}`);
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(`Cannot read ${name}: it is no JSON (${damageReason(error)})`);
  }
}

function checkVersion(value: unknown, name: string): void {
  const version = typeof value === "object" && value !== null && "schemaVersion" in value
    ? value.schemaVersion
    : undefined;
  if (version === SCHEMA_VERSION) return;
  if (typeof version !== "number") {
    throw new SyntaxError(`Cannot read ${name}: it is no evaluation, for it has no schemaVersion.`);
  }
  const advice = version > SCHEMA_VERSION
    ? "read it with the newer Touchstone that wrote it"
    : "evaluate the text again";
  throw new SyntaxError(
    `Cannot read ${name}: its schema is version ${version}, ` +
      `this Touchstone reads version ${SCHEMA_VERSION}; ${advice}.`,
  );
}
