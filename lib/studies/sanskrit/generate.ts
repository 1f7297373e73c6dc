import { recordOfItem, writeContrasts, writeContrastSet } from "./records.ts";
import { markdownTable, tally } from "../../figures/table.ts";
import { attestedSentences, certificateHash, type CertifiedPair } from "../../pairs/certify.ts";
import type { DatasetItem } from "../../pairs/dataset.ts";
import { type Rejection } from "../../pairs/pair.ts";
import { allotShares, selectPairs } from "../../pairs/select.ts";
import {
  certifyContrasts,
  findContrasts,
  NOUN_PHENOMENA,
  type NounInPlace,
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
  type NounToken,
  tokenRow,
} from "./nouns.ts";
import { decline, endingOf, formatCell, parseCell } from "./paradigms.ts";
import { CASES, type DeclensionClass, NUMBERS, OTHER_DECLENSIONS } from "./rules.ts";
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

/** The share that each phenomenon is to have of them. */
const SHARES: Readonly<Record<Phenomenon, number>> = {
  case: 0.17,
  number: 0.11,
  verb_agreement: 0.24,
  adjective_agreement: 0.15,
  consonant_stem: 0.05,
  dual: 0.02,
  declension: 0.26,
};

/** Pairs of one stem that a phenomenon takes before the others are asked for more. */
const PER_STEM = 8;

/** Pairs of one line: lines list things, and each noun of a list has its own fixing word. */
const PER_LINE = 2;

interface GenerationOptions {
  readonly seed: number;
  readonly targetSize: number;
  readonly prefix: string;
  /** Forms of one word of a line that a phenomenon takes, where its pairs run short. */
  readonly perToken: number;
}

/**
 * The set: each phenomenon by its share, spread over lemmas, chapters and combinations of relation and
 * cells; vocative homonyms come last. The same candidates and seed give the same set. Where the text
 * gives fewer than wanted, the report says so.
 */
