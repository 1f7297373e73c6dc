import { parse as parseYaml } from "yaml";
import { z } from "zod";

/** What a run asks of its rater. It is the same from the first item to the last. */
export type RunConfig = ReturnType<typeof fromFile>;

const BUCKET = z.strictObject({
  key: z.string().regex(/^[a-z0-9_]+$/),
  label: z.string().regex(/\S/, "is blank"),
});

/** A class of quality: `key` is stored in the workbook, `label` is what the rater sees. */
export type Bucket = Readonly<z.infer<typeof BUCKET>>;

const DEFAULT_BUCKETS = ["Best", "Good", "OK", "Poor"]
  .map((label): Bucket => ({ key: label.toLowerCase(), label }));

const languageTag = z.string().refine(
  isLanguageTag,
  "is no BCP 47 language tag: two or three letters such as de or non, then perhaps more as in pt-BR",
);

const FILE = z.strictObject({
  /** N, translations of each sentence. */
  num_translations: z.number().int().min(2).max(40).default(12),
  /** Ends of the Direct Assessment scale, both included. */
  da_min: z.number().default(0),
  da_max: z.number().default(100),
  integer_only: z.boolean().default(true),
  /** From best to worst. */
  buckets: z.array(BUCKET).min(2).max(9).readonly().default(DEFAULT_BUCKETS),
  /** Every score in a better bucket must be above every score in a worse one. */
  strict_ordering: z.boolean().default(true),
  allow_empty_buckets: z.boolean().default(true),
  /** For fonts and screen readers. */
  source_language: languageTag.optional(),
  target_language: languageTag.optional(),
});

/** Twelve translations, 0 to 100 in whole points, best/good/ok/poor, strictly ordered. */
export const DEFAULT_RUN_CONFIG = fromFile(FILE.parse({}), "the defaults");

/**
 * Reads a run configuration in YAML (of which JSON is a part), defaults filled in. Throws SyntaxError
 * that names the file and every key that is unknown, of the wrong type or out of range.
 */
export function parseRunConfig(text: string, file: string): RunConfig {
  let content: unknown;
  try {
    content = parseYaml(text);
  } catch (error) {
    throw new SyntaxError(
      `Cannot read ${file}: it is no YAML or JSON. ${(error as Error).message}`,
    );
  }
  const parsed = FILE.safeParse(content ?? {});
  if (parsed.success) return fromFile(parsed.data, file);
  const faults = parsed.error.issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `unknown key ${issue.keys.map((key) => [...issue.path, key].join(".")).join(", ")}`
      : `${issue.path.join(".") || "the whole file"}: ${issue.message}`
  );
  throw new SyntaxError(`Cannot read ${file}: ${faults.join("; ")}.`);
}

function fromFile(data: z.infer<typeof FILE>, file: string) {
  const { buckets, da_min, da_max, integer_only } = data;
  const isDoubled = (names: readonly string[]) => new Set(names).size < buckets.length;
  const whole = integer_only && data.strict_ordering ? da_max - da_min + 1 : Infinity;
  const fillable = Math.min(data.num_translations, whole);
  const faults = [
    da_min >= da_max && "da_max: must be above da_min",
    integer_only && !(Number.isInteger(da_min) && Number.isInteger(da_max)) &&
    "da_min and da_max: must be whole numbers while integer_only is true",
    isDoubled(buckets.map(({ key }) => key)) && "buckets: two have the same key",
    // A rater could not tell them.
    isDoubled(buckets.map(({ label }) => label)) && "buckets: two have the same label",
    !data.allow_empty_buckets && buckets.length > fillable &&
    `allow_empty_buckets: must be true, since only ${fillable} of ${buckets.length} buckets can be filled`,
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw new SyntaxError(`Cannot read ${file}: ${faults.join("; ")}.`);
  return Object.freeze({
    numTranslations: data.num_translations,
    daMin: da_min,
    daMax: da_max,
    integerOnly: integer_only,
    buckets: Object.freeze(buckets.map((bucket) => Object.freeze<Bucket>({ ...bucket }))),
    strictOrdering: data.strict_ordering,
    allowEmptyBuckets: data.allow_empty_buckets,
    sourceLanguage: data.source_language,
    targetLanguage: data.target_language,
  });
}

/** Longer first parts are allowed by the syntax alone, and `French` is one: none is registered. */
function isLanguageTag(text: string): boolean {
  if (!/^[a-z]{2,3}(-|$)/i.test(text)) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
