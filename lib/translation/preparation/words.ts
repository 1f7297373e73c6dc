/** A word of a text and where it stands, in UTF-16 code units. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const segmenters = new Map<string, Intl.Segmenter>();

/**
 * The words of a text by Unicode's rules (UAX #29, with ICU's dictionaries for scripts without
 * spaces), punctuation left out. `language` is a BCP 47 tag; English rules where it is not known,
 * never the rules of the machine's own language.
 */
export function wordsOf(text: string, language = "en"): Word[] {
  return [...segmenterFor(language).segment(text)].flatMap(({ segment, index, isWordLike }) =>
    isWordLike ? [{ text: segment, start: index, end: index + segment.length }] : []
  );
}

function segmenterFor(language: string): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known) return known;
  const made = new Intl.Segmenter(language, { granularity: "word" });
  segmenters.set(language, made);
  return made;
}
