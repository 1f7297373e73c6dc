/**
 * Counts of one model's results on one pair, and the measures computed from such counts.
 *
 * Regions of a pair are compared too: the differing word, the text after it, and the word alone.
 * They show at which part a model prefers one member.
 * @module
 */
import { detectSignal } from "../stats/detection.ts";
import { inMillionths, likelihoodKey } from "./answers.ts";
import type { Members, PairLikelihood, Response } from "./answers.ts";
import { type CountStatistic, ONE_LETTER, type Tally } from "./clustered.ts";
import type { DatasetItem } from "./dataset.ts";
import { ORDERS } from "./forced_choice.ts";
import { differingRegion, stripPunctuation, whitespaceTokens } from "./pair.ts";

/**
 * Regions scored in addition to a pair's sentences.
 *
 * `through`: both members up to and including the differing word. `alone`: the words without
 * context. `source`: the grammatical sentence with the word in the source's spelling, against the
 * normalised one.
 */
type Region = "through" | "alone" | "source";

/** Returns the id of a pair's region. */
export const regionId = (pairId: string, region: Region) => `${pairId} ${region}`;

/**
 * Makes pairs with certificates from the regions, so that they are scored like pairs.
 *
 * `through` and `alone` include the end of the word (`through` of a pair). Otherwise "grovel" would
 * be more probable than "grovels" merely as its prefix. Both members begin alike. The difference of
 * `through` is therefore that of log P(word | preceding text). The rest of the total difference is
 * that of log P(following text | all before). A word alone follows a space, except at the beginning
 * of a sentence.
 *
 * `source` is left out if the spelling is the same or the source has other word positions. Several
 * differing words form one region. A pair whose one member only lacks words has no regions.
 */
export function regionItems(items: readonly DatasetItem[]): readonly DatasetItem[] {
  return items.flatMap(({ pair, certificate }) => {
    const { grammatical, ungrammatical } = pair;
    const { index, before, from, to, after } = differingRegion(grammatical, ungrammatical);
    if (from === "" || to === "") return [];
    const space = index === 0 ? "" : " ";
    const written = whitespaceTokens(certificate.sourceSpelling);
    const source = stripPunctuation(written[index] ?? "").core;
    const isInPlace = written.length === whitespaceTokens(grammatical).length;
    const of = (region: Region, scored: Partial<DatasetItem["pair"]>): DatasetItem => (
      { certificate, pair: { ...pair, id: regionId(pair.id, region), ...scored } }
    );
    const words = { grammatical: space + from, ungrammatical: space + to };
    const other = differingRegion(ungrammatical, grammatical);
    const through = { grammatical: before + from, ungrammatical: other.before + to };
    const parts = [
      of("through", { through }),
      of("alone", { ...words, through: words, prefix: undefined }),
    ];
    if (!isInPlace || source === "" || source === from) return parts;
    const spellings = { grammatical: before + source + after, ungrammatical: grammatical };
    return [...parts, of("source", spellings)];
  });
}

/** Adds regions to likelihoods, if the same model scored them. */
export function withRegions(
  likelihoods: readonly PairLikelihood[],
  scored: readonly PairLikelihood[],
): readonly PairLikelihood[] {
  const found = new Map(scored.map((row) => [likelihoodKey(row), row]));
  return likelihoods.map((row) => {
    const [through, alone] = (["through", "alone"] as const).map((region) =>
      found.get(likelihoodKey({ ...row, pairId: regionId(row.pairId, region) }))
    );
    return through && alone ? { ...row, regions: { through, alone } } : row;
  });
}

/** Descriptions of the compared regions and of their difference. */
const REGION_WORDS = {
  word: "log-probability of the word that differs and of its end, given what precedes it",
  rest: "log-probability of what follows that word, given all before and that the word ends",
  alone: "log-probability of the word and of its end alone, without a sentence",
  in_context:
    "gain of the word by what precedes it: log P(word | what precedes) − log P(word alone)",
} as const;

type RegionComparison = keyof typeof REGION_WORDS;

/**
 * Differences of log-probability (grammatical − ungrammatical) by region, in millionths of a nat.
 *
 * Undefined if the regions were not scored. `in_context` is the difference due to the preceding
 * text. It is free of the model's preference for the word itself (pointwise mutual information;
 * Holtzman et al. 2021, EMNLP, on surface form competition).
 */
export function regionDifferences(
  row: PairLikelihood,
): Readonly<Record<RegionComparison | "total", number>> | undefined {
  if (!row.regions) return undefined;
  const lead = ({ grammatical, ungrammatical }: Members) =>
    inMillionths(grammatical) - inMillionths(ungrammatical);
  const [total, word, alone] = [lead(row), lead(row.regions.through), lead(row.regions.alone)];
  return { total, word, rest: total - word, alone, in_context: word - alone };
}

