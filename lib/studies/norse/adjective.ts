/**
 * Pairs of attributive adjectives whose phrase determines strong or weak declension.
 * Strong in indefinite noun phrases; weak after article, demonstrative or suffixed article
 * (Faarlund, The Syntax of Old Norse, ch. 4).
 */
import {
  type Adjective,
  adjectivesWithForm,
  ARTICLE_CELLS,
  cellsOf,
  DEFINITE_NOUN_CELLS,
  DEMONSTRATIVE_CELLS,
  NOUN_CELLS,
  ONE_CELLS,
  type ParadigmCell,
  type Strength,
} from "./adjective_forms.ts";
import {
  between,
  type Candidate,
  findingOf,
  type Objection,
  type PhenomenonRule,
  type Token,
  tokenise,
} from "./verdicts.ts";
import type { Sentence } from "./dataset.ts";
import { refusalsOf, wordLists } from "./rules.ts";

const isIn = wordLists("adjective");
export const isName = (word: string) => isIn("names", word);

/** Makes attributive adjectives weak where strong is required, and strong where weak is. */
export const findAdjectives: PhenomenonRule = (sentence) => {
  const tokens = tokenise(sentence.normalised);
  const opinions = tokens.flatMap(({ lower }, index) => {
    const next = tokens[index + 1]?.lower ?? "";
    // Words without the contrast, and sentences refused in the tables, need no judgement.
    const excluded = isIn("quantifiers", lower) && NOUN_CELLS.has(next)
      ? because("pronominal_adjective", "no weak declension")
      : undefined;
    const outcome = refusalOf(lower, sentence.id) ?? excluded ?? judge(sentence, tokens, index);
    if (!outcome) return [];
    return [isObjection(outcome) ? { ...outcome, candidate: lower } : outcome];
  });
  return findingOf(sentence, "ADJECTIVE", opinions);
};

interface AdjectiveToken {
  readonly sentence: Sentence;
  readonly tokens: readonly Token[];
  readonly index: number;
  readonly form: string;
  readonly adjective: Adjective;
  /**
   * Returns the lower-case word at an offset.
   * The result is empty if anything but spaces intervenes.
   */
  readonly at: (offset: number) => string;
}

/** A noun phrase that determines an adjective's declension. */
interface Phrase {
  /** Cells in which adjective, noun and determiner agree. */
  readonly cells: readonly ParadigmCell[];
  /** Cells that noun and determiner alone allow. A syncretic form could hide in them. */
  readonly frame: readonly ParadigmCell[];
  readonly construction: string;
  /** First and last token of the phrase, relative to the adjective. */
  readonly start: number;
  readonly end: number;
  /**
   * The word that makes the phrase definite.
   * It is undefined in an indefinite phrase, which takes strong.
   */
  readonly definer?: string;
  readonly tier: 1 | 2;
}

const isObjection = (outcome: object): outcome is Objection => "reason" in outcome;
const because = (reason: string, detail = ""): Objection => ({ reason, detail });

const refusalOf = refusalsOf("ADJECTIVE");

/** Returns the first successful reading's pair, else the first objection. */
function judge(sentence: Sentence, tokens: readonly Token[], index: number) {
  const form = tokens[index]!.lower;
  const isGap = (left: number) => {
    const [one, other] = [tokens[left], tokens[left + 1]];
    return !one || !other || between(sentence.normalised, one, other) !== " ";
  };
  const at = (offset: number) => {
    const first = Math.min(index, index + offset);
    const gaps = Array.from({ length: Math.abs(offset) }, (_, i) => isGap(first + i));
    return gaps.includes(true) ? "" : tokens[index + offset]!.lower;
  };
  const outcomes = adjectivesWithForm(form).map((adjective): Candidate | Objection => {
    const reading = { sentence, tokens, index, form, adjective, at };
    const phrase = definitePhrase(reading) ?? indefinitePhrase(reading) ??
      objectionOutsidePhrase(reading);
    return isObjection(phrase) ? phrase : propose(reading, phrase);
  });
  return outcomes.find((outcome) => !isObjection(outcome)) ?? outcomes[0];
}

/** Returns the reason why an adjective's phrase cannot be judged. */
function objectionOutsidePhrase({ adjective, form, at, tokens, index }: AdjectiveToken): Objection {
  if (isIn("adverbs", form)) return because("adverb_homograph");
  if (isIn("homographs", form)) return because("word_homograph");
  if (adjective.degree === "superlative") return because("articleless_superlative");
  const isWeakOnly = cellsOf(adjective, "strong", form).length === 0;
  if (isWeakOnly && /^\p{Lu}/u.test(tokens[index - 1]?.form ?? "")) {
    return because("epithet_without_article");
  }
  return because(DEFINITE_NOUN_CELLS.has(at(1)) ? "suffixed_article_noun" : "no_head_noun");
}

