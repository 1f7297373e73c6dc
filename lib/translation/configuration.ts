import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { canonicalText } from "./text.ts";
import type { InputRow } from "./types.ts";

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

const NAMED = z.string().regex(/\S/, "is blank");

/**
 * An item that is rated before all others; after Next the rater is shown the reference ratings. It
 * stands in the workbook with its translations as t1 … tN in the order given here: {@link
 * practiceItem} tells it. No analysis counts it.
 */
export type PracticeItem = Readonly<z.infer<typeof PRACTICE>>;
const PRACTICE = z.strictObject({
  source: NAMED,
  /** Each with the rating that it is held to deserve, and why. */
  translations: z.array(
    z.strictObject({
      text: z.string(),
      bucket: z.string(),
      da: z.number(),
      why: z.string().default(""),
    }).readonly(),
  ).readonly(),
});

/** A rater's name, which becomes the name of a file. */
export const RATER_NAME = z.string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u, "takes letters, digits, _ . -");

/** How `rate prepare` makes workbooks of systems' outputs. The page never has it: it names systems. */
export type Preparation = z.infer<typeof PREPARATION>;
const PREPARATION = z.strictObject({
  /** A file of outputs, seen from the configuration's folder. */
  outputs: NAMED.optional(),
  /** Told by its headings unless said here. */
  form: z.enum(["wide", "long"]).optional(),
  delimiter: z.enum([",", ";", "\t"]).optional(),
  /** Whether a cell may stand in quotation marks; false where they are text, as in WMT's files. */
  quotes: z.boolean().optional(),
  /** Of a workbook: the sheet with this name, not the first. */
  sheet: NAMED.optional(),
  /** Whether a system that has nothing for a segment is refused or has an empty translation there. */
  missing: z.enum(["refuse", "empty"]).default("refuse"),
  /** Headings that are not the usual ones. */
  columns: z.partialRecord(
    z.enum(["segment", "document", "source", "system", "translation"]),
    NAMED,
  ).default({}),
  /** Systems that take part: headings of a wide table, names in a long one. */
  systems: z.array(NAMED).min(2)
    .refine((names) => new Set(names).size === names.length, "a system stands twice").optional(),
  exclude: z.array(NAMED).default([]),
  /** Their number, or a name for each, which becomes the name of a file. */
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
  /** Share of the sentences that every rater gets; the others are dealt out by documents. All without. */
  overlap: z.number().min(0).max(1).optional(),
  /** Whether each rater has the documents in an order of his own, or all in the same. */
  order: z.enum(["own", "same"]).default("own"),
  /** Which of several workbooks of one rater this is; stands in workbook, key and report. */
  batch: z.union([z.number(), NAMED]).transform(String).optional(),
  /** Whether the rater sees, by numbers, where a document ends. */
  tell_documents: z.boolean().default(true),
  assignment: z.enum(["per_item", "per_run"]).default("per_item"),
});

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
  /** Of the page's own words; no part of the configuration's hash, since it asks nothing else. */
  language: z.enum(["en", "de"]).default("en"),
  /** For fonts and screen readers. */
  source_language: languageTag.optional(),
  target_language: languageTag.optional(),
  /** Markdown for the rater: a text, or one for each language. */
  instructions: z.union([
    NAMED.transform((text): Readonly<Record<string, string>> => ({ und: text })),
    z.record(languageTag, NAMED),
  ]).default({}),
  /** A list; or `{ pass, items }`, of which a share of the translations must be in the reference's bucket. */
  practice: z.preprocess(
    (given) => Array.isArray(given) ? { items: given } : given,
    z.strictObject({
      pass: z.number().gt(0).max(1).optional(),
      items: z.array(PRACTICE).readonly().default([]),
    }),
  ).prefault({}),
  preparation: PREPARATION.prefault({}),
});

/** Twelve translations, 0 to 100 in whole points, best/good/ok/poor, strictly ordered. */
export const DEFAULT_RUN_CONFIG = fromFile(FILE.parse({}), "the defaults");

/**
 * Reads a run configuration in YAML (of which JSON is a part), defaults filled in. Throws SyntaxError
 * that names the file and every key that is unknown, of the wrong type or out of range.
 */
export function parseRunConfig(text: string, file: string): RunConfig {
  return parseConfiguration(text, file).config;
}

/**
 * The whole file: what the rater is asked, how workbooks are prepared, and `asked`, JSON for raters: all but
 * that, which names systems. Throws SyntaxError.
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

/** What is wrong with a file, each fault with its key. */
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
    // A rater could not tell them.
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
    /** Markdown by language tag; `und` where the file names no language; empty where it has none. */
    instructions: data.instructions,
    practice,
    /** Share of the practice translations that must be in the reference's bucket before the rest begins. */
    practicePass: pass,
  });
}

/** The practice item that a row of the workbook is; undefined for one that counts. */
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

/** Longer first parts are allowed by the syntax alone, and `French` is one: none is registered. */
function isLanguageTag(text: string): boolean {
  if (!/^[a-z]{2,3}(-|$)/i.test(text)) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
