import { type Unavailable, unavailable } from "./agreement.ts";
import { normalQuantile } from "./distributions.ts";

/**
 * Counts of the answer "A" by the position of the grammatical sentence. Invalid answers are left
 * out.
 */
export interface TwoOrderAnswers {
  /** Answers with the grammatical sentence at A: number of "A", and n valid ones. */
  readonly grammaticalAtA: { readonly answeredA: number; readonly n: number };
  /** Answers with the grammatical sentence at B: number of "A", and n valid ones. */
  readonly grammaticalAtB: { readonly answeredA: number; readonly n: number };
}

/** A judge's sensitivity to grammar, apart from its liking for a position. */
interface Detection {
  readonly kind: "detection";
  /** Sensitivity in standard deviations; 0 = guessing, negative = prefers the ungrammatical. */
  readonly dPrime: number;
  /** Criterion c in standard deviations with its sign turned: 0 = none, **positive = towards A**. */
  readonly positionBias: number;
}

/**
 * Signal detection for a two-alternative forced choice asked in both orders.
 *
 * Rates are corrected log-linearly, (count + 0.5) / (n + 1), whatever they are, so that 0 and 1 keep
 * a finite z (Hautus 1995, Behav. Res. Methods 27, 46–51). Unavailable when one order has no answer.
 *
 * Throws RangeError unless 0 ≤ answeredA ≤ n in whole numbers.
 */
export function detectSignal(answers: TwoOrderAnswers): Detection | Unavailable {
  const { grammaticalAtA, grammaticalAtB } = answers;
  for (const { answeredA, n } of [grammaticalAtA, grammaticalAtB]) {
    if (!Number.isInteger(n) || !Number.isInteger(answeredA) || answeredA < 0 || answeredA > n) {
      throw new RangeError(`Cannot detect a signal: ${answeredA} answers "A" of ${n}.`);
    }
  }
  if (grammaticalAtA.n === 0) return unavailable("no answer with the grammatical sentence at A");
  if (grammaticalAtB.n === 0) return unavailable("no answer with the grammatical sentence at B");
  const rates = dPrimeFromRates(logLinear(grammaticalAtA), logLinear(grammaticalAtB));
  return { kind: "detection", ...rates };
}

/**
 * Computes d′ and the criterion c from uncorrected hit and false-alarm rates.
 *
 * d′ = (z(H) − z(F)) / √2 and c = −½ (z(H) + z(F)); the √2 is there because two alternatives give
 * two looks (Macmillan & Creelman 2005, Detection Theory, ch. 7).
 *
 * Throws RangeError for a rate of 0 or 1.
 */
export function dPrimeFromRates(
  hitRate: number,
  falseAlarmRate: number,
): Omit<Detection, "kind"> {
  const [hit, falseAlarm] = [normalQuantile(hitRate), normalQuantile(falseAlarmRate)];
  return { dPrime: (hit - falseAlarm) / Math.SQRT2, positionBias: (hit + falseAlarm) / 2 };
}

function logLinear({ answeredA, n }: { readonly answeredA: number; readonly n: number }): number {
  return (answeredA + 0.5) / (n + 1);
}
