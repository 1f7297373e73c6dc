import {
  type Adjective,
  adjectivesWithForm,
  ADVERBS,
  ARTICLE_CELLS,
  type Cell,
  cellsOf,
  COPULAS,
  DEFINITE_NOUN_CELLS,
  DEMONSTRATIVE_CELLS,
  HOMOGRAPHS,
  inflect,
  INTENSIFIERS,
  NAMES,
  NOUN_CELLS,
  ONE_CELLS,
  POSSESSIVES,
  PREPOSITIONS,
  QUANTIFIERS,
  STATE_ADJECTIVES,
  type Strength,
  SUBJECT_PRONOUNS,
  UNSURE_FORMS,
} from "./adjective_forms.ts";
import { type Candidate, type Objection, type PhenomenonRule, reject } from "./candidate.ts";
import type { Sentence } from "./dataset_tables.ts";
import { refusalsOf } from "./rules.ts";
import { between, type Token, tokenise } from "./tokens.ts";

/**
 * Attributive adjectives whose strength the phrase settles: strong in indefinite noun phrases, weak
 * after article, demonstrative or suffixed article (Faarlund, The Syntax of Old Norse, ch. 4).
 */
export const findAdjectives: PhenomenonRule = (sentence) => {
  const tokens = tokenise(sentence.normalised);
  const outcomes = tokens.flatMap((token, index) => {
    const readings = adjectivesWithForm(token.lower)
      .map((adjective): Reading => ({ text: sentence.normalised, tokens, index, adjective }));
    const outcome = excluded(sentence, token, tokens[index + 1]) ?? judge(sentence, readings);
    return outcome === undefined ? [] : [{ token, outcome }];
  });
  return {
    candidates: outcomes.flatMap(({ outcome }) => isObjection(outcome) ? [] : [outcome]),
    rejections: outcomes.flatMap(({ token, outcome }) =>
      isObjection(outcome) ? [reject(sentence, "ADJECTIVE", token.lower, outcome)] : []
    ),
  };
};

/** A token read as a form of one adjective, in its sentence. */
interface Reading {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly index: number;
  readonly adjective: Adjective;
}

/** A noun phrase in which an adjective's strength is settled. */
interface Phrase {
  readonly strength: Strength;
  /** Cells in which adjective, noun and determiner agree. */
  readonly cells: readonly Cell[];
  /** Cells that noun and determiner allow without the adjective: where a syncretic form could hide. */
  readonly frame: readonly Cell[];
  readonly construction: string;
  /** First and last token of the phrase. */
  readonly start: number;
  readonly end: number;
  /** The word that makes the phrase definite, for the explanation. */
  readonly definer?: string;
  readonly tier: 1 | 2;
}

function isObjection(outcome: object): outcome is Objection {
  return "reason" in outcome;
}

const refusalOf = refusalsOf("ADJECTIVE");

/** What needs no reading: words without the contrast, and sentences no rule can know. */
function excluded(
  sentence: Sentence,
  token: Token,
  next: Token | undefined,
): Objection | undefined {
  const refusal = refusalOf(token.lower, sentence.id);
  if (refusal) return refusal;
  return QUANTIFIERS.has(token.lower) && NOUN_CELLS.has(next?.lower ?? "")
    ? { reason: "pronominal_adjective", detail: "no weak declension" }
    : undefined;
}

/** The first reading that gives a pair, else what speaks against the first. */
function judge(sentence: Sentence, readings: readonly Reading[]) {
  const outcomes = readings.map((reading): Candidate | Objection => {
    const phrase = definitePhrase(reading) ?? indefinitePhrase(reading) ?? unplaced(reading);
    return isObjection(phrase) ? phrase : propose(sentence, reading, phrase);
  });
  return outcomes.find((outcome) => !isObjection(outcome)) ?? outcomes[0];
}

/** Why an adjective stands in no phrase that could be judged. */
function unplaced(reading: Reading): Objection {
  const form = formOf(reading);
  const previous = reading.tokens[reading.index - 1]?.form ?? "";
  const because = (reason: string): Objection => ({ reason, detail: "" });
  if (ADVERBS.has(form)) return because("adverb_homograph");
  if (HOMOGRAPHS.has(form)) return because("word_homograph");
  if (reading.adjective.degree === "superlative") return because("articleless_superlative");
  const isWeakOnly = cellsOf(reading.adjective.parts, "strong", form).length === 0;
  if (isWeakOnly && /^\p{Lu}/u.test(previous)) return because("epithet_without_article");
  return DEFINITE_NOUN_CELLS.has(neighbour(reading, 1) ?? "")
    ? because("suffixed_article_noun")
    : because("no_head_noun");
}

function formOf({ tokens, index }: Reading): string {
  return tokens[index]?.lower ?? "";
}

