import type { TextSpan } from "../text_span.ts";
import type { Word } from "./word.ts";

/** What a statement does not need once it stands alone. */
const CONNECTIVES =
  /^(?:it is (?:important to note|worth noting) that|note that)\s+|^(?:however|therefore|thus|additionally|moreover|furthermore|overall|also|finally|in addition|for example|for instance|in fact|as a result|nevertheless|meanwhile|consequently|besides|likewise|similarly|notably|in conclusion|in summary),\s+|^(?:and|but|so|yet)\s+/i;

/** A letter whose capital is two, such as the ligature of "ﬁsh", stays what the text has. */
function capitalOf(letter: string): string {
  const capital = letter.toUpperCase();
  return capital.length === letter.length ? capital : letter;
}

/** The words as a sentence: a capital at its start, a stop at its end. */
export function assembled(words: readonly Word[]): string {
  const said = words.map(({ text, spaced }, index) => (spaced && index > 0 ? " " : "") + text)
    .join("").replace(CONNECTIVES, "").replace(/\s+(?=[.,;:!?](?:\s|$))/g, "").trim()
    .replace(/,(["”])$/, "$1");
  const capital = /^[“"(]?\p{Ll}/u.test(said) && !/^[a-z]+[A-Z]/.test(said)
    ? said.replace(/\p{Ll}/u, capitalOf)
    : said;
  return /[.!?…:][”"’)\]]*$/.test(capital) ? capital : `${capital}.`;
}

/** Where the clause's own words stand: one span for each stretch with nothing but space within. */
export function spansOf(text: string, words: readonly Word[]): readonly TextSpan[] {
  const spans: TextSpan[] = [];
  const own = words.filter((word) => word.own).toSorted((one, other) => one.start - other.start);
  for (const { start, end } of own) {
    const last = spans.at(-1);
    const isNext = last && text.slice(last.end, start).trim() === "";
    if (last && isNext) spans[spans.length - 1] = { start: last.start, end };
    else spans.push({ start, end });
  }
  return spans;
}
