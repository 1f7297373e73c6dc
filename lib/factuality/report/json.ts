import { z } from "zod";
import { damageReason } from "../../files/csv.ts";
import { AGGREGATION_STRATEGIES, CLAIM_KINDS, type Evaluation } from "../types.ts";
import { UNSCORED_REASONS, VERDICT_LABELS } from "../types.ts";

// The order of keys below is the order of the files.

/** JSON has no `undefined`: what is unknown is null there. */
const orUnknown = <T extends z.ZodType>(type: T) =>
  type.nullable().transform((value) => value ?? undefined);

/** Keys of one type. */
export const each = <Type, const Name extends string>(type: Type, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, type])) as Record<Name, Type>;

const TEXT = z.string();
const TEXTS = z.array(TEXT);
const COUNT = z.int().min(0);
const AMOUNT = z.number().min(0);
const SHARE = AMOUNT.max(1);
const LABEL = z.enum(VERDICT_LABELS);
const SETTINGS = z.record(TEXT, z.union([TEXT, z.number(), z.boolean()]));
const NAMED = z.strictObject({ name: TEXT, settings: SETTINGS });
const texts = <const Name extends string>(...names: Name[]) => z.strictObject(each(TEXT, ...names));
const SPAN = z.strictObject({ start: COUNT, end: COUNT })
  .refine(({ start, end }) => start <= end, "the span ends before it starts");

const ANSWER = {
  parse: z.enum(["not parsed", "complete", "repaired", "partial"]),
  provenance: z.strictObject({
    producedBy: TEXT,
    ...each(orUnknown(TEXT), "modelSha256", "promptSha256"),
  }),
};
const WHY_NOT = { kind: z.literal("unscored"), reason: z.enum(UNSCORED_REASONS), message: TEXT };
const UNSCORED = z.strictObject({
  ...WHY_NOT,
  partialText: orUnknown(TEXT),
  provenance: ANSWER.provenance,
});
const SCORED = { kind: z.literal("scored") };
const SCORE = { ...SCORED, score: AMOUNT.max(100) };

const CLAIM = z.strictObject({
  id: TEXT,
  text: TEXT,
  spans: z.array(SPAN),
  sentence: SPAN,
  kind: z.enum(CLAIM_KINDS),
  notCheckable: orUnknown(z.enum(["question", "opinion", "hedge", "instruction", "fragment"])),
  notes: z.array(z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("pronoun resolved"), pronoun: TEXT, to: TEXT }),
    z.strictObject({ kind: z.literal("pronoun unresolved"), pronoun: TEXT }),
    z.strictObject({ kind: z.literal("subject supplied"), subject: TEXT }),
  ])),
});

const EVIDENCE = z.array(
  z.strictObject({ passageId: TEXT, collection: TEXT, span: SPAN, text: TEXT, relevance: SHARE }),
);

const VERDICT = z.discriminatedUnion("kind", [
  UNSCORED,
  z.strictObject({
    ...SCORED,
    label: LABEL,
    probabilities: z.strictObject(each(SHARE, ...VERDICT_LABELS)),
    evidence: EVIDENCE,
    findings: z.array(z.strictObject({ feature: TEXT, words: TEXT, speaksFor: LABEL })),
    parse: ANSWER.parse,
    reasoning: TEXT,
    provenance: ANSWER.provenance,
  }),
]);

const JUDGEMENT = z.discriminatedUnion("kind", [
  UNSCORED,
  z.strictObject({
    ...SCORE,
    repetition: z.strictObject({ draws: COUNT, variance: orUnknown(AMOUNT) }).optional(),
    reasoning: TEXT,
    flagged: z.array(z.strictObject({ phrase: TEXT, span: orUnknown(SPAN), reason: TEXT })),
    ...ANSWER,
  }),
]);

const JUDGES = z.array(z.strictObject({
  judge: TEXT,
  measured: orUnknown(z.strictObject({
    ...each(SHARE, "balancedAccuracy", "low", "high"),
    n: COUNT,
    on: TEXT,
  })),
  judgement: JUDGEMENT,
  milliseconds: AMOUNT,
}));

const PASSAGES = z.array(z.strictObject({
  passage: texts("id", "text", "collection", "title", "section"),
  bm25: AMOUNT,
  cosine: orUnknown(z.number()),
  rank: COUNT.min(1),
}));

const CLAIM_RESULT = z.strictObject({
  claim: CLAIM,
  retrieval: z.strictObject({
    status: z.enum(["disabled", "found", "nothing found", "failed"]),
    message: TEXT,
  }),
  passages: PASSAGES,
  verdict: VERDICT,
  judges: JUDGES,
  unverifiable: z.boolean(),
});

/** What components answer, one by one. */
export const ANSWER_SCHEMAS = { verdict: VERDICT, judgement: JUDGEMENT, passages: PASSAGES };

