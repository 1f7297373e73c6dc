import { writeTextAtomic } from "./atomic.ts";

/** What a JSON file can hold. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * Writes a value as JSON, keys sorted by code unit, two spaces, a line end at the end: same
 * value, same bytes. Atomic, for the settings that travel with results.
 * @throws {RangeError} for NaN and infinities, which JSON would turn into null unasked.
 */
export function writeJsonAtomic(path: string, value: Json): void {
  writeTextAtomic(path, `${JSON.stringify(sorted(value, "value"), null, 2)}\n`);
}

function sorted(value: Json, where: string): Json {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new RangeError(`Cannot write ${where} as JSON: ${value} is no finite number.`);
  }
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map((item, index) => sorted(item, `${where}[${index}]`));
  const keys = Object.keys(value).sort();
  return Object.fromEntries(
    keys.map((key) => [key, sorted(value[key] ?? null, `${where}.${key}`)]),
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
