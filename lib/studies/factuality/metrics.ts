/** Views of notebook 43: examples, tables and figures. */
import type { LineSeries } from "../../figures/scatter.ts";
import { markdownTable } from "../../figures/table.ts";
import { difference, proportion, shownNumber } from "../../stats/measure.ts";
import type { Unavailable } from "../../stats/agreement.ts";
import { HIGH_UNCERTAINTY } from "../../stats/uncertainty.ts";
import type { LabelledCase } from "../../factuality/labelled_case.ts";
import { decide, isAccepted } from "../../factuality/decision.ts";
import type { ComponentRun } from "../../factuality/own/compare_components.ts";
import { judgedClaims } from "./generation/response_claims.ts";
import type { RateRow, ResponseClaimLabel, ResponseClaimRow } from "./generation/tables.ts";
import type { ClaimRating } from "../../factuality/metrics/agreement.ts";
import { balancedAccuracy, brierScore } from "../../factuality/metrics/classification.ts";
import { calibrationError } from "../../factuality/metrics/classification.ts";
import { classificationInterval, figureInterval } from "../../factuality/metrics/classification.ts";
import { shareOf } from "../../factuality/metrics/classification.ts";
import type { HallucinationProfile } from "../../factuality/metrics/profile.ts";
import { measureRatings, metricWords } from "../../factuality/metrics/profile_metrics.ts";
import { PROFILE_METRICS } from "../../factuality/metrics/profile_metrics.ts";
import type { ProfileMetricName } from "../../factuality/metrics/profile_metrics.ts";
import { type ClassifiedResponse, correctedShare } from "../../factuality/metrics/rates.ts";
import {
  type QuestionUncertainty,
  uncertaintySummaries,
  type UncertaintySummary,
} from "./uncertainty.ts";
import { VERDICT_LABELS, type VerdictLabel } from "../../factuality/types.ts";
import { decimal as written, headedTable, measureOfEstimate } from "./tables.ts";
import {
  binaryBalancedAccuracy,
  classificationsBy,
  reliabilityOf,
  responseClassifications,
} from "./training.ts";

export { written };

const LETTERS = { s: "supported", r: "refuted", n: "not enough info" } as const;

/** Example responses: four claims of which two are supported, one supported claim, and none. */
export const threeResponses = (): readonly ClassifiedResponse[] =>
  Object.entries({ first: "ssrn", second: "s", third: "" }).map(([query, labels]) => ({
    model: "example",
    query,
    cluster: query,
    abstained: false,
    claims: [...labels].map((letter, i) => {
      const label = LETTERS[letter as keyof typeof LETTERS];
      return { id: `c${i + 1}`, text: `Claim ${i + 1}.`, label };
    }),
  }));

/** Classes 1 to 5 of Fleiss' published table. */
export const FLEISS_LABELS = ["1", "2", "3", "4", "5"] as const;

/** Fleiss' counts of ratings by class: ten subjects, fourteen raters. */
const FLEISS_COUNTS = "0 0 0 0 14, 0 2 6 4 2, 0 0 3 5 6, 0 3 9 2 0, 2 2 8 1 1, " +
  "7 7 0 0 0, 3 2 6 3 0, 2 5 3 2 2, 6 5 2 1 0, 0 2 2 3 7";

/** Fleiss' table as ratings; κ = 0.210. */
export const fleissTable = () =>
  FLEISS_COUNTS.split(", ").map((counts, subject) => ({
    id: `subject ${subject + 1}`,
    labels: counts.split(" ").flatMap((n, i) => Array(Number(n)).fill(FLEISS_LABELS[i])),
  }));

export const writtenNumber = (value: number | Unavailable) =>
  typeof value === "number" ? shownNumber(value, "decimal") : `– (${value.reason})`;

type Claims = readonly ResponseClaimRow[];
type Labels = readonly ResponseClaimLabel[];

/**
 * Compares the verifier's verdicts with a reader's labels of the same claims. Claims without a
 * verdict are left out. Intervals are by question. Throws as `judgedClaims` does.
 */
