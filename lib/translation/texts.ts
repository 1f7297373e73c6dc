import { IntlMessageFormat } from "intl-messageformat";
import type { RunConfig } from "./configuration.ts";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };

/**
 * What the page says, a file for each language in ICU's message format. The locale is that of dates
 * and lists: `22 Nov 2026`, `a, b or c`.
 */
const LANGUAGES = {
  en: { locale: "en-GB", messages: en },
  de: { locale: "de-DE", messages: de satisfies Record<keyof typeof en, string> },
};

type Values = Readonly<Record<string, string | number>>;

/** The page's words in one language. */
export interface Texts {
  (key: keyof typeof en, values?: Values): string;
  readonly locale: string;
  /** `a, b or c` */
  readonly listed: (parts: readonly string[], word: "and" | "or") => string;
}

const made = new Map<string, Texts>();

/** The words of a run's language, the same value for the same language. */
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
    ) => [name, typeof value === "string" ? isolated(value) : value]);
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

const FROM_THE_RIGHT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A label, name or text within a message, which runs from the left: where it has letters that run from
 * the right it is shut off, or marks and numbers beside it would change places (UAX #9, FSI or RLI … PDI).
 */
export function isolated(text: string, direction: "ltr" | "rtl" | "auto" = "auto"): string {
  if (!FROM_THE_RIGHT.test(text)) return text;
  return `${direction === "rtl" ? "\u2067" : "\u2068"}${text}\u2069`;
}

/** The rule of strict ordering, said with the run's own labels; nothing where it does not hold. */
export function orderRule(config: RunConfig): string {
  const [better, worse] = config.buckets;
  if (!config.strictOrdering) return "";
  return textsOf(config)("orderRule", { better: better!.label, worse: worse!.label });
}

/** The labels of all buckets: `Best, Good, OK or Poor`. */
export function bucketChoice(config: RunConfig): string {
  return textsOf(config).listed(config.buckets.map(({ label }) => isolated(label)), "or");
}

/** What the rater is asked for, in a paragraph. */
export function taskWords(config: RunConfig): string {
  return textsOf(config)("lead", {
    n: config.numTranslations,
    buckets: bucketChoice(config),
    min: config.daMin,
    max: config.daMax,
    rule: orderRule(config),
  });
}
