/** Statistics of the Norse study, and data for its figures and findings. */
import {
  ALWAYS_FIRST,
  ALWAYS_SHORTER,
  characterNgramBaseline,
  type FoldedSentence,
  type PreferenceBaseline,
  randomBaseline,
  unigramBaseline,
  words,
} from "../../models/baselines.ts";
import { type PairLikelihood, readAnswers } from "../../pairs/answers.ts";
import {
  type Artefact,
  auditArtefacts,
  type Baseline,
  heldOutBaseline,
  inBothOrders,
} from "../../pairs/artefacts.ts";
import { variantForm } from "../../pairs/pair.ts";
import { readBlindReview } from "../../pairs/review.ts";
import { ALL, DESIGN, type Statistic } from "../../pairs/clustered.ts";
import type { DatasetItem } from "../../pairs/dataset.ts";
import { panelResults, READOUTS as ALL_READOUTS } from "../../pairs/figure_rows.ts";
import { lengthParts, type PairPart } from "../../pairs/groups.ts";
import type { CompletePanel } from "../../pairs/panels.ts";
import { regionId, regionItems, withRegions } from "../../pairs/measures.ts";
import { computeStatistics } from "../../pairs/statistics.ts";
import type { Direction, DirectionLayout, JudgingWay } from "../../pairs/tables.ts";
import { randomSource } from "../../stats/random.ts";
import {
  DATASET,
  readFurtherSet,
  readNorseDataset,
  readReverseSet,
  type Sentence,
} from "./dataset.ts";
import { editionPairs } from "./orthography.ts";
import { ONE_FEATURE } from "./selection.ts";
import { ONLY_CASE } from "./quirky_case.ts";
import { PHENOMENA, type Phenomenon, PHENOMENON_NAMES, ROLES } from "./rules.ts";
import {
  EDITION_STUDY,
  FURTHER_STUDY,
  NORSE_PATHS,
  NORSE_STUDY,
  REGION_STUDY,
  REVERSE_STUDY,
} from "./study.ts";
import { ARTEFACTS, BALANCED, PRECISION, PYTORCH_AGREEMENT, STATISTICS } from "./tables.ts";

type Item = DatasetItem<Phenomenon>;

/** Phenomena with pairs in both directions within the data set. */
const BIDIRECTIONAL: readonly string[] = ["ADJECTIVE", "MIDDLE_VOICE"];

/**
 * Tests whether a pair is in the reverse direction.
 * Reverse are the reverse set, weak to strong, and active to middle.
 */
export function isReverse({ pair }: Item): boolean {
  return pair.id.startsWith("ONR_") ||
    ["weak_to_strong", "active_to_middle"].includes(pair.errorType);
}

/**
 * Tests whether a pair is a further one (beyond the 500).
 * Further pairs count only in groups of their own.
 */
const isFurther = ({ pair }: Item) => pair.id.startsWith("ONF_");

/** Classes of forward pairs reported separately within a phenomenon. */
const CLASSES: Readonly<Record<string, (item: Item) => boolean>> = {
  "QUIRKY_CASE.only_case": ({ certificate }) => certificate.marks.includes(ONLY_CASE),
  "UMLAUT.lost_u": ({ certificate }) => certificate.construction.endsWith("_lost_u"),
  "UMLAUT.kept_u": ({ certificate }) => certificate.construction.endsWith("_kept_u"),
  "UMLAUT.breaking": ({ certificate, pair }) =>
    pair.phenomenon === "UMLAUT" && certificate.construction === "breaking",
};

/** All pairs and the phenomena, as tables head their columns. */
export const GROUPS: Readonly<Record<string, string>> = { ALL: "All", ...PHENOMENON_NAMES };

/** {@link CLASSES} as tables head their columns. */
const CLASS_NAMES: Readonly<Record<string, string>> = {
  "QUIRKY_CASE.only_case": "case alone",
  "UMLAUT.lost_u": "lost u",
  "UMLAUT.kept_u": "kept u",
};

