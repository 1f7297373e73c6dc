import type { RepeatedChecks } from "../simulation/repeated_checks.ts";
import type { RepeatedEffect } from "../simulation/repeated_sessions.ts";
import { repeatedChecksSentence } from "./checks_section.ts";
import { orderFound, type PlantedQuality } from "./recovery_section.ts";
import { coverageByEffect } from "./repeated_section.ts";
import { shown, shownNumber } from "./shown.ts";
import type { Wmt23 } from "./wmt23.ts";
import { otherMeasuresSentence } from "./wmt23_sentences.ts";

/** What {@link findingsSummary} is made from. */
export interface SummaryEvidence {
  readonly repeated: readonly RepeatedEffect[];
  readonly checks: readonly RepeatedChecks[];
  readonly qualities: readonly PlantedQuality[];
  readonly wmt23: Wmt23;
}

/** The study in a few sentences, each of which follows from its numbers. */
export function findingsSummary({ repeated, checks, qualities, wmt23 }: SummaryEvidence): string {
  return [
    orderOutcome(qualities),
    coverageOutcome(repeated),
    repeatedChecksSentence(checks),
    `Real ratings, WMT23: ${otherMeasuresSentence(wmt23)}`,
  ].filter((sentence) => sentence !== "").join(" ");
}

function orderOutcome(qualities: readonly PlantedQuality[]): string {
  const tau = orderFound(qualities);
  const whole = tau.kind === "correlation" && tau.coefficient === 1;
  return `The planted order of the demo's systems is found ${whole ? "whole" : "in part"} ` +
    `(Kendall's τ-b ${shown(tau, 2)} over ${qualities.length} systems).`;
}

function coverageOutcome(repeated: readonly RepeatedEffect[]): string {
  const shares = coverageByEffect(repeated).toSorted((a, b) => a.share - b.share);
  const [least, most] = [shares[0], shares.at(-1)];
  if (least === undefined || most === undefined) return "";
  return `Over ${
    repeated[0]!.sessions
  } simulated sessions 95 % intervals hold what was planted in ` +
    `${shownNumber(100 * least.share, 0)} to ${shownNumber(100 * most.share, 0)} %, fewest for ` +
    `${least.effect}.`;
}
