import type { Measure } from "./clustered_statistic.ts";
import type { Tally } from "./tally.ts";

type Count = "bothRight" | "onlyForcedChoice" | "onlyLikelihood" | "bothWrong";

/** One pair's place in the 2 × 2 table of a model's two modes. */
export type AgreementCounts = Tally<Count>;

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
