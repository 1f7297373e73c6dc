/**
 * From the edition's spelling to classical normalisation, as a table of rules with their exceptions.
 *
 * The edition writes ö for both ǫ and ø, æ for both æ and œ, and -st/-zt for the middle voice.
 * What `spellings.csv` does not name stays as it is printed; œ is restored only where the root vowel
 * ó makes it sure. Spellings: Noreen, Altisländische Grammatik, §§ 77–82 (umlauts), 544 (middle).
 */
import { matchCapital } from "./candidate.ts";
import { SPELLINGS, wordLists } from "./rules.ts";

interface OrthographyRule {
  readonly id: string;
  /** What the rule does, for the table in the notebook. */
  readonly description: string;
  /** One word of the saga before and after. */
  readonly example: readonly [source: string, normalised: string];
  /** Rewrites one word, or returns it as it was. */
  readonly apply: (word: string) => string;
}

/** One form each for þ, ð, æ, whatever the keyboard that typed them. */
const LETTER_FORMS = new Map(
  Array.from("đĐɖƉäÄǽǼӕӔ", (letter, i) => [letter, [..."ðÐðÐæÆæÆæÆ"][i]!]),
);

const isIn = wordLists("spelling");

/** The rules in the order of their application. */
export const ORTHOGRAPHY: readonly OrthographyRule[] = [
  {
    id: "LETTER_FORMS",
    description: "þ, ð and æ each in one form; letters composed (Unicode NFC)",
    example: ["gođin", "goðin"],
    apply: (word) =>
      [...word.normalize("NFC")].map((letter) => LETTER_FORMS.get(letter) ?? letter).join(""),
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

/** One vowel exchanged within what the patterns of a rule match. */
function respelling(rule: "O_SLASH" | "OE_LIGATURE", from: string, to: string) {
  const patterns = SPELLINGS.read().filter((row) => row.rule === rule).map((row) => row.pattern);
  const vowel = new RegExp(from, "iu");
  const exchange = (part: string) => part.replace(vowel, (found) => matchCapital(found, to));
  return (word: string) =>
    patterns.reduce((form, pattern) => form.replace(pattern, exchange), word);
}

/** A word or sentence in classical normalisation; whatever is no word stays where it stood. */
export function normaliseText(text: string): string {
  return text.normalize("NFC").replace(
    /[\p{L}\p{M}]+/gu,
    (word) => ORTHOGRAPHY.reduce((form, rule) => rule.apply(form), word),
  );
}
