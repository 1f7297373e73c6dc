import {
  pairOfRecord,
  readContrasts,
  recordOfItem,
  writeContrasts,
  writeContrastSet,
} from "./records.ts";
import { markdownTable, tally } from "../../figures/table.ts";
import { attestedSentences, type CertifiedPair } from "../../pairs/certify.ts";
import { type DatasetItem, numberTogether } from "../../pairs/dataset.ts";
import type { MinimalPair, Rejection } from "../../pairs/pair.ts";
import { allotShares, selectPairs } from "../../pairs/select.ts";
import {
  certifyContrasts,
  findContrasts,
  NOUN_PHENOMENA,
  type NounInVerse,
  type NounPhenomenon,
  PHENOMENA,
  type Phenomenon,
  type RejectionReason,
  searchContrasts,
  VARIANT_READINGS,
  variantReadings,
} from "./contrasts.ts";
import {
  attestedCells,
  type AttestedNoun,
  attestedNouns,
  extractNouns,
  LEXICON,
  NOUN_TOKENS,
  nounRow,
  NOUNS,
  nounsInSandhi,
  type NounToken,
  tokenRow,
} from "./nouns.ts";
import { decline, endingOf, formatCell, parseCell } from "./paradigms.ts";
import { CASES, type DeclensionClass, NUMBERS } from "./rules.ts";
import { modifierContrasts } from "./agreement.ts";
import { declensionContrasts } from "./declension.ts";
import { attestedForms, bareContrasts } from "./bare_forms.ts";
import { type ContrastSets, controlContrasts } from "./probes.ts";
import { fromIast, illegalSequence } from "./sounds.ts";
import { SANSKRIT_PATHS } from "./study.ts";
import { REJECTIONS } from "./tables.ts";
import { type AnnotatedNoun, readTreebank } from "./treebank.ts";
import { verbContrasts } from "./verbs.ts";
import { type Verse, verseId, VERSES } from "./verses.ts";

/** Pairs of the whole set. */
export const TARGET_PAIRS = 500;

/** The share that each phenomenon is to have of them; what one cannot give the others do not get. */
const SHARES: Readonly<Record<Phenomenon, number>> = {
  case: 0.41,
  number: 0.13,
  verb_agreement: 0.12,
  adjective_agreement: 0.09,
  declension: 0.25,
};

/** Pairs of one stem that a phenomenon takes before the others are asked for more. */
const PER_STEM = 8;

/** Pairs of one line: lines list things, and each noun of a list has its own fixing word. */
const PER_LINE = 2;

/**
 * The set: each phenomenon by its share, spread over lemmas, chapters and combinations of relation and
 * cells; vocative homonyms come last. The same candidates and seed give the same set; a pair on record
 * keeps its number. Where the text gives fewer than wanted, the report says so.
 */
function chooseContrasts(
  certified: readonly CertifiedPair<Phenomenon>[],
  { verses, onRecord }: Pick<GenerationSources, "verses" | "onRecord">,
  { seed, targetSize }: Pick<GenerationSettings, "seed" | "targetSize">,
) {
  // selectPairs() counts by what a certificate names; here a line counts, not its verse.
  const byLine = new Map(certified.map((own) => [inItsLine(own, verses), own]));
  const { chosen: chosenByLine, report } = selectPairs([...byLine.keys()], {
    quota: Object.fromEntries(allotShares(SHARES, targetSize)) as Record<Phenomenon, number>,
    seed,
    perLemma: PER_STEM,
    perSentence: PER_LINE,
    perToken: PER_LINE,
    // The vocative of a thing is a reading, if a far one.
    penalty: ({ certificate }) => Number(certificate.marks.includes("vocative_homonym")),
  });
  const chosen = PHENOMENA.flatMap((phenomenon) =>
    chosenByLine.filter(({ pair }) => pair.phenomenon === phenomenon).map((own) => byLine.get(own)!)
  );
  const kept = new Set(chosen);
  // The specification numbers all pairs together: `morph_0001`.
  const items = numberTogether((n) => `morph_${String(n).padStart(4, "0")}`, chosen, onRecord);
  /** Certified ones that the quota had no room for. */
  const notSelected = certified.filter((pair) => !kept.has(pair)).map((own): Rejection => {
    const { lemma, cellFrom, cellTo } = own.certificate;
    // Of one word of a line, changed in one dimension, a second form is taken only where pairs are short.
    const hasOther = chosen.some(({ pair, tokenIndex }) =>
      pair.grammatical === own.pair.grammatical && tokenIndex === own.tokenIndex &&
      pair.phenomenon === own.pair.phenomenon
    );
    const [reason, why] = hasOther
      ? ["other_form_chosen", "another form of this noun was chosen"] as const
      : [
        "not_selected",
        "the caps on lines and stems, or the number wanted, were reached",
      ] as const;
    return refusal(own, reason, `certified (${lemma}, ${cellFrom} > ${cellTo}), but ${why}`);
  });
  return { items, notSelected, report };
}