/** Counts one model's answers to one pair, at most one per order. */
export function countAnswers(answers: readonly Response[]) {
  const valid = answers.filter(({ response }) => response !== "INVALID");
  const at = (order: Response["order"]) => valid.filter((answer) => answer.order === order);
  const sayA = (some: readonly Response[]) =>
    some.filter(({ response }) => response === "A").length;
  const [atA, atB] = [at("A_gram"), at("B_gram")];
  const both = answers.length === ORDERS.length;
  const validInBoth = both && valid.length === ORDERS.length;
  const correct = answers.filter((answer) => answer.correct).length;
  return {
    answers: answers.length,
    correct,
    valid: valid.length,
    invalid: answers.length - valid.length,
    notWrong: correct + answers.length - valid.length,
    pairs: Number(both),
    rightInBoth: Number(both && correct === ORDERS.length),
    validInBoth: Number(validInBoth),
    // Right in both or wrong in both: the same sentence was chosen wherever it stood.
    sameSentence: Number(validInBoth && correct !== 1),
    answeredAWhenAtA: sayA(atA),
    validWhenAtA: atA.length,
    answeredAWhenAtB: sayA(atB),
    validWhenAtB: atB.length,
  };
}

type ForcedChoiceCounts = Readonly<ReturnType<typeof countAnswers>>;

/** Returns part / whole, undefined where the whole is 0. */
export function ratioOrUndefined(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}

/** Returns a measure that is a share: part / whole. */
export function shareStatistic<Counts>(
  name: string,
  method: string,
  part: (counts: Counts) => number,
  whole: (counts: Counts) => number,
): CountStatistic<Counts> {
  const of = (counts: Counts) => ratioOrUndefined(part(counts), whole(counts));
  return { name, method, bounds: [0, 1], of, n: whole };
}

function detection(counts: ForcedChoiceCounts) {
  const found = detectSignal({
    grammaticalAtA: { answeredA: counts.answeredAWhenAtA, n: counts.validWhenAtA },
    grammaticalAtB: { answeredA: counts.answeredAWhenAtB, n: counts.validWhenAtB },
  });
  return found.kind === "detection" ? found : undefined;
}

/**
 * Measures that need each pair in both orders. d′ and bias do not: pairs with the grammatical
 * sentence at A give the hits, the others the false alarms.
 */
export const NEED_BOTH_ORDERS: readonly string[] = ["accuracy_both_orders", "consistency"];

/** Shares: name, count of the numerator, count of the denominator, description. */
const SHARES = [
  ["accuracy", "correct", "answers", "correct / answers, invalid answers counted as not correct"],
  ["accuracy_valid", "correct", "valid", "correct / valid answers"],
  ["accuracy_upper_bound", "notWrong", "answers", "as if every invalid answer were correct"],
  ["invalid_rate", "invalid", "answers", "invalid answers / answers"],
  [
    "accuracy_both_orders",
    "rightInBoth",
    "pairs",
    "pairs right in both orders / pairs asked in both; chance 0.25",
  ],
  [
    "consistency",
    "sameSentence",
    "validInBoth",
    "pairs with the same sentence chosen in both orders / pairs valid in both",
  ],
] as const;

const validAnswers = ({ validWhenAtA, validWhenAtB }: ForcedChoiceCounts) =>
  validWhenAtA + validWhenAtB;

/**
 * Marks a model that names the same letter in both orders of every pair. Its accuracy is ½ by
 * construction.
 */
const oneLetter = (counts: ForcedChoiceCounts) =>
  counts.validInBoth > 0 && 2 * counts.validInBoth === counts.answers && counts.sameSentence === 0
    ? ONE_LETTER
    : undefined;

/** Measures of forced choice. Chance is 0.5 unless the method states another. */
export const FORCED_CHOICE_MEASURES: readonly CountStatistic<ForcedChoiceCounts>[] = [
  ...SHARES.map(([name, part, whole, method]) => ({
    ...shareStatistic(name, method, (own: ForcedChoiceCounts) => own[part], (own) => own[whole]),
    ...name.startsWith("accuracy") && whole !== "pairs" ? { constructed: oneLetter } : {},
  })),
  {
    name: "d_prime",
    method: "sensitivity d' over valid answers, log-linear correction; 0 = guessing",
    of: (counts) => detection(counts)?.dPrime,
    n: validAnswers,
  },
  {
    name: "position_bias",
    method: "-c over valid answers, log-linear correction; positive = towards A",
    of: (counts) => detection(counts)?.positionBias,
    n: validAnswers,
  },
];

/** Normalisations of a member's log-probability before the members are compared. */
export const NORMALISATIONS = ["total", "per_token", "per_byte"] as const;
type Normalisation = (typeof NORMALISATIONS)[number];
export type Preference = "grammatical" | "ungrammatical" | "tie";

/** Returns the more probable member. */
export function preference(
  { grammatical: good, ungrammatical: bad }: Pick<PairLikelihood, "grammatical" | "ungrammatical">,
  normalisation: Normalisation,
): Preference {
  const length = ({ tokens, bytes }: typeof good) =>
    normalisation === "total" ? 1 : normalisation === "per_token" ? tokens : bytes;
  // good / its length > bad / its length, crosswise: no division, no rounding.
  const difference = inMillionths(good) * length(bad) - inMillionths(bad) * length(good);
  return difference > 0 ? "grammatical" : difference < 0 ? "ungrammatical" : "tie";
}