function chooseContrasts(
  certified: readonly CertifiedPair<Phenomenon>[],
  verses: readonly Verse[],
  { seed, targetSize, prefix, perToken }: GenerationOptions,
) {
  // selectPairs() counts by what a certificate names; here a line counts, not its verse.
  const byLine = new Map(certified.map((own) => [inItsLine(own, verses), own]));
  const { chosen: chosenByLine, report } = selectPairs([...byLine.keys()], {
    quota: quotaOf(certified, targetSize),
    seed,
    perLemma: PER_STEM,
    perSentence: PER_LINE,
    perToken,
    // The vocative of a thing is a reading, if a far one.
    penalty: ({ certificate }) => Number(certificate.marks.includes("vocative_homonym")),
  });
  const chosen = PHENOMENA.flatMap((phenomenon) =>
    chosenByLine.filter(({ pair }) => pair.phenomenon === phenomenon).map((own) => byLine.get(own)!)
  );
  const kept = new Set(chosen);
  // The specification numbers all pairs together: `morph_0001`.
  const items = chosen.map(({ pair, certificate }, index): DatasetItem<Phenomenon> => {
    const id = `${prefix}_${String(index + 1).padStart(4, "0")}`;
    return { pair: { id, ...pair }, certificate: { pairId: id, ...certificate } };
  });
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

/** Pairs wanted of each phenomenon: by the shares of those that any candidate has. */
function quotaOf(candidates: readonly CertifiedPair<Phenomenon>[], targetSize: number) {
  const found = PHENOMENA.filter((own) => candidates.some(({ pair }) => pair.phenomenon === own));
  const whole = found.reduce((sum, own) => sum + SHARES[own], 0);
  const shares = Object.fromEntries(found.map((own) => [own, SHARES[own] / whole]));
  const none = Object.fromEntries(PHENOMENA.map((own) => [own, 0]));
  const wanted = found.length === 0 ? [] : allotShares(shares, targetSize);
  return { ...none, ...Object.fromEntries(wanted) } as Record<Phenomenon, number>;
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
  /** Most frequent a- and ā-stems that are used: in lines of those that give a pair, as bare forms of all. */
  readonly maxStems: number;
}

/** Pairs wanted of i-stems; as many as the text gives where it gives fewer. */
const I_STEM_TARGET = 220;

/**
 * Both contrast sets from the text, the treebank and the readings: the specification's three paradigms,
 * masculine and neuter a-stems and feminine ā-stems, with verbs, modifiers and other stems; and i-stems
 * by the same rules with another table. Pure; the seed breaks ties.
 */
export function generateContrasts(
  sources: GenerationSources,
  { seed, targetSize, maxStems }: GenerationSettings,
) {
  const { verses } = sources;
  const extraction = extractNouns(verses, LEXICON);
  const familyOf = (declension: DeclensionClass) =>
    declension.startsWith("i_") ? "i" : OTHERS.has(declension) ? "other" : "a";
  const [aStems, iStems, otherStems] = (["a", "i", "other"] as const).map((family) => {
    const treebank = sources.treebank.filter((noun) => familyOf(noun.declension) === family);
    const extracted = extraction.tokens
      .filter(({ entry }) => familyOf(entry.declension) === family);
    return certifyFamily({ ...sources, treebank }, extracted);
  }) as [CertifiedFamily, CertifiedFamily, CertifiedFamily];
  const further = [
    verbContrasts(sources),
    modifierContrasts(sources),
    declensionContrasts({ ...sources, extracted: extraction.tokens }),
    asPhenomenon(() => "consonant_stem", otherStems),
  ];
  const main = { seed, targetSize, prefix: "morph", perToken: PER_LINE };
  const second = { seed, targetSize: I_STEM_TARGET, prefix: "istem", perToken: 1 };
  return {
    extraction,
    aStems: chooseOfFamily(aStems, further, maxStems, verses, main),
    iStems: chooseOfFamily(iStems, [], Infinity, verses, second),
    bare: bareContrasts(extraction.tokens, attestedForms(verses), { seed, targetSize, maxStems }),
  };
}

type GeneratedContrasts = ReturnType<typeof generateContrasts>;

const OTHERS: ReadonlySet<DeclensionClass> = new Set(OTHER_DECLENSIONS);

type Certified = ReturnType<typeof certifyContrasts>;
type CertifiedFamily = ReturnType<typeof certifyFamily>;

/** The same pairs as of other phenomena. */
function asPhenomenon(
  phenomenonOf: (own: CertifiedPair<Phenomenon>) => Phenomenon,
  { certified, rejections }: Certified,
): Certified {
  return {
    certified: certified.map((own) => {
      const pair = { ...own.pair, phenomenon: phenomenonOf(own) };
      const sha256 = certificateHash({ ...pair, rule: own.certificate.rule });
      return { ...own, pair, certificate: { ...own.certificate, sha256 } };
    }),
    rejections,
  };
}

/** A number contrast of a dual that a word of the line agrees with tests the dual. */
const isDual = ({ pair, certificate: { cellFrom, rule } }: CertifiedPair<Phenomenon>) =>
  pair.phenomenon === "number" && cellFrom.includes(".du") &&
  ["SK_AGREEMENT", "SK_PREDICATE"].includes(rule);

/** Everything certified of the nouns of some declensions. */
function certifyFamily(
  { verses, treebank, readings }: GenerationSources,
  extracted: readonly NounToken[],
) {
  const nouns = attestedNouns(extracted, Infinity);
  const stems = new Set(nouns.nouns.map(({ entry }) => entry));
  const search = searchContrasts({ verses, treebank, extracted, stems });
  const attested = attestedSentences(verses.flatMap(({ lines }) => lines.map(({ text }) => text)));
  const found = certifyContrasts(search, verses, variantReadings(readings), attested);
  return {
    extracted,
    nouns,
    ...asPhenomenon((own) => isDual(own) ? "dual" : own.pair.phenomenon, found),
  };
}

/** The choice among a family's pairs of its most frequent stems and whatever else is certified. */
function chooseOfFamily(
  { extracted, nouns, certified, rejections }: CertifiedFamily,
  others: readonly Certified[],
  maxStems: number,
  verses: readonly Verse[],
  options: GenerationOptions,
) {
  const withPairs = new Set(certified.map(({ certificate }) => certificate.lemma));
  const able = extracted.filter(({ entry }) => withPairs.has(entry.stem));
  const frequent = new Set(attestedNouns(able, maxStems).nouns.map(({ entry }) => entry.stem));
  const isFrequent = ({ certificate }: CertifiedPair) => frequent.has(certificate.lemma);
  const chosenFrom = [certified.filter(isFrequent), ...others.map((other) => other.certified)];
  const set = chooseContrasts(chosenFrom.flat(), verses, options);
  const rare = certified.filter((pair) => !isFrequent(pair))
    .map((pair) => refusal(pair, "stem_not_chosen", pair.certificate.lemma));
  const refused = [rejections, ...others.map((other) => other.rejections), rare, set.notSelected];
  return { nouns, certified, set, rejections: refused.flat() };
}

/** Everything that generation reads. @throws {SyntaxError} naming the first damaged line of a file. */
export function readSources() {
  const [verses, readings] = [VERSES.read(), VARIANT_READINGS.read()];
  return { verses, readings, treebank: readTreebank() };
}

export type GenerationSources = ReturnType<typeof readSources>;

export function contrastSets({ aStems, iStems, bare }: GeneratedContrasts): ContrastSets {
  const withRecord = (item: DatasetItem<Phenomenon>) => ({ ...item, record: recordOfItem(item) });
  const { items } = aStems.set;
  const nouns = nounItems(items);
  return {
    main: items.map(withRecord),
    iStems: iStems.set.items.map(withRecord),
    controls: controlContrasts(nouns),
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
  ...["iStems", "iStemCertificates", "controls", "bareForms"] as const,
] as const satisfies readonly (keyof typeof SANSKRIT_PATHS)[];

/** Writes all files of the data set, each whole or not at all; deterministic to the byte. */
export function writeGenerated(
  generated: GeneratedContrasts,
  files: Readonly<Record<(typeof GENERATED_FILES)[number], string>> = SANSKRIT_PATHS,
): void {
  const { extraction, aStems, iStems } = generated;
  const sets = contrastSets(generated);
  NOUNS.at(files.nouns).write([...aStems.nouns.nouns, ...iStems.nouns.nouns].map(nounRow));
  NOUN_TOKENS.at(files.nounTokens).write(extraction.tokens.map(tokenRow));
  writeContrastSet(sets.main, files);
  writeContrastSet(sets.iStems, { pairs: files.iStems, certificates: files.iStemCertificates });
  const rejections = [...aStems.rejections, ...iStems.rejections];
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

export function outcomeTable(place: NounInPlace): string {
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
