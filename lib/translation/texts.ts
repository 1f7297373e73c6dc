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
  const texts = Object.assign((key: keyof typeof en, values?: Values): string => {
    const format = formats.get(key) ?? new IntlMessageFormat(messages[key], locale);
    formats.set(key, format);
    return String(format.format(values));
  }, {
    locale,
    listed: (parts: readonly string[], word: "and" | "or") =>
      new Intl.ListFormat(locale, { type: word === "and" ? "conjunction" : "disjunction" })
        .format(parts),
  });
  made.set(language, texts);
  return texts;
}
