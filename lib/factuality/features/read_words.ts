import { type EnglishToken, type PartOfSpeech, readEnglish } from "../claims/english.ts";
import type { TextSpan } from "../text_span.ts";
import type { WordNet } from "../wordnet/wordnet.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { plainName, withAliases } from "./name_aliases.ts";
import { negatedTokens } from "./negation.ts";
import { isDegreeWord } from "./opposites.ts";
import { readQuantities } from "./quantities/read_quantities.ts";
import { wordWeight } from "./word_weight.ts";
import type { Word, WordClass } from "./word.ts";

/** What a text is read with. */
export interface ReadingTools {
  readonly wordnet: WordNet;
  readonly gazetteer: Gazetteer;
}

const CLASS_OF: Partial<Record<PartOfSpeech, WordClass>> = {
  NOUN: "noun",
  VERB: "verb",
  ADJ: "adjective",
  ADV: "adverb",
  NUM: "noun",
  X: "noun",
};

/** The words of a sentence that say something, in order; "of" and "is" say nothing on their own. */
export function readWords(text: string, { wordnet, gazetteer }: ReadingTools): readonly Word[] {
  const { tokens } = readEnglish(text);
  const negated = negatedTokens(tokens);
  const quantities = readQuantities(text);
  const hits = gazetteer.find(text);
  const isTaken = (token: TextSpan) =>
    [...quantities, ...hits].some((span) => overlap(span, token));
  const isNegated = (span: TextSpan) => negated[tokens.findIndex((token) => overlap(span, token))]!;
  const common = { quantity: undefined, entry: undefined, aliases: [] };
  const plain = tokens.flatMap((token, index): readonly Word[] => {
    const wordClass = classOf(token, index, wordnet);
    if (wordClass === undefined || isTaken(token)) return [];
    const lemma = lemmaOf(token, wordClass);
    const { start, end } = token;
    const weight = wordWeight(lemma, wordClass, wordnet);
    const negation = negated[index]!;
    return [{
      ...common,
      start,
      end,
      text: token.text,
      lemma,
      wordClass,
      weight,
      negated: negation,
    }];
  });
  const numbers = quantities.map((quantity): Word => ({
    ...spanOf(quantity, text),
    lemma: quantity.text.toLowerCase(),
    wordClass: "quantity",
    weight: wordWeight("", "quantity", wordnet),
    negated: isNegated(quantity),
    ...common,
    quantity,
  }));
  const known = hits.filter((hit) => !quantities.some((other) => overlap(other, hit)))
    .map((hit): Word => ({
      ...spanOf(hit, text),
      lemma: hit.entry.name.toLowerCase(),
      wordClass: "name",
      weight: wordWeight("", "name", wordnet),
      negated: isNegated(hit),
      ...common,
      entry: hit.entry,
    }));
  const words = [...plain, ...numbers, ...known].toSorted((a, b) => a.start - b.start);
  return withAliases(words, text);
}

const overlap = (a: TextSpan, b: TextSpan) => a.start < b.end && b.start < a.end;

const spanOf = ({ start, end }: TextSpan, text: string) => ({
  start,
  end,
  text: text.slice(start, end),
});

function lemmaOf({ normal, lemma }: EnglishToken, wordClass: WordClass): string {
  if (wordClass === "degree") return normal;
  return wordClass === "name" ? plainName(normal) : lemma;
}

/** A capital letter makes a name, except at the beginning, where the tagger must think so too and no dictionary know the word. */
function classOf(token: EnglishToken, index: number, wordnet: WordNet): WordClass | undefined {
  if (!/[\p{L}\d]/u.test(token.text)) return undefined;
  if (isDegreeWord(token.normal)) return "degree";
  if (token.stopWord) return undefined;
  const isProper = token.partOfSpeech === "PROPN";
  if (/^\p{Lu}/u.test(token.text)) {
    if (index > 0) return "name";
    if (isProper) return isCommon(token.normal, wordnet) ? "noun" : "name";
  }
  return isProper ? "noun" : CLASS_OF[token.partOfSpeech];
}

/** As it is, or as a plural. */
const isCommon = (word: string, wordnet: WordNet) =>
  wordnet.isCommon(word) || wordnet.isCommon(word.replace(/s$/, ""));