/** The word `offset` tokens away, when nothing but spaces lies between it and the adjective. */
function neighbour(reading: Reading, offset: number): string | undefined {
  const { text, tokens, index } = reading;
  const [low, high] = offset < 0 ? [index + offset, index] : [index, index + offset];
  for (let place = low; place < high; place++) {
    const [left, right] = [tokens[place], tokens[place + 1]];
    if (!left || !right || between(text, left, right) !== " ") return undefined;
  }
  return tokens[index + offset]?.lower;
}

// Definite phrases

/** A definite phrase around the adjective, if its form can be weak and a definer agrees with it. */
function definitePhrase(reading: Reading): Phrase | Objection | undefined {
  const weak = cellsOf(reading.adjective.parts, "weak", formOf(reading));
  if (weak.length === 0) return undefined;
  return afterArticle(reading, weak) ?? afterDemonstrative(reading, weak) ??
    afterSuffixedArticle(reading, weak);
}

function agreeing(...sets: readonly (readonly Cell[])[]): readonly Cell[] {
  const [first = [], ...others] = sets;
  return first.filter((cell) => others.every((set) => set.includes(cell)));
}

const nounCells = (word: string | undefined) => NOUN_CELLS.get(word ?? "") ?? [];

/** Bare or with the suffixed article. */
const anyNounCells = (word: string | undefined) => [
  ...nounCells(word),
  ...DEFINITE_NOUN_CELLS.get(word ?? "") ?? [],
];

/** Article directly before the adjective: head after it, or before the article. */
function afterArticle(reading: Reading, weak: readonly Cell[]): Phrase | Objection | undefined {
  const definer = neighbour(reading, -1) ?? "";
  const article = ARTICLE_CELLS.get(definer) ?? [];
  // A demonstrative before the article narrows its cells (þann inn ógurliga dreka).
  const both = agreeing(article, DEMONSTRATIVE_CELLS.get(neighbour(reading, -2) ?? "") ?? []);
  const determiner = both.length > 0 ? both : article;
  if (agreeing(weak, determiner).length === 0) return undefined;
  const width = both.length > 0 ? 2 : 1;
  const following = agreeing(determiner, anyNounCells(neighbour(reading, 1)));
  const ahead = agreeing(following, weak);
  if (ahead.length > 0) {
    return {
      strength: "weak",
      cells: ahead,
      frame: following,
      construction: both.length > 0 ? "demonstrative_and_article" : "article",
      start: reading.index - width,
      end: reading.index + 1,
      definer,
      tier: 1,
    };
  }
  const noun = neighbour(reading, -width - 1) ?? "";
  const preceding = agreeing(determiner, anyNounCells(noun));
  const cells = agreeing(preceding, weak);
  if (cells.length === 0) {
    return { reason: "substantivised", detail: `${definer} without a head noun beside it` };
  }
  return {
    strength: "weak",
    cells,
    frame: preceding,
    construction: NAMES.has(noun) ? "epithet_with_article" : "postposed_article",
    start: reading.index - width - 1,
    end: reading.index,
    definer,
    tier: NAMES.has(noun) ? 2 : 1,
  };
}

/** sá or þessi before the adjective without an article (þann mikla dreka): strong forms occur too. */
function afterDemonstrative(reading: Reading, weak: readonly Cell[]): Objection | undefined {
  const definer = neighbour(reading, -1) ?? "";
  const noun = anyNounCells(neighbour(reading, 1));
  return agreeing(DEMONSTRATIVE_CELLS.get(definer) ?? [], noun, weak).length === 0
    ? undefined
    : { reason: "bare_demonstrative", detail: `${definer} without article` };
}

/** A noun with the suffixed article before the adjective (gullsins mikla). */
function afterSuffixedArticle(reading: Reading, weak: readonly Cell[]): Phrase | undefined {
  const definer = neighbour(reading, -1) ?? "";
  const frame = DEFINITE_NOUN_CELLS.get(definer) ?? [];
  const cells = agreeing(frame, weak);
  if (cells.length === 0) return undefined;
  return {
    strength: "weak",
    cells,
    frame,
    construction: "suffixed_article",
    start: reading.index - 1,
    end: reading.index,
    definer,
    tier: 2,
  };
}

// Indefinite phrases

/** An indefinite phrase around the adjective, if its form can be strong and a noun agrees with it. */
function indefinitePhrase(reading: Reading): Phrase | Objection | undefined {
  const strong = cellsOf(reading.adjective.parts, "strong", formOf(reading));
  if (strong.length === 0) return undefined;
  return beforeNoun(reading, strong) ?? afterNoun(reading, strong) ??
    coordinated(reading, strong);
}

