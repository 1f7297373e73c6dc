import {
  type AdjectiveRejectionReason,
  ADVERBIAL_REPLACEMENT,
  ADVERBS,
  CLASS_DETAILS,
  EXCEPTIONS,
  EXCLUDED_FORMS,
  HOMOGRAPHS,
  UNSURE_FORMS,
} from "./exclusions.ts";
import { ONE_CELLS, PREPOSITIONS, QUANTIFIERS } from "./determiners.ts";
import { adjectivesWithForm } from "./forms.ts";
import type { Adjective } from "./lexicon.ts";
import { DEFINITE_NOUN_CELLS, NOUN_CELLS } from "./nouns.ts";
import { type Cell, cellsOf, inflect, type Strength } from "./paradigm.ts";
import {
  definitePhrase,
  indefinitePhrase,
  isRefusal,
  neighbour,
  type Phrase,
  type Reading,
  type Refusal,
} from "./phrase.ts";
import { type Candidate, type PhenomenonRule, reject } from "../candidate.ts";
import type { Sentence } from "../sentence.ts";
import { type Token, tokenise } from "../tokens.ts";

const OTHER: Readonly<Record<Strength, Strength>> = { strong: "weak", weak: "strong" };

const CHECKS = [
  "adjective, noun and determiner agree in case, number and gender",
  "definiteness of the phrase is certain from its own words",
  "replacement is the other strength of the same cell",
  "replacement has no reading of the required strength beside this noun",
  "no predicate, vocative, comparative, ordinal or dative plural",
] as const;

/** `strong.acc.sg.masc`; cases that fall together are joined, `strong.nom/acc.sg.neut`. */
export function cellLabel(strength: Strength, cells: readonly Cell[]): string {
  const parts = cells.map((cell) => cell.split("."));
  const cases = [...new Set(parts.map(([kase]) => kase))].join("|");
  const rest = [...new Set(parts.map(([, number, gender]) => `${number}.${gender}`))].join("|");
  return `${strength}.${cases}.${rest}`;
}

/** The one form of the other strength for all cells of the phrase, unless they disagree. */
function otherForm(adjective: Adjective, phrase: Phrase): string | undefined {
  const forms = new Set(
    phrase.cells.map((cell) => inflect(adjective.parts, OTHER[phrase.strength], cell)),
  );
  const [form] = forms;
  return forms.size === 1 ? form : undefined;
}

function isVocative(reading: Reading, phrase: Phrase): boolean {
  const last = reading.tokens[phrase.end];
  return phrase.start === 0 && phrase.cells.some((cell) => cell.startsWith("nom")) &&
    last !== undefined && reading.text.startsWith(",", last.end);
}

/** What forbids a pair although the phrase is clear. */
function objection(reading: Reading, phrase: Phrase): Refusal | undefined {
  const form = reading.tokens[reading.index]?.lower ?? "";
  const superlative = reading.adjective.degree === "superlative";
  if (phrase.cells.some((cell) => cell.startsWith("dat.pl"))) {
    return { reason: "dative_plural", detail: "-um is strong and weak" };
  }
  if (superlative && phrase.strength === "strong") {
    return { reason: "articleless_superlative", detail: "attested strong and weak" };
  }
  if (isVocative(reading, phrase)) return { reason: "vocative", detail: "weak is allowed" };
  if (phrase.strength === "strong" && ADVERBS.has(form) && neighbour(reading, -1) !== "með") {
    return { reason: "adverb_homograph", detail: form };
  }
  return undefined;
}

/** Whether the variant would be good Norse with the replacement read as another word. */
function otherwiseRead(reading: Reading, phrase: Phrase, replacement: string): Refusal | undefined {
  if (phrase.strength === "weak") return undefined;
  const previous = neighbour(reading, -1) ?? "";
  const held = PREPOSITIONS.has(previous) || ONE_CELLS.has(previous);
  if (ADVERBIAL_REPLACEMENT.test(replacement) && !held) {
    return { reason: "adverb_homograph", detail: `${replacement} is an adverb` };
  }
  // "Sigi gamli", "Sigurði grimma": after a name the weak form would be an epithet.
  const name = reading.tokens[reading.index - 1]?.form ?? "";
  return reading.index > 1 && previous !== "" && /^\p{Lu}/u.test(name)
    ? { reason: "epithet_without_article", detail: `${name} ${replacement}` }
    : undefined;
}

/** Whether the replacement has the required strength in some cell that the other words allow. */
function isLicensed(adjective: Adjective, phrase: Phrase, replacement: string): boolean {
  return cellsOf(adjective.parts, phrase.strength, replacement)
    .some((cell) => phrase.frame.includes(cell));
}

function explain(adjective: Adjective, phrase: Phrase, text: string, words: readonly string[]) {
  const [good = "", bad = ""] = words;
  const name = `${adjective.lemma} '${adjective.gloss}'`;
  return phrase.strength === "weak"
    ? `In "${text}" ${phrase.definer} makes the phrase definite, so ${name} must be weak: ` +
      `${good}, never strong ${bad}.`
    : `"${text}" is indefinite, with no article or demonstrative, so ${name} must be strong: ` +
      `${good}, never weak ${bad}.`;
}

