import { markdownTable } from "../../../figures/markdown_table.ts";
import { cohenKappa } from "../../../stats/agreement.ts";
import { type BootstrapInterval, clusterBootstrap } from "../../../stats/intervals.ts";
import { type RandomSource, randomSource } from "../../../stats/random.ts";
import type { Unavailable } from "../../../stats/unavailable.ts";
import { accuracy, balancedAccuracy } from "../../metrics/classification.ts";
import {
  classificationInterval,
  type ClusteredOutcome,
} from "../../metrics/classification_interval.ts";
import { RESPONSE_BOOTSTRAP } from "../../metrics/response_interval.ts";
import { judgedClaims } from "../../responses/response_material.ts";
import type { ClaimLabelRow, ResponseClaimRow } from "../../responses/response_tables.ts";
import {
  VERDICT_LABELS,
  type VerdictLabel,
  type VerdictProbabilities,
} from "../../verdicts/verdict.ts";
import { mostProbable } from "../../verifiers/verdict_parts.ts";
import { writtenMeasure } from "../robustness/written_measure.ts";

type Outcome = ClusteredOutcome<VerdictLabel>;

/** How well the verifier reads what models write. */
export interface VerifierOnResponses {
  readonly outcomes: readonly Outcome[];
  readonly accuracy: BootstrapInterval | Unavailable;
  readonly balancedAccuracy: BootstrapInterval | Unavailable;
  /** Supported or not. */
  readonly binaryBalancedAccuracy: BootstrapInterval | Unavailable;
}

/**
 * The verifier's verdicts against a reader's labels of the same claims; claims without a verdict are
 * left out. Intervals resample questions. Throws as `judgedClaims` does.
 */
export function verifierOnResponses(
  claims: readonly ResponseClaimRow[],
  labels: readonly ClaimLabelRow[],
  seed: number | string,
): VerifierOnResponses {
  const scored = judgedClaims(labels, claims).flatMap(({ cluster, label, probabilities }) =>
    probabilities === undefined ? [] : [{ cluster, truth: label as VerdictLabel, probabilities }]
  );
  const outcomes = scored.map(({ probabilities, ...one }) => ({
    ...one,
    predicted: mostProbable(probabilities),
  }));
  const random = (what: string): RandomSource => randomSource(`${seed} ${what}`);
  return {
    outcomes,
    accuracy: classificationInterval(VERDICT_LABELS, outcomes, accuracy, random("accuracy")),
    balancedAccuracy: classificationInterval(
      ...[VERDICT_LABELS, outcomes, balancedAccuracy, random("balanced accuracy")] as const,
    ),
    binaryBalancedAccuracy: classificationInterval(
      ...[BINARY, scored.map(binary), balancedAccuracy, random("binary")] as const,
    ),
  };
}

const BINARY = ["supported", "not supported"] as const;

/** As everywhere: supported from P(supported) = 0.5 on. */
function binary({ cluster, truth, probabilities }: {
  readonly cluster: string;
  readonly truth: VerdictLabel;
  readonly probabilities: VerdictProbabilities;
}): ClusteredOutcome<typeof BINARY[number]> {
  const side = (supported: boolean) => supported ? "supported" : "not supported";
  return {
    cluster,
    truth: side(truth === "supported"),
    predicted: side(probabilities.supported >= 0.5),
  };
}

/** Rows: what the reader says; columns: what the verifier says. */
export function verdictsTable({ outcomes }: VerifierOnResponses): string {
  const count = (truth: VerdictLabel, predicted: VerdictLabel) =>
    outcomes.filter((one) => one.truth === truth && one.predicted === predicted).length;
  return markdownTable(
    ["reader ↓ verifier →", ...VERDICT_LABELS, "claims"],
    VERDICT_LABELS.map((truth) => [
      ...[truth, ...VERDICT_LABELS.map((predicted) => count(truth, predicted))],
      outcomes.filter((one) => one.truth === truth).length,
    ]),
  );
}

/** Claims that are not supported, of those that were labelled: by the verifier and by the reader. */
export function unsupportedTable(
  claims: readonly ResponseClaimRow[],
  labels: readonly ClaimLabelRow[],
  seed: number | string,
): string {
  const systems = [...new Set(claims.map(({ system }) => system))];
  return markdownTable(
    ["system", "claims labelled", "unsupported by the verifier", "unsupported by the reader"],
    systems.map((system) => {
      const own = labels.filter((row) => row.system === system);
      const { outcomes } = verifierOnResponses(claims, own, seed);
      const share = (who: "truth" | "predicted") => {
        const items = outcomes.map((one) => ({
          cluster: one.cluster,
          value: one[who] !== "supported",
        }));
        const statistic = (drawn: readonly boolean[]) =>
          drawn.length === 0 ? undefined : drawn.filter(Boolean).length / drawn.length;
        const random = randomSource(`${seed} ${system} ${who}`);
        return written(clusterBootstrap({ items, statistic, ...RESPONSE_BOOTSTRAP, random }));
      };
      return [system, outcomes.length, share("predicted"), share("truth")];
    }),
  );
}

const written = (figure: BootstrapInterval | Unavailable) => writtenMeasure(figure, "decimal");

/** The three figures in a sentence. */
export function verdictsSentence(found: VerifierOnResponses): string {
  return `On ${found.outcomes.length} claims that models made the verifier gives the reader's label ` +
    `in a share of ${written(found.accuracy)}; its balanced accuracy is ` +
    `${written(found.balancedAccuracy)} for the three labels and ` +
    `${written(found.binaryBalancedAccuracy)} for supported or not.`;
}

/** Of the claims that the sources refute, how many the verifier took for supported. */
export function missedSentence({ outcomes }: VerifierOnResponses): string {
  const refuted = outcomes.filter(({ truth }) => truth === "refuted");
  const missed = refuted.filter(({ predicted }) => predicted === "supported");
  return `Of ${refuted.length} claims that the knowledge base refutes it took ${missed.length} for ` +
    "supported: rates of hallucination by its word are too low, by more for some systems than for " +
    "others.";
}

/** How far two readers agree: Cohen's κ over all labelled claims. */
export function readersSentence(labels: readonly ClaimLabelRow[]): string {
  const found = cohenKappa(
    labels.map(({ label }) => label),
    labels.map(({ second_label }) => second_label),
  );
  const kappa = found.kind === "unavailable" ? `unknown (${found.reason})` : found.kappa.toFixed(2);
  const same = labels.filter(({ label, second_label }) => label === second_label).length;
  return `A second reader, blind to verdicts and labels, gave the same label to ${same} of ` +
    `${labels.length} claims (κ ${kappa}).`;
}