const phenomenonOf = (group: string) => group.split(".")[0]!;

/**
 * Names of both directions in statistics.
 * A class's mean is taken with the reverse pairs of its phenomenon.
 */
export const DIRECTIONS: readonly Direction[] = [
  {
    title: "forward",
    rowsOf: (group) => BIDIRECTIONAL.includes(group) ? `${group}.forward` : group,
  },
  {
    title: "reverse",
    rowsOf: (group) => group === ALL ? "reverse" : `${phenomenonOf(group)}.reverse`,
  },
  { title: "mean of both", rowsOf: (group) => group === ALL ? "both" : `${group}.both` },
];

/** Rows and columns of tables of accuracy by phenomenon. */
export const LAYOUT: DirectionLayout = { directions: DIRECTIONS, groupNames: GROUPS };

/** The same by class within a phenomenon. */
export const CLASS_LAYOUT: DirectionLayout = { directions: DIRECTIONS, groupNames: CLASS_NAMES };

/**
 * Returns the groups for classes, the reverse direction, and the mean of both.
 * In the mean, phenomena and directions have equal weight.
 */
function directionParts(): readonly PairPart<Phenomenon>[] {
  const direction = (item: Item) => isReverse(item) ? "reverse" : "forward";
  const isOf = (group: string) => CLASSES[group] ?? (({ pair }: Item) => pair.phenomenon === group);
  const forward = (group: string) => (item: Item) =>
    !isReverse(item) && !isFurther(item) && isOf(group)(item);
  const reversed = (group: string) => (item: Item) =>
    isReverse(item) && !isFurther(item) && isOf(group)(item);
  return [
    ...Object.keys(CLASSES).map((name) => ({ name, has: forward(name) })),
    ...BIDIRECTIONAL.map((name) => ({ name: `${name}.forward`, has: forward(name) })),
    { name: "reverse", has: (item) => isReverse(item) && !isFurther(item) },
    ...PHENOMENA.map((name) => ({ name: `${name}.reverse`, has: reversed(name) })),
    {
      name: "both",
      has: (item) => !isFurther(item),
      stratumOf: (item) => `${item.pair.phenomenon} ${direction(item)}`,
    },
    ...[...PHENOMENA, ...Object.keys(CLASSES)].map((name) => ({
      name: `${name}.both`,
      has: (item: Item) => forward(name)(item) || reversed(phenomenonOf(name))(item),
      stratumOf: direction,
    })),
  ];
}

/** Groups of pairs by whether the variant is a word of the saga. */
export const [VARIANT_IN_SAGA, VARIANT_NOT_IN_SAGA] = ["variant.in_saga", "variant.not_in_saga"];

/**
 * Returns the groups of pairs for which accuracies are reported.
 * - both directions;
 * - quirky case by the oblique's role;
 * - pairs with one feature violated in every dialect;
 * - pairs beyond the 500;
 * - frames with at least ten pairs;
 * - pairs by whether the variant is longer, and by whether it is a word of the saga (mean of both
 * directions);
 * - the balanced pairs, in whose mean every phenomenon has equal weight.
 */
