import { damageReason } from "../../files/damage_reason.ts";
import { type HallucinationProfile, PROFILE_SCHEMA_VERSION } from "./hallucination_profile.ts";
import { PROFILES } from "./schema.ts";

/**
 * Profiles, of one model or of several, as an indented JSON text; null where a claim has no verdict.
 * @throws {RangeError} for NaN and infinities, which JSON would turn into null unasked.
 */
export function profileJson(profiles: readonly HallucinationProfile[]): string {
  const file = { schemaVersion: PROFILE_SCHEMA_VERSION, profiles };
  return `${JSON.stringify(file, nullForUnknown, 2)}\n`;
}

function nullForUnknown(key: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new RangeError(`Cannot write the profile: ${key} is ${value}, no finite number.`);
  }
  return value === undefined ? null : value;
}

/**
 * The profiles in a JSON text.
 * @param name what is read, for messages.
 * @throws {SyntaxError} for what is no JSON, is of another schema version, or lacks something.
 */
export function readProfileJson(text: string, name: string): readonly HallucinationProfile[] {
  const result = PROFILES.safeParse(parsed(text, name));
  if (result.success) return result.data.profiles;
  throw new SyntaxError(
    `Cannot read ${name} as profiles of schema version ${PROFILE_SCHEMA_VERSION}: ` +
      damageReason(result.error),
  );
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(`Cannot read ${name}: it is no JSON (${damageReason(error)})`);
  }
}
