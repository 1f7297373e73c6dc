/** What notebook 43 shows of metrics, raters, uncertainty and abstention: tables and figures. */
import { stripPlot } from "../../figures/dots.ts";
import type { Figure } from "../../figures/frame.ts";
import { heatmap } from "../../figures/heat.ts";
import type { Line } from "../../figures/lines.ts";
import { markdownTable, type TableCell } from "../../figures/table.ts";
import { type Measure, PALETTE, writeNumber, writtenMeasure } from "../../figures/theme.ts";
import {
  agreementBand,
  cohenKappa,
  type RatedItem,
  type Unavailable,
} from "../../stats/agreement.ts";
import { type BootstrapInterval, wilsonInterval } from "../../stats/intervals.ts";
import { fleissKappa } from "../../stats/multirater.ts";
import { randomSource } from "../../stats/random.ts";
import { HIGH_UNCERTAINTY } from "../../stats/uncertainty.ts";
import type { LabelledCase } from "../datasets/labelled_case.ts";
import { decide, isAccepted } from "../decision.ts";
import type { ComponentRun } from "../evaluate/compare_components.ts";
import type { MatcherAccuracy } from "../generation/claim_matching.ts";
import { judgedClaims } from "../generation/response_claims.ts";
import type {
  AbstentionRate,
  MeasuredRow,
  ResponseClaimLabel,
  ResponseClaimRow,
} from "../generation/tables.ts";
import {
  type agreementOfPairs,
  type ClaimRating,
  measureRatings,
  ratedItems,
  RATING_LABELS,
} from "../metrics/agreement.ts";
import {
  accuracy,
  balancedAccuracy,
  brierScore,
  calibrationError,
  type Forecast,
  type ReliabilityBin,
  reliabilityBins,
} from "../metrics/classification.ts";
import { classificationInterval, type Clustered, figureInterval } from "../metrics/intervals.ts";
import type { HallucinationProfile } from "../metrics/profile.ts";
import {
  metricWords,
  PROFILE_METRICS,
  type ProfileMetricName,
} from "../metrics/profile_metrics.ts";
import type { ClassifiedResponse } from "../metrics/rates.ts";
import type { QuestionUncertainty, UncertaintySummary } from "../metrics/uncertainty.ts";
import { VERDICT_LABELS, type VerdictLabel } from "../types.ts";
import { measureOf } from "./tables.ts";

/** Four claims of which two are supported; one supported claim; none. */
export function threeResponses(): readonly ClassifiedResponse[] {
  const response = (query: string, labels: readonly VerdictLabel[]): ClassifiedResponse => ({
    model: "example",
    query,
    cluster: query,
    abstained: false,
    claims: labels.map((label, i) => ({ id: `c${i + 1}`, text: `Claim ${i + 1}.`, label })),
  });
  return [
    response("first", ["supported", "supported", "refuted", "not enough info"]),
    response("second", ["supported"]),
    response("third", []),
  ];
}

/** Classes 1 to 5 of the published table. */
export const FLEISS_LABELS = ["1", "2", "3", "4", "5"] as const;

/** Ten subjects, fourteen raters: how many put each into which class. */
const FLEISS_COUNTS = [
  [0, 0, 0, 0, 14],
  [0, 2, 6, 4, 2],
  [0, 0, 3, 5, 6],
  [0, 3, 9, 2, 0],
  [2, 2, 8, 1, 1],
  [7, 7, 0, 0, 0],
  [3, 2, 6, 3, 0],
  [2, 5, 3, 2, 2],
  [6, 5, 2, 1, 0],
  [0, 2, 2, 3, 7],
] as const;

/** The table as ratings; κ = 0.210. */
export function fleissTable(): readonly RatedItem<typeof FLEISS_LABELS[number]>[] {
  return FLEISS_COUNTS.map((counts, subject) => ({
    id: `subject ${subject + 1}`,
    labels: counts.flatMap((count, label) => Array(count).fill(FLEISS_LABELS[label])),
  }));
}

/** A measure as it is written in a table or a sentence. */
export const written = (figure: Measure | BootstrapInterval) => writtenMeasure(figure, "decimal");
const writtenNumber = (value: number | Unavailable) =>
  typeof value === "number" ? writeNumber(value, "decimal") : `– (${value.reason})`;

/** A table whose columns are the keys of its rows. */
function tableOf(rows: readonly Readonly<Record<string, TableCell>>[]): string {
  return markdownTable(Object.keys(rows[0] ?? {}), rows.map((row) => Object.values(row)));
}

