import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { canonicalText } from "./text.ts";
import type { InputRow } from "./types.ts";

/** A run's configuration for the rater, constant over all items. */
export type RunConfig = ReturnType<typeof fromFile>;

const BUCKET = z.strictObject({
  key: z.string().regex(/^[a-z0-9_]+$/),
  label: z.string().regex(/\S/, "is blank"),
});

/** A quality class: `key` is stored in the workbook, `label` is shown to the rater. */
export type Bucket = Readonly<z.infer<typeof BUCKET>>;

const DEFAULT_BUCKETS = ["Best", "Good", "OK", "Poor"]
  .map((label): Bucket => ({ key: label.toLowerCase(), label }));

const languageTag = z.string().refine(
  isLanguageTag,
  "is no BCP 47 language tag: two or three letters such as de or non, then perhaps more as in pt-BR",
);

const NAMED = z.string().regex(/\S/, "is blank");

/**
 * A practice item, rated before all others.
 * Next then shows the reference ratings. It is in the workbook with its translations as t1 … tN in
 * this order, and {@link practiceItem} recognises it. No analysis counts it.
 */
export type PracticeItem = Readonly<z.infer<typeof PRACTICE>>;
const PRACTICE = z.strictObject({
  source: NAMED,
  /** Translations with their reference rating and its reason. */
  translations: z.array(
    z.strictObject({
      text: z.string(),
      bucket: z.string(),
      da: z.number(),
      why: z.string().default(""),
    }).readonly(),
  ).readonly(),
});

/** A rater's name, which must be usable as a file name. */
export const RATER_NAME = z.string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u, "takes letters, digits, _ . -");

/**
 * Settings of `rate prepare`, which turns systems' outputs into workbooks.
 * They name systems, so the page never receives them.
 */
export type Preparation = z.infer<typeof PREPARATION>;
const PREPARATION = z.strictObject({
  /** Path of the outputs, relative to the configuration's folder. */
  outputs: NAMED.optional(),
  /** Shape of the table; by default inferred from its headings. */
  form: z.enum(["wide", "long"]).optional(),
  delimiter: z.enum([",", ";", "\t"]).optional(),
  /** Quotation marks enclose cells (true) or are text (false, as in WMT's files). */
  quotes: z.boolean().optional(),
  /** Name of a workbook's sheet; the first sheet by default. */
  sheet: NAMED.optional(),
  /** Treatment of a system without output for a segment: an error, or an empty translation. */
  missing: z.enum(["refuse", "empty"]).default("refuse"),
  /** Headings that differ from the usual ones. */
  columns: z.partialRecord(
    z.enum(["segment", "document", "source", "system", "translation"]),
    NAMED,
  ).default({}),
  /** Participating systems: headings of a wide table, names in a long one. */
  systems: z.array(NAMED).min(2)
    .refine((names) => new Set(names).size === names.length, "a system occurs twice").optional(),
  exclude: z.array(NAMED).default([]),
  /** Number of raters or their names, which become file names. */
  raters: z.union([
    z.number().int().min(1).max(100)
      .transform((n) => Array.from({ length: n }, (_, index) => `rater_${index + 1}`)),
    z.array(RATER_NAME)
      .min(1).refine(
        (names) => new Set(names.map((it) => it.toLowerCase())).size === names.length,
        "two raters have one name",
      ),
  ]).default(["rater_1"]),
  seed: z.union([z.number(), z.string()]).default(1),
  items: z.number().int().min(1).optional(),
  window_length: z.number().int().min(1).optional(),
  repeats: z.number().int().min(0).default(0),
  attention_checks: z.number().int().min(0).default(0),
  min_distance: z.number().int().min(1).default(10),
  /**
   * Share of the sentences that every rater gets; all by default.
   * The others are divided by document.
   */
  overlap: z.number().min(0).max(1).optional(),
  /** Order of documents: a different one for each rater (`own`), or the same for all. */
  order: z.enum(["own", "same"]).default("own"),
  /** Number of this workbook among several of one rater. It is kept in workbook, key and report. */
  batch: z.union([z.number(), NAMED]).transform(String).optional(),
  /** Shows the rater, by numbers, where documents end. */
  tell_documents: z.boolean().default(true),
  assignment: z.enum(["per_item", "per_run"]).default("per_item"),
});

const FILE = z.strictObject({
  /** Number N of translations per sentence. */
  num_translations: z.number().int().min(2).max(40).default(12),
  /** Inclusive ends of the Direct Assessment scale. */
  da_min: z.number().default(0),
  da_max: z.number().default(100),
  integer_only: z.boolean().default(true),
  /** Buckets from best to worst. */
  buckets: z.array(BUCKET).min(2).max(9).readonly().default(DEFAULT_BUCKETS),
  /** Requires higher scores in a better bucket than in a worse one. */
  strict_ordering: z.boolean().default(true),
  allow_empty_buckets: z.boolean().default(true),
  /** Language of the page's messages. It is not hashed, since it does not change the task. */
  language: z.enum(["en", "de"]).default("en"),
  /** BCP 47 tags for fonts and screen readers. */
  source_language: languageTag.optional(),
  target_language: languageTag.optional(),
  /** Instructions in Markdown: one text, or one per language. */
  instructions: z.union([
    NAMED.transform((text): Readonly<Record<string, string>> => ({ und: text })),
    z.record(languageTag, NAMED),
  ]).default({}),
  /**
   * Practice items: a list, or `{ pass, items }`.
   * `pass` is the share of translations that must be put into the reference's bucket.
   */
  practice: z.preprocess(
    (given) => Array.isArray(given) ? { items: given } : given,
    z.strictObject({
      pass: z.number().gt(0).max(1).optional(),
      items: z.array(PRACTICE).readonly().default([]),
    }),
  ).prefault({}),
  preparation: PREPARATION.prefault({}),
});

