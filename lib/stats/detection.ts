import { type Unavailable, unavailable } from "./agreement.ts";
import { normalQuantile } from "./intervals.ts";

/** How often "A" was answered, apart by the place of the grammatical sentence. Invalid answers are left out. */
export interface TwoOrderAnswers {
  /** Valid answers where the grammatical sentence stood at A, and how many of them were "A". */
  readonly grammaticalAtA: { readonly answeredA: number; readonly n: number };
  /** Valid answers where it stood at B, and how many of them were "A". */
  readonly grammaticalAtB: { readonly answeredA: number; readonly n: number };
}

/** A judge's sensitivity to grammar, apart from its liking for a position. */
interface Detection {
  readonly kind: "detection";
  /** P("A" | A is grammatical), after the log-linear correction. */
  readonly hitRate: number;
  /** P("A" | B is grammatical), after the log-linear correction. */
  readonly falseAlarmRate: number;
  /** Sensitivity in standard deviations; 0 = guessing, negative = prefers the ungrammatical. */
  readonly dPrime: number;
  /** Criterion c in standard deviations; 0 = none, **negative = towards A** (a low bar for A). */
  readonly criterion: number;
  /** The same with its sign turned, −c: **positive = towards A**. The one to plot. */
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
  const hitRate = logLinear(grammaticalAtA);
  const falseAlarmRate = logLinear(grammaticalAtB);
  return { kind: "detection", hitRate, falseAlarmRate, ...fromRates(hitRate, falseAlarmRate) };
}

/**
 * d′ = (z(H) − z(F)) / √2 and c = −½ (z(H) + z(F)) from uncorrected rates; the √2 is there because
 * two alternatives give two looks (Macmillan & Creelman 2005, Detection Theory, ch. 7).
 *
 * Throws RangeError for a rate of 0 or 1.
 */
export function fromRates(
  hitRate: number,
  falseAlarmRate: number,
): Pick<Detection, "dPrime" | "criterion" | "positionBias"> {
  const [hit, falseAlarm] = [normalQuantile(hitRate), normalQuantile(falseAlarmRate)];
  const positionBias = (hit + falseAlarm) / 2;
  // 0 − x rather than −x: no bias is 0, not the −0 that a table would print as "-0.00".
  return { dPrime: (hit - falseAlarm) / Math.SQRT2, criterion: 0 - positionBias, positionBias };
}

function logLinear({ answeredA, n }: { readonly answeredA: number; readonly n: number }): number {
  return (answeredA + 0.5) / (n + 1);
}