export function norseParts(
  items: readonly Item[],
  balanced: readonly string[],
  sentences: readonly Pick<Sentence, "normalised">[],
): readonly PairPart<Phenomenon>[] {
  const [balancedIds, forward] = [new Set(balanced), new Set(items)];
  const saga = new Set(sentences.flatMap(({ normalised }) => words(normalised)));
  const isWord = ({ pair }: Item) => words(variantForm(pair)).every((word) => saga.has(word));
  const frames = Map.groupBy(items, ({ certificate }) => certificate.construction);
  const parts: readonly PairPart<Phenomenon>[] = [
    ...directionParts(),
    ...ROLES.map((role) => ({
      name: `QUIRKY_CASE.${role}`,
      has: ({ certificate }: Item) => certificate.marks.includes(`role_${role}`),
    })),
    {
      name: "one_feature",
      has: (item) => forward.has(item) && item.certificate.marks.includes(ONE_FEATURE),
    },
    { name: "further", has: isFurther },
    ...["ADJECTIVE", "UMLAUT"].map((name) => ({
      name: `further.${name}`,
      has: (item: Item) => isFurther(item) && item.pair.phenomenon === name,
    })),
    ...[...frames].filter(([, { length }]) => length >= 10).map(([frame]) => ({
      name: `construction.${frame}`,
      has: (item: Item) => forward.has(item) && item.certificate.construction === frame,
    })),
    ...lengthParts(items),
    ...[true, false].map((isOfSaga) => ({
      name: isOfSaga ? VARIANT_IN_SAGA : VARIANT_NOT_IN_SAGA,
      has: (item: Item) => !isFurther(item) && isWord(item) === isOfSaga,
      stratumOf: (item: Item) => isReverse(item) ? "reverse" : "forward",
    })),
    {
      name: "balanced",
      has: ({ pair }) => balancedIds.has(pair.id),
      stratumOf: ({ pair }) => pair.phenomenon,
    },
    ...PHENOMENA.map((name) => ({
      name: `balanced.${name}`,
      has: ({ pair }: Item) => balancedIds.has(pair.id) && pair.phenomenon === name,
    })),
  ];
  return parts.map((part) => ({ ...part, accuraciesOnly: true }));
}

/**
 * Returns the scores of models that scored all texts of a kind.
 * Kinds are regions and spellings. A partial model would have figures of some pairs next to the
 * others' figures of all.
 */
function completeScores(
  regions: readonly DatasetItem[],
  scored: readonly PairLikelihood[],
): readonly PairLikelihood[] {
  const isSpelling = (id: string) => id.endsWith(" source");
  const spellings = regions.filter(({ pair }) => isSpelling(pair.id)).length;
  return [...Map.groupBy(scored, ({ model }) => model).values()].flatMap((rows) => {
    const ofSpelling = rows.filter(({ pairId }) => isSpelling(pairId));
    const ofWords = rows.filter(({ pairId }) => !isSpelling(pairId));
    return [
      ...ofWords.length === regions.length - spellings ? ofWords : [],
      ...ofSpelling.length === spellings ? ofSpelling : [],
    ];
  });
}

/** Reads the pairs of all sets with answers and likelihoods, including regions. */
export function readBothDirections(
  items = readNorseDataset(),
  reverse = readReverseSet(),
  beyond = readFurtherSet(),
) {
  const all = [...items, ...beyond, ...reverse];
  const pairsOf = (items: readonly DatasetItem[]) => items.map(({ pair }) => pair);
  const answers = [
    readAnswers(NORSE_STUDY, pairsOf(items)),
    readAnswers(FURTHER_STUDY, pairsOf(beyond)),
    readAnswers(REVERSE_STUDY, pairsOf(reverse)),
  ];
  const regions = regionItems(all);
  const scored = completeScores(
    regions,
    readAnswers(REGION_STUDY, pairsOf(regions)).likelihoods,
  );
  const edition = editionPairs(all).pairs;
  // If the edition's word was corrected, the two spellings are not of the same word.
  const unmended = new Set(edition.map(({ id }) => regionId(id, "source")));
  return {
    items,
    reverse,
    /** Certified pairs beyond the 500. */
    beyond,
    responses: answers.flatMap(({ responses }) => responses),
    likelihoods: withRegions(answers.flatMap(({ likelihoods }) => likelihoods), scored),
    /** Pairs in the edition's spelling and words in either, with scores. */
    spellings: {
      edition: { pairs: edition, likelihoods: readAnswers(EDITION_STUDY, edition).likelihoods },
      source: {
        items: regions.filter(({ pair }) => unmended.has(pair.id)) as readonly Item[],
        likelihoods: scored,
      },
    },
  };
}

type BothDirections = ReturnType<typeof readBothDirections>;

