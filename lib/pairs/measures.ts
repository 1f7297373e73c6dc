/** What one model gives one pair, counted, and the measures that are made of such counts. */
import { detectSignal } from "../stats/detection.ts";
import { LOGPROB_DECIMALS, type PairLikelihood, type Response } from "./answers.ts";
import type { Measure, Tally } from "./clustered.ts";
import { ORDERS } from "./forced_choice.ts";

type Count =
  | "answers"
  | "correct"
  | "invalid"
  | "pairs"
  | "rightInBoth"
  | "validInBoth"
  | "sameSentence"
  | "answeredAWhenAtA"
  | "validWhenAtA"
  | "answeredAWhenAtB"
  | "validWhenAtB";

/** What one model's answers to one pair add to every measure. */
type ForcedChoiceCounts = Tally<Count>;

/** Counts the answers of one model to one pair: at most one of each order. */
export function countAnswers(answers: readonly Response[]): ForcedChoiceCounts {
  const count = (test: (answer: Response) => boolean) => answers.filter(test).length;
  const valid = answers.filter(({ response }) => response !== "INVALID");
  const isA = ({ response }: Response) => response === "A";
  const atA = valid.filter(({ order }) => order === "A_gram");
  const atB = valid.filter(({ order }) => order === "B_gram");
  const both = answers.length === ORDERS.length;
  const validInBoth = both && valid.length === ORDERS.length;
  const correct = count((answer) => answer.correct);
  return {
    answers: answers.length,
    correct,
    invalid: answers.length - valid.length,
    pairs: Number(both),
    rightInBoth: Number(both && correct === ORDERS.length),
    validInBoth: Number(validInBoth),
    // Right in both or wrong in both: the same sentence was chosen wherever it stood.
    sameSentence: Number(validInBoth && correct !== 1),
    answeredAWhenAtA: atA.filter(isA).length,
    validWhenAtA: atA.length,
    answeredAWhenAtB: atB.filter(isA).length,
    validWhenAtB: atB.length,
  };
}

/** A share, or nothing of nothing. */
export function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
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

/** What forced choices are measured by. Chance is 0.5 except where the method says otherwise. */
export const FORCED_CHOICE_MEASURES: readonly Measure<ForcedChoiceCounts>[] = [
  {
    name: "accuracy",
    isShare: true,
    method: "correct / answers, invalid answers counted as not correct",
    of: ({ correct, answers }) => share(correct, answers),
    n: ({ answers }) => answers,
  },
  {
    name: "accuracy_valid",
    isShare: true,
    method: "correct / valid answers",
    of: ({ correct, answers, invalid }) => share(correct, answers - invalid),
    n: ({ answers, invalid }) => answers - invalid,
  },
  {
    name: "accuracy_upper_bound",
    isShare: true,
    method: "as if every invalid answer were correct",
    of: ({ correct, invalid, answers }) => share(correct + invalid, answers),
    n: ({ answers }) => answers,
  },
  {
    name: "invalid_rate",
    isShare: true,
    method: "invalid answers / answers",
    of: ({ invalid, answers }) => share(invalid, answers),
    n: ({ answers }) => answers,
  },
  {
    name: "accuracy_both_orders",
    isShare: true,
    method: "pairs right in both orders / pairs asked in both; chance 0.25",
    of: ({ rightInBoth, pairs }) => share(rightInBoth, pairs),
    n: ({ pairs }) => pairs,
  },
  {
    name: "consistency",
    isShare: true,
    method: "pairs with the same sentence chosen in both orders / pairs valid in both",
    of: ({ sameSentence, validInBoth }) => share(sameSentence, validInBoth),
    n: ({ validInBoth }) => validInBoth,
  },
  {
    name: "d_prime",
    method: "sensitivity d' over valid answers, log-linear correction; 0 = guessing",
    of: (counts) => detection(counts)?.dPrime,
    n: ({ validWhenAtA, validWhenAtB }) => validWhenAtA + validWhenAtB,
  },
  {
    name: "position_bias",
    method: "-c over valid answers, log-linear correction; positive = towards A",
    of: (counts) => detection(counts)?.positionBias,
    n: ({ validWhenAtA, validWhenAtB }) => validWhenAtA + validWhenAtB,
  },
];