/** The pair as of a sentence of its own for each line: verse 47, line b is sentence 4702. */
function inItsLine(
  own: CertifiedPair<Phenomenon>,
  verses: readonly Verse[],
): CertifiedPair<Phenomenon> {
  const { source } = own.certificate;
  const verse = verses.find(({ id }) => id === verseId(source.chapter, source.sentence))!;
  const line = 1 + verse.lines.findIndex(({ text }) => text === own.pair.grammatical);
  const sentence = 100 * source.sentence + line;
  return { ...own, certificate: { ...own.certificate, source: { ...source, sentence } } };
}

function refusal(
  { pair: { phenomenon, target }, certificate: { source } }: CertifiedPair<Phenomenon>,
  reason: RejectionReason,
  detail: string,
): Rejection<RejectionReason> {
  return { source, phenomenon, candidate: target, reason, detail };
}

export interface GenerationSettings {
  readonly seed: number;
  /** Pairs wanted in lines, and again of bare forms. */
  readonly targetSize: number;
  /** Most frequent stems that are used: in lines of the nouns that give a pair, as bare forms of a- and ā-stems. */
  readonly maxStems: number;
}

/**
 * The contrast set from the text, the treebank and the readings: nouns of every declension of
 * `paradigms.csv`, verbs, modifiers, and nouns by another declension. Pure; the seed breaks ties.
 */
export function generateContrasts(sources: GenerationSources, settings: GenerationSettings) {
  const { verses, treebank } = sources;
  const extraction = extractNouns(verses, LEXICON);
  const extracted = [...extraction.tokens, ...nounsInSandhi(treebank, verses)];
  const { nouns, certified, rejections } = certifyNouns(sources, extracted);
  const others = [
    verbContrasts(sources),
    modifierContrasts(sources),
    declensionContrasts({ verses, treebank, extracted: extraction.tokens }),
  ];
  const frequent = mostFrequent(extracted, certified, settings.maxStems);
  const isFrequent = ({ certificate }: CertifiedPair) => frequent.has(certificate.lemma);
  const all = [certified.filter(isFrequent), ...others.map((other) => other.certified)].flat();
  const { first, again } = byFirstVerse(all, verses);
  const set = chooseContrasts(first, sources, settings);
  const rare = certified.filter((pair) => !isFrequent(pair))
    .map((pair) => refusal(pair, "stem_not_chosen", pair.certificate.lemma));
  const repeated = again.map((pair) => refusal(pair, "line_stands_twice", pair.certificate.lemma));
  const refused = [
    ...[rejections, ...others.map((other) => other.rejections)],
    ...[rare, repeated, set.notSelected],
  ];
  const bare = bareContrasts(extraction.tokens, attestedForms(verses), settings);
  return { extraction, nouns, certified, set, bare, rejections: refused.flat() };
}

type GeneratedContrasts = ReturnType<typeof generateContrasts>;

/** Pairs of lines where these stand first, and of the same lines in a later verse: a line is tested in one. */
function byFirstVerse(
  certified: readonly CertifiedPair<Phenomenon>[],
  verses: readonly Verse[],
) {
  const verseOf = new Map(
    verses.toSorted((a, b) => a.id < b.id ? 1 : -1)
      .flatMap(({ id, lines }) => lines.map(({ text }) => [text, id])),
  );
  const isFirst = ({ pair, certificate: { source } }: CertifiedPair<Phenomenon>) =>
    verseOf.get(pair.grammatical) === verseId(source.chapter, source.sentence);
  return {
    first: certified.filter(isFirst),
    again: certified.filter((pair) => !isFirst(pair)),
  };
}

/** Everything certified of the nouns. */
function certifyNouns(
  { verses, treebank, readings }: GenerationSources,
  extracted: readonly NounToken[],
) {
  const nouns = attestedNouns(extracted, Infinity);
  const stems = new Set(nouns.nouns.map(({ entry }) => entry));
  const search = searchContrasts({ verses, treebank, extracted, stems });
  const attested = attestedSentences(verses.flatMap(({ lines }) => lines.map(({ text }) => text)));
  return { nouns, ...certifyContrasts(search, verses, variantReadings(readings), attested) };
}

/** The most frequent stems of those that give a pair. */
function mostFrequent(
  extracted: readonly NounToken[],
  certified: readonly CertifiedPair<Phenomenon>[],
  maxStems: number,
): ReadonlySet<string> {
  const withPairs = new Set(certified.map(({ certificate }) => certificate.lemma));
  const able = extracted.filter(({ entry }) => withPairs.has(entry.stem));
  return new Set(attestedNouns(able, maxStems).nouns.map(({ entry }) => entry.stem));
}

/** Everything that generation reads. @throws {SyntaxError} naming the first damaged line of a file. */
export function readSources() {
  const [verses, readings] = [VERSES.read(), VARIANT_READINGS.read()];
  const onRecord: readonly MinimalPair[] = readContrasts(SANSKRIT_PATHS.pairs).map(pairOfRecord);
  return { verses, readings, treebank: readTreebank(), onRecord };
}

