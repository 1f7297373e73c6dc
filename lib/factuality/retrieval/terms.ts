/** Lucene's English stop words. "No" and "not" are among them: they say nothing of the topic. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  ("a an and are as at be but by for if in into is it no not of on or such that the their then " +
    "there these they this to was will with").split(" "),
);

/** Digits with separators ("39,200", "3.5") or letters and digits; an apostrophe's rest goes. */
const WORD = /\d+(?:[.,]\d+)*|[\p{L}\p{N}]+(?:['’](?=s\b))?/gu;

/**
 * What a text is looked up by, in its order: lower case, accents folded (NFKD), stop words out,
 * plural endings off, digit groups joined ("39,200" is "39200"; "3.5" stays).
 */
export function termsOf(text: string): readonly string[] {
  const folded = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const terms: string[] = [];
  for (const [word] of folded.matchAll(WORD)) {
    if (word.endsWith("'") || word.endsWith("’")) terms.push(singular(word.slice(0, -1)));
    else if (/^\d/.test(word)) terms.push(word.replace(/,(?=\d{3}(?!\d))/g, ""));
    else if (!STOP_WORDS.has(word) && word !== "s") terms.push(singular(word));
  }
  return terms;
}

/** The S stemmer (Harman 1991, JASIS 42(1)): plurals only, so that names and numbers survive. */
function singular(word: string): string {
  if (word.length < 4) return word;
  if (/(?<![ea])ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?<![aeo])es$/.test(word)) return word.slice(0, -1);
  if (/(?<![us])s$/.test(word)) return word.slice(0, -1);
  return word;
}
