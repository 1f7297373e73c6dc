/**
 * Conversion of the edition's spelling to classical normalisation, with exceptions.
 *
 * The edition writes ö for both ǫ and ø, æ for both æ and œ, and -st/-zt for the middle voice.
 * Spellings not listed in `spellings.csv` stay as printed; œ is restored only if the root vowel ó
 * makes it certain. Spellings: Noreen, Altisländische Grammatik, §§ 63–68 (œ, by i-umlaut of ó),
 * 77–82 (ǫ, by u-umlaut of a), 544 (middle).
 */
import type { DatasetItem } from "../../pairs/dataset.ts";
import {
  aroundChange,
  type MinimalPair,
  stripPunctuation,
  whitespaceTokens,
} from "../../pairs/pair.ts";
import { matchCapital } from "./verdicts.ts";
import { MISPRINTS, SPELLINGS, wordLists } from "./rules.ts";

interface OrthographyRule {
  readonly id: string;
  /** Description of the rule for the notebook's table. */
  readonly description: string;
  /** One word of the saga before and after. */
  readonly example: readonly [source: string, normalised: string];
  /** Rewrites one word, or returns it unchanged. */
  readonly apply: (word: string) => string;
}

/** Standard forms of þ, ð and æ for variant characters. */
const LETTER_FORMS = new Map(
  Array.from("đĐɖƉäÄǽǼӕӔ", (letter, i) => [letter, [..."ðÐðÐæÆæÆæÆ"][i]!]),
);

const isIn = wordLists("spelling");

/** The rules in order of application. */
export const ORTHOGRAPHY: readonly OrthographyRule[] = [
  {
    id: "LETTER_FORMS",
    description: "þ, ð and æ each in one form",
    example: ["gođin", "goðin"],
    apply: (word) => [...word].map((letter) => LETTER_FORMS.get(letter) ?? letter).join(""),
  },
  {
    id: "O_SLASH",
    description:
      "ö → ø in søkkr, hrøkkr, støkkr, døkk-, gløgg-, øx-, ør- (prefix), køra, kør, høggr",
    example: ["örlög", "ørlǫg"],
    apply: respelling("O_SLASH", "ö", "ø"),
  },
  {
    id: "O_HOOK",
    description: "every other ö → ǫ",
    example: ["höfðingi", "hǫfðingi"],
    apply: (word) => word.replaceAll("ö", "ǫ").replaceAll("Ö", "Ǫ"),
  },
  {
    id: "OE_LIGATURE",
    description: "æ → œ where the root has ó (brœðr, sœkja, bœta, …); unsure words keep æ",
    example: ["bræðr", "brœðr"],
    apply: respelling("OE_LIGATURE", "æ", "œ"),
  },
  {
    id: "MIDDLE_SK",
    description: "-st, -zt of the middle voice → -sk, -zk; nouns, superlatives, 2nd sg. -st stay",
    example: ["gerðist", "gerðisk"],
    apply: (word) =>
      /\p{L}{2}[sz]t$/u.test(word) && !isIn("not_middle", word.replaceAll("ǫ", "ö").toLowerCase())
        ? word.slice(0, -1) + "k"
        : word,
  },
];

/** Replaces one vowel within matches of a rule's patterns. */
function respelling(rule: "O_SLASH" | "OE_LIGATURE", from: string, to: string) {
  const patterns = SPELLINGS.read().filter((row) => row.rule === rule).map((row) => row.pattern);
  const vowel = new RegExp(from, "iu");
  const exchange = (part: string) => part.replace(vowel, (letter) => matchCapital(letter, to));
  return (word: string) =>
    patterns.reduce((form, pattern) => form.replace(pattern, exchange), word);
}

const PRINTED = MISPRINTS.read();

/** Corrects the edition's misprints (`misprints.csv`); `notes` list each, `Nu → Nú`. */
export function correctMisprints(text: string) {
  const notes: string[] = [];
  const mended = PRINTED.reduce(
    (reading, { printed, meant }) =>
      reading.replace(printed, (misprint) => {
        notes.push(`${misprint} → ${meant}`);
        return meant;
      }),
    text,
  );
  return { mended, notes };
}

/** Normalises a word or sentence, misprints corrected; everything but words is unchanged. */
export function normaliseText(text: string): string {
  return correctMisprints(text.normalize("NFC")).mended.replace(
    /[\p{L}\p{M}]+/gu,
    (word) => ORTHOGRAPHY.reduce((form, rule) => rule.apply(form), word),
  );
}

/** A pair without counterpart in the edition's spelling. */
interface LeftOut {
  readonly pairId: string;
  readonly reason: "other_words_in_the_edition" | "misprinted_word" | "no_one_spelling";
  readonly detail: string;
}

/**
 * Returns the pairs in the edition's spelling, with the same ids.
 * The grammatical member is as printed without quotation marks; the variant is spelt as the edition
 * would, with the rules reversed. Omitted, with the reason, are pairs whose sentence has other
 * words in the edition, whose word is misprinted there, or whose variant would be read as another
 * word: it must normalise to the variant.
 */
export function editionPairs<P extends string>(items: readonly DatasetItem<P>[]) {
  const pairs: MinimalPair<P>[] = [];
  const leftOut: LeftOut[] = [];
  for (const { pair, certificate: { sourceSpelling } } of items) {
    const leave = (reason: LeftOut["reason"], detail: string) =>
      leftOut.push({ pairId: pair.id, reason, detail });
    const { index, from, to } = aroundChange(pair);
    const printed = whitespaceTokens(sourceSpelling.normalize("NFC"));
    const target = stripPunctuation(printed[index] ?? "");
    if (
      printed.length !== whitespaceTokens(pair.grammatical).length ||
      normaliseText(target.core) !== from
    ) {
      leave("other_words_in_the_edition", sourceSpelling);
      continue;
    }
    if (correctMisprints(target.core).notes.length > 0) {
      leave("misprinted_word", target.core);
      continue;
    }
    const endsInSt = pair.phenomenon === "MIDDLE_VOICE" || /[sz]t$/u.test(target.core);
    const variant = asPrinted(to, endsInSt);
    if (normaliseText(variant) !== to || variant === target.core) {
      leave("no_one_spelling", `${to}: ${variant} is ${normaliseText(variant)}`);
      continue;
    }
    const ungrammatical = printed.with(index, target.before + variant + target.after).join(" ");
    pairs.push({
      ...pair,
      grammatical: printed.join(" "),
      ungrammatical,
      target: target.core,
    });
  }
  return { pairs, leftOut };
}

/** Returns the edition's spelling of a normalised word. -sk, -zk change only in a middle. */
function asPrinted(word: string, isMiddle: boolean): string {
  const letters = new Map(Array.from("ǫøœǪØŒ", (letter, i) => [letter, [..."ööæÖÖÆ"][i]!]));
  const spelt = [...word].map((letter) => letters.get(letter) ?? letter).join("");
  return isMiddle ? spelt.replace(/(?<=[sz])k$/u, "t") : spelt;
}
