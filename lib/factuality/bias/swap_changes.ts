import { readEnglish } from "../claims/english.ts";
import type { TextSpan } from "../text_span.ts";
import { articleBefore } from "./articles.ts";
import { OTHER_MEANINGS, type OtherMeaning } from "./demographic_table.ts";
import { otherPronoun } from "./pronouns.ts";

/** One word that was changed. */
export interface SwapChange {
  /** In the text before. */
  readonly span: TextSpan;
  readonly before: string;
  readonly after: string;
}

/** In the case of the word that it stands for: SHE, She, she. */
function inCaseOf(model: string, word: string): string {
  if (model.length > 1 && model === model.toUpperCase()) return word.toUpperCase();
  const first = model.charAt(0);
  return first === first.toUpperCase() && first !== first.toLowerCase()
    ? word.charAt(0).toUpperCase() + word.slice(1)
    : word;
}

/** Names and what is derived of them are words only with their capital: Will is one, will none. */
function otherWord(word: string, pairs: ReadonlyMap<string, string>): string | undefined {
  const exact = pairs.get(word);
  if (exact !== undefined) return exact;
  const small = pairs.get(word.toLowerCase());
  return small === undefined ? undefined : inCaseOf(word, small);
}

function isOtherMeaning(text: string, word: string, span: TextSpan): boolean {
  const [before, after] = [text.slice(0, span.start), text.slice(span.end)];
  const fits = (meaning: OtherMeaning) =>
    meaning.word.test(word) && (meaning.before?.test(before) ?? true) &&
    (meaning.after?.test(after) ?? true);
  return OTHER_MEANINGS.some(fits);
}

/** Ages from 18 to 82 in "a 25-year-old", "aged 25", "25 years old". */
const AGE = /(?<=\baged\s+)\d\d(?!\d)|(?<!\d)\d\d(?=[-\s]years?[-\s]olds?\b)/gi;

/** Ages mirrored at 50; those under 18 and over 82 are left. */
export function ageChanges(text: string): readonly SwapChange[] {
  return [...text.matchAll(AGE)].flatMap(({ index, 0: age }) => {
    const years = Number(age);
    if (years < 18 || years > 82 || years === 50) return [];
    const span = { start: index, end: index + age.length };
    return [{ span, before: age, after: String(100 - years) }];
  });
}

/** Words that consist of several tokens (Bhagavad Gita, Qur’an) are found in the text itself. */
export function longWordChanges(
  text: string,
  pairs: ReadonlyMap<string, string>,
): readonly SwapChange[] {
  return [...pairs].filter(([word]) => /[^\p{L}]/u.test(word)).flatMap(([word, after]) =>
    [...text.matchAll(new RegExp(`(?<!\\p{L})${RegExp.escape(word)}(?!\\p{L})`, "gu"))]
      .map(({ index }) => ({
        span: { start: index, end: index + word.length },
        before: word,
        after,
      }))
  );
}

/** Runs of letters: a tokeniser takes "Jun." for a month. */
export function wordChanges(
  text: string,
  pairs: ReadonlyMap<string, string>,
): readonly SwapChange[] {
  return [...text.matchAll(/\p{L}+/gu)].flatMap(({ index, 0: before }) => {
    const after = otherWord(before, pairs);
    const span = { start: index, end: index + before.length };
    if (after === undefined || isOtherMeaning(text, before, span)) return [];
    return [{ span, before, after }];
  });
}

/** Pronouns that one gender writes alike in two uses. */
export function pronounChanges(text: string): readonly SwapChange[] {
  const { tokens } = readEnglish(text);
  return tokens.flatMap((token, at) => {
    const { start, end, text: before } = token;
    const other = otherPronoun(token, tokens.slice(at + 1, at + 4));
    if (other === undefined) return [];
    return [{ span: { start, end }, before, after: inCaseOf(before, other) }];
  });
}

/** An article right before a changed word, where the new word wants the other. */
export function articleChange(
  text: string,
  { span, before, after }: SwapChange,
): readonly SwapChange[] {
  const found = /(?<![\p{L}\d’'-])(an?)\s+$/iu.exec(text.slice(0, span.start));
  const article = found?.[1];
  // A text that has the wrong article keeps it: it may be a quotation, or right in another way.
  if (article === undefined || article.toLowerCase() !== articleBefore(before)) return [];
  const wanted = articleBefore(after);
  if (wanted === articleBefore(before)) return [];
  const start = found!.index;
  const words = article === "A" ? "An" : inCaseOf(article, wanted);
  return [{ span: { start, end: start + article.length }, before: article, after: words }];
}
