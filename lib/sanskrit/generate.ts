import { recordOfItem, writeContrasts, writeContrastSet } from "./records.ts";
import { markdownTable, tally } from "../figures/table.ts";
import { attestedSentences, type CertifiedPair } from "../pairs/certify.ts";
import { type DatasetItem, rejectionsTable } from "../pairs/dataset.ts";
import { type Rejection } from "../pairs/pair.ts";
import { type SelectionReport, selectPairs } from "../pairs/select.ts";
import {
  certifyContrasts,
  findContrasts,
  type NounInPlace,
  type Phenomenon,
  type RejectionReason,
  searchContrasts,
  VARIANT_READINGS,
  type VariantReading,
  variantReadings,
} from "./contrasts.ts";
import {
  attestedCells,
  type AttestedNoun,
  type AttestedNouns,
  attestedNouns,
  type Extraction,
  extractNouns,
  LEXICON,
  NOUN_TOKENS,
  nounRow,
  NOUNS,
  type NounToken,
  tokenRow,
} from "./nouns.ts";
import { decline, endingOf, formatCell, parseCell } from "./paradigms.ts";
import { CASES, type DeclensionClass, NUMBERS } from "./rules.ts";
import { bareForms, type ContrastSets, controlContrasts } from "./probes.ts";
import { fromIast, illegalSequence } from "./sounds.ts";
import { SANSKRIT_PATHS } from "./study.ts";
import { type AnnotatedNoun, readTreebank } from "./treebank.ts";
import { type Verse, VERSES } from "./verses.ts";

/** Pairs of the whole set, and the share of case contrasts: 333 and 167 of 500. */
export const TARGET_PAIRS = 500;
const CASE_SHARE = 2 / 3;

/** Pairs of one stem that a phenomenon takes before the others are asked for more. */
const PER_STEM = 8;

/** Pairs of one verse: verses list things, and each noun of a list has its own fixing word. */
const PER_VERSE = 3;

interface GenerationOptions {
  readonly seed: number;
  /** Pairs wanted in all; 500 unless told. */
  readonly targetSize?: number;
  /** First word of the ids; `morph` unless told. */
  readonly prefix?: string;
}

interface ContrastSet {
  readonly items: readonly DatasetItem<Phenomenon>[];
  /** Certified ones that the quota had no room for. */
  readonly notSelected: readonly Rejection[];
  readonly report: Readonly<Record<Phenomenon, SelectionReport>>;
}

/**
 * The set: two thirds contrasts of case, one third of number, spread over stems, chapters and
 * combinations of relation and cells; vocative homonyms come last. The same candidates and seed
 * give the same set. Where the text gives fewer than wanted, the report says so.
 */
function chooseContrasts(
  certified: readonly CertifiedPair<Phenomenon>[],
  { seed, targetSize = TARGET_PAIRS, prefix = "morph" }: GenerationOptions,
): ContrastSet {
  const cases = Math.round(targetSize * CASE_SHARE);
  const { chosen, report } = selectPairs(certified, {
    quota: { case: cases, number: targetSize - cases },
    seed,
    perLemma: PER_STEM,
    perSentence: PER_VERSE,
    // The vocative of a thing is a reading, if a far one.
    penalty: ({ certificate }) => Number(certificate.marks.includes("vocative_homonym")),
  });
  const kept = new Set(chosen);
  return {
    items: chosen.map((pair, index) => numbered(prefix, pair, index + 1)),
    notSelected: certified.filter((pair) => !kept.has(pair)).map((pair) =>
      notSelected(pair, chosen.some((other) => isOfSameNoun(pair, other)))
    ),
    report,
  };
}

/** The specification numbers all pairs together: `morph_0001`. */
function numbered(
  prefix: string,
  { pair, certificate }: CertifiedPair<Phenomenon>,
  n: number,
): DatasetItem<Phenomenon> {
  const id = `${prefix}_${String(n).padStart(4, "0")}`;
  return { pair: { id, ...pair }, certificate: { pairId: id, ...certificate } };
}

/** Whether two pairs change the same word of a line in the same dimension: only one of them is taken. */
function isOfSameNoun(a: CertifiedPair<Phenomenon>, b: CertifiedPair<Phenomenon>): boolean {
  return a.pair.grammatical === b.pair.grammatical && a.tokenIndex === b.tokenIndex &&
    a.pair.phenomenon === b.pair.phenomenon;
}

