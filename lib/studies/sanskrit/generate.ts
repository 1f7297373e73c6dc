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

/** Number of pairs in the whole set. */
export const TARGET_PAIRS = 500;

/** Share of each phenomenon; a shortfall is not redistributed. */
const SHARES: Readonly<Record<Phenomenon, number>> = {
  case: 0.41,
  number: 0.13,
  verb_agreement: 0.12,
  adjective_agreement: 0.09,
  declension: 0.25,
};

/** Number of pairs per stem before another stem is preferred. */
const PER_STEM = 8;

/** Maximum number of pairs per line. A line may list nouns, each with its own fixing word. */
const PER_LINE = 2;

/**
 * Selects the set: shares by phenomenon, spread over lemmas, chapters and cell changes.
 * Combinations of relation and cells are spread too; vocative homonyms come last. The same
 * candidates and seed give the same set, and recorded pairs keep their numbers. The report states a
 * shortfall.
 */
function chooseContrasts(
  certified: readonly CertifiedPair<Phenomenon>[],
  { verses, onRecord }: Pick<GenerationSources, "verses" | "onRecord">,
  { seed, targetSize }: Pick<GenerationSettings, "seed" | "targetSize">,
) {
  // selectPairs() counts by the certificate's sentence; here the line counts, not its verse.
  const byLine = new Map(certified.map((pair) => [inItsLine(pair, verses), pair]));
  const { chosen: chosenByLine, report } = selectPairs([...byLine.keys()], {
    quota: Object.fromEntries(allotShares(SHARES, targetSize)) as Record<Phenomenon, number>,
    seed,
    perLemma: PER_STEM,
    perSentence: PER_LINE,
    perToken: PER_LINE,
    // The vocative of a thing is a possible, if remote, reading.
    penalty: ({ certificate }) => Number(certificate.marks.includes("vocative_homonym")),
  });
  const chosen = PHENOMENA.flatMap((phenomenon) =>
    chosenByLine.filter(({ pair }) => pair.phenomenon === phenomenon).map((chosen) =>
      byLine.get(chosen)!
    )
  );
  const selected = new Set(chosen);
  // The specification numbers all pairs together: `morph_0001`.
  const items = numberTogether((n) => `morph_${String(n).padStart(4, "0")}`, chosen, onRecord);
  /** Certified pairs beyond the quota. */
  const notSelected = certified.filter((pair) => !selected.has(pair)).map((refused): Rejection => {
    const { lemma, cellFrom, cellTo } = refused.certificate;
    // A second form of a word changed in one dimension is taken only if pairs are scarce.
    const hasOther = chosen.some(({ pair, tokenIndex }) =>
      pair.grammatical === refused.pair.grammatical && tokenIndex === refused.tokenIndex &&
      pair.phenomenon === refused.pair.phenomenon
    );
    const [reason, why] = hasOther
      ? ["other_form_chosen", "another form of this noun was chosen"] as const
      : [
        "not_selected",
        "the caps on lines and stems, or the number wanted, were reached",
      ] as const;
    return refusal(refused, reason, `certified (${lemma}, ${cellFrom} > ${cellTo}), but ${why}`);
  });
  return { items, notSelected, report };
}

/** Returns the pair with its line as the sentence number. Verse 47, line b is sentence 4702. */
function inItsLine(
  certified: CertifiedPair<Phenomenon>,
  verses: readonly Verse[],
): CertifiedPair<Phenomenon> {
  const { source } = certified.certificate;
  const verse = verses.find(({ id }) => id === verseId(source.chapter, source.sentence))!;
  const line = 1 + verse.lines.findIndex(({ text }) => text === certified.pair.grammatical);
  const sentence = 100 * source.sentence + line;
  return {
    ...certified,
    certificate: { ...certified.certificate, source: { ...source, sentence } },
  };
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
  /** Number of pairs in lines, and again of bare forms. */
  readonly targetSize: number;
  /** Number of most frequent stems used, in lines and as bare forms. */
  readonly maxStems: number;
}

/**
 * Generates the contrast set from text, treebank and readings. Pure; the seed breaks ties.
 * It covers nouns of every declension of `paradigms.csv`, verbs, modifiers, and nouns in the wrong
 * declension.
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

/** Keeps pairs of a line's first occurrence only. A repeated line is thus tested once. */
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

/** Certifies all noun contrasts. */
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

/** Returns the most frequent stems among those with a pair. */
function mostFrequent(
  extracted: readonly NounToken[],
  certified: readonly CertifiedPair<Phenomenon>[],
  maxStems: number,
): ReadonlySet<string> {
  const withPairs = new Set(certified.map(({ certificate }) => certificate.lemma));
  const able = extracted.filter(({ entry }) => withPairs.has(entry.stem));
  return new Set(attestedNouns(able, maxStems).nouns.map(({ entry }) => entry.stem));
}

/**
 * Reads all inputs of the generation.
 * @throws {SyntaxError} naming the first damaged line of a file.
 */
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

/** Returns the pairs of case and number. The control sentences are made from their nouns. */
export function nounItems(items: readonly DatasetItem<Phenomenon>[]) {
  return items.filter((item): item is DatasetItem<NounPhenomenon> =>
    NOUN_PHENOMENA.some((name) => name === item.pair.phenomenon)
  );
}

/** Names of the generated files in {@link SANSKRIT_PATHS}. */
export const GENERATED_FILES = [
  ...["nouns", "nounTokens", "pairs", "certificates", "rejections"] as const,
  ...["controls", "bareForms"] as const,
] as const satisfies readonly (keyof typeof SANSKRIT_PATHS)[];

/** Writes all files of the data set atomically. Output is deterministic to the byte. */
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

/** Returns a paradigm in the grammars' layout: cases down, numbers across, in Devanagari. */
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

/** Returns the treebank's nouns as a table, a row per fixing word. */
export function parsedTable(nouns: readonly AnnotatedNoun[]): string {
  return markdownTable(
    ["word", "stem", "cell", "fixed by", "relation", "what that word's form can be"],
    nouns.flatMap((noun) => {
      const cells = [noun.form, noun.stem, formatCell(noun.cell)];
      if (noun.fixedBy.length === 0) return [[...cells, undefined, undefined, undefined]];
      return noun.fixedBy.map(({ word, relation, readings }) => {
        return [...cells, fromIast(word), relation, readings.join(" ") || undefined];
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
  const rows = candidates.map(({ phenomenon, written, fixedBy: { relation, word }, to }) => {
    const broken = `breaks ${relation} with ${fromIast(word)}`;
    return [phenomenon, `${written} ${formatCell(to)}`, broken];
  });
  const refused = rejections.map(({ phenomenon, form, reason, detail }) => {
    return [phenomenon, `${form} ${detail.split(" > ")[1]}`, reason];
  });
  return markdownTable(["contrast", "form", "candidate, or why not"], [...rows, ...refused]);
}

export function balanceTable(items: readonly DatasetItem<Phenomenon>[]): string {
  const rows = PHENOMENA.flatMap((phenomenon) => {
    const group = items.filter(({ pair }) => pair.phenomenon === phenomenon);
    return tally(group.map(({ pair }) => pair.errorType))
      .map(([change, count]) => [phenomenon, ...change.split("_to_"), count]);
  });
  return markdownTable(["phenomenon", "correct", "substituted", "pairs"], rows);
}

/** Shows the concatenation of stem and ending, its faults, and the paradigm's form. */
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
