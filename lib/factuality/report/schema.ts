import { z } from "zod";
import type { Evaluation } from "../evaluation/evaluation.ts";
import {
  CLAIM_RESULT,
  ENSEMBLE,
  EVIDENCE,
  JUDGE_RESULT,
  NAMED,
  orUnknown,
  SHARE,
  SPAN,
} from "./schema_parts.ts";

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
export const EVALUATION = z.strictObject({
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