interface StatisticsInput extends BothDirections {
  readonly panels: readonly CompletePanel[];
  readonly balanced: readonly string[];
  readonly rules: readonly Baseline[];
  readonly sentences: readonly Sentence[];
}

/** Returns those of the pairs that the edition's spelling has, in that spelling. */
function inEditionSpelling(items: readonly Item[], { edition }: BothDirections["spellings"]) {
  const spelled = new Map(edition.pairs.map((pair) => [pair.id, pair]));
  return items.flatMap(({ pair: { id }, certificate }) => {
    const pair = spelled.get(id);
    return pair ? [{ certificate, pair: pair as Item["pair"] }] : [];
  });
}

const inEdition = <Row extends { readonly phenomenon: string }>(rows: readonly Row[]) =>
  rows.map((row) => ({ ...row, phenomenon: `edition.${row.phenomenon}` }));

/**
 * Returns all rows of `statistics.csv`.
 * `edition.UMLAUT` is the likelihood of pairs in the edition's spelling. `source.ALL` is the share
 * of words that are more probable in the edition's spelling than in the normalised one, in the same
 * sentence, where both are correct: a share other than 0.5 shows a preference for a spelling.
 */
export function norseStatistics(
  { items, reverse, beyond, spellings, balanced, sentences, ...input }: StatisticsInput,
): readonly Statistic[] {
  const parts = norseParts(items, balanced, sentences);
  const main = computeStatistics({
    ...input,
    ...{ items, further: [...reverse, ...beyond], phenomena: PHENOMENA, parts },
  });
  const { edition, source } = spellings;
  const setting = { panels: input.panels, responses: [], phenomena: PHENOMENA };
  const ofModels = (rows: readonly Statistic[]) => rows.filter(({ model }) => model !== DESIGN);
  const inSource = computeStatistics({
    ...setting,
    ...{ items: source.items, likelihoods: source.likelihoods },
    parts: lengthParts(source.items).filter(({ name }) => name === "tokens.same"),
  });
  return [
    ...main,
    ...inEdition(ofModels(computeStatistics({
      ...setting,
      items: inEditionSpelling(items, spellings),
      further: inEditionSpelling(reverse, spellings),
      likelihoods: edition.likelihoods,
      parts: directionParts(),
    }))),
    ...ofModels(inSource).map((row) => ({ ...row, phenomenon: `source.${row.phenomenon}` })),
  ];
}

/**
 * Returns all rows of `artefacts.csv`: the grammar-free baselines.
 * They cover all pairs, the groups, and both directions in the edition's spelling (`edition.`). For
 * the latter, words are counted in the edition as printed.
 */
export function norseArtefacts(
  { items, reverse, beyond, spellings, balanced, rules, sentences }: Omit<
    StatisticsInput,
    "panels"
  >,
  seed: number,
): readonly Artefact[] {
  const further = [...reverse, ...beyond];
  const parts = norseParts(items, balanced, sentences);
  const printed = sentences.map(({ source, ...own }) => ({ ...own, source, normalised: source }));
  const [own, other] = [items, reverse].map((some) => inEditionSpelling(some, spellings));
  const ofEdition = norseBaselines(printed, [...own!, ...other!], seed);
  return [
    ...auditArtefacts(items, PHENOMENA, rules, { parts, further }),
    ...inEdition(
      auditArtefacts(own!, PHENOMENA, ofEdition, { parts: directionParts(), further: other }),
    ),
  ];
}

/**
 * Scoring rules in the order of the tables.
 * The headline is the total log-probability: a pair is right if P(grammatical) > P(ungrammatical),
 * the definition of the Sanskrit specification and of BLiMP.
 */
const WAYS: readonly JudgingWay[] = [
  { way: "forced choice", measure: "accuracy" },
  { way: "total log-probability", measure: "likelihood_accuracy_total" },
  { way: "per token", measure: "likelihood_accuracy_per_token" },
  { way: "per byte", measure: "likelihood_accuracy_per_byte" },
  { way: "in context", measure: "likelihood_accuracy_in_context" },
];

