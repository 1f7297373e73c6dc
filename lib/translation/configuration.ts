import { parse as parseYaml } from "yaml";
import { z } from "zod";

/** A class of quality that translations are sorted into. */
export interface Bucket {
  /** As stored in the workbook, e.g. `best`. */
  readonly key: string;
  /** As the rater sees it. */
  readonly label: string;
}

/** What a run asks of its rater. It is the same from the first item to the last. */
export interface RunConfig {
  /** N, translations of each sentence. */
  readonly numTranslations: number;
  /** Ends of the Direct Assessment scale, both included. */
  readonly daMin: number;
  readonly daMax: number;
  readonly integerOnly: boolean;
  /** From best to worst; at least two. */
  readonly buckets: readonly Bucket[];
  /** Every score in a better bucket must be above every score in a worse one. */
  readonly strictOrdering: boolean;
  readonly allowEmptyBuckets: boolean;
  /** BCP 47 tags, for fonts and screen readers; undefined where the file does not say. */
  readonly sourceLanguage: string | undefined;
  readonly targetLanguage: string | undefined;
}

const BUCKET = z.strictObject({
  key: z.string().regex(/^[a-z0-9_]+$/),
  label: z.string().regex(/\S/, "is blank"),
});

const DEFAULT_BUCKETS: readonly Bucket[] = [
  { key: "best", label: "Best" },
  { key: "good", label: "Good" },
  { key: "ok", label: "OK" },
  { key: "poor", label: "Poor" },
];

const languageTag = z.string().refine(
  isLanguageTag,
  "is no BCP 47 language tag: two or three letters such as de or non, then perhaps more as in pt-BR",
);

const FILE = z.strictObject({
  num_translations: z.number().int().min(2).max(40).default(12),
  da_min: z.number().default(0),
  da_max: z.number().default(100),
  integer_only: z.boolean().default(true),
  buckets: z.array(BUCKET).min(2).max(9).readonly().default(DEFAULT_BUCKETS),
  strict_ordering: z.boolean().default(true),
  allow_empty_buckets: z.boolean().default(true),
  source_language: languageTag.optional(),
  target_language: languageTag.optional(),
});

/** Twelve translations, 0 to 100 in whole points, best/good/ok/poor, strictly ordered. */
export const DEFAULT_RUN_CONFIG: RunConfig = fromFile(FILE.parse({}), "the defaults");

/**
 * Reads a run configuration in YAML (of which JSON is a part). What the file leaves out has the
 * specification's default.
 *
 * Throws SyntaxError that names the file and every key that is unknown, of the wrong type or out of
 * range, in one message.
 */
export function parseRunConfig(text: string, file: string): RunConfig {
  const parsed = FILE.safeParse(yamlIn(text, file) ?? {});
  if (parsed.success) return fromFile(parsed.data, file);
  const faults = parsed.error.issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `unknown key ${issue.keys.map((key) => [...issue.path, key].join(".")).join(", ")}`
      : `${issue.path.join(".") || "the whole file"}: ${issue.message}`
  );
  throw new SyntaxError(`Cannot read ${file}: ${faults.join("; ")}.`);
}

function yamlIn(text: string, file: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    throw new SyntaxError(
      `Cannot read ${file}: it is no YAML or JSON. ${(error as Error).message}`,
    );
  }
}

function fromFile(data: z.infer<typeof FILE>, file: string): RunConfig {
  const faults = [
    ...data.da_min < data.da_max ? [] : ["da_max: must be above da_min"],
    ...data.integer_only && !(Number.isInteger(data.da_min) && Number.isInteger(data.da_max))
      ? ["da_min and da_max: must be whole numbers while integer_only is true"]
      : [],
    ...bucketFaults(data),
  ];
  if (faults.length > 0) throw new SyntaxError(`Cannot read ${file}: ${faults.join("; ")}.`);
  return Object.freeze({
    numTranslations: data.num_translations,
    daMin: data.da_min,
    daMax: data.da_max,
    integerOnly: data.integer_only,
    buckets: Object.freeze(data.buckets.map((bucket) => Object.freeze({ ...bucket }))),
    strictOrdering: data.strict_ordering,
    allowEmptyBuckets: data.allow_empty_buckets,
    sourceLanguage: data.source_language,
    targetLanguage: data.target_language,
  });
}

/** A rater could not tell two labels that are the same, nor finish where buckets cannot be filled. */
function bucketFaults(data: z.infer<typeof FILE>): readonly string[] {
  const { length } = data.buckets;
  const isDoubled = (names: readonly string[]) => new Set(names).size < length;
  const whole = data.integer_only && data.strict_ordering
    ? data.da_max - data.da_min + 1
    : Infinity;
  const fillable = Math.min(data.num_translations, whole);
  return [
    ...isDoubled(data.buckets.map(({ key }) => key)) ? ["buckets: two have the same key"] : [],
    ...isDoubled(data.buckets.map(({ label }) => label))
      ? ["buckets: two have the same label"]
      : [],
    ...data.allow_empty_buckets || length <= fillable ? [] : [
      `allow_empty_buckets: must be true, since only ${fillable} of ${length} buckets can be filled`,
    ],
  ];
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