/** Returns the definite phrase around an agreeing weak adjective. */
function definitePhrase(reading: AdjectiveToken): Phrase | Objection | undefined {
  const weak = cellsOf(reading.adjective, "weak", reading.form);
  if (weak.length === 0) return undefined;
  return afterArticle(reading, weak) ?? afterDemonstrative(reading, weak) ??
    afterSuffixedArticle(reading, weak);
}

function agreeing(first: readonly ParadigmCell[], ...others: readonly (readonly ParadigmCell[])[]) {
  return first.filter((cell) => others.every((set) => set.includes(cell)));
}

const nounCells = (word: string) => NOUN_CELLS.get(word) ?? [];
const demonstrativeCells = (word: string) => DEMONSTRATIVE_CELLS.get(word) ?? [];
const oneCells = (word: string) => ONE_CELLS.get(word) ?? [];

/** Returns a noun's cells, bare or with suffixed article. */
const anyNounCells = (word: string) => [...nounCells(word), ...DEFINITE_NOUN_CELLS.get(word) ?? []];

/** Judges an article directly before the adjective. The noun follows, or precedes the article. */
function afterArticle(
  { at }: AdjectiveToken,
  weak: readonly ParadigmCell[],
): Phrase | Objection | undefined {
  const definer = at(-1);
  const article = ARTICLE_CELLS.get(definer) ?? [];
  // A demonstrative before the article narrows its cells (þann inn ógurliga dreka).
  const both = agreeing(article, demonstrativeCells(at(-2)));
  const [determiner, width] = both.length > 0 ? [both, 2] : [article, 1];
  if (agreeing(weak, determiner).length === 0) return undefined;
  const following = agreeing(determiner, anyNounCells(at(1)));
  const ahead = agreeing(following, weak);
  if (ahead.length > 0) {
    const construction = both.length > 0 ? "demonstrative_and_article" : "article";
    return {
      cells: ahead,
      frame: following,
      construction,
      start: -width,
      end: 1,
      definer,
      tier: 1,
    };
  }
  const noun = at(-width - 1);
  const frame = agreeing(determiner, anyNounCells(noun));
  const cells = agreeing(frame, weak);
  if (cells.length === 0) {
    return because("substantivised", `${definer} without a head noun beside it`);
  }
  const [construction, tier] = isName(noun)
    ? ["epithet_with_article", 2] as const
    : ["postposed_article", 1] as const;
  return { cells, frame, construction, start: -width - 1, end: 0, definer, tier };
}

/** Objects to sá or þessi without article (þann mikla dreka). Strong forms occur there too. */
function afterDemonstrative(
  { at }: AdjectiveToken,
  weak: readonly ParadigmCell[],
): Objection | undefined {
  return agreeing(demonstrativeCells(at(-1)), anyNounCells(at(1)), weak).length === 0
    ? undefined
    : because("bare_demonstrative", `${at(-1)} without article`);
}

/** Judges a noun with suffixed article before the adjective (gullsins mikla). */
function afterSuffixedArticle(
  { at }: AdjectiveToken,
  weak: readonly ParadigmCell[],
): Phrase | undefined {
  const definer = at(-1);
  const frame = DEFINITE_NOUN_CELLS.get(definer) ?? [];
  const cells = agreeing(frame, weak);
  if (cells.length === 0) return undefined;
  return { cells, frame, construction: "suffixed_article", start: -1, end: 0, definer, tier: 2 };
}

/** Returns the indefinite phrase around an agreeing strong adjective. */
function indefinitePhrase(reading: AdjectiveToken): Phrase | Objection | undefined {
  const strong = cellsOf(reading.adjective, "strong", reading.form);
  if (strong.length === 0) return undefined;
  return beforeNoun(reading, strong) ?? afterNoun(reading, strong) ?? coordinated(reading, strong);
}

/** Judges an adjective before its noun (ríkr konungr, einn gamall maðr). */
function beforeNoun(
  reading: AdjectiveToken,
  strong: readonly ParadigmCell[],
): Phrase | Objection | undefined {
  const noun = nounCells(reading.at(1));
  if (agreeing(strong, noun).length === 0) return undefined;
  const { edge, frame, one } = leftEdge(reading, -1, noun);
  const cells = agreeing(strong, frame);
  if (cells.length === 0) return because("no_head_noun", "einn disagrees");
  const construction = one ? "indefinite_einn" : "indefinite_preposed";
  return maybeDefinite(reading, edge, 2, cells) ??
    { cells, frame, construction, start: edge + 1, end: 1, tier: 1 };
}