function notSelected(
  { pair, certificate }: CertifiedPair<Phenomenon>,
  hasOther: boolean,
): Rejection<RejectionReason> {
  const change = `${certificate.lemma}, ${certificate.cellFrom} > ${certificate.cellTo}`;
  const why = hasOther
    ? "another form of this noun was chosen"
    : "the caps on verses and stems, or the number wanted, were reached";
  return {
    source: certificate.source,
    phenomenon: pair.phenomenon,
    candidate: pair.target,
    reason: hasOther ? "other_form_chosen" : "not_selected",
    detail: `certified (${change}), but ${why}`,
  };
}

/** What the two contrast sets are made from. */
export interface GenerationSources {
  readonly verses: readonly Verse[];
  readonly treebank: readonly AnnotatedNoun[];
  readonly readings: readonly VariantReading[];
}

export interface GenerationSettings {
  readonly seed: number;
  /** Pairs wanted of a- and ā-stems. */
  readonly targetSize: number;
  /** Pairs of so many a- and ā-stems at most: the most frequent ones of those that give a pair. */
  readonly maxStems: number;
}

/** Nouns, pairs and refusals of one family of stems. */
interface StemFamily {
  readonly nouns: AttestedNouns;
  readonly certified: readonly CertifiedPair<Phenomenon>[];
  readonly set: ContrastSet;
  readonly rejections: readonly Rejection[];
}

export interface GeneratedContrasts {
  readonly extraction: Extraction;
  /** The specification's three paradigms: masculine and neuter a-stems, feminine ā-stems. */
  readonly aStems: StemFamily;
  /** The first further family: i-stems, by the same rules with another table. */
  readonly iStems: StemFamily;
}

/** Pairs wanted of i-stems; as many as the text gives where it gives fewer. */
const I_STEM_TARGET = 100;

/** Both contrast sets from the text, the treebank and the readings. Pure; the seed breaks ties. */
export function generateContrasts(
  sources: GenerationSources,
  { seed, targetSize, maxStems }: GenerationSettings,
): GeneratedContrasts {
  const extraction = extractNouns(sources.verses, LEXICON);
  const { tokens } = extraction;
  const isOfIStem = (declension: DeclensionClass) => declension.startsWith("i_");
  const family = (isOwn: IsOwn, stems: number, options: ChoiceOptions) => {
    const extracted = tokens.filter(({ entry }) => isOwn(entry.declension));
    const treebank = sources.treebank.filter(({ declension }) => isOwn(declension));
    return generateFamily({ ...sources, treebank }, extracted, stems, options);
  };
  return {
    extraction,
    aStems: family((it) => !isOfIStem(it), maxStems, { seed, targetSize, prefix: "morph" }),
    iStems: family(isOfIStem, Infinity, { seed, targetSize: I_STEM_TARGET, prefix: "istem" }),
  };
}

type ChoiceOptions = Required<Parameters<typeof chooseContrasts>[1]>;

/** Whether a declension is of the family. */
type IsOwn = (declension: DeclensionClass) => boolean;

function generateFamily(
  { verses, treebank, readings }: GenerationSources,
  extracted: readonly NounToken[],
  maxStems: number,
  options: ChoiceOptions,
): StemFamily {
  const nouns = attestedNouns(extracted, Infinity);
  const stems = new Set(nouns.nouns.map(({ entry }) => entry));
  const search = searchContrasts({ verses, treebank, extracted, stems });
  const attested = attestedSentences(verses.flatMap(({ lines }) => lines.map(({ text }) => text)));
  const { certified, rejections } = certifyContrasts(
    search,
    verses,
    variantReadings(readings),
    attested,
  );
  const withPairs = new Set(certified.map(({ certificate }) => certificate.lemma));
  const able = extracted.filter(({ entry }) => withPairs.has(entry.stem));
  const frequent = attestedNouns(able, maxStems).nouns.map(({ entry }) => entry.stem);
  const isFrequent = ({ certificate }: CertifiedPair<Phenomenon>) =>
    frequent.includes(certificate.lemma);
  const set = chooseContrasts(certified.filter(isFrequent), options);
  const rare = certified.filter((pair) => !isFrequent(pair)).map(ofRareStem);
  return { nouns, certified, set, rejections: [...rejections, ...rare, ...set.notSelected] };
}

function ofRareStem({ pair, certificate }: CertifiedPair<Phenomenon>): Rejection<RejectionReason> {
  const { source, lemma } = certificate;
  const { phenomenon, target } = pair;
  return { source, phenomenon, candidate: target, reason: "stem_not_chosen", detail: lemma };
}

/** Writes every refusal with its reason. */
export function writeRejections(path: string, rejections: readonly Rejection[]): void {
  rejectionsTable({ path }).write(rejections);
}