export function verifierOnResponses(claims: Claims, labels: Labels) {
  const scored = judgedClaims(labels, claims).flatMap(({ cluster, label, probabilities }) =>
    probabilities === undefined ? [] : [{ cluster, truth: label as VerdictLabel, probabilities }]
  );
  const outcomes = scored.map(({ cluster, truth, probabilities }) => {
    return { cluster, truth, predicted: decide(probabilities) };
  });
  return {
    outcomes,
    accuracy: shareOf(outcomes, ({ truth, predicted }) => truth === predicted),
    balancedAccuracy: classificationInterval(VERDICT_LABELS, outcomes, balancedAccuracy),
    binaryBalancedAccuracy: binaryBalancedAccuracy(responseClassifications(labels, claims)),
  };
}

/** Confusion table: rows are the reader's labels, columns the verifier's. */
export function verdictsTable({ outcomes }: ReturnType<typeof verifierOnResponses>) {
  const rows = VERDICT_LABELS.map((truth) => {
    const ofTruth = outcomes.filter((one) => one.truth === truth);
    const counts = VERDICT_LABELS
      .map((predicted) => ofTruth.filter((one) => one.predicted === predicted).length);
    return [truth, ...counts, ofTruth.length];
  });
  return headedTable(`reader ↓ verifier → | ${VERDICT_LABELS.join(" | ")} | claims`, rows);
}

/** Number of labels that represent a user's: the first rows, a random sample. */
const FEW_LABELS = 124;

/**
 * Share of unsupported claims by system: by the verifier, by the verifier corrected with the first
 * {@link FEW_LABELS} labels (see `correctedShare`), and by the reader's labels of all claims.
 */
export function unsupportedShares(claims: Claims, labels: Labels) {
  const few = new Set(labels.slice(0, FEW_LABELS));
  return [...new Set(claims.map(({ system }) => system))].map((system) => {
    const systemLabels = labels.filter((row) => row.system === system);
    const items = judgedClaims(systemLabels, claims).flatMap(
      ({ cluster, label, probabilities }, i) => {
        if (probabilities === undefined) return [];
        const predicted = !isAccepted(probabilities.supported);
        const unsupported = label !== "supported";
        const truth = few.has(systemLabels[i]!) ? unsupported : undefined;
        return [{ cluster, predicted, unsupported, truth }];
      },
    );
    return {
      system,
      n: items.length,
      byVerifier: shareOf(items, ({ predicted }) => predicted),
      corrected: figureInterval(items, correctedShare, [-Infinity, Infinity]),
      byReader: shareOf(items, ({ unsupported }) => unsupported),
      /** Paired by claim: the verifier's share less the reader's. */
      difference: difference(items.map(({ cluster, predicted, unsupported }) => (
        { cluster, value: Number(predicted) - Number(unsupported) }
      ))),
    };
  });
}

/** Table of agreement by group of raters: κ with band, Po and Pe, α and AC1. */
export function agreementTable(
  groups: Readonly<Record<string, readonly ClaimRating[]>>,
) {
  const rows = Object.entries(groups).map(([name, ratings]) => {
    const measured = measureRatings(ratings);
    const all = [measured.fleissKappa, measured.krippendorffAlpha, measured.gwetAc1];
    return [name, ...all.map(metricWords)];
  });
  return headedTable("raters | Fleiss' κ | Krippendorff's α | Gwet's AC1", rows);
}

/** Number of bins. Ten would leave too few of some hundred claims in each. */
const DIAGRAM_BINS = 5;

type Reliability = ReturnType<typeof componentReliability>;

/** Calibration of each component's P(supported) in bins, unscored claims left out. */
export const componentReliability = (
  cases: readonly LabelledCase[],
  runs: readonly ComponentRun[],
) => runs.map((run) => reliabilityOf(run.component, classificationsBy(cases, run), DIAGRAM_BINS));

