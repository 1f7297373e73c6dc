import type { RandomSource } from "../../stats/random.ts";
import { readEnglish } from "../claims/english.ts";
import { chance, choose } from "./random_choice.ts";
import { EXCLUSIVE_WORDS, OPPOSITES } from "./word_tables.ts";

/** Makes of a statement one that excludes it; undefined where it finds nothing to change. */
export type Edit = (text: string, random: RandomSource) => string | undefined;

const OPPOSITE_OF = new Map(
  OPPOSITES.flatMap(([a, b]) => [[a, b], [b, a]] as const).toReversed(),
);

/** One word by its opposite: "largest" by "smallest". */
export const useOpposite: Edit = (text, random) =>
  replaceWord(text, random, (word) => OPPOSITE_OF.get(word));

/** One word by another of its class: "northern" by "eastern", "Dutch" by "British". */
export const useSibling: Edit = (text, random) =>
  replaceWord(text, random, (word) => {
    const siblings = EXCLUSIVE_WORDS.find((line) => line.includes(word));
    return siblings && choose(random, siblings.filter((other) => other !== word));
  });

function replaceWord(
  text: string,
  random: RandomSource,
  replacement: (word: string) => string | undefined,
): string | undefined {
  const words = [...text.matchAll(/\p{L}+/gu)].filter(({ 0: word }) =>
    replacement(word) !== undefined
  );
  if (words.length === 0) return undefined;
  const { 0: word, index } = choose(random, words);
  return text.slice(0, index) + replacement(word)! + text.slice(index + word.length);
}

const AUXILIARY = /\b(?:is|are|was|were|has|have|had|will|can|could|would|must|may|does|did)\b/u;

/** "not" put in or taken out at the first verb; "never" for some. */
export const negate: Edit = (text, random) => {
  const denied = /\b(?:not|never) /u.exec(text)?.[0];
  if (denied !== undefined) return text.replace(denied, "");
  const none = /\bno (?=\p{Ll})/u.exec(text)?.[0];
  if (none !== undefined) return text.replace(none, "some ");
  const auxiliary = AUXILIARY.exec(text);
  if (auxiliary !== null && auxiliary.index < text.length / 2) {
    const end = auxiliary.index + auxiliary[0].length;
    return `${text.slice(0, end)} ${chance(random, 0.8) ? "not" : "never"}${text.slice(end)}`;
  }
  return denyPast(text);
};

/** "gained" → "did not gain", where the verb follows its subject at once. */
function denyPast(text: string): string | undefined {
  const { tokens } = readEnglish(text);
  const verb = tokens.find(({ partOfSpeech, normal, lemma }, i) =>
    partOfSpeech === "VERB" && normal.endsWith("ed") && lemma !== normal &&
    tokens[i + 1]?.normal !== "by" &&
    /NOUN|PROPN/u.test(tokens[i - 1]?.partOfSpeech ?? "")
  );
  if (verb === undefined) return undefined;
  return `${text.slice(0, verb.start)}did not ${verb.lemma}${text.slice(verb.end)}`;
}

/** Two parties exchanged around what only one can do to the other; "from A to B" turned round. */
export const exchangeRoles: Edit = (text) => {
  const turned = text.replace(FROM_TO, "from $2 to $1");
  if (turned !== text) return turned;
  const exchanged = text.replace(
    ACTED,
    (_, a: string, act: string, b: string) => `${b} ${act} ${a}`,
  );
  return exchanged === text ? undefined : exchanged;
};

const NAME = "(?:the )?\\p{Lu}[\\p{L}'-]+(?: \\p{Lu}[\\p{L}'-]+)*";
const ACTS = "defeated|invaded|occupied|annexed|conquered|overthrew|succeeded|replaced|ousted|" +
  "ceded|colonized|ruled|governed|recognized|won independence from|seceded from|controls|attacked";
const ACTED = new RegExp(`(${NAME}) (${ACTS}) (${NAME})`, "u");
const FROM_TO = new RegExp(`from (${NAME}|\\d{4}) to (${NAME}|\\d{4})`, "u");