/** Every refusal. @throws {SyntaxError} naming the first damaged line. */
export function readRejections(path: string): readonly Rejection[] {
  return rejectionsTable({ path, maker: "22_sanskrit_generation" }).read();
}

/** Everything that generation reads. @throws {SyntaxError} naming the first damaged line of a file. */
export function readSources(): GenerationSources {
  return {
    verses: VERSES.read(),
    treebank: readTreebank(),
    readings: VARIANT_READINGS.read(),
  };
}

/** Both sets with the probes that are made from them. */
export function contrastSets({ aStems, iStems }: GeneratedContrasts): ContrastSets {
  const withRecord = (item: DatasetItem<Phenomenon>) => ({ ...item, record: recordOfItem(item) });
  const { items } = aStems.set;
  return {
    main: items.map(withRecord),
    iStems: iStems.set.items.map(withRecord),
    controls: controlContrasts(items),
    bareForms: bareForms(items),
  };
}

/** Where each of the files that generation writes is kept. */
type GeneratedFiles = Readonly<Record<(typeof GENERATED_FILES)[number], string>>;

/** What generation writes, by the names of {@link SANSKRIT_PATHS}. */
export const GENERATED_FILES = [
  ...["nouns", "nounTokens", "pairs", "certificates", "rejections"] as const,
  ...["iStems", "iStemCertificates", "controls", "bareForms"] as const,
] as const satisfies readonly (keyof typeof SANSKRIT_PATHS)[];

/**
 * Writes nouns, both contrast sets with their certificates, refusals, control sentences and bare
 * forms: each file whole or not at all, the same bytes for the same input.
 */
export function writeGenerated(
  generated: GeneratedContrasts,
  files: GeneratedFiles = SANSKRIT_PATHS,
): void {
  const { extraction, aStems, iStems } = generated;
  const sets = contrastSets(generated);
  NOUNS.at(files.nouns).write([...aStems.nouns.nouns, ...iStems.nouns.nouns].map(nounRow));
  NOUN_TOKENS.at(files.nounTokens).write(extraction.tokens.map(tokenRow));
  writeContrastSet(sets.main, files);
  writeContrastSet(sets.iStems, {
    pairs: files.iStems,
    certificates: files.iStemCertificates,
  });
  writeRejections(files.rejections, [...aStems.rejections, ...iStems.rejections]);
  writeContrasts(files.controls, sets.controls);
  writeContrasts(files.bareForms, sets.bareForms);
}

/** A paradigm as the grammars print it: cases down, numbers across, in Devanagari. */
export function paradigmTable(stem: string, declension: DeclensionClass): string {
  const { forms } = decline(stem, declension);
  return markdownTable(
    [fromIast(stem), ...NUMBERS],
    CASES.map((kase) => [
      kase,
      ...NUMBERS.map((number) => forms({ case: kase, number }).map(fromIast).join(", ")),
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
      return noun.fixedBy.map(({ word, relation, readings }) => [
        ...own,
        ...[fromIast(word), relation, readings.join(" ") || undefined],
      ]);
    }),
  );
}

/** Nouns of the text with the verses in which each cell is attested. */
export function nounTable(nouns: readonly AttestedNoun[]): string {
  return markdownTable(
    ["noun", "tokens", "evidence", "attested cells with their verses"],
    nouns.map(({ entry, tokens, evidence }) => [
      fromIast(entry.stem.replaceAll("-", "")),
      tokens.length,
      evidence,
      attestedCells(tokens),
    ]),
  );
}

/** What becomes of every cell that a noun could be changed to. */
export function outcomeTable(place: NounInPlace): string {
  const { candidates, rejections } = findContrasts(place);
  return markdownTable(
    ["contrast", "form", "candidate, or why not"],
    [
      ...candidates.map(({ phenomenon, written, fixedBy, to }) => [
        phenomenon,
        `${written} ${formatCell(to)}`,
        `breaks ${fixedBy.relation} with ${fromIast(fixedBy.word)}`,
      ]),
      ...rejections.map(({ phenomenon, form, reason, detail }) => [
        phenomenon,
        `${form} ${detail.split(" > ")[1]}`,
        reason,
      ]),
    ],
  );
}

/** How many pairs change each case or number, and to which. */
export function balanceTable(items: readonly DatasetItem<Phenomenon>[]): string {
  const of = (phenomenon: Phenomenon) =>
    tally(
      items.filter(({ pair }) => pair.phenomenon === phenomenon).map(({ pair }) => pair.errorType),
    ).map(([change, count]) => [phenomenon, ...change.split("_to_"), count]);
  return markdownTable(["phenomenon", "correct", "substituted", "pairs"], [
    ...of("case"),
    ...of("number"),
  ]);
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