const ENSEMBLE = z.discriminatedUnion("kind", [
  z.strictObject(WHY_NOT),
  z.strictObject({
    ...SCORE,
    strategy: z.enum(AGGREGATION_STRATEGIES),
    ...each(COUNT, "scored", "asked"),
    variance: orUnknown(AMOUNT),
    range: AMOUNT,
    lowConfidence: z.boolean(),
    reasons: TEXTS,
  }),
]);

/** What this Touchstone writes and reads. */
export const SCHEMA_VERSION = 2;

const EVALUATION = z.strictObject({
  schemaVersion: z.literal([1, SCHEMA_VERSION]),
  request: texts("id", "source", "candidate", "question")
    .extend(each(TEXT.optional(), "system", "query")),
  mode: z.enum(["source", "source and retrieval", "retrieval", "zero retrieval"]),
  claims: z.array(CLAIM_RESULT),
  droppedClaims: z.array(texts("text", "reason")),
  criteria: z.array(z.strictObject({ criterion: TEXT, judges: JUDGES, ensemble: ENSEMBLE })),
  unsupported: z.array(z.strictObject({
    claimId: TEXT,
    text: TEXT,
    spans: z.array(SPAN),
    kind: z.enum([
      "factual error",
      "unsupported claim",
      "temporal inconsistency",
      "numerical error",
      "internal contradiction",
    ]),
    detectedBy: TEXTS,
    evidence: EVIDENCE,
    reasons: TEXTS,
  })),
  consistency: orUnknown(z.strictObject({
    contradictions: z.array(
      z.strictObject({ claimIds: z.tuple([TEXT, TEXT]), probability: SHARE, words: TEXT }),
    ),
    compared: z.strictObject({ pairs: AMOUNT, of: AMOUNT }).optional(),
    plausibility: z.array(z.strictObject({ claimId: TEXT, value: orUnknown(z.number()) })),
  })),
  disagreements: z.array(texts("claimId", "judge", "words")),
  problems: TEXTS,
  failed: TEXTS.default([]),
  configuration: z.strictObject({
    splitter: NAMED,
    retriever: orUnknown(NAMED),
    verifier: NAMED,
    judges: z.array(NAMED),
    ...each(TEXT, "aggregation", "promptsSha256"),
    touchstone: TEXT.optional(),
    criteria: TEXTS.optional(),
    parameters: SETTINGS.optional(),
  }),
  startedAt: z.iso.datetime(),
  milliseconds: z.strictObject(
    each(AMOUNT, "total", "splitting", "retrieval", "verification", "judging"),
  ),
}) satisfies z.ZodType<Evaluation>;

/** Digits after the point that another processor reproduces: of probabilities 3, of points and nats fewer. */
const DIGITS: Readonly<Record<string, number>> = {
  ...each(3, ...VERDICT_LABELS, "probability", "relevance", "cosine"),
  ...each(2, "bm25", "value"),
  ...each(1, "score", "variance", "range"),
};

/** An evaluation whose figures are rounded to what another processor reproduces, for files that are kept. */
export function roundedEvaluation(evaluation: Evaluation): Evaluation {
  const rounded = (key: string, value: unknown) =>
    typeof value === "number" && key in DIGITS ? Number(value.toFixed(DIGITS[key])) : value;
  const record = JSON.stringify(evaluationRecord(evaluation), rounded);
  return readEvaluation(JSON.parse(record), evaluation.request.id);
}

/**
 * An evaluation as an indented JSON text, null where something is unknown.
 * @throws {RangeError} for NaN and infinities, which JSON would turn into null unasked.
 */
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

/**
 * The evaluation in a JSON text; `name` is what is read, for messages.
 * @throws {SyntaxError} for what is no JSON, is of another schema version, or lacks something.
 */
export const readEvaluationJson = (text: string, name: string) =>
  readEvaluation(parsedJson(text, name), name);

/** {@link readEvaluationJson} for a value that was JSON. */
export function readEvaluation(value: unknown, name: string): Evaluation {
  const version = (value as { readonly schemaVersion?: unknown } | null)?.schemaVersion;
  if (typeof version !== "number") {
    throw new SyntaxError(`Cannot read ${name}: it is no evaluation, for it has no schemaVersion.`);
  }
  if (version > SCHEMA_VERSION || version < 1) {
    const advice = version > SCHEMA_VERSION
      ? "read it with the newer Touchstone that wrote it"
      : "evaluate the text again";
    throw new SyntaxError(
      `Cannot read ${name}: its schema is version ${version}, ` +
        `this Touchstone reads versions up to ${SCHEMA_VERSION}; ${advice}.`,
    );
  }
  const { data, error } = EVALUATION.safeParse(value);
  if (data !== undefined) return data;
  throw new SyntaxError(`Cannot read ${name}: ${damageReason(error)}`);
}
