/** Profiles as JSON: written without a value that JSON does not know, read and checked to the last key. */
import { z } from "zod";
import { damageReason } from "../../files/csv.ts";
import { NAMED, orUnknown } from "../report/json.ts";
import { VERDICT_LABELS } from "../types.ts";
import { type HallucinationProfile, PROFILE_SCHEMA_VERSION } from "./profile.ts";
import { PROFILE_METRIC_NAMES, type ProfileMetricName } from "./profile_metrics.ts";

/**
 * Profiles, of one model or of several, as an indented JSON text; null where a claim has no verdict.
 * @throws {RangeError} for NaN and infinities, which JSON would turn into null unasked.
 */
export function profileJson(profiles: readonly HallucinationProfile[]): string {
  const file = { schemaVersion: PROFILE_SCHEMA_VERSION, profiles };
  const known = (key: string, value: unknown) => {
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw new RangeError(`Cannot write the profile: ${key} is ${value}, no finite number.`);
    }
    return value === undefined ? null : value;
  };
  return `${JSON.stringify(file, known, 2)}\n`;
}

/**
 * The profiles in a JSON text.
 * @param name what is read, for messages.
 * @throws {SyntaxError} for what is no JSON, is of another schema version, or lacks something.
 */
export function readProfileJson(text: string, name: string): readonly HallucinationProfile[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(`Cannot read ${name}: it is no JSON (${damageReason(error)})`);
  }
  const result = PROFILES.safeParse(value);
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
const SHARE = z.union([NUMBER.min(0).max(1), UNAVAILABLE]);
const METRIC_NAME = z.enum(PROFILE_METRIC_NAMES as [ProfileMetricName, ...ProfileMetricName[]]);
const QUERY = { query: TEXT, cluster: TEXT };

const INTERVAL = z.strictObject({
  kind: z.literal("interval"),
  low: NUMBER,
  high: NUMBER,
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
  estimate: NUMBER,
  threshold: NUMBER,
  certain: z.boolean(),
  words: TEXT,
});

const RELIABILITY = z.strictObject({
  kind: z.literal("reliability"),
  level: z.enum(["high", "medium", "low"]),
  reasons: z.array(TEXT),
});

const VOTE = z.strictObject({ rater: TEXT, label: TEXT });
const RATED = z.strictObject({ ...QUERY, claimId: TEXT, text: TEXT, votes: z.array(VOTE) });
const CLAIM = z.strictObject({ id: TEXT, text: TEXT, label: orUnknown(z.enum(VERDICT_LABELS)) });
const RESPONSE = z.strictObject({
  model: TEXT,
  ...QUERY,
  abstained: z.boolean(),
  claims: z.array(CLAIM),
});

const counts = <const Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, COUNT])) as Record<Name, typeof COUNT>;

const CONSENSUS = z.strictObject({
  ...QUERY,
  precision: SHARE,
  recall: SHARE,
  f1: SHARE,
  ...counts("statements", "supported", "consensus", "included", "others"),
});

const PROFILE = z.strictObject({
  schemaVersion: z.literal(PROFILE_SCHEMA_VERSION),
  model: TEXT,
  reliability: z.discriminatedUnion("kind", [UNAVAILABLE, RELIABILITY]),
  risk: z.strictObject({
    high: z.boolean(),
    reasons: z.array(CROSSING),
    unknown: z.array(METRIC_NAME),
  }),
  metrics: z.record(METRIC_NAME, METRIC),
  notComputed: z.array(z.strictObject({ metric: METRIC_NAME, reason: TEXT })),
  counts: z.strictObject(counts("supported", "refuted", "unverifiable", "unscored", "scored")),
  claims: z.strictObject({
    disputed: z.array(RATED),
    consensus: z.array(RATED),
    ratedOnce: COUNT,
  }),
  responses: z.array(RESPONSE),
  consensus: z.array(CONSENSUS),
  provenance: z.strictObject({ madeAt: z.iso.datetime(), settings: NAMED.shape.settings }),
  seed: z.union([TEXT, NUMBER]),
}) satisfies z.ZodType<HallucinationProfile>;

/** A file of profiles. */
const PROFILES = z.strictObject({
  schemaVersion: z.literal(PROFILE_SCHEMA_VERSION),
  profiles: z.array(PROFILE).min(1),
});