interface Outcome extends Clustered {
  readonly truth: VerdictLabel;
  readonly predicted: VerdictLabel;
}

/** How well the verifier reads what models write. */
type VerifierOnResponses = ReturnType<typeof verifierOnResponses>;

/**
 * The verifier's verdicts against a reader's labels of the same claims; claims without a verdict are
 * left out. Intervals resample questions. Throws as `judgedClaims` does.
 */
export function verifierOnResponses(
  claims: readonly ResponseClaimRow[],
  labels: readonly ResponseClaimLabel[],
  seed: number | string,
) {
  const scored = judgedClaims(labels, claims).flatMap(({ cluster, label, probabilities }) =>
    probabilities === undefined ? [] : [{ cluster, truth: label as VerdictLabel, probabilities }]
  );
  const outcomes = scored.map(({ probabilities, ...one }) => ({
    ...one,
    predicted: decide(probabilities),
  }));
  const side = (supported: boolean) => supported ? "supported" : "not supported";
  const binary = scored.map(({ cluster, truth, probabilities }) => ({
    cluster,
    truth: side(truth === "supported"),
    predicted: side(isAccepted(probabilities.supported)),
  } as const));
  const onLabels = (measure: typeof accuracy<VerdictLabel>, what: string) =>
    classificationInterval(VERDICT_LABELS, outcomes, measure, randomSource(`${seed} ${what}`));
  return {
    outcomes,
    accuracy: onLabels(accuracy, "accuracy"),
    balancedAccuracy: onLabels(balancedAccuracy, "balanced accuracy"),
    binaryBalancedAccuracy: classificationInterval(
      RATING_LABELS,
      binary,
      balancedAccuracy,
      randomSource(`${seed} binary`),
    ),
  };
}

/** Rows: what the reader says; columns: what the verifier says. */
export function verdictsTable({ outcomes }: VerifierOnResponses): string {
  return tableOf(VERDICT_LABELS.map((truth) => {
    const own = outcomes.filter((one) => one.truth === truth);
    const counts = VERDICT_LABELS.map((predicted) =>
      [predicted, own.filter((one) => one.predicted === predicted).length] as const
    );
    return {
      "reader ↓ verifier →": truth,
      ...Object.fromEntries(counts),
      claims: own.length,
    };
  }));
}

/** Claims that are not supported, of those that were labelled: by the verifier and by the reader. */
export function unsupportedTable(
  claims: readonly ResponseClaimRow[],
  labels: readonly ResponseClaimLabel[],
  seed: number | string,
): string {
  return tableOf([...new Set(claims.map(({ system }) => system))].map((system) => {
    const own = labels.filter((row) => row.system === system);
    const { outcomes } = verifierOnResponses(claims, own, seed);
    const share = (who: "truth" | "predicted") => {
      const random = randomSource(`${seed} ${system} ${who}`);
      const statistic = (drawn: readonly Outcome[]) =>
        drawn.filter((one) => one[who] !== "supported").length / drawn.length;
      return written(figureInterval(outcomes, statistic, random));
    };
    return {
      system,
      "claims labelled": outcomes.length,
      "unsupported by the verifier": share("predicted"),
      "unsupported by the reader": share("truth"),
    };
  }));
}

/** How far two readers of claims agree: claims with one label, and Cohen's κ. */
export function readersOfClaims(labels: readonly ResponseClaimLabel[]) {
  const found = cohenKappa(
    labels.map(({ label }) => label),
    labels.map(({ second_label }) => second_label),
  );
  const kappa: Measure = found.kind === "unavailable"
    ? found
    : { kind: "value", estimate: found.kappa };
  return { same: labels.filter((row) => row.label === row.second_label).length, kappa };
}

/** Matchers side by side. */
export function matchersTable(measured: readonly MatcherAccuracy[]): string {
  return tableOf(measured.map(({ matcher, directions, entailments, precision, recall }) => ({
    matcher,
    directions,
    "entailments by the reader": entailments,
    precision: written(precision),
    recall: written(recall),
  })));
}

