import { z } from "zod";
import { damageReason } from "../../files/csv.ts";
import {
  AGGREGATION_STRATEGIES,
  CLAIM_KINDS,
  type Evaluation,
  UNSCORED_REASONS,
  VERDICT_LABELS,
} from "../types.ts";

/** JSON has no `undefined`: what is unknown is null there. */
export const orUnknown = <T extends z.ZodType>(type: T) =>
  type.nullable().transform((value) => value ?? undefined);

const SPAN = z.strictObject({ start: z.int().min(0), end: z.int().min(0) })
  .refine(({ start, end }) => start <= end, "the span ends before it starts");

const SHARE = z.number().min(0).max(1);
const SCORE = z.number().min(0).max(100);
const SETTINGS = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export const NAMED = z.strictObject({ name: z.string(), settings: SETTINGS });
const REASON = z.enum(UNSCORED_REASONS);
const PARSE = z.enum(["not parsed", "complete", "repaired", "partial"]);

const PROVENANCE = z.strictObject({
  producedBy: z.string(),
  modelSha256: orUnknown(z.string()),
  promptSha256: orUnknown(z.string()),
});

const UNSCORED = z.strictObject({
  kind: z.literal("unscored"),
  reason: REASON,
  message: z.string(),
  partialText: orUnknown(z.string()),
  provenance: PROVENANCE,
});

const CLAIM = z.strictObject({
  id: z.string(),
  text: z.string(),
  spans: z.array(SPAN),
  sentence: SPAN,
  kind: z.enum(CLAIM_KINDS),
  notCheckable: orUnknown(z.enum(["question", "opinion", "hedge", "instruction", "fragment"])),
  notes: z.array(z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("pronoun resolved"), pronoun: z.string(), to: z.string() }),
    z.strictObject({ kind: z.literal("pronoun unresolved"), pronoun: z.string() }),
    z.strictObject({ kind: z.literal("subject supplied"), subject: z.string() }),
  ])),
});

const EVIDENCE = z.strictObject({
  passageId: z.string(),
  collection: z.string(),
  span: SPAN,
  text: z.string(),
  relevance: SHARE,
});

const VERDICT = z.discriminatedUnion("kind", [
  UNSCORED,
  z.strictObject({
    kind: z.literal("scored"),
    label: z.enum(VERDICT_LABELS),
    probabilities: z.strictObject({
      supported: SHARE,
      refuted: SHARE,
      "not enough info": SHARE,
    }),
    evidence: z.array(EVIDENCE),
    findings: z.array(z.strictObject({
      feature: z.string(),
      words: z.string(),
      speaksFor: z.enum(VERDICT_LABELS),
    })),
    parse: PARSE,
    reasoning: z.string(),
    provenance: PROVENANCE,
  }),
]);

const JUDGEMENT = z.discriminatedUnion("kind", [
  UNSCORED,
  z.strictObject({
    kind: z.literal("scored"),
    score: SCORE,
    reasoning: z.string(),
    flagged: z.array(z.strictObject({
      phrase: z.string(),
      span: orUnknown(SPAN),
      reason: z.string(),
    })),
    parse: PARSE,
    provenance: PROVENANCE,
  }),
]);

const JUDGE_RESULT = z.strictObject({
  judge: z.string(),
  measured: orUnknown(z.strictObject({
    balancedAccuracy: SHARE,
    low: SHARE,
    high: SHARE,
    n: z.int().min(0),
    on: z.string(),
  })),
  judgement: JUDGEMENT,
  milliseconds: z.number().min(0),
});

const PASSAGE = z.strictObject({
  passage: z.strictObject({
    id: z.string(),
    text: z.string(),
    collection: z.string(),
    title: z.string(),
    section: z.string(),
  }),
  bm25: z.number().min(0),
  cosine: orUnknown(z.number()),
  rank: z.int().min(1),
});

const CLAIM_RESULT = z.strictObject({
  claim: CLAIM,
  retrieval: z.strictObject({
    status: z.enum(["disabled", "found", "nothing found", "failed"]),
    message: z.string(),
  }),
  passages: z.array(PASSAGE),
  verdict: VERDICT,
  judges: z.array(JUDGE_RESULT),
  unverifiable: z.boolean(),
});

