import type { NotCheckable } from "./claim.ts";
import { isFinite } from "./verb_forms.ts";
import { type Word, wordsOf } from "./word.ts";

const HEDGES: readonly RegExp[] = [
  /\b(?:may|might)(?:\s+(?:not|also|well|even|still|have|be))?\s+[a-z]+\b/,
  /\b(?:could|must|should|would)\s+(?:possibly|perhaps|probably|conceivably)\b/i,
  /\b(?:perhaps|possibly|arguably)\b(?! (?:best|most|better) )/i,
  /\b(?:probably|presumably|allegedly|reportedly|supposedly|apparently|maybe|purportedly)\b/i,
  /\b(?:is|are|was|were|been) (?:\w+ly |also |often |sometimes )?(?:believed|thought|rumou?red|assumed|speculated|presumed|alleged|said) (?:to|that)\b/i,
  /\b[Ii]t (?:is|was) (?:un)?(?:likely|possible|unclear|unknown|believed|thought)\b/,
  /\b(?:is|are|was|were) (?:most |very |more )?(?:un)?likely\b/,
  /\b(?:seems?|seemed|appears?|appeared) (?:to|that|as if|like)\b/,
  /\b(?:I|[Ww]e) (?:do not|don't|cannot|can't|could not|couldn't|am not|am unable|was unable|have no|apologi[sz]e|am sorry)\b|\bI'm (?:not|sorry|unable)\b/,
  /\b[Aa]s an AI\b|\b[Aa]s far as (?:I|we) know\b|\b[Tt]o (?:my|the best of my) knowledge\b/,
];

const OPINIONS: readonly RegExp[] = [
  /\b(?:I|[Ww]e) (?:\w+ly )?(?:think|believe|feel|hope|guess|suppose|love|like|enjoy|prefer|recommend|would|wish|agree)\b/,
  /\b[Ii]n my (?:opinion|view|experience)\b|\b[Pp]ersonally,/,
  /(?<!\b(?:that|believes|believed|argues|argued)\b.*)\b(?:should(?! not be confused)|ought to|deserves? to|had better)\b/,
  /\b(?:must-(?:see|read|have|visit)|worth (?:a visit|every|seeing|reading|visiting|watching))\b/,
  /\b(?:is|are|was|were)(?: an?| the| one of the)?(?: (?:most|so|very|really|truly|quite|absolutely|simply))* (?:beautiful|wonderful|amazing|awesome|fantastic|terrible|horrible|delicious|boring|lovely|fun|cool|great|nice|awful|fascinating|delightful|gorgeous|stunning|interesting|good|bad|better|worse)\b(?! (?:known|off)\b)/,
  /\b(?:most beautiful|nicest|coolest|loveliest|ugliest)\b/,
  /\b[Ii]t is (?:important|essential|crucial|advisable|best|good|necessary) (?:to|that)\b/,
];

const INSTRUCTION =
  /^(?:please|let's|let us|let me know|don't|do not|make sure|be sure|feel free|remember to|note that you|try to|consider)\b/i;

/** Why a statement cannot be checked; undefined for one that can. "In May 2020" is no hedge. */
export function notCheckable(text: string): NotCheckable | undefined {
  const words = wordsOf(text, 0);
  if (isQuestion(text)) return "question";
  if (INSTRUCTION.test(text) || isImperative(words)) return "instruction";
  if (isFragment(words, text)) return "fragment";
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
  const isVerb = first.partOfSpeech === "VERB" || second.partOfSpeech === "DET";
  return isVerb && goesOn.includes(second.partOfSpeech);
}

/** A title with a question mark at the end of a statement is none. */
function isQuestion(text: string): boolean {
  return /\?\s*$/.test(text) || /^["“(].*\?["”)]\s*$/.test(text);
}

/**
 * No verb that could carry a statement. A whole sentence with a nominal at its start passes, for its
 * verb may have been taken for a noun ("The book details her life.").
 */
function isFragment(words: readonly Word[], text: string): boolean {
  const nominal = words.findIndex(isNominal);
  const hasVerb = nominal >= 0 &&
    words.some((word, index) =>
      index > nominal && isFinite(words, index) && !isQuotedWord(words, word)
    );
  const looksWhole = words.length > 4 && /[.!]["”’)\]]*$/.test(text.trimEnd()) &&
    !/^\p{Lu}\.|^["“‘']?\P{Lu}/u.test(text) && !isPhrase(words);
  return !hasVerb && !looksWhole;
}

/** "In addition to his work": a preposition, and no comma behind which a clause could stand. */
function isPhrase(words: readonly Word[]): boolean {
  return words[0]?.partOfSpeech === "ADP" && !words.some(({ text }) => text === ",");
}

function isNominal({ partOfSpeech }: Word): boolean {
  return ["NOUN", "PROPN", "PRON", "NUM", "DET", "X", "ADJ"].includes(partOfSpeech);
}

function isQuotedWord(words: readonly Word[], word: Word): boolean {
  return word.enclosed && words.some(({ enclosed }) => !enclosed);
}