/**
 * Calibration lines, one per component: share supported by mean probability, with Wilson's 95 %
 * intervals.
 */
export const reliabilityLines = (components: Reliability): readonly LineSeries[] =>
  components.map(({ component, bins }) => ({
    label: component,
    points: bins.flatMap(({ n, meanConfidence: x, share }) => {
      if (x === undefined || share === undefined) return [];
      return { x, measure: proportion(Math.round(share * n), n) };
    }),
  }));

/** Table of each component's Brier score, calibration error and number of claims per bin. */
export function reliabilityTable(components: Reliability) {
  const rows = components.map(({ component, forecasts, bins }) => {
    const cases = forecasts.map(({ confidence: yes, right }) => {
      return { probabilities: { yes, no: 1 - yes }, truth: right ? "yes" : "no" } as const;
    });
    const scores = [brierScore(["yes", "no"], cases), calibrationError(forecasts, DIAGRAM_BINS)];
    const counts = bins.map(({ n }) => n).join(" · ");
    return [component, forecasts.length, ...scores.map(writtenNumber), counts];
  });
  return headedTable("component | claims | Brier, 0–2 | calibration error | claims by bin", rows);
}

/** Table of how well each measure of uncertainty separates wrong from right answers. */
export function separationTable(summaries: readonly UncertaintySummary[]) {
  const rows = summaries.flatMap(({ model, measures }) =>
    measures.map(({ name, meanRight, meanWrong, area, high }) => {
      const share = high.kind === "unavailable" ? undefined : written(high);
      const means = [meanRight, meanWrong].map(writtenNumber);
      return [model, name, ...means, written(area), share];
    })
  );
  const measures = `area under the curve | share above ${HIGH_UNCERTAINTY}`;
  return headedTable(`model | uncertainty | mean, right | mean, wrong | ${measures}`, rows);
}

/** Converts a table's figure to a measure. */
export const figureMeasure = (row: Pick<RateRow, "value" | "low" | "high" | "reason">) =>
  measureOfEstimate(row.value, row.low, row.high, row.reason);

/** Table of classifier and baselines on labelled answers: rows are methods, columns measures. */
export function measuredTable(rows: readonly RateRow[]) {
  const methods = Map.groupBy(rows, ({ set, method }) => JSON.stringify([set, method]));
  const [first] = methods.values();
  const cells = [...methods.values()].map((methodRows) => {
    const { set, n, abstaining, method } = methodRows[0]!;
    const answers = `${set} (${n}, ${abstaining} abstain)`;
    return [answers, method, ...methodRows.map((row) => written(figureMeasure(row)))];
  });
  const metrics = first!.map(({ measure }) => measure.replaceAll("_", " ")).join(" | ");
  return headedTable(`answers | method | ${metrics}`, cells);
}

type Profiles = readonly HallucinationProfile[];

/** Table of chosen metrics of every system, with intervals and n. */
export const metricsTable = (profiles: Profiles, names: readonly ProfileMetricName[]) =>
  markdownTable(
    ["system", ...names.map((name) => PROFILE_METRICS[name].title)],
    profiles.map(({ model, metrics }) => [model, ...names.map((n) => metricWords(metrics[n]))]),
  );

/**
 * Figures of each model's uncertainty: the probability that a wrong answer is more uncertain than a
 * right one (chance 0.5). Intervals are by country and by kind of question, since questions of one
 * kind are similar.
 */
export function doubtFigures(questions: readonly QuestionUncertainty[]) {
  const ofKinds = questions.map((one) => ({ ...one, cluster: one.kind }));
  const [byCountry, byKind] = [questions, ofKinds].map((clustered) =>
    uncertaintySummaries(clustered).map(({ measures: [total] }) => total!.area)
  );
  return [...Map.groupBy(questions, ({ model }) => model)].map(([model, ofModel], i) => ({
    model,
    n: ofModel.length,
    wrong: ofModel.filter(({ right }) => !right).length,
    byCountry: byCountry![i]!,
    byKind: byKind![i]!,
  }));
}
