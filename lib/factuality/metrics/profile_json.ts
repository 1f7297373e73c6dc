/** Profiles as JSON, without a value that JSON does not know. */
import { z } from "zod";
import { damageReason } from "../../files/csv.ts";
import { finiteJson, parsedJson } from "../report/json.ts";
import { type HallucinationProfile, PROFILE_SCHEMA_VERSION } from "./profile.ts";
import { PROFILE_METRIC_NAMES } from "./profile_metrics.ts";

/**
 * Profiles, of one model or of several, as an indented JSON text; null where a claim has no verdict.
 * @throws {RangeError} for NaN and infinities, which JSON would turn into null unasked.
 */
export const profileJson = (profiles: readonly HallucinationProfile[]) =>
  finiteJson({ schemaVersion: PROFILE_SCHEMA_VERSION, profiles }, "profile");

/** What tells a file of profiles from any other; the rest is as `profileJson` wrote it. */
const METRIC = z.object({ kind: z.enum(["measured", "unavailable"]) });
const FILE = z.object({
  schemaVersion: z.literal(PROFILE_SCHEMA_VERSION),
  profiles: z.array(z.looseObject({
    schemaVersion: z.literal(PROFILE_SCHEMA_VERSION),
    model: z.string(),
    metrics: z.record(z.enum(PROFILE_METRIC_NAMES), METRIC.loose()),
  })).min(1),
});

/**
 * The profiles in a JSON text that {@link profileJson} wrote; `name` is for messages.
 * @throws {SyntaxError} for what is no JSON, no file of profiles, or of another schema version.
 */
export function readProfileJson(text: string, name: string): readonly HallucinationProfile[] {
  const file = withUndefined(parsedJson(text, name));
  const { success, error } = FILE.safeParse(file);
  // The file itself: what was parsed has its keys in another order.
  if (success) return (file as { readonly profiles: readonly HallucinationProfile[] }).profiles;
  throw new SyntaxError(
    `Cannot read ${name} as profiles of schema version ${PROFILE_SCHEMA_VERSION}: ` +
      damageReason(error),
  );
}

/** `undefined` for null, which stands for it in JSON. */
function withUndefined(value: unknown): unknown {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.map(withUndefined);
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withUndefined(one)]));
}
