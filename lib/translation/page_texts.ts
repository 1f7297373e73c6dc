import { IntlMessageFormat } from "intl-messageformat";
import type { RunConfig } from "./configuration.ts";
import de from "./page_texts/de.json" with { type: "json" };
import en from "./page_texts/en.json" with { type: "json" };

/**
 * The page's messages, one file per language in ICU message format.
 * `locale` formats dates and lists: `22 Nov 2026`, `a, b or c`.
 */
const LANGUAGES = {
  en: { locale: "en-GB", messages: en },
  de: { locale: "de-DE", messages: de satisfies Record<keyof typeof en, string> },
};

type Values = Readonly<Record<string, string | number>>;

/** The page's messages in one language. */
export interface Texts {
  (key: keyof typeof en, values?: Values): string;
  readonly locale: string;
  /** Formats a list: `a, b or c`. */
  readonly listed: (parts: readonly string[], word: "and" | "or") => string;
}

const made = new Map<string, Texts>();

/** Returns the messages of a run's language. The object is the same for the same language. */
export function textsOf({ language }: Pick<RunConfig, "language">): Texts {
  const known = made.get(language);
  if (known) return known;
  const { locale, messages } = LANGUAGES[language];
  const formats = new Map<string, IntlMessageFormat>();
  const texts = Object.assign((key: keyof typeof en, values: Values = {}): string => {
    const format = formats.get(key) ?? new IntlMessageFormat(messages[key], locale);
    formats.set(key, format);
    const parts = Object.entries(values).map((
      [name, value],
    ) => [name, typeof value === "string" ? isolateText(value) : value]);
    return String(format.format(Object.fromEntries(parts)));
  }, {
    locale,
    listed: (parts: readonly string[], word: "and" | "or") =>
      new Intl.ListFormat(locale, { type: word === "and" ? "conjunction" : "disjunction" })
        .format(parts),
  });
  made.set(language, texts);
  return texts;
}

const RIGHT_TO_LEFT_LETTERS =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Isolates a text with right-to-left letters within a left-to-right message.
 * Without isolation adjacent marks and numbers would change places (UAX #9, FSI or RLI … PDI).
 */
export function isolateText(text: string, direction: "ltr" | "rtl" | "auto" = "auto"): string {
  if (!RIGHT_TO_LEFT_LETTERS.test(text)) return text;
  return `${direction === "rtl" ? "\u2067" : "\u2068"}${text}\u2069`;
}

/** States the rule of strict ordering with the run's labels. It is empty if the rule is off. */
export function orderRule(config: RunConfig): string {
  const [better, worse] = config.buckets;
  if (!config.strictOrdering) return "";
  return textsOf(config)("orderRule", { better: better!.label, worse: worse!.label });
}

/** Lists the labels of all buckets: `Best, Good, OK or Poor`. */
export function bucketChoice(config: RunConfig): string {
  return textsOf(config).listed(config.buckets.map(({ label }) => isolateText(label)), "or");
}

/** States the rater's task in a paragraph. */
export function taskDescription(config: RunConfig): string {
  return textsOf(config)("lead", {
    n: config.numTranslations,
    buckets: bucketChoice(config),
    min: config.daMin,
    max: config.daMax,
    rule: orderRule(config),
  });
}