/** Adjective before its noun (ríkr konungr, einn gamall maðr). */
function beforeNoun(reading: Reading, strong: readonly Cell[]): Phrase | Objection | undefined {
  const noun = nounCells(neighbour(reading, 1));
  if (agreeing(strong, noun).length === 0) return undefined;
  const { edge, frame, one } = leftEdge(reading, -1, noun);
  const cells = agreeing(strong, frame);
  if (cells.length === 0) return { reason: "no_head_noun", detail: "einn disagrees" };
  return definiteBefore(reading, edge, cells) ?? possessiveAfter(reading, 2) ?? {
    strength: "strong",
    cells,
    frame,
    construction: one ? "indefinite_einn" : "indefinite_preposed",
    start: reading.index + edge + 1,
    end: reading.index + 1,
    tier: 1,
  };
}

/** Adjective after its noun, also with einn between (haug mikinn, hǫll eina ágæta). */
function afterNoun(reading: Reading, strong: readonly Cell[]): Phrase | Objection | undefined {
  const single = agreeing(strong, ONE_CELLS.get(neighbour(reading, -1) ?? "") ?? []);
  const distance = single.length > 0 ? 2 : 1;
  const noun = nounCells(neighbour(reading, -distance));
  const narrowed = single.length > 0 ? agreeing(noun, single) : noun;
  if (agreeing(strong, narrowed).length === 0) return undefined;
  if (STATE_ADJECTIVES.has(reading.adjective.lemma)) {
    return { reason: "possibly_predicative", detail: "an adjective of state after its noun" };
  }
  const { edge, frame } = leftEdge(reading, -distance - 1, narrowed);
  const cells = agreeing(strong, frame);
  return definiteBefore(reading, edge, cells) ?? possessiveAfter(reading, 1) ??
    predicativeAfterCopula(reading, edge, cells) ?? {
    strength: "strong",
    cells,
    frame,
    construction: "indefinite_postposed",
    start: reading.index + edge + 1,
    end: reading.index,
    tier: neighbour(reading, 1) === "sem" ? 2 : 1,
  };
}

/** Second of two adjectives beside a noun (menn miklir ok grimmligir; stórar brynjur ok góðar). */
function coordinated(reading: Reading, strong: readonly Cell[]): Phrase | Objection | undefined {
  if (neighbour(reading, -1) !== "ok") return undefined;
  for (const [place, other] of [[-3, -2], [-2, -3]] as const) {
    const noun = nounCells(neighbour(reading, place));
    const cells = agreeing(strong, noun);
    const partner = neighbour(reading, other);
    if (cells.length === 0 || partner === undefined || !isStrongForm(partner, cells)) continue;
    const { edge, frame } = leftEdge(reading, -4, noun);
    const objection = definiteBefore(reading, edge, cells) ?? possessiveAfter(reading, 1) ??
      predicativeAfterCopula(reading, edge, cells);
    if (objection) return objection;
    if (place === -2 && cells.some((cell) => cell.startsWith("nom"))) {
      return { reason: "possibly_predicative", detail: "ok + nominative after the noun" };
    }
    return {
      strength: "strong",
      cells,
      frame,
      construction: "indefinite_coordinated",
      start: reading.index + edge + 1,
      end: reading.index,
      tier: 2,
    };
  }
  return undefined;
}

/** Whether a word can be a strong adjective or a quantifier beside a noun in one of these cells. */
function isStrongForm(word: string, cells: readonly Cell[]): boolean {
  return QUANTIFIERS.has(word) ||
    adjectivesWithForm(word).some(({ parts }) =>
      cellsOf(parts, "strong", word).some((cell) => cells.includes(cell))
    );
}

/**
 * What stands left of noun and adjective, its modifiers skipped: the offset of the first word that is
 * no modifier, and the noun's cells, narrowed by einn where it is among the modifiers.
 */
function leftEdge(reading: Reading, from: number, noun: readonly Cell[]) {
  let [edge, frame, one] = [from, noun, false];
  for (let word = neighbour(reading, edge); word !== undefined; word = neighbour(reading, edge)) {
    const single = agreeing(frame, ONE_CELLS.get(word) ?? []);
    if (single.length > 0) [frame, one] = [single, true];
    else if (!QUANTIFIERS.has(word) && !INTENSIFIERS.has(word)) break;
    edge--;
  }
  return { edge, frame, one };
}

/** What before the phrase would make it definite or leave its definiteness open. */
function definiteBefore(
  reading: Reading,
  edge: number,
  cells: readonly Cell[],
): Objection | undefined {
  const word = neighbour(reading, edge);
  if (word === undefined) return undefined;
  if (POSSESSIVES.has(word)) return { reason: "possessive_determiner", detail: word };
  // Even where it is the subject (eru þeir harðir menn): the weak variant would read it as 'those'.
  return agreeing(cells, DEMONSTRATIVE_CELLS.get(word) ?? []).length > 0
    ? { reason: "after_demonstrative", detail: `${word} before a strong form` }
    : undefined;
}