/** By what a member's log-probability is divided before the members are compared. */
export const NORMALISATIONS = ["total", "per_token", "per_byte"] as const;
type Normalisation = (typeof NORMALISATIONS)[number];
export type Preference = "grammatical" | "ungrammatical" | "tie";

/** Which member is the more probable; compared in whole numbers, so that a tie is exact. */
export function preference(
  { grammatical, ungrammatical }: Pick<PairLikelihood, "grammatical" | "ungrammatical">,
  normalisation: Normalisation,
): Preference {
  const units = (nats: number) => Math.round(nats * 10 ** LOGPROB_DECIMALS);
  const lengths = {
    total: [1, 1],
    per_token: [grammatical.tokens, ungrammatical.tokens],
    per_byte: [grammatical.bytes, ungrammatical.bytes],
  } as const;
  const [good, bad] = lengths[normalisation];
  // g / good > u / bad, crosswise: no division, no rounding.
  const difference = units(grammatical.logProbability) * bad -
    units(ungrammatical.logProbability) * good;
  return difference > 0 ? "grammatical" : difference < 0 ? "ungrammatical" : "tie";
}

type LikelihoodCount = "pairs" | `${"right" | "tied"}_${Normalisation}`;
type LikelihoodCounts = Tally<LikelihoodCount>;

/** What one model's likelihoods of one pair add to every measure. */
export function countLikelihood(row: PairLikelihood): LikelihoodCounts {
  const is = (wanted: Preference, normalisation: Normalisation) =>
    Number(preference(row, normalisation) === wanted);
  return {
    pairs: 1,
    right_total: is("grammatical", "total"),
    right_per_token: is("grammatical", "per_token"),
    right_per_byte: is("grammatical", "per_byte"),
    tied_total: is("tie", "total"),
    tied_per_token: is("tie", "per_token"),
    tied_per_byte: is("tie", "per_byte"),
  };
}

const WORDS: Readonly<Record<Normalisation, string>> = {
  total: "total log-probability",
  per_token: "log-probability per token",
  per_byte: "log-probability per UTF-8 byte",
};

/** What likelihoods are measured by: shares of pairs; a tie is not right and is counted by itself. */
export const LIKELIHOOD_MEASURES: readonly Measure<LikelihoodCounts>[] = NORMALISATIONS.flatMap(
  (normalisation) => [
    {
      name: `likelihood_accuracy_${normalisation}`,
      method: `grammatical member has the higher ${WORDS[normalisation]}; ties not right`,
      of: (counts: LikelihoodCounts) => share(counts[`right_${normalisation}`], counts.pairs),
      n: ({ pairs }: LikelihoodCounts) => pairs,
      isShare: true,
    },
    {
      name: `likelihood_ties_${normalisation}`,
      method: `pairs with equal ${WORDS[normalisation]}`,
      of: (counts: LikelihoodCounts) => share(counts[`tied_${normalisation}`], counts.pairs),
      n: ({ pairs }: LikelihoodCounts) => pairs,
      descriptive: true,
    },
  ],
);

type AgreementCount = "bothRight" | "onlyForcedChoice" | "onlyLikelihood" | "bothWrong";

/** One pair's place in the 2 × 2 table of a model's two modes. */
type AgreementCounts = Tally<AgreementCount>;

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
 * Cohen's κ of a 2 × 2 table, (observed − expected) / (1 − expected) (Cohen 1960); nothing where
 * both modes say the same throughout. On counts the same as `cohenKappa` on labels.
 */
export function kappaOfCounts(counts: AgreementCounts): number | undefined {
  const { bothRight, onlyForcedChoice, onlyLikelihood, bothWrong } = counts;
  const n = size(counts);
  const byChance = (bothRight + onlyForcedChoice) * (bothRight + onlyLikelihood) +
    (onlyLikelihood + bothWrong) * (onlyForcedChoice + bothWrong);
  return n * n === byChance ? undefined : ((bothRight + bothWrong) * n - byChance) /
    (n * n - byChance);
}

/** How far a model's two modes agree on the same pairs. */
export const AGREEMENT_MEASURES: readonly Measure<AgreementCounts>[] = [
  {
    name: "agreement_kappa",
    method: "Cohen's kappa between forced choice (right in all orders) and total likelihood",
    of: kappaOfCounts,
    n: size,
  },
];
