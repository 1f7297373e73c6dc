import type { NotCheckable } from "./claim.ts";
import { isFinite } from "./verb_forms.ts";
import { type Word, wordsOf } from "./word.ts";

const HEDGES: readonly RegExp[] = [
  /\b(?:may|might)(?:\s+(?:or may not|not|also|well|even|still|have|be))?\s+[a-z]+\b/,
  /\b(?:could|must|should|would)\s+(?:possibly|perhaps|probably|conceivably)\b/i,
  /\bcould(?:n't| not)? (?:have been|be)\b/i,
  /\b(?:perhaps|possibly|probably|presumably|allegedly|reportedly|supposedly|apparently|arguably|maybe|purportedly)\b/i,
  /\b(?:is|are|was|were|been) (?:widely |generally |commonly |often |also |sometimes )?(?:believed|thought|rumou?red|assumed|speculated|presumed|alleged|said) (?:to|that)\b/i,
  /\bit (?:is|was) (?:un)?(?:likely|possible|unclear|unknown|believed|thought)\b/i,
  /\b(?:is|are|was|were) (?:most |very |more )?(?:un)?likely\b/i,
  /\b(?:seems?|seemed|appears?|appeared) (?:to|that|as if|like)\b/i,
  /\b(?:I|we) (?:do not|don't|cannot|can't|could not|couldn't|am not|am unable|was unable|have no|apologi[sz]e|am sorry)\b|\bI'm (?:not|sorry|unable)\b/i,
  /\bas an AI\b|\bas far as (?:I|we) know\b|\bto (?:my|the best of my) knowledge\b|\bif I recall\b/i,
];

const OPINIONS: readonly RegExp[] = [
  /\b(?:I|we) (?:\w+ly )?(?:think|believe|feel|hope|guess|suppose|love|like|enjoy|prefer|recommend|would|wish|agree)\b/i,
  /\bin my (?:opinion|view|experience)\b|\b(?:personally|hopefully|unfortunately for me)\b,/i,
  /\b(?:should|ought to|deserves? to|had better)\b/i,
  /\b(?:must-(?:see|read|have|visit)|worth (?:a|every|the|seeing|reading|visiting|watching))\b/i,
  /\b(?:is|are|was|were|'s)(?: an?| the| one of the)?(?: (?:most|so|very|really|truly|quite|absolutely|simply))* (?:beautiful|wonderful|amazing|awesome|fantastic|terrible|horrible|delicious|boring|lovely|fun|cool|great|nice|awful|fascinating|delightful|gorgeous|stunning|interesting|good|bad|better|worse)\b(?! (?:britain|lakes|barrier|depression|war|fire|plague|friday))/i,
  /\b(?:most beautiful|best-ever|nicest|coolest|loveliest|ugliest)\b/i,
  /\bit is (?:important|worth|essential|crucial|advisable|best|good|necessary) (?:to|that|noting)\b/i,
];

const INSTRUCTION =
  /^(?:please|let's|let us|let me know|don't|do not|make sure|be sure|feel free|remember to|note that you|try to|consider)\b/i;

/** Why a statement cannot be checked; undefined for one that can. "In May 2020" is no hedge. */
export function notCheckable(text: string): NotCheckable | undefined {
  const words = wordsOf(text, 0);
  if (/\?["”’)\]]*\s*$/.test(text)) return "question";
  if (INSTRUCTION.test(text) || isImperative(words)) return "instruction";
  if (isFragment(words)) return "fragment";
  const plain = text.replace(/["“][^"”]*["”]/g, " ");
  if (OPINIONS.some((opinion) => opinion.test(plain))) return "opinion";
  return HEDGES.some((hedge) => hedge.test(plain)) ? "hedge" : undefined;
}

const IMPERATIVES = new Set(
  ("add ask avoid bake boil call check choose click come consult contact copy cook download drink " +
    "eat enter fill find follow get give go help imagine keep look mix open pick place pour preheat " +
    "press put read remove see select serve share sign start stir stop take tell think turn use " +
    "visit wait watch write").split(" "),
);

function isImperative([first, second]: readonly Word[]): boolean {
  if (!first || !second || !IMPERATIVES.has(first.normal)) return false;
  const goesOn = ["DET", "PRON", "NOUN", "ADP", "ADV", "ADJ", "NUM", "PROPN"];
  return first.partOfSpeech === "VERB" && goesOn.includes(second.partOfSpeech);
}

/** No verb that could carry a statement, or nothing it could be said of. */
function isFragment(words: readonly Word[]): boolean {
  const nominal = words.findIndex(({ partOfSpeech }) =>
    ["NOUN", "PROPN", "PRON", "NUM", "DET", "X", "ADJ"].includes(partOfSpeech)
  );
  return nominal < 0 ||
    !words.some((word, index) =>
      index > nominal && isFinite(words, index) && !isQuotedWord(words, word)
    );
}

function isQuotedWord(words: readonly Word[], word: Word): boolean {
  return word.enclosed && words.some(({ enclosed }) => !enclosed);
}