function candidate(
  sentence: Sentence,
  reading: Reading,
  phrase: Phrase,
  replacement: string,
): Candidate {
  const { adjective, tokens, index } = reading;
  const token = tokens[index] as Token;
  const [first, last] = [tokens[phrase.start] ?? token, tokens[phrase.end] ?? token];
  const text = sentence.normalised.slice(first.start, last.end);
  const { strength, cells, construction, tier } = phrase;
  return {
    sentence,
    phenomenon: "ADJECTIVE",
    token,
    replacement,
    errorType: strength === "strong" ? "strong_to_weak" : "weak_to_strong",
    rule: `ADJ_${strength === "strong" ? "" : "DEFINITE_"}${construction.toUpperCase()}`,
    lemma: adjective.lemma,
    construction: `attributive_${construction}`,
    cellFrom: cellLabel(strength, cells),
    cellTo: cellLabel(OTHER[strength], cells),
    checks: CHECKS,
    marks: adjective.lemma.endsWith("mikill") ? ["frequent_lemma_mikill"] : [],
    explanation: explain(adjective, phrase, text, [token.lower, replacement]),
    tier,
  };
}

/** The pair a clear phrase gives, or what speaks against it. */
function propose(
  sentence: Sentence,
  reading: Reading,
  phrase: Phrase,
): Candidate | Refusal {
  const refusal = objection(reading, phrase);
  if (refusal) return refusal;
  const replacement = otherForm(reading.adjective, phrase);
  const token = reading.tokens[reading.index];
  if (replacement === undefined || token === undefined || replacement === token.lower) {
    return { reason: "syncretic_in_phrase", detail: "no one form of the other strength" };
  }
  const unclear = otherwiseRead(reading, phrase, replacement);
  if (unclear) return unclear;
  if (UNSURE_FORMS.has(replacement)) return { reason: "contracted_stem", detail: replacement };
  if (isLicensed(reading.adjective, phrase, replacement)) {
    return { reason: "syncretic_in_phrase", detail: `${replacement} fits another cell here` };
  }
  return candidate(sentence, reading, phrase, replacement);
}

/** Why an adjective stands in no phrase that could be judged. */
function unplaced(reading: Reading): Refusal {
  const form = reading.tokens[reading.index]?.lower ?? "";
  const previous = reading.tokens[reading.index - 1]?.form ?? "";
  const weakOnly = cellsOf(reading.adjective.parts, "strong", form).length === 0;
  const because = (reason: AdjectiveRejectionReason): Refusal => ({ reason, detail: "" });
  if (ADVERBS.has(form)) return because("adverb_homograph");
  if (HOMOGRAPHS.has(form)) return because("word_homograph");
  if (reading.adjective.degree === "superlative") return because("articleless_superlative");
  if (weakOnly && /^\p{Lu}/u.test(previous)) return because("epithet_without_article");
  return DEFINITE_NOUN_CELLS.has(neighbour(reading, 1) ?? "")
    ? because("suffixed_article_noun")
    : because("no_head_noun");
}

function judge(sentence: Sentence, readings: readonly Reading[]) {
  const outcomes = readings.map((reading): Candidate | Refusal => {
    const phrase = definitePhrase(reading) ?? indefinitePhrase(reading) ?? unplaced(reading);
    return isRefusal(phrase) ? phrase : propose(sentence, reading, phrase);
  });
  return outcomes.find((outcome) => !("reason" in outcome)) ?? outcomes[0];
}

/** What needs no reading: words without the contrast, and sentences no rule can know. */
function excluded(sentence: Sentence, token: Token, next: Token | undefined): Refusal | undefined {
  const byClass = EXCLUDED_FORMS.get(token.lower);
  if (byClass) return { reason: byClass, detail: CLASS_DETAILS.get(byClass) ?? "" };
  if (QUANTIFIERS.has(token.lower) && NOUN_CELLS.has(next?.lower ?? "")) {
    return { reason: "pronominal_adjective", detail: "no weak declension" };
  }
  const exception = EXCEPTIONS.get(`${sentence.id} ${token.lower}`);
  return exception === undefined ? undefined : { reason: "not_this_sentence", detail: exception };
}

/**
 * Attributive adjectives whose strength the phrase settles: strong in indefinite noun phrases, weak
 * after article, demonstrative or suffixed article (Faarlund, The Syntax of Old Norse, ch. 4).
 */
export const findAdjectives: PhenomenonRule = (sentence) => {
  const tokens = tokenise(sentence.normalised);
  const outcomes = tokens.flatMap((token, index) => {
    const readings = adjectivesWithForm(token.lower)
      .map((adjective): Reading => ({ text: sentence.normalised, tokens, index, adjective }));
    const outcome = excluded(sentence, token, tokens[index + 1]) ??
      judge(sentence, readings);
    return outcome === undefined ? [] : [{ token, outcome }];
  });
  return {
    candidates: outcomes.flatMap(({ outcome }) => "reason" in outcome ? [] : [outcome]),
    rejections: outcomes.flatMap(({ token, outcome }) =>
      "reason" in outcome
        ? [reject(sentence, "ADJECTIVE", token.lower, outcome.reason, outcome.detail)]
        : []
    ),
  };
};