/**
 * Judges an adjective after its noun, also with einn between.
 * Examples: haug mikinn, hǫll eina ágæta.
 */
function afterNoun(
  reading: AdjectiveToken,
  strong: readonly ParadigmCell[],
): Phrase | Objection | undefined {
  const { at, adjective } = reading;
  const single = agreeing(strong, oneCells(at(-1)));
  const distance = single.length > 0 ? 2 : 1;
  const noun = nounCells(at(-distance));
  const narrowed = single.length > 0 ? agreeing(noun, single) : noun;
  if (agreeing(strong, narrowed).length === 0) return undefined;
  if (isIn("of_state", adjective.lemma)) {
    return because("possibly_predicative", "an adjective of state after its noun");
  }
  const { edge, frame } = leftEdge(reading, -distance - 1, narrowed);
  const cells = agreeing(strong, frame);
  const [construction, tier] = ["indefinite_postposed", at(1) === "sem" ? 2 : 1] as const;
  return maybeDefinite(reading, edge, 1, cells) ?? maybePredicative(reading, edge, cells) ??
    { cells, frame, construction, start: edge + 1, end: 0, tier };
}

/**
 * Judges the second of two adjectives of a noun.
 * Examples: menn miklir ok grimmligir; stórar brynjur ok góðar.
 */
function coordinated(
  reading: AdjectiveToken,
  strong: readonly ParadigmCell[],
): Phrase | Objection | undefined {
  const { at } = reading;
  const places = at(-1) === "ok" ? [[-3, -2], [-2, -3]] as const : [];
  for (const [place, other] of places) {
    const noun = nounCells(at(place));
    const cells = agreeing(strong, noun);
    if (cells.length === 0 || !isStrongForm(at(other), cells)) continue;
    const { edge, frame } = leftEdge(reading, -4, noun);
    const objection = maybeDefinite(reading, edge, 1, cells) ??
      maybePredicative(reading, edge, cells);
    if (objection) return objection;
    if (place === -2 && hasNominative(cells)) {
      return because("possibly_predicative", "ok + nominative after the noun");
    }
    const construction = "indefinite_coordinated";
    return { cells, frame, construction, start: edge + 1, end: 0, tier: 2 };
  }
  return undefined;
}

const hasNominative = (cells: readonly ParadigmCell[]) =>
  cells.some((cell) => cell.startsWith("nom"));

/**
 * Tests whether a word can be a strong adjective or a quantifier. Its cell must be one of these.
 */
function isStrongForm(word: string, cells: readonly ParadigmCell[]): boolean {
  return isIn("quantifiers", word) ||
    adjectivesWithForm(word).some((adjective) =>
      agreeing(cells, cellsOf(adjective, "strong", word)).length > 0
    );
}

/**
 * Returns the offset of the first non-modifier left of the phrase. The noun's cells come with it.
 */
function leftEdge({ at }: AdjectiveToken, from: number, noun: readonly ParadigmCell[]) {
  let [edge, frame, one] = [from, noun, false];
  for (let word = at(edge); word !== ""; word = at(edge)) {
    const single = agreeing(frame, oneCells(word));
    if (single.length > 0) [frame, one] = [single, true];
    else if (!isIn("quantifiers", word) && !isIn("intensifiers", word)) break;
    edge--;
  }
  return { edge, frame, one };
}

/** Returns an objection if a neighbour makes the phrase definite or possibly so. */
function maybeDefinite(
  { at }: AdjectiveToken,
  before: number,
  after: number,
  cells: readonly ParadigmCell[],
) {
  const [left, right] = [at(before), at(after)];
  const possessive = [left, right].find((word) => isIn("possessives", word));
  // Also as the subject (eru þeir harðir menn): with the weak variant it would mean 'those'.
  if (possessive !== left && agreeing(cells, demonstrativeCells(left)).length > 0) {
    return because("after_demonstrative", `${left} before a strong form`);
  }
  return possessive === undefined ? undefined : because("possessive_determiner", possessive);
}

/**
 * Returns an objection to a nominative after its copula. It may be predicative ("var veðr gott").
 */