const ENSEMBLE = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("unscored"), reason: REASON, message: z.string() }),
  z.strictObject({
    kind: z.literal("scored"),
    score: SCORE,
    strategy: z.enum(AGGREGATION_STRATEGIES),
    scored: z.int().min(0),
    asked: z.int().min(0),
    variance: orUnknown(z.number().min(0)),
    range: z.number().min(0),
    lowConfidence: z.boolean(),
    reasons: z.array(z.string()),
  }),
]);

/** What this Touchstone writes and reads. */
export const SCHEMA_VERSION = 1;

const UNSUPPORTED = z.strictObject({
  claimId: z.string(),
  text: z.string(),
  spans: z.array(SPAN),
  kind: z.enum([
    "factual error",
    "unsupported claim",
    "temporal inconsistency",
    "numerical error",
    "internal contradiction",
  ]),
  detectedBy: z.array(z.string()),
  evidence: z.array(EVIDENCE),
  reasons: z.array(z.string()),
});

const CONSISTENCY = z.strictObject({
  contradictions: z.array(z.strictObject({
    claimIds: z.tuple([z.string(), z.string()]),
    probability: SHARE,
    words: z.string(),
  })),
  plausibility: z.array(z.strictObject({ claimId: z.string(), value: orUnknown(z.number()) })),
});

const MILLISECONDS = z.number().min(0);

/** An evaluation as JSON holds it. */
const EVALUATION = z.strictObject({
  schemaVersion: z.literal(SCHEMA_VERSION),
  request: z.strictObject({
    id: z.string(),
    source: z.string(),
    candidate: z.string(),
    question: z.string(),
  }),
  mode: z.enum(["source", "source and retrieval", "retrieval", "zero retrieval"]),
  claims: z.array(CLAIM_RESULT),
  droppedClaims: z.array(z.strictObject({ text: z.string(), reason: z.string() })),
  criteria: z.array(z.strictObject({
    criterion: z.string(),
    judges: z.array(JUDGE_RESULT),
    ensemble: ENSEMBLE,
  })),
  unsupported: z.array(UNSUPPORTED),
  consistency: orUnknown(CONSISTENCY),
  disagreements: z.array(z.strictObject({
    claimId: z.string(),
    judge: z.string(),
    words: z.string(),
  })),
  problems: z.array(z.string()),
  configuration: z.strictObject({
    splitter: NAMED,
    retriever: orUnknown(NAMED),
    verifier: NAMED,
    judges: z.array(NAMED),
    aggregation: z.string(),
    promptsSha256: z.string(),
  }),
  startedAt: z.iso.datetime(),
  milliseconds: z.strictObject({
    total: MILLISECONDS,
    splitting: MILLISECONDS,
    retrieval: MILLISECONDS,
    verification: MILLISECONDS,
    judging: MILLISECONDS,
  }),
}) satisfies z.ZodType<Evaluation>;

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
  const rounded = (key: string, value: unknown) => {
    const digits = typeof value === "number" ? DIGITS[key] : undefined;
    return digits === undefined ? value : Number((value as number).toFixed(digits));
  };
  return readEvaluation(
    JSON.parse(JSON.stringify(evaluationRecord(evaluation), rounded)),
    evaluation.request.id,
  );
}

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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(`Cannot read ${name}: it is no JSON (${damageReason(error)})`);
  }
  return readEvaluation(value, name);
}

/** {@link readEvaluationJson} for a value that was JSON. */
export function readEvaluation(value: unknown, name: string): Evaluation {
  const version = (value as { readonly schemaVersion?: unknown } | null)?.schemaVersion;
  if (typeof version !== "number") {
    throw new SyntaxError(`Cannot read ${name}: it is no evaluation, for it has no schemaVersion.`);
  }
  if (version !== SCHEMA_VERSION) {
    const advice = version > SCHEMA_VERSION
      ? "read it with the newer Touchstone that wrote it"
      : "evaluate the text again";
    throw new SyntaxError(
      `Cannot read ${name}: its schema is version ${version}, ` +
        `this Touchstone reads version ${SCHEMA_VERSION}; ${advice}.`,
    );
  }
  const { data, error } = EVALUATION.safeParse(value);
  if (data !== undefined) return data;
  throw new SyntaxError(`Cannot read ${name}: ${damageReason(error)}`);
}