/**
 * Scoring rules by their names in figures.
 * `in context` is log P(word | what precedes) − log P(word alone), the pointwise mutual information
 * of word and context (Holtzman et al. 2021, EMNLP).
 */
export const READOUTS = { ...ALL_READOUTS, "in context": "likelihood_accuracy_in_context" };

/** Components of a likelihood by table heading. */
export const REGION_ROWS: Readonly<Record<string, string>> = {
  "whole sentence": "likelihood_accuracy_total",
  "the word, after what precedes": "likelihood_accuracy_word",
  "what follows": "likelihood_accuracy_rest",
  "the word without a sentence": "likelihood_accuracy_alone",
  "what the sentence does for the word": "likelihood_accuracy_in_context",
  "sentence and word alone agree": "likelihood_as_alone",
};

/** Returns the ways that were measured. */
export function measuredWays(statistics: readonly Statistic[]): readonly JudgingWay[] {
  return WAYS.filter(({ measure }) => statistics.some((row) => row.measure === measure));
}

/** Reads the data for figures and findings. Throws if a file of the notebooks is damaged. */
export function readFigureData() {
  const both = readBothDirections();
  const { items, responses, likelihoods } = both;
  const statistics = STATISTICS.read();
  const pairs = items.map(({ pair }) => pair);
  const isMean = statistics.some(({ phenomenon }) => phenomenon === "both");
  return {
    ...both,
    ...panelResults(NORSE_STUDY, pairs, {
      responses: responses.filter(({ pairId }) => pairId.startsWith("ON_")),
      likelihoods,
    }),
    rejections: DATASET.rejections.read(),
    review: readBlindReview(NORSE_PATHS.blindReview, items),
    statistics,
    ways: measuredWays(statistics),
    /**
     * Direction shown in figures: the mean of both.
     * It is the forward direction if no model answered the reverse pairs.
     */
    direction: DIRECTIONS.find(({ title }) => title === (isMean ? "mean of both" : "forward"))!,
    drawnAs: isMean ? "mean of both directions" : "forward pairs; the reverse set is not asked yet",
    artefacts: ARTEFACTS.read(),
    balanced: BALANCED.read(),
    precision: PRECISION.readSoFar().rows,
    agreement: PYTORCH_AGREEMENT.readSoFar().rows,
  };
}

const marksOfNorm = (text: string) =>
  [...text.normalize("NFC").matchAll(/ǫ|[sz]k(?!\p{L})/giu)].length;

/**
 * Baseline that prefers the text with more features of normalised spelling.
 * The features are ǫ and final -sk or -zk. This is not grammar, since the edition has neither; in
 * one direction every umlaut and middle ending is such a feature.
 */
export const NORMALISED_SPELLING: PreferenceBaseline = {
  name: "normalised_spelling",
  prefer(first, second) {
    const difference = marksOfNorm(first) - marksOfNorm(second);
    return difference === 0 ? "tie" : difference > 0 ? "first" : "second";
  },
};

/**
 * Returns the grammar-free baselines.
 * Those based on counts are trained on all chapters except the pair's.
 */
export function norseBaselines(
  sentences: readonly Sentence[],
  items: readonly DatasetItem[],
  seed: number,
): readonly Baseline[] {
  const folded: readonly FoldedSentence[] = sentences.map(({ chapter, normalised }) => ({
    fold: String(chapter),
    text: normalised,
  }));
  const chapters = new Map(
    items.map(({ pair, certificate }) => [pair.id, String(certificate.source.chapter)]),
  );
  const random = randomSource(seed);
  return [
    inBothOrders(randomBaseline(() => random.next())),
    inBothOrders(ALWAYS_FIRST),
    inBothOrders(ALWAYS_SHORTER),
    inBothOrders(NORMALISED_SPELLING),
    heldOutBaseline(unigramBaseline(folded), chapters),
    heldOutBaseline(characterNgramBaseline(folded), chapters),
  ];
}
