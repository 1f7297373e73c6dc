import { z } from "zod";
import { NAMED, orUnknown } from "../report/schema_parts.ts";
import { VERDICT_LABELS } from "../verdicts/verdict.ts";
import { type HallucinationProfile, PROFILE_SCHEMA_VERSION } from "./hallucination_profile.ts";
import {
  PROFILE_METRIC_NAMES,
  type ProfileMetric,
  type ProfileMetricName,
} from "./profile_metrics.ts";

const COUNT = z.int().min(0);
const UNAVAILABLE = z.strictObject({ kind: z.literal("unavailable"), reason: z.string() });
const NAME = z.enum(PROFILE_METRIC_NAMES as [ProfileMetricName, ...ProfileMetricName[]]);

const METRIC = z.discriminatedUnion("kind", [
  UNAVAILABLE,
  z.strictObject({
    kind: z.literal("measured"),
    estimate: z.number(),
    n: COUNT,
    interval: z.discriminatedUnion("kind", [
      UNAVAILABLE,
      z.strictObject({
        kind: z.literal("interval"),
        low: z.number(),
        high: z.number(),
        confidence: z.number().gt(0).lt(1),
      }),
    ]),
  }),
]) satisfies z.ZodType<ProfileMetric>;

const RISK = z.strictObject({
  high: z.boolean(),
  reasons: z.array(z.strictObject({
    metric: NAME,
    estimate: z.number(),
    threshold: z.number(),
    certain: z.boolean(),
    words: z.string(),
  })),
  unknown: z.array(NAME),
});

const RELIABILITY = z.discriminatedUnion("kind", [
  UNAVAILABLE,
  z.strictObject({
    kind: z.literal("reliability"),
    level: z.enum(["high", "medium", "low"]),
    reasons: z.array(z.string()),
  }),
]);

const RATED = z.strictObject({
  query: z.string(),
  cluster: z.string(),
  claimId: z.string(),
  text: z.string(),
  votes: z.array(z.strictObject({ rater: z.string(), label: z.string() })),
});

const RESPONSE = z.strictObject({
  model: z.string(),
  query: z.string(),
  cluster: z.string(),
  abstained: z.boolean(),
  claims: z.array(z.strictObject({
    id: z.string(),
    text: z.string(),
    label: orUnknown(z.enum(VERDICT_LABELS)),
  })),
});

const SHARE = z.union([z.number().min(0).max(1), UNAVAILABLE]);

const CONSENSUS = z.strictObject({
  query: z.string(),
  cluster: z.string(),
  precision: SHARE,
  recall: SHARE,
  f1: SHARE,
  statements: COUNT,
  supported: COUNT,
  consensus: COUNT,
  included: COUNT,
  others: COUNT,
});

/** A profile as JSON holds it. */
const PROFILE = z.strictObject({
  schemaVersion: z.literal(PROFILE_SCHEMA_VERSION),
  model: z.string(),
  reliability: RELIABILITY,
  risk: RISK,
  metrics: z.record(NAME, METRIC),
  notComputed: z.array(z.strictObject({ metric: NAME, reason: z.string() })),
  counts: z.strictObject({
    supported: COUNT,
    refuted: COUNT,
    unverifiable: COUNT,
    unscored: COUNT,
    scored: COUNT,
  }),
  claims: z.strictObject({
    disputed: z.array(RATED),
    consensus: z.array(RATED),
    ratedOnce: COUNT,
  }),
  responses: z.array(RESPONSE),
  consensus: z.array(CONSENSUS),
  provenance: z.strictObject({ madeAt: z.iso.datetime(), settings: NAMED.shape.settings }),
  seed: z.union([z.string(), z.number()]),
}) satisfies z.ZodType<HallucinationProfile>;

/** A file of profiles. */
export const PROFILES = z.strictObject({
  schemaVersion: z.literal(PROFILE_SCHEMA_VERSION),
  profiles: z.array(PROFILE).min(1),
});
