import { readEnglish } from "../../claims/english.ts";
import { readDates } from "../../features/quantities/read_dates.ts";
import { changeBetween, oneOf, type TextChange, type VariantRule } from "../variant.ts";

/** "In 1963, Kenya …" ↔ "Kenya … in 1963.", "A and B" ↔ "B and A", "oil, gas, and gold" in turn. */
export const reorder: VariantRule = (text, { gazetteer }, random) => {
  const moved = [toTheEnd(text), toTheFront(text)].filter((change) => change !== undefined);
  if (moved.length > 0) return oneOf(moved, random);
  const isCountry = (name: string) =>
    gazetteer.find(name).some(({ start, end }) => start === 0 && end === name.length);
  return oneOf([...pairs(text, isCountry), ...lists(text)], random);
};

const OPENING = /^((?:In|On|During|Since|After|Following|Until|At) [^,.;]{3,40}), ([^,;:]+)\.$/u;
const CLOSING =
  /^([^,;:]+) ((?:in|on|since|during) (?:the )?(?:\d{1,2} )?(?:\p{Lu}\p{Ll}+ )?\d{4}s?)\.$/u;

function toTheEnd(text: string): TextChange | undefined {
  const [, opening, rest] = OPENING.exec(text) ?? [];
  if (opening === undefined || !takesAdverbial(rest!) || /\b(?:it|its|they|their)\b/u.test(rest!)) {
    return undefined;
  }
  const sentence = `${capital(rest!)} ${opening.charAt(0).toLowerCase()}${opening.slice(1)}.`;
  return changeBetween(text, sentence);
}

function toTheFront(text: string): TextChange | undefined {
  const [, rest, closing] = CLOSING.exec(text) ?? [];
  if (rest === undefined || !takesAdverbial(rest)) return undefined;
  const [first, second] = readEnglish(rest).tokens;
  const isCommon = /^(?:NOUN|DET|ADJ|PRON)$/u.test(first!.partOfSpeech) ||
    /^(?:Inflation|Consumer|Economic|Output|Unemployment|Missionaries)$/u.test(first!.text);
  const isName = !isCommon || /^\p{Lu}|^['’]s?$/u.test(second?.text ?? "");
  const start = /^The /u.test(rest) || !isName
    ? rest.charAt(0).toLowerCase() + rest.slice(1)
    : rest;
  return changeBetween(text, `${capital(closing!)}, ${start}.`);
}

/** With a clause or another time in it the adverbial might come to belong to the wrong one. */
function takesAdverbial(text: string): boolean {
  const { tokens } = readEnglish(text);
  const verbs = tokens.filter(({ partOfSpeech }, i) =>
    partOfSpeech === "VERB" || partOfSpeech === "AUX" && tokens[i + 1]?.partOfSpeech !== "VERB"
  );
  return verbs.length === 1 && readDates(text).length === 0 && !TAKEN.test(text);
}

const TAKEN =
  /\b(?:and|but|which|who|that|when|where|while|not|by the end|until|since|after|before|during|lasted|for \p{L}+ (?:years|months))\b/u;

/** The order of stripes, of places and of "respectively" means something. */
const ORDERED =
  /\b(?:respectively|between|both|from|stripes?|bands?|top|bottom|left|right|order|followed|then|former|latter|either|first)\b/u;

const NAME = "\\p{Lu}[\\p{L}-]+(?: \\p{Lu}[\\p{L}-]+)*";
const PAIR = new RegExp(
  `(?<=\\b(?:of|with|in|by|to|for|including|as|like) )(${NAME}) and (${NAME})(?=[,.;]|$)`,
  "gu",
);

function pairs(text: string, isCountry: (name: string) => boolean): readonly TextChange[] {
  if (ORDERED.test(text)) return [];
  return [...text.matchAll(PAIR)].filter(([, a, b]) => isCountry(a!) && isCountry(b!))
    .map(({ 0: whole, 1: a, 2: b, index }) => ({
      ...{ start: index, end: index + whole.length, to: `${b} and ${a}` },
    }));
}

const MEMBER = "[\\p{L}'’-]+";
const LIST = new RegExp(
  `(?<=\\b(?:including|as|of|in|with|by|for|to|against|are|were) )((?:${MEMBER}, )+)(${MEMBER}),? and (${MEMBER})(?=[.;])`,
  "gu",
);

/** The last member of a list of single words first. */
function lists(text: string): readonly TextChange[] {
  if (ORDERED.test(text)) return [];
  return [...text.matchAll(LIST)].map(({ 0: whole, 1: first, 2: next, 3: last, index }) => {
    const members = first!.split(", ").filter((member) => member !== "");
    const to = `${[last, ...members].join(", ")}, and ${next}`;
    return { start: index, end: index + whole.length, to };
  });
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