/** κ of Fleiss with Po, Pe and its band, α and AC1 of several groups of raters, with intervals. */
export function agreementTable(
  groups: Readonly<Record<string, readonly ClaimRating[]>>,
  seed: number,
): string {
  return tableOf(
    Object.entries(groups).map(([name, ratings]) => {
      const randomOf = (metric: string) => randomSource(`${seed} ${name} ${metric}`);
      const found = measureRatings(ratings, RATING_LABELS, randomOf);
      // Po and Pe over the claims that every rater rated, as κ is.
      const { raters, whole } = ratedItems(ratings);
      const fleiss = raters < 2 || whole.length === 0
        ? undefined
        : fleissKappa<string>(whole, RATING_LABELS);
      return {
        raters: name,
        "Fleiss' κ": metricWords(found.fleissKappa),
        Po: fleiss?.observed?.toFixed(2) ?? "–",
        Pe: fleiss?.expected?.toFixed(2) ?? "–",
        band: fleiss?.kind === "fleiss" ? agreementBand(fleiss.kappa) : "–",
        "Krippendorff's α": metricWords(found.krippendorffAlpha),
        "Gwet's AC1": metricWords(found.gwetAc1),
      };
    }),
  );
}

/** Columns are named by letters: the names of raters are too long for them. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Cohen's κ of every two raters. Throws RangeError without raters. */
export function pairsFigure({ raters, cells }: ReturnType<typeof agreementOfPairs>): Figure {
  return heatmap({
    title: "Do raters agree about claims?",
    subtitle: "Cohen's κ of every two: 1 full agreement, 0 as by chance",
    alt: `Cohen's kappa of every two of ${raters.join(", ")}.`,
    rows: raters.map((rater, i) => `${LETTERS[i]} ${rater}`),
    columns: raters.map((_, i) => LETTERS[i]!),
    cells,
    scale: { domain: [-1, 1], centre: 0 },
    format: "decimal",
    scaleLabel: "Cohen's κ",
  });
}

/** With some hundred claims ten bins would have too few claims each. */
const DIAGRAM_BINS = 5;

/** How far a component's probabilities of "supported" come true. */
interface ComponentReliability {
  readonly component: string;
  readonly forecasts: readonly Forecast[];
  readonly bins: readonly ReliabilityBin[];
}

/** Each component's probabilities of "supported" in bins, claims without a score left out. */
export function componentReliability(
  cases: readonly LabelledCase[],
  runs: readonly ComponentRun[],
): readonly ComponentReliability[] {
  return runs.map(({ component, answers }) => {
    const forecasts = cases.flatMap(({ id, label }): Forecast[] => {
      const confidence = answers.get(id)?.supported;
      return confidence === undefined ? [] : [{ confidence, right: label === "supported" }];
    });
    return { component, forecasts, bins: reliabilityBins(forecasts, DIAGRAM_BINS) };
  });
}

/** A line a component: share supported over mean probability, with Wilson's 95 % intervals. */
export function reliabilityLines(components: readonly ComponentReliability[]): readonly Line[] {
  return components.map(({ component, bins }) => ({
    label: component,
    points: bins.flatMap(({ n, meanConfidence, share }) => {
      if (meanConfidence === undefined || share === undefined) return [];
      return [{ x: meanConfidence, measure: wilsonInterval(Math.round(share * n), n, 0.95) }];
    }),
  }));
}

/** Brier's score and the calibration error of each, and how many claims fell into each bin. */
export function reliabilityTable(components: readonly ComponentReliability[]): string {
  return tableOf(components.map(({ component, forecasts, bins }) => {
    const cases = forecasts.map(({ confidence, right }) => ({
      probabilities: { yes: confidence, no: 1 - confidence },
      truth: right ? "yes" as const : "no" as const,
    }));
    return {
      component,
      claims: forecasts.length,
      "Brier, 0–2": writtenNumber(brierScore(["yes", "no"], cases)),
      "calibration error": writtenNumber(calibrationError(forecasts, DIAGRAM_BINS)),
      "claims by bin": bins.map(({ n }) => n).join(" · "),
    };
  }));
}

/** How good the answers are, model by model. */
export function answersTable(summaries: readonly UncertaintySummary[]): string {
  return tableOf(summaries.map((one) => ({
    model: one.model,
    questions: one.questions,
    countries: one.clusters,
    "thoughts each": one.samples,
    accuracy: written(one.accuracy),
    Brier: written(one.brier),
    "calibration error": writtenNumber(one.calibrationError),
  })));
}

/** Whether each measure tells a model's wrong answers from its right ones. */
export function separationTable(summaries: readonly UncertaintySummary[]): string {
  return tableOf(
    summaries.flatMap(({ model, measures }) =>
      measures.map(({ name, meanRight, meanWrong, area, high }) => ({
        model,
        uncertainty: name,
        "mean, right": writtenNumber(meanRight),
        "mean, wrong": writtenNumber(meanWrong),
        "area under the curve": written(area),
        [`share above ${HIGH_UNCERTAINTY}`]: high.kind === "unavailable"
          ? undefined
          : written(high),
      }))
    ),
  );
}

