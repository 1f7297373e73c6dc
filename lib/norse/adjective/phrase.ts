import {
  ARTICLE_CELLS,
  COPULAS,
  DEMONSTRATIVE_CELLS,
  INTENSIFIERS,
  ONE_CELLS,
  POSSESSIVES,
  QUANTIFIERS,
  SUBJECT_PRONOUNS,
} from "./determiners.ts";
import { type AdjectiveRejectionReason, STATE_ADJECTIVES } from "./exclusions.ts";
import { isStrongForm } from "./forms.ts";
import type { Adjective } from "./lexicon.ts";
import { DEFINITE_NOUN_CELLS, NAMES, NOUN_CELLS } from "./nouns.ts";
import { type Cell, cellsOf, type Strength } from "./paradigm.ts";
import { between, type Token } from "../tokens.ts";

/** A token read as a form of one adjective, in its sentence. */
export interface Reading {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly index: number;
  readonly adjective: Adjective;
}

/** A noun phrase in which an adjective's strength is settled. */
export interface Phrase {
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

/** Why a reading is not a phrase this study can use. */
export interface Refusal {
  readonly reason: AdjectiveRejectionReason;
  readonly detail: string;
}

export function isRefusal(judgement: Phrase | Refusal): judgement is Refusal {
  return "reason" in judgement;
}

export function shared(...sets: readonly (readonly Cell[])[]): readonly Cell[] {
  const [first = [], ...others] = sets;
  return first.filter((cell) => others.every((set) => set.includes(cell)));
}

/** The word `offset` tokens away, when nothing but spaces lies between it and the adjective. */
export function neighbour(reading: Reading, offset: number): string | undefined {
  const { text, tokens, index } = reading;
  const [low, high] = offset < 0 ? [index + offset, index] : [index, index + offset];
  for (let place = low; place < high; place++) {
    const [left, right] = [tokens[place], tokens[place + 1]];
    if (!left || !right || between(text, left, right) !== " ") return undefined;
  }
  return tokens[index + offset]?.lower;
}

function nounCells(word: string | undefined): readonly Cell[] {
  return word === undefined ? [] : NOUN_CELLS.get(word) ?? [];
}

function anyNounCells(word: string | undefined): readonly Cell[] {
  if (word === undefined) return [];
  return [...nounCells(word), ...(DEFINITE_NOUN_CELLS.get(word) ?? [])];
}

function phrase(
  reading: Reading,
  span: readonly [before: number, after: number],
  rest: Omit<Phrase, "start" | "end">,
): Phrase {
  return { ...rest, start: reading.index - span[0], end: reading.index + span[1] };
}

/** The article's cells, narrowed by a demonstrative before it (þann inn ógurliga dreka). */
function articleCells(
  reading: Reading,
): { readonly cells: readonly Cell[]; readonly both: boolean } {
  const article = ARTICLE_CELLS.get(neighbour(reading, -1) ?? "") ?? [];
  const both = shared(article, DEMONSTRATIVE_CELLS.get(neighbour(reading, -2) ?? "") ?? []);
  return both.length > 0 ? { cells: both, both: true } : { cells: article, both: false };
}

/** Article directly before the adjective: head after it, or before the article. */
function afterArticle(reading: Reading, weak: readonly Cell[]): Phrase | Refusal | undefined {
  const { cells: determiner, both } = articleCells(reading);
  if (shared(weak, determiner).length === 0) return undefined;
  const definer = neighbour(reading, -1) ?? "";
  const following = shared(determiner, anyNounCells(neighbour(reading, 1)));
  const ahead = shared(following, weak);
  if (ahead.length > 0) {
    const construction = both ? "demonstrative_and_article" : "article";
    const rest = { cells: ahead, frame: following, construction, definer, tier: 1 } as const;
    return phrase(reading, [both ? 2 : 1, 1], { strength: "weak", ...rest });
  }
  const distance = both ? 3 : 2;
  const noun = neighbour(reading, -distance) ?? "";
  const preceding = shared(determiner, anyNounCells(noun));
  const cells = shared(preceding, weak);
  if (cells.length === 0) {
    return { reason: "substantivised", detail: `${definer} without a head noun beside it` };
  }
  const kind = NAMES.has(noun)
    ? { construction: "epithet_with_article", tier: 2 } as const
    : { construction: "postposed_article", tier: 1 } as const;
  const rest = { cells, frame: preceding, definer, ...kind };
  return phrase(reading, [distance, 0], { strength: "weak", ...rest });
}

/** sá or þessi before the adjective without an article (þann mikla dreka): strong forms occur too. */
function afterDemonstrative(reading: Reading, weak: readonly Cell[]): Refusal | undefined {
  const definer = neighbour(reading, -1) ?? "";
  const frame = shared(
    DEMONSTRATIVE_CELLS.get(definer) ?? [],
    anyNounCells(neighbour(reading, 1)),
  );
  return shared(frame, weak).length === 0
    ? undefined
    : { reason: "bare_demonstrative", detail: `${definer} without article` };
}

/** A noun with the suffixed article before the adjective (gullsins mikla). */
function afterSuffixedArticle(reading: Reading, weak: readonly Cell[]): Phrase | undefined {
  const definer = neighbour(reading, -1) ?? "";
  const frame = DEFINITE_NOUN_CELLS.get(definer) ?? [];
  const cells = shared(frame, weak);
  if (cells.length === 0) return undefined;
  const rest = { cells, frame, construction: "suffixed_article", definer, tier: 2 } as const;
  return phrase(reading, [1, 0], { strength: "weak", ...rest });
}

/** A definite phrase around the adjective, if its form can be weak and a definer agrees with it. */
export function definitePhrase(reading: Reading): Phrase | Refusal | undefined {
  const form = reading.tokens[reading.index]?.lower ?? "";
  const weak = cellsOf(reading.adjective.parts, "weak", form);
  if (weak.length === 0) return undefined;
  return afterArticle(reading, weak) ?? afterDemonstrative(reading, weak) ??
    afterSuffixedArticle(reading, weak);
}

/** What stands left of noun and adjective, its modifiers skipped. */
interface LeftEdge {
  /** Offset of the first word that is no modifier. */
  readonly edge: number;
  /** The noun's cells, narrowed by einn where it is among the modifiers. */
  readonly frame: readonly Cell[];
  readonly one: boolean;
}

function leftEdge(reading: Reading, from: number, noun: readonly Cell[]): LeftEdge {
  let [edge, frame, one] = [from, noun, false];
  for (let word = neighbour(reading, edge); word !== undefined; word = neighbour(reading, edge)) {
    const single = shared(frame, ONE_CELLS.get(word) ?? []);
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
): Refusal | undefined {
  const word = neighbour(reading, edge);
  if (word === undefined) return undefined;
  if (POSSESSIVES.has(word)) return { reason: "possessive_determiner", detail: word };
  // Even where it is the subject (eru þeir harðir menn): the weak variant would read it as 'those'.
  const pointed = shared(cells, DEMONSTRATIVE_CELLS.get(word) ?? []);
  return pointed.length > 0
    ? { reason: "after_demonstrative", detail: `${word} before a strong form` }
    : undefined;
}

function possessiveAfter(reading: Reading, offset: number): Refusal | undefined {
  const word = neighbour(reading, offset);
  return word !== undefined && POSSESSIVES.has(word)
    ? { reason: "possessive_determiner", detail: word }
    : undefined;
}

/** Adjective before its noun (ríkr konungr, einn gamall maðr). */
function beforeNoun(reading: Reading, strong: readonly Cell[]): Phrase | Refusal | undefined {
  const noun = nounCells(neighbour(reading, 1));
  if (shared(strong, noun).length === 0) return undefined;
  const { edge, frame, one } = leftEdge(reading, -1, noun);
  const cells = shared(strong, frame);
  if (cells.length === 0) return { reason: "no_head_noun", detail: "einn disagrees" };
  const refusal = definiteBefore(reading, edge, cells) ?? possessiveAfter(reading, 2);
  if (refusal) return refusal;
  const construction = one ? "indefinite_einn" : "indefinite_preposed";
  const rest = { cells, frame, construction, tier: 1 } as const;
  return phrase(reading, [-edge - 1, 1], { strength: "strong", ...rest });
}

/** "var veðr gott": a nominative after its copula may be the subject and the adjective predicative. */
function predicativeAfterCopula(
  reading: Reading,
  edge: number,
  cells: readonly Cell[],
): Refusal | undefined {
  if (!cells.some((cell) => cell.startsWith("nom"))) return undefined;
  const copula = neighbour(reading, edge);
  const subject = neighbour(reading, edge - 1);
  const linked = COPULAS.has(copula ?? "") && !SUBJECT_PRONOUNS.has(subject ?? "");
  return linked || COPULAS.has(neighbour(reading, 1) ?? "")
    ? { reason: "possibly_predicative", detail: "noun and adjective beside a copula" }
    : undefined;
}

/** Adjective after its noun, also with einn between (haug mikinn, hǫll eina ágæta). */
function afterNoun(reading: Reading, strong: readonly Cell[]): Phrase | Refusal | undefined {
  const single = shared(strong, ONE_CELLS.get(neighbour(reading, -1) ?? "") ?? []);
  const distance = single.length > 0 ? 2 : 1;
  const noun = nounCells(neighbour(reading, -distance));
  const agreeing = single.length > 0 ? shared(noun, single) : noun;
  if (shared(strong, agreeing).length === 0) return undefined;
  if (STATE_ADJECTIVES.has(reading.adjective.lemma)) {
    return { reason: "possibly_predicative", detail: "an adjective of state after its noun" };
  }
  const { edge, frame } = leftEdge(reading, -distance - 1, agreeing);
  const cells = shared(strong, frame);
  const refusal = definiteBefore(reading, edge, cells) ?? possessiveAfter(reading, 1) ??
    predicativeAfterCopula(reading, edge, cells);
  if (refusal) return refusal;
  const tier = neighbour(reading, 1) === "sem" ? 2 : 1;
  const rest = { cells, frame, construction: "indefinite_postposed", tier } as const;
  return phrase(reading, [-edge - 1, 0], { strength: "strong", ...rest });
}

/** Second of two adjectives beside a noun (menn miklir ok grimmligir; stórar brynjur ok góðar). */
function coordinated(reading: Reading, strong: readonly Cell[]): Phrase | Refusal | undefined {
  if (neighbour(reading, -1) !== "ok") return undefined;
  for (const [place, other] of [[-3, -2], [-2, -3]] as const) {
    const noun = nounCells(neighbour(reading, place));
    const cells = shared(strong, noun);
    const partner = neighbour(reading, other);
    if (cells.length === 0 || partner === undefined || !isStrongForm(partner, cells)) continue;
    const { edge, frame } = leftEdge(reading, -4, noun);
    const refusal = definiteBefore(reading, edge, cells) ?? possessiveAfter(reading, 1) ??
      predicativeAfterCopula(reading, edge, cells);
    if (refusal) return refusal;
    if (place === -2 && cells.some((cell) => cell.startsWith("nom"))) {
      return { reason: "possibly_predicative", detail: "ok + nominative after the noun" };
    }
    const rest = { cells, frame, construction: "indefinite_coordinated", tier: 2 } as const;
    return phrase(reading, [-edge - 1, 0], { strength: "strong", ...rest });
  }
  return undefined;
}

/** An indefinite phrase around the adjective, if its form can be strong and a noun agrees with it. */
export function indefinitePhrase(reading: Reading): Phrase | Refusal | undefined {
  const form = reading.tokens[reading.index]?.lower ?? "";
  const strong = cellsOf(reading.adjective.parts, "strong", form);
  if (strong.length === 0) return undefined;
  return beforeNoun(reading, strong) ?? afterNoun(reading, strong) ??
    coordinated(reading, strong);
}
