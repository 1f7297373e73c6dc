/**
 * Counts one model's results on one pair, and defines the measures of such counts.
 *
 * First come the regions of a pair: the part of the sentence in which a model finds one member the
 * more probable, at the word that differs or in what follows, and whether it would without the
 * sentence.
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
 * Regions scored besides the sentences of a pair.
 *
 * Both members `through` the word that differs, the words `alone`, and the grammatical sentence
 * with its word in the `source`'s spelling against the normalised.
 */
type Region = "through" | "alone" | "source";

/** Id under which a region is scored, next to its pair's own id. */
export const regionId = (pairId: string, region: Region) => `${pairId} ${region}`;

/**
 * Makes the regions as pairs with certificates, so that they are scored and addressed as pairs are.
 * `through` and `alone` are scored with the end of the word (`through` of a pair), so that “grovel”
 * is not more probable than “grovels” only because it begins it. Without the common beginning of
 * both members, log P(word | what precedes) differs between them as the log-probabilities through
 * the word do, and log P(what follows | all before, the word's end included) by the rest of the
 * difference. The word alone follows a space, as in the sentence; one at the beginning does not.
 * `source` is left out where the spelling is the same or the word is not in the source's place.
 * Where several words differ they are one region; a pair whose one member only lacks words of the
 * other has none.
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

/** Joins likelihoods with the regions of their pairs, where the same model scored those. */
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

/** Parts by which the members of a pair are compared, and the difference in words. */
const REGION_WORDS = {
  word: "log-probability of the word that differs and of its end, given what precedes it",
  rest: "log-probability of what follows that word, given all before and that the word ends",
  alone: "log-probability of the word and of its end alone, without a sentence",
  in_context:
    "gain of the word by what precedes it: log P(word | what precedes) − log P(word alone)",
} as const;

type RegionComparison = keyof typeof REGION_WORDS;

/**
 * Differences of log-probability, grammatical − ungrammatical, by region, in millionths of a nat.
 *
 * Nothing where the regions were not scored. `in_context` is the difference due to the preceding
 * words without the model's preference for the word itself (pointwise mutual information; Holtzman
 * et al. 2021, EMNLP, on the competition of surface forms).
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

/** Counts that one model's answers to one pair, at most one per order, add to every measure. */
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

/** A measure that is a share of what it counts. */
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
 * Measures of one pair in two orders. d' and bias are not among them: asked in one order a pair, the
 * pairs with the grammatical sentence at A give the hits, the others the false alarms.
 */
export const NEED_BOTH_ORDERS: readonly string[] = ["accuracy_both_orders", "consistency"];

/** Shares: the count of what is right, that of what was asked, and both in words. */
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
 * Constructed value of a model that names one letter in both orders of every pair: half are right.
 */
const oneLetter = (counts: ForcedChoiceCounts) =>
  counts.validInBoth > 0 && 2 * counts.validInBoth === counts.answers && counts.sameSentence === 0
    ? ONE_LETTER
    : undefined;

/** Measures of forced choices. Chance is 0.5 except where the method says otherwise. */
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

/** By what a member's log-probability is divided before the members are compared. */
export const NORMALISATIONS = ["total", "per_token", "per_byte"] as const;
type Normalisation = (typeof NORMALISATIONS)[number];
export type Preference = "grammatical" | "ungrammatical" | "tie";

/** Preferred member: the more probable one. */
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

/** Counts that one model's likelihoods of one pair add to every measure. */
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

/** A share of pairs, whose counts name them. */
const ofPairs = <Name extends string>(name: string, method: string, part: Name) =>
  shareStatistic<Tally<Name | "pairs">>(
    name,
    method,
    (own) => own[part],
    ({ pairs }) => pairs,
  );

/** Measures of likelihoods: shares of pairs; a tie is not right and is counted on its own. */
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

/** Counts that the regions of one pair add to every measure; undefined where not scored. */
export function countRegions(row: PairLikelihood): RegionCounts | undefined {
  const differences = regionDifferences(row);
  if (!differences) return undefined;
  const right = COMPARISONS.map((name) => [name, Number(differences[name] > 0)]);
  const asAlone = Number(Math.sign(differences.total) === Math.sign(differences.alone));
  return { pairs: 1, asAlone, ...Object.fromEntries(right) };
}

/** Share of pairs where the model also prefers the same word without the sentence. */
export const AS_ALONE = "likelihood_as_alone";

/** Measures of the regions: shares of pairs; a tie is not right. */
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

/** Cell of one pair in the 2 × 2 table of a model's two modes. */
type AgreementCounts = Tally<"bothRight" | "onlyForcedChoice" | "onlyLikelihood" | "bothWrong">;

/**
 * Counts one pair: whether forced choice was right in every order asked, and whether the
 * grammatical member has the higher total log-probability (a tie is not right).
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
 * (observed − expected) / (1 − expected); undefined where both modes give the same throughout.
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