export type GenerationSources = ReturnType<typeof readSources>;

export function contrastSets({ set: { items }, bare }: GeneratedContrasts): ContrastSets {
  return {
    main: items.map((item) => ({ ...item, record: recordOfItem(item) })),
    controls: controlContrasts(nounItems(items)),
    bare,
  };
}

/** The pairs of case and number among others: new sentences are made of their nouns. */
export function nounItems(items: readonly DatasetItem<Phenomenon>[]) {
  return items.filter((item): item is DatasetItem<NounPhenomenon> =>
    NOUN_PHENOMENA.some((own) => own === item.pair.phenomenon)
  );
}

/** What generation writes, by the names of {@link SANSKRIT_PATHS}. */
export const GENERATED_FILES = [
  ...["nouns", "nounTokens", "pairs", "certificates", "rejections"] as const,
  ...["controls", "bareForms"] as const,
] as const satisfies readonly (keyof typeof SANSKRIT_PATHS)[];

/** Writes all files of the data set, each whole or not at all; deterministic to the byte. */
export function writeGenerated(
  generated: GeneratedContrasts,
  files: Readonly<Record<(typeof GENERATED_FILES)[number], string>> = SANSKRIT_PATHS,
): void {
  const { extraction, nouns, rejections } = generated;
  const sets = contrastSets(generated);
  NOUNS.at(files.nouns).write(nouns.nouns.map(nounRow));
  NOUN_TOKENS.at(files.nounTokens).write(extraction.tokens.map(tokenRow));
  writeContrastSet(sets.main, files);
  REJECTIONS.at(files.rejections).write(rejections);
  writeContrasts(files.controls, sets.controls);
  writeContrasts(files.bareForms, sets.bare);
}

/** A paradigm as the grammars print it: cases down, numbers across, in Devanagari. */
export function paradigmTable(stem: string, declension: DeclensionClass): string {
  const { forms } = decline(stem, declension);
  return markdownTable(
    [fromIast(stem), ...NUMBERS],
    CASES.map((name) => [
      name,
      ...NUMBERS.map((number) => forms({ case: name, number }).map(fromIast).join(", ")),
    ]),
  );
}

/** Nouns as the treebank has them, one word that fixes the cell a row. */
export function parsedTable(nouns: readonly AnnotatedNoun[]): string {
  return markdownTable(
    ["word", "stem", "cell", "fixed by", "relation", "what that word's form can be"],
    nouns.flatMap((noun) => {
      const own = [noun.form, noun.stem, formatCell(noun.cell)];
      if (noun.fixedBy.length === 0) return [[...own, undefined, undefined, undefined]];
      return noun.fixedBy.map(({ word, relation, readings }) => {
        return [...own, fromIast(word), relation, readings.join(" ") || undefined];
      });
    }),
  );
}

export function nounTable(nouns: readonly AttestedNoun[]): string {
  return markdownTable(
    ["noun", "tokens", "evidence", "attested cells with their verses"],
    nouns.map(({ entry: { stem }, tokens, evidence }) => {
      return [fromIast(stem.replaceAll("-", "")), tokens.length, evidence, attestedCells(tokens)];
    }),
  );
}

export function outcomeTable(place: NounInVerse): string {
  const { candidates, rejections } = findContrasts(place);
  const found = candidates.map(({ phenomenon, written, fixedBy: { relation, word }, to }) => {
    const broken = `breaks ${relation} with ${fromIast(word)}`;
    return [phenomenon, `${written} ${formatCell(to)}`, broken];
  });
  const refused = rejections.map(({ phenomenon, form, reason, detail }) => {
    return [phenomenon, `${form} ${detail.split(" > ")[1]}`, reason];
  });
  return markdownTable(["contrast", "form", "candidate, or why not"], [...found, ...refused]);
}

export function balanceTable(items: readonly DatasetItem<Phenomenon>[]): string {
  const rows = PHENOMENA.flatMap((phenomenon) => {
    const own = items.filter(({ pair }) => pair.phenomenon === phenomenon);
    return tally(own.map(({ pair }) => pair.errorType))
      .map(([change, count]) => [phenomenon, ...change.split("_to_"), count]);
  });
  return markdownTable(["phenomenon", "correct", "substituted", "pairs"], rows);
}

/** A stem and its ending put one after the other, what is wrong with that, and the form of the paradigm. */
export function naiveTable(
  stem: string,
  declension: DeclensionClass,
  labels: readonly string[],
): string {
  const { forms } = decline(stem, declension);
  return markdownTable(
    ["cell", "stem and ending", "put one after the other", "what is wrong", "the form"],
    labels.map(parseCell).map((cell) => {
      const [base, ending] = [fromIast(stem), endingOf(declension, cell)];
      const naive = base + ending;
      const form = fromIast(forms(cell)[0]!);
      const fault = illegalSequence(naive) ?? (naive === form ? undefined : "another word");
      return [formatCell(cell), `${base} + ${ending}`, naive, fault, form];
    }),
  );
}