function possessiveAfter(reading: Reading, offset: number): Objection | undefined {
  const word = neighbour(reading, offset);
  return word !== undefined && POSSESSIVES.has(word)
    ? { reason: "possessive_determiner", detail: word }
    : undefined;
}

/** "var veðr gott": a nominative after its copula may be the subject and the adjective predicative. */
function predicativeAfterCopula(
  reading: Reading,
  edge: number,
  cells: readonly Cell[],
): Objection | undefined {
  if (!cells.some((cell) => cell.startsWith("nom"))) return undefined;
  const linked = COPULAS.has(neighbour(reading, edge) ?? "") &&
    !SUBJECT_PRONOUNS.has(neighbour(reading, edge - 1) ?? "");
  return linked || COPULAS.has(neighbour(reading, 1) ?? "")
    ? { reason: "possibly_predicative", detail: "noun and adjective beside a copula" }
    : undefined;
}

// The pair

const OTHER: Readonly<Record<Strength, Strength>> = { strong: "weak", weak: "strong" };

/** The pair a clear phrase gives, or what speaks against it. */
function propose(sentence: Sentence, reading: Reading, phrase: Phrase): Candidate | Objection {
  const objection = objectionTo(reading, phrase);
  if (objection) return objection;
  const { parts } = reading.adjective;
  const forms = new Set(phrase.cells.map((cell) => inflect(parts, OTHER[phrase.strength], cell)));
  const [replacement] = forms;
  if (forms.size !== 1 || replacement === undefined || replacement === formOf(reading)) {
    return { reason: "syncretic_in_phrase", detail: "no one form of the other strength" };
  }
  const unclear = otherwiseRead(reading, phrase, replacement);
  if (unclear) return unclear;
  if (UNSURE_FORMS.has(replacement)) return { reason: "contracted_stem", detail: replacement };
  if (agreeing(phrase.frame, cellsOf(parts, phrase.strength, replacement)).length > 0) {
    return { reason: "syncretic_in_phrase", detail: `${replacement} fits another cell here` };
  }
  return candidateOf(sentence, reading, phrase, replacement);
}

/** What forbids a pair although the phrase is clear. */
function objectionTo(reading: Reading, phrase: Phrase): Objection | undefined {
  const form = formOf(reading);
  const isStrong = phrase.strength === "strong";
  if (phrase.cells.some((cell) => cell.startsWith("dat.pl"))) {
    return { reason: "dative_plural", detail: "-um is strong and weak" };
  }
  if (reading.adjective.degree === "superlative" && isStrong) {
    return { reason: "articleless_superlative", detail: "attested strong and weak" };
  }
  const last = reading.tokens[phrase.end];
  const isVocative = phrase.start === 0 && last !== undefined &&
    phrase.cells.some((cell) => cell.startsWith("nom")) && reading.text.startsWith(",", last.end);
  if (isVocative) return { reason: "vocative", detail: "weak is allowed" };
  return isStrong && ADVERBS.has(form) && neighbour(reading, -1) !== "með"
    ? { reason: "adverb_homograph", detail: form }
    : undefined;
}

/**
 * Replacements that are adverbs in their own right: "var búin ágætliga veizla" is good Norse, a feast
 * splendidly prepared, and so may "ríðr nú lǫngu leiðir" be. Only right after a preposition or einn
 * can they be nothing but a misdeclined adjective.
 */
const ADVERBIAL_REPLACEMENT = /(?:liga|^lǫngu|^skǫmmu|^litlu|^illa)$/u;

/** Whether the variant would be good Norse with the replacement read as another word. */
function otherwiseRead(
  reading: Reading,
  phrase: Phrase,
  replacement: string,
): Objection | undefined {
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

const CHECKS = [
  "adjective, noun and determiner agree in case, number and gender",
  "definiteness of the phrase is certain from its own words",
  "replacement is the other strength of the same cell",
  "replacement has no reading of the required strength beside this noun",
  "no predicate, vocative, comparative, ordinal or dative plural",
] as const;

function candidateOf(
  sentence: Sentence,
  { adjective, tokens, index }: Reading,
  { strength, cells, construction, start, end, definer, tier }: Phrase,
  replacement: string,
): Candidate {
  const token = tokens[index] as Token;
  const text = sentence.normalised.slice(
    (tokens[start] ?? token).start,
    (tokens[end] ?? token).end,
  );
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

/** `strong.acc.sg.masc`; cases that fall together are joined, `strong.nom|acc.sg.neut`. */
function cellLabel(strength: Strength, cells: readonly Cell[]): string {
  const parts = cells.map((cell) => cell.split("."));
  const cases = [...new Set(parts.map(([kase]) => kase))].join("|");
  const rest = [...new Set(parts.map(([, number, gender]) => `${number}.${gender}`))].join("|");
  return `${strength}.${cases}.${rest}`;
}
