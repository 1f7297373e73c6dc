/** Profiles as JSON: written without a value that JSON does not know, read and checked to the last key. */
import { z } from "zod";
import { damageReason } from "../../files/csv.ts";
import { each, finiteJson, NAMED, orUnknown, parsedJson } from "../report/json.ts";
import { VERDICT_LABELS } from "../types.ts";
import { type HallucinationProfile, PROFILE_SCHEMA_VERSION } from "./profile.ts";
import { PROFILE_METRIC_NAMES, type ProfileMetricName } from "./profile_metrics.ts";

/**
 * Profiles, of one model or of several, as an indented JSON text; null where a claim has no verdict.
 * @throws {RangeError} for NaN and infinities, which JSON would turn into null unasked.
 */
export const profileJson = (profiles: readonly HallucinationProfile[]) =>
  finiteJson({ schemaVersion: PROFILE_SCHEMA_VERSION, profiles }, "profile");

/**
 * The profiles in a JSON text.
 * @param name what is read, for messages.
 * @throws {SyntaxError} for what is no JSON, is of another schema version, or lacks something.
 */
export function readProfileJson(text: string, name: string): readonly HallucinationProfile[] {
  const result = PROFILES.safeParse(parsedJson(text, name));
  if (result.success) return result.data.profiles;
  throw new SyntaxError(
    `Cannot read ${name} as profiles of schema version ${PROFILE_SCHEMA_VERSION}: ` +
      damageReason(result.error),
  );
}

const TEXT = z.string();
const NUMBER = z.number();
const COUNT = z.int().min(0);
const UNAVAILABLE = z.strictObject({ kind: z.literal("unavailable"), reason: TEXT });
const METRIC_NAME = z.enum(PROFILE_METRIC_NAMES as [ProfileMetricName, ...ProfileMetricName[]]);
const METRIC_NAMES = z.array(METRIC_NAME);
const QUERY = each(TEXT, "query", "cluster");

const INTERVAL = z.strictObject({
  kind: z.literal("interval"),
  ...each(NUMBER, "low", "high"),
  confidence: NUMBER.gt(0).lt(1),
});

const METRIC = z.discriminatedUnion("kind", [
  UNAVAILABLE,
  z.strictObject({
    kind: z.literal("measured"),
    estimate: NUMBER,
    n: COUNT,
    interval: z.discriminatedUnion("kind", [UNAVAILABLE, INTERVAL]),
  }),
]);

const CROSSING = z.strictObject({
  metric: METRIC_NAME,
  ...each(NUMBER, "estimate", "threshold"),
  certain: z.boolean(),
  words: TEXT,
});

const RELIABILITY = z.strictObject({
  kind: z.literal("reliability"),
  level: z.enum(["high", "medium", "low"]),
  reasons: z.array(TEXT),
});

const RATED = z.array(z.strictObject({
  ...QUERY,
  ...each(TEXT, "claimId", "text"),
  votes: z.array(z.strictObject(each(TEXT, "rater", "label"))),
}));
const CLAIM = z.strictObject({ id: TEXT, text: TEXT, label: orUnknown(z.enum(VERDICT_LABELS)) });

const PROFILE = z.strictObject({
  schemaVersion: z.literal(PROFILE_SCHEMA_VERSION),
  model: TEXT,
  reliability: z.discriminatedUnion("kind", [UNAVAILABLE, RELIABILITY]),
  risk: z.strictObject({ high: z.boolean(), reasons: z.array(CROSSING), unknown: METRIC_NAMES }),
  metrics: z.record(METRIC_NAME, METRIC),
  notComputed: z.array(z.strictObject({ metric: METRIC_NAME, reason: TEXT })),
  counts: z.strictObject(
    each(COUNT, "supported", "refuted", "unverifiable", "unscored", "scored"),
  ),
  claims: z.strictObject({ ...each(RATED, "disputed", "consensus"), ratedOnce: COUNT }),
  responses: z.array(
    z.strictObject({ model: TEXT, ...QUERY, abstained: z.boolean(), claims: z.array(CLAIM) }),
  ),
  consensus: z.array(z.strictObject({
    ...QUERY,
    ...each(z.union([NUMBER.min(0).max(1), UNAVAILABLE]), "precision", "recall", "f1"),
    ...each(COUNT, "statements", "supported", "consensus", "included", "others"),
  })),
  provenance: z.strictObject({ madeAt: z.iso.datetime(), settings: NAMED.shape.settings }),
  seed: z.union([TEXT, NUMBER]),
}) satisfies z.ZodType<HallucinationProfile>;

/** A file of profiles. */
const PROFILES = z.strictObject({
  schemaVersion: z.literal(PROFILE_SCHEMA_VERSION),
  profiles: z.array(PROFILE).min(1),
});
