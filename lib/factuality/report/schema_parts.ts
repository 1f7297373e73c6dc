import { z } from "zod";
import { CLAIM_KINDS } from "../claims/claim.ts";
import { AGGREGATION_STRATEGIES } from "../judges/ensemble_score.ts";
import { UNSCORED_REASONS, VERDICT_LABELS } from "../verdicts/verdict.ts";

/** JSON has no `undefined`: what is unknown is null there. */
export const orUnknown = <T extends z.ZodType>(type: T) =>
  type.nullable().transform((value) => value ?? undefined);

export const SPAN = z.strictObject({ start: z.int().min(0), end: z.int().min(0) })
  .refine(({ start, end }) => start <= end, "the span ends before it starts");
export const SHARE = z.number().min(0).max(1);
const SCORE = z.number().min(0).max(100);
const SETTINGS = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export const NAMED = z.strictObject({ name: z.string(), settings: SETTINGS });
const PARSE = z.enum(["not parsed", "complete", "repaired", "partial"]);

const PROVENANCE = z.strictObject({
  producedBy: z.string(),
  modelSha256: orUnknown(z.string()),
  promptSha256: orUnknown(z.string()),
});

const REASON = z.enum(UNSCORED_REASONS);

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

export const EVIDENCE = z.strictObject({
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

export const JUDGE_RESULT = z.strictObject({
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

export const CLAIM_RESULT = z.strictObject({
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

export const ENSEMBLE = z.discriminatedUnion("kind", [
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
