import type { PairLikelihood } from "../../../pairs/answers.ts";
import { certificateHash } from "../../../pairs/certify.ts";
import type { DatasetItem } from "../../../pairs/dataset.ts";
import {
  type NounInVerse,
  type NounPhenomenon,
  searchContrasts,
  type VariantReading,
} from "../contrasts.ts";
import { generateContrasts, type GenerationSettings, type GenerationSources } from "../generate.ts";
import { type ContrastItem, paradigmCells, recordOfItem } from "../records.ts";
import { extractNouns, LEXICON, nounsInSandhi } from "../nouns.ts";
import { DECLENSIONS, parseCell } from "../paradigms.ts";
import type { ContrastSets } from "../probes.ts";
import type { DeclensionClass, Relation } from "../rules.ts";
import { fromIast } from "../sounds.ts";
import { type AnnotatedNoun, type FixingWord, readTreebank, tokenKey } from "../treebank.ts";
import { type Verse, verseId, VERSES as GITA } from "../verses.ts";

export const VERSES = GITA.read();
export const TREEBANK = readTreebank();

/** Judgements that find every variant wrong, so that only the rules decide. */
const ALL_WRONG: readonly VariantReading[] = searchContrasts({
  ...{ verses: VERSES, treebank: TREEBANK, stems: new Set(LEXICON) },
  extracted: [...extractNouns(VERSES, LEXICON).tokens, ...nounsInSandhi(TREEBANK, VERSES)],
}).candidates.map(({ noun, written }) => ({ token: tokenKey(noun), written, rating: "wrong" }));

export const SOURCES: GenerationSources = {
  verses: VERSES,
  treebank: TREEBANK,
  readings: ALL_WRONG,
  onRecord: [],
};

export const SETTINGS: GenerationSettings = { seed: 42, targetSize: 500, maxStems: 200 };
export const GENERATED = generateContrasts(SOURCES, SETTINGS);
const FIRST = GENERATED.set.items[0]!;
const LINE = { verse: "BG_01_01", label: "a" } as const;

/**
 * A head in the noun's line, by default its first token: `head("agreement", "sarvāṇi",
 * "acc.pl.n")`.
 */
export function head(relation: Relation, word: string, readings = "", token = 1): FixingWord {
  return { relation, line: LINE, token, word, readings: readings.split(" ").filter(Boolean) };
}

/**
 * A noun of a line in IAST: `{ text: "tena rathena gacchati", token: 2, … }` for `rathena`.
 * The verse's next line follows ` / `.
 */
export interface HandMade {
  readonly text: string;
  readonly token: number;
  readonly stem: string;
  readonly declension: DeclensionClass;
  readonly cell: string;
  readonly fixedBy: readonly FixingWord[];
}

/**
 * Returns a noun with its fixing words: `deva a_masculine gen.sg`, `subject karoti 3.sg; object …`.
 */
export function noun(text: string, stemAndCell: string, fixedBy: string): HandMade {
  const [stem, declension, cell] = stemAndCell.split(" ") as [
    string,
    HandMade["declension"],
    string,
  ];
  const words = text.split(" ");
  const placeOf = (form: string) =>
    Math.max(0, words.findIndex((word) => word.startsWith(form.slice(0, -1)))) + 1;
  const heads = fixedBy.split("; ").map((field) => {
    const [relation, word, ...readings] = field.split(" ") as [Relation, string, ...string[]];
    return head(relation, word, readings.join(" "), placeOf(word));
  });
  return { text, token: placeOf(stem.replace("-", "")), stem, declension, cell, fixedBy: heads };
}

export function annotated({ text, token, stem, declension, cell, fixedBy }: HandMade) {
  return {
    line: LINE,
    token,
    form: fromIast(text.split(" ")[token - 1]!),
    ...{ stem, declension, fixedBy },
    gender: DECLENSIONS[declension].gender,
    cell: parseCell(cell),
    isDoubtful: false,
  } satisfies AnnotatedNoun;
}

/** Returns the noun with its line, in the form that the rules take. */
export function place(handMade: HandMade, isAddressable = false): NounInVerse {
  return {
    noun: annotated(handMade),
    verse: verseOf(...handMade.text.split(" / ")),
    isAddressable,
  };
}

/** Returns verse `BG_01_01` with these lines in IAST. */
export function verseOf(...texts: readonly string[]): Verse {
  const labels = ["a", "b", "c"] as const;
  const lines = texts.map((text, at) => ({ label: labels[at]!, text: fromIast(text) }));
  const [chapter, verse] = [1, 1];
  return { id: LINE.verse, chapter, verse, speaker: "", lines, padas: [], metre: "" };
}

