import { isCopular, partsOf } from "./clause.ts";
import { isPerson } from "./split_occupations.ts";
import type { Word } from "./word.ts";

/** What is said of people alone. */
const LIVING = new Set(
  ("bear die marry study graduate write sing paint dance compose teach attend retire star act " +
    "educate divorce debut").split(" "),
);

const RELATIVES = new Set(
  ("daughter son wife husband brother sister mother father child widow pharaoh emperor sultan king " +
    "queen prince princess referee militant cleric nobleman noblewoman descendant").split(" "),
);

const ORGANISATION =
  /^(?:Club|County|University|City|FC|AC|SC|CP|United|Group|Company|Records|Party|Army|League|Awards?|Academy|College|School|Institute|Films|Entertainment|Agency|Town|Rovers|Athletic|Sports|Team|Studios|Pictures|Music|National|Island|Islands|River|Lake|Mount|Mountains?|Republic|Kingdom|States|Union|Church|Museum|Bridge|Street|Park|Centre|Center|Foundation|Association|Council|War|Act)$/;

/** Two to four capitalised words without an article, none of them an organisation's or a place's. */
export function isPersonName(words: readonly Word[]): boolean {
  return words.length >= 2 && words.length <= 4 &&
    words.every(({ text, partOfSpeech }) =>
      partOfSpeech === "PROPN" && /^\p{Lu}/u.test(text) && !ORGANISATION.test(text) &&
      text !== "The" && !/^\p{Lu}{2,}$/u.test(text)
    ) && !/^(?:New|North|South|East|West|Saint|San|Los|Las|Great)$/.test(words[0]!.text);
}

/** "was a poet", "died", "married": the clause speaks of a person. */
export function saysPerson(words: readonly Word[]): boolean {
  const parts = partsOf(words);
  if (!parts) return false;
  if (LIVING.has(words[parts.main]!.lemma)) return true;
  const predicate = words.slice(parts.main + 1);
  const end = predicate.findIndex(({ partOfSpeech }) => partOfSpeech === "ADP");
  const noun = predicate.slice(0, end < 0 ? undefined : end);
  // "was isolationist" is said of countries.
  return isCopular(words, parts) && noun.some(({ partOfSpeech }) => partOfSpeech === "DET") &&
    noun.some((word) => isPerson(word) || RELATIVES.has(word.normal));
}

/** What stands before another person's name, and whom it could be taken for. */
const BEFORE_HE = /^(?:actor|king|son|husband|brother|father)$/;
const BEFORE_SHE = /^(?:actress|queen|daughter|wife|sister|mother)$/;
const BEFORE_EITHER = /^(?:married|met|singer|director|president|defeated|succeeded|replaced)$/;
const TOGETHER = /^(?:collaborated|worked|performed|starred|partnered|fought|relationship|affair)$/;
const OF_KIN = /^(?:son|daughter|wife|husband|brother|sister|father|mother|widow|nephew|niece)$/;

/** People named beside the subject, whom a pronoun in the next sentence could mean. */
export function rivalsIn(words: readonly Word[]): readonly ("he" | "she")[] {
  const parts = partsOf(words);
  if (!parts) return [];
  return words.flatMap((_, index) => index > parts.main ? rivalsAt(words, index) : []);
}

function rivalsAt(words: readonly Word[], index: number): readonly ("he" | "she")[] {
  const name = words.slice(index, index + 2);
  const before = words[index - 1]?.normal ?? "";
  if (words[index]!.enclosed || !isPersonName(name)) return [];
  if (ORGANISATION.test(words[index + 2]?.text ?? "")) return [];
  if (BEFORE_HE.test(before)) return ["he"];
  if (BEFORE_SHE.test(before)) return ["she"];
  const further = words[index - 2]?.normal ?? "";
  const isBeside = BEFORE_EITHER.test(before) || before === "with" && TOGETHER.test(further) ||
    before === "to" && further === "married" || before === "of" && OF_KIN.test(further);
  return isBeside ? ["he", "she"] : [];
}