/**
 * The default: twelve translations, whole scores 0–100, buckets best/good/ok/poor, strictly
 * ordered.
 */
export const DEFAULT_RUN_CONFIG = fromFile(FILE.parse({}), "the defaults");

/**
 * Reads a run configuration in YAML or JSON and fills in defaults.
 * Throws SyntaxError that names the file and every key that is unknown, of the wrong type or out of
 * range.
 */
export function parseRunConfig(text: string, file: string): RunConfig {
  return parseConfiguration(text, file).config;
}

/**
 * Reads a whole configuration file: the rater's part, the preparation, and `asked`.
 * `asked` is the file as JSON without `preparation`, which names systems. Throws SyntaxError.
 */
export function parseConfiguration(text: string, file: string) {
  let content: unknown;
  try {
    content = parseYaml(text) ?? {};
  } catch (error) {
    throw new SyntaxError(
      `Cannot read ${file}: it is no YAML or JSON. ${(error as Error).message}`,
    );
  }
  const parsed = FILE.safeParse(content);
  if (parsed.success) {
    const { preparation } = parsed.data;
    const asked = JSON.stringify({ ...content as object, preparation: undefined }, undefined, 2);
    return { config: fromFile(parsed.data, file), preparation, asked };
  }
  throw new SyntaxError(`Cannot read ${file}: ${schemaFaults(parsed.error).join("; ")}.`);
}

/** Lists a schema's validation errors, each with its key. */
export function schemaFaults({ issues }: z.ZodError): string[] {
  return issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `unknown key ${issue.keys.map((key) => [...issue.path, key].join(".")).join(", ")}`
      : `${issue.path.join(".") || "the whole file"}: ${issue.message}`
  );
}

function fromFile(data: z.infer<typeof FILE>, file: string) {
  const { buckets, da_min, da_max, integer_only, practice: { items: practice, pass } } = data;
  const isDoubled = (names: readonly string[]) => new Set(names).size < buckets.length;
  const whole = integer_only && data.strict_ordering ? da_max - da_min + 1 : Infinity;
  const fillable = Math.min(data.num_translations, whole);
  const faults = [
    pass !== undefined && practice.length === 0 && "practice.pass: there are no practice items",
    da_min >= da_max && "da_max: must be above da_min",
    integer_only && !(Number.isInteger(da_min) && Number.isInteger(da_max)) &&
    "da_min and da_max: must be whole numbers while integer_only is true",
    isDoubled(buckets.map(({ key }) => key)) && "buckets: two have the same key",
    // A rater could not distinguish them.
    isDoubled(buckets.map(({ label }) => label)) && "buckets: two have the same label",
    !data.allow_empty_buckets && buckets.length > fillable &&
    `allow_empty_buckets: must be true, since only ${fillable} of ${buckets.length} buckets can be filled`,
    ...practice.flatMap(({ translations }, index) => [
      translations.length !== data.num_translations &&
      `practice.${index}: has ${translations.length} translations, num_translations is ` +
        data.num_translations,
      ...translations.map(({ bucket, da }, t) =>
        !(buckets.some(({ key }) => key === bucket) && da >= da_min && da <= da_max) &&
        `practice.${index}.translations.${t}: ${bucket}, ${da} is no rating on this scale`
      ),
    ]),
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw new SyntaxError(`Cannot read ${file}: ${faults.join("; ")}.`);
  return Object.freeze({
    numTranslations: data.num_translations,
    daMin: da_min,
    daMax: da_max,
    integerOnly: integer_only,
    buckets: buckets,
    strictOrdering: data.strict_ordering,
    allowEmptyBuckets: data.allow_empty_buckets,
    language: data.language,
    sourceLanguage: data.source_language,
    targetLanguage: data.target_language,
    /** Markdown by language tag: `und` if the file names no language, empty if it has none. */
    instructions: data.instructions,
    practice,
    /** Share of practice translations to put into the reference's bucket before rating begins. */
    practicePass: pass,
  });
}

/**
 * Returns the practice item that a workbook row represents.
 * The result is undefined for a counted item.
 */
export function practiceItem(
  { practice }: RunConfig,
  { source, translations }: Pick<InputRow, "source" | "translations">,
): PracticeItem | undefined {
  return practice.find((item) =>
    canonicalText(item.source) === canonicalText(source) &&
    item.translations.every(({ text }, t) =>
      canonicalText(text) === canonicalText(translations[t] ?? "")
    )
  );
}

/**
 * Tests whether a text is a BCP 47 language tag.
 * The primary subtag must have 2–3 letters. Intl accepts longer ones such as `French`, but none is
 * registered.
 */
function isLanguageTag(text: string): boolean {
  if (!/^[a-z]{2,3}(-|$)/i.test(text)) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