function maybePredicative({ at }: AdjectiveToken, edge: number, cells: readonly ParadigmCell[]) {
  const linked = isIn("copulas", at(edge)) && !isIn("subject_pronouns", at(edge - 1));
  return hasNominative(cells) && (linked || isIn("copulas", at(1)))
    ? because("possibly_predicative", "noun and adjective beside a copula")
    : undefined;
}

const strengthOf = ({ definer }: Phrase): Strength => definer === undefined ? "strong" : "weak";
const OTHER = { strong: "weak", weak: "strong" } as const;

/**
 * Tests whether a replacement is an adverb: "var búin ágætliga veizla" is good Norse.
 * So may be "ríðr nú lǫngu leiðir". Only directly after a preposition or einn can such a form be
 * nothing but a misdeclined adjective.
 */
const isAdverb = (word: string) => word.endsWith("liga") || isIn("adverbial_forms", word);

/** Returns the pair that a clear phrase gives, or an objection. */
function propose(reading: AdjectiveToken, phrase: Phrase): Candidate | Objection {
  const { adjective, form, sentence, tokens, index, at } = reading;
  const { cells, frame } = phrase;
  const strength = strengthOf(phrase);
  const isStrong = strength === "strong";
  if (cells.some((cell) => cell.startsWith("dat.pl"))) {
    return because("dative_plural", "-um is strong and weak");
  }
  if (adjective.degree === "superlative" && isStrong) {
    return because("articleless_superlative", "attested strong and weak");
  }
  const begins = index + phrase.start === 0;
  const isCalled = sentence.normalised.startsWith(",", tokens[index + phrase.end]!.end);
  if (begins && isCalled && hasNominative(cells)) return because("vocative", "weak is allowed");
  const previous = at(-1);
  if (isStrong && isIn("adverbs", form) && previous !== "með") {
    return because("adverb_homograph", form);
  }
  const forms = new Set(cells.map((cell) => adjective.forms[OTHER[strength]].get(cell)!));
  const [replacement] = forms;
  if (forms.size !== 1 || replacement === undefined || replacement === form) {
    return because("syncretic_in_phrase", "no one form of the other strength");
  }
  const held = isIn("prepositions", previous) || ONE_CELLS.has(previous);
  if (isStrong && isAdverb(replacement) && !held) {
    return because("adverb_homograph", `${replacement} is an adverb`);
  }
  // "Sigi gamli", "Sigurði grimma": after a name the weak form would be an epithet.
  const name = tokens[index - 1]?.form ?? "";
  if (isStrong && index > 1 && previous !== "" && /^\p{Lu}/u.test(name)) {
    return because("epithet_without_article", `${name} ${replacement}`);
  }
  if (isIn("unsure_forms", replacement)) return because("contracted_stem", replacement);
  return agreeing(frame, cellsOf(adjective, strength, replacement)).length > 0
    ? because("syncretic_in_phrase", `${replacement} fits another cell here`)
    : candidateOf(reading, phrase, replacement);
}

const CHECKS = [
  "adjective, noun and determiner agree in case, number and gender",
  "definiteness of the phrase is certain from its own words",
  "replacement is the other strength of the same cell",
  "replacement has no reading of the required strength beside this noun",
  "no predicate, vocative, comparative, ordinal or dative plural",
] as const;

function candidateOf(
  { sentence, adjective, tokens, index }: AdjectiveToken,
  phrase: Phrase,
  replacement: string,
): Candidate {
  const { cells, construction, definer, tier } = phrase;
  const strength = strengthOf(phrase);
  const token = tokens[index]!;
  const [first, last] = [tokens[index + phrase.start]!, tokens[index + phrase.end]!];
  const text = sentence.normalised.slice(first.start, last.end);
  const named = `${adjective.lemma} '${adjective.gloss}'`;
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
    explanation: strength === "weak"
      ? `In "${text}" ${definer} makes the phrase definite, so ${named} must be weak: ` +
        `${token.lower}, never strong ${replacement}.`
      : `"${text}" is indefinite, with no article or demonstrative, so ${named} must be strong: ` +
        `${token.lower}, never weak ${replacement}.`,
    tier,
  };
}

/**
 * Returns a cell's label, syncretic cases joined: `strong.acc.sg.masc`, `strong.nom|acc.sg.neut`.
 */
function cellLabel(strength: Strength, cells: readonly ParadigmCell[]): string {
  const parts = cells.map((cell) => cell.split("."));
  const cases = [...new Set(parts.map(([kase]) => kase))].join("|");
  const numberAndGender = [...new Set(parts.map(([, number, gender]) => `${number}.${gender}`))]
    .join("|");
  return `${strength}.${cases}.${numberAndGender}`;
}
