/** Lucene's English stop words. "No" and "not" are among them: they say nothing of the topic. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  ("a an and are as at be but by for if in into is it no not of on or such that the their then " +
    "there these they this to was will with").split(" "),
);

/** Digits with separators ("39,200", "3.5") or letters and digits; an apostrophe's rest goes. */
const WORD = /\d+(?:[.,]\d+)*|[\p{L}\p{N}]+(?:['’](?=s\b))?/giu;

/** A word that texts are looked up by. */
export interface Term {
  readonly term: string;
  /** Whether it is written with a capital letter. */
  readonly capital: boolean;
}

/**
 * What a text is looked up by, in its order: lower case, accents folded (NFKD), stop words out,
 * plural endings and the possessive's 's off, digit groups joined ("39,200" is "39200"; "3.5" stays).
 */
export function termsOf(text: string): readonly string[] {
  return writtenTerms(text).map(({ term }) => term);
}

/** {@link termsOf}, each with how its word is written. */
export function writtenTerms(text: string): readonly Term[] {
  const terms: Term[] = [];
  for (const [written] of text.normalize("NFKD").replace(/\p{M}/gu, "").matchAll(WORD)) {
    const term = termOf(written.toLowerCase());
    if (term !== undefined) terms.push({ term, capital: /^\p{Lu}/u.test(written) });
  }
  return terms;
}

function termOf(word: string): string | undefined {
  if (/['’]$/.test(word)) return singular(word.slice(0, -1));
  if (/^\d/.test(word)) return word.replace(/,(?=\d{3}(?!\d))/g, "");
  return STOP_WORDS.has(word) || word === "s" ? undefined : singular(word);
}

/** The S stemmer (Harman 1991, JASIS 42(1)): plurals only, so that names and numbers survive. */
function singular(word: string): string {
  if (word.length < 4) return word;
  if (/(?<![ea])ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?<![aeo])es$/.test(word)) return word.slice(0, -1);
  if (/(?<![us])s$/.test(word)) return word.slice(0, -1);
  return word;
}