/** महान्ति भूतानि पश्यति: bhūtāni is the object, mahānti its attribute. */
export const ALL_BEINGS: HandMade = {
  text: "mahānti bhūtāni paśyati",
  token: 2,
  stem: "bhūta",
  declension: "a_neuter",
  cell: "acc.pl",
  fixedBy: [head("agreement", "mahānti", "nom.pl.n acc.pl.n"), head("object", "paśyati", "3.sg")],
};

/** Verses 1.1, 1.2 … of one line of two pādas each. The third begins like the first. */
export const MADE_VERSES: readonly Verse[] = [
  ["धर्मक्षेत्रे कुरुक्षेत्रे", "समवेता युयुत्सवः"],
  ["दृष्ट्वा तु पाण्डवानीकं", "रामो गच्छति"],
  ["धर्मक्षेत्रे कुरुक्षेत्रे", "देवेन सह"],
].map((padas, index) => ({
  ...{ id: verseId(1, index + 1), chapter: 1, verse: index + 1, speaker: "", metre: "" },
  lines: [{ label: "a", text: padas.join(" ") }],
  padas,
}));

/** A pair's properties for tests; the rest is from {@link DEFAULTS}. */
interface MadeContrast {
  readonly id: string;
  /** Chapter and verse. */
  readonly source: readonly [number, number];
  readonly phenomenon: NounPhenomenon;
  readonly grammatical: string;
  readonly ungrammatical: string;
  readonly target: string;
  readonly stem: string;
  readonly cells: readonly [from: string, to: string];
  readonly relation: string;
  readonly marks: readonly string[];
}

const DEFAULTS: MadeContrast = {
  id: "morph_0001",
  source: [2, 47],
  phenomenon: "case",
  grammatical: "देवस्य फलं",
  ungrammatical: "देवाय फलं",
  target: "देवस्य",
  stem: "deva",
  cells: ["gen.sg", "dat.sg"],
  relation: "adnominal",
  marks: [],
};

/** Returns a pair with its record and certificate. */
export function madeContrast(wanted: Partial<MadeContrast>): ContrastItem {
  const { source: [chapter, sentence], stem, cells, relation, marks, ...members } = {
    ...DEFAULTS,
    ...wanted,
  };
  const [cellFrom, cellTo] = cells.map((cell) => `${cell}.m`) as [string, string];
  const { from, to } = paradigmCells({ lemma: stem, cellFrom, cellTo });
  const errorType = `${from[members.phenomenon]}_to_${to[members.phenomenon]}`;
  const pair = { ...members, errorType, context: "" };
  const rule = `SK_${relation.toUpperCase()}`;
  const certificate = {
    ...FIRST.certificate,
    ...{ pairId: pair.id, source: { text: "Bhagavad Gītā", chapter, sentence } },
    ...{ rule, lemma: stem, construction: `${relation} ${cells.join(" > ")}` },
    ...{ cellFrom, cellTo, marks, sha256: certificateHash({ ...pair, rule }) },
  };
  return { record: recordOfItem({ pair, certificate }), pair, certificate };
}

/**
 * Returns a contrast whose grammatical sentence has देवेन (instrumental of देव).
 * The variant has the locative देवे.
 */
const ofGod = (id: string, grammatical: string, verse = 1) =>
  madeContrast({
    ...{ id, source: [1, verse], relation: "governed", cells: ["ins.sg", "loc.sg"] },
    ...{ grammatical, ungrammatical: grammatical.replace("देवेन", "देवे"), target: "देवेन" },
  });

/** One contrast of each set; the study's pair is from verse 1.3. */
export const MADE_SETS: ContrastSets = {
  main: [ofGod("morph_0001", "धर्मक्षेत्रे कुरुक्षेत्रे देवेन सह", 3)],
  controls: [ofGod("control_0001", "देवेन सह तिष्ठति सीता").record],
  bare: [],
};

/** Returns a row of log-probabilities in nats. Members have 4 tokens and 20 bytes by default. */
export function scored(
  model: string,
  pairId: string,
  [grammatical, ungrammatical]: readonly [number, number],
  { tokens = 4, bytes = 20 }: { readonly tokens?: number; readonly bytes?: number } = {},
): PairLikelihood {
  const member = (logProbability: number) => ({ logProbability, tokens, bytes });
  return { model, pairId, grammatical: member(grammatical), ungrammatical: member(ungrammatical) };
}

/** Returns a pair for a stem and two cells with gender: `item("deva", "gen.sg.m", "acc.sg.m")`. */
export function item(
  lemma: string,
  cellFrom: string,
  cellTo: string,
): DatasetItem<NounPhenomenon> {
  const phenomenon = cellFrom.slice(0, 3) === cellTo.slice(0, 3) ? "number" : "case";
  return {
    pair: { ...FIRST.pair, phenomenon },
    certificate: { ...FIRST.certificate, lemma, cellFrom, cellTo },
  };
}