/** Right answers and mean total uncertainty by kind of question: where a model is wrong for certain. */
export function kindsTable(questions: readonly QuestionUncertainty[]): string {
  const groups = Map.groupBy(questions, ({ model, kind }) => JSON.stringify([kind, model]));
  const sorted = [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return tableOf(sorted.map(([, own]) => {
    const totals = totalsOf(own);
    const mean = totals.reduce((a, b) => a + b, 0) / totals.length;
    return {
      "questions about": own[0]!.kind,
      model: own[0]!.model,
      answers: own.length,
      right: own.filter(({ right }) => right).length,
      "mean total uncertainty": totals.length === 0 ? undefined : writeNumber(mean, "decimal"),
    };
  }));
}

const totalsOf = (questions: readonly QuestionUncertainty[]) =>
  questions.flatMap(({ byEntropy }) =>
    byEntropy.kind === "uncertainty" ? [byEntropy.normalised.total] : []
  );

/** Every answer's total uncertainty by entropy, right and wrong ones apart. */
export function uncertaintyFigure(questions: readonly QuestionUncertainty[]): Figure {
  const rows = [...Map.groupBy(questions, ({ model }) => model)].flatMap(([group, own]) =>
    [true, false].map((right) => ({
      group,
      label: right ? "right" : "wrong",
      values: totalsOf(own.filter((question) => question.right === right)),
      color: right ? PALETTE.blue : PALETTE.orange,
    }))
  );
  return stripPlot({
    title: "Uncertainty of right and wrong answers",
    subtitle: "a stroke an answer, a dot the median",
    alt:
      "Total uncertainty of each answer as a share of the greatest, for right and wrong answers " +
      `of each model, with a line at ${HIGH_UNCERTAINTY}.`,
    axis: {
      label: "H(mean p) / ln 4",
      format: "decimal",
      domain: [0, 1],
      reference: { value: HIGH_UNCERTAINTY, label: "high" },
    },
    rows,
  });
}

/** A figure of a table as it is drawn and written. */
export function figureMeasure(
  row: Pick<MeasuredRow, "value" | "low" | "high" | "reason">,
): Measure {
  return measureOf(row.value, row.low, row.high, row.reason);
}

/** Classifier and baselines on labelled answers: a row a method, a column a measure. */
export function measuredTable(rows: readonly MeasuredRow[]): string {
  const methods = Map.groupBy(rows, ({ set, method }) => JSON.stringify([set, method]));
  return tableOf([...methods.values()].map((own) => ({
    answers: own[0]!.set,
    n: own[0]!.n,
    "that abstain": own[0]!.abstaining,
    method: own[0]!.method,
    ...Object.fromEntries(own.map((row) => [row.measure, written(figureMeasure(row))])),
  })));
}

/** False acceptance and over-refusal over all kinds of things, a row a model and instruction. */
export function ratesTable(rates: readonly AbstentionRate[]): string {
  return tableOf(
    rates.filter(({ kind }) => kind === "all").map((row) => ({
      model: row.model,
      instruction: row.instruction,
      temperature: row.temperature,
      "read by": row.read_by === "hand" ? "language-model reader" : "classifier",
      rate: row.rate,
      n: row.n,
      share: written(figureMeasure(row)),
    })),
  );
}

type Profiles = readonly HallucinationProfile[];

/** Chosen metrics of every system, with intervals and n. */
export function metricsTable(profiles: Profiles, names: readonly ProfileMetricName[]): string {
  return tableOf(profiles.map(({ model, metrics }) => ({
    system: model,
    ...Object.fromEntries(
      names.map((name) => [PROFILE_METRICS[name].title, metricWords(metrics[name])]),
    ),
  })));
}

/** How far each system can be relied upon, and why. */
export function levelsTable(profiles: Profiles): string {
  return tableOf(profiles.map(({ model, reliability, risk }) => ({
    system: model,
    reliability: reliability.kind === "unavailable"
      ? `– (${reliability.reason})`
      : reliability.level,
    "high risk": risk.high ? "yes" : "no",
    why: reliability.kind === "unavailable" ? "" : reliability.reasons.join("; "),
    "not known": risk.unknown.map((metric) => PROFILE_METRICS[metric].title).join(", "),
  })));
}