type LikelihoodCounts = Tally<"pairs" | `${"right" | "tied"}_${Normalisation}`>;

/** Counts one model's likelihoods of one pair. */
export function countLikelihood(row: PairLikelihood): LikelihoodCounts {
  const counts = NORMALISATIONS.flatMap((one) => {
    const preferred = preference(row, one);
    const right = Number(preferred === "grammatical");
    return [[`right_${one}`, right], [`tied_${one}`, Number(preferred === "tie")]];
  });
  return { pairs: 1, ...Object.fromEntries(counts) };
}

const WORDS: Readonly<Record<Normalisation, string>> = {
  total: "total log-probability",
  per_token: "log-probability per token",
  per_byte: "log-probability per UTF-8 byte",
};

/** Returns a measure that is a share of the pairs. */
const ofPairs = <Name extends string>(name: string, method: string, part: Name) =>
  shareStatistic<Tally<Name | "pairs">>(
    name,
    method,
    (own) => own[part],
    ({ pairs }) => pairs,
  );

/** Measures of likelihoods: shares of pairs. Ties are incorrect and are also counted separately. */
export const LIKELIHOOD_MEASURES: readonly CountStatistic<LikelihoodCounts>[] = NORMALISATIONS
  .flatMap(
    (one) => {
      const right = `grammatical member has the higher ${WORDS[one]}; ties not right`;
      const tied = `pairs with equal ${WORDS[one]}`;
      return [
        ofPairs(`likelihood_accuracy_${one}`, right, `right_${one}`),
        { ...ofPairs(`likelihood_ties_${one}`, tied, `tied_${one}`), descriptive: true },
      ];
    },
  );

const COMPARISONS = Object.keys(REGION_WORDS) as readonly RegionComparison[];

type RegionCounts = Tally<"pairs" | "asAlone" | RegionComparison>;

/** Counts one pair's regions; undefined if they were not scored. */
export function countRegions(row: PairLikelihood): RegionCounts | undefined {
  const differences = regionDifferences(row);
  if (!differences) return undefined;
  const right = COMPARISONS.map((name) => [name, Number(differences[name] > 0)]);
  const asAlone = Number(Math.sign(differences.total) === Math.sign(differences.alone));
  return { pairs: 1, asAlone, ...Object.fromEntries(right) };
}

/** Name of the share of pairs with the same preference with and without the sentence. */
export const AS_ALONE = "likelihood_as_alone";

/** Measures of regions: shares of pairs. Ties are incorrect. */
export const REGION_MEASURES: readonly CountStatistic<RegionCounts>[] = [
  ...COMPARISONS.map((name) => {
    const method = `grammatical member has the higher ${REGION_WORDS[name]}; ties not right`;
    return ofPairs(`likelihood_accuracy_${name}`, method, name);
  }),
  ofPairs(
    AS_ALONE,
    "pairs whose total log-probability prefers the word that is preferred alone",
    "asAlone",
  ),
];

/** Cell of a pair in the 2 × 2 table of forced choice and likelihood. */
type AgreementCounts = Tally<"bothRight" | "onlyForcedChoice" | "onlyLikelihood" | "bothWrong">;

/**
 * Counts one pair in the 2 × 2 table. Forced choice is right if it is right in every order asked.
 * Likelihood is right if the grammatical member has the higher total log-probability; ties are
 * wrong.
 */
export function countAgreement(forcedChoice: boolean, likelihood: boolean): AgreementCounts {
  return {
    bothRight: Number(forcedChoice && likelihood),
    onlyForcedChoice: Number(forcedChoice && !likelihood),
    onlyLikelihood: Number(!forcedChoice && likelihood),
    bothWrong: Number(!forcedChoice && !likelihood),
  };
}

const size = ({ bothRight, onlyForcedChoice, onlyLikelihood, bothWrong }: AgreementCounts) =>
  bothRight + onlyForcedChoice + onlyLikelihood + bothWrong;

/**
 * Computes Cohen's κ of a 2 × 2 table (Cohen 1960).
 *
 * κ = (observed − expected) / (1 − expected). It is undefined if both modes are constant and equal.
 */
function kappaOfCounts(counts: AgreementCounts): number | undefined {
  const { bothRight, onlyForcedChoice, onlyLikelihood, bothWrong } = counts;
  const n = size(counts);
  const byChance = (bothRight + onlyForcedChoice) * (bothRight + onlyLikelihood) +
    (onlyLikelihood + bothWrong) * (onlyForcedChoice + bothWrong);
  return ratioOrUndefined((bothRight + bothWrong) * n - byChance, n * n - byChance);
}

export const AGREEMENT_MEASURES: readonly CountStatistic<AgreementCounts>[] = [{
  name: "agreement_kappa",
  method: "Cohen's kappa between forced choice (right in all orders) and total likelihood",
  bounds: [-1, 1],
  of: kappaOfCounts,
  n: size,
}];
