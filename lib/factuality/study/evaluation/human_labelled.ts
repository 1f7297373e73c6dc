import { z } from "zod";
import { formatCsv } from "../../../files/csv.ts";
import { readWhole } from "../../../files/whole_table.ts";
import type { BootstrapInterval } from "../../../stats/intervals.ts";
import type { RandomSource } from "../../../stats/random.ts";
import type { Unavailable } from "../../../stats/unavailable.ts";
import type { LabelledCase } from "../../cases/labelled_case.ts";
import type { ComponentRun } from "../../evaluation/component_answer.ts";
import {
  BINARY_LABELS,
  componentFigures,
  type JudgedClaim,
  outcomeOf,
} from "../../evaluation/component_figures.ts";
import { type ConfusionTable, f1, precision, recall } from "../../metrics/classification.ts";
import { classificationInterval } from "../../metrics/classification_interval.ts";

const MEASURES = ["accuracy", "balanced_accuracy", "precision", "recall", "f1"] as const;

const COLUMNS = [
  ...["set", "cases", "component", "n", "clusters", "unscored"] as const,
  ...["accuracy", "accuracy_low", "accuracy_high"] as const,
  ...["balanced_accuracy", "balanced_accuracy_low", "balanced_accuracy_high"] as const,
  ...["precision", "precision_low", "precision_high"] as const,
  ...["recall", "recall_low", "recall_high"] as const,
  ...["f1", "f1_low", "f1_high"] as const,
  ...["calibration_error", "median_milliseconds"] as const,
];

const FIGURE = z.union([z.literal(""), z.coerce.number()]);

const ROW = z.object({
  set: z.string(),
  /** All of the set's cases that have a source, or a balanced draw of them. */
  cases: z.enum(["all", "draw"]),
  component: z.string(),
  /** Claims with a score, responses that they are of, and claims without. */
  n: z.coerce.number().int(),
  clusters: z.coerce.number().int(),
  unscored: z.coerce.number().int(),
  /** Of "supported" against the rest, 0–1, 95 % by response; empty where it cannot be had. */
  accuracy: FIGURE,
  accuracy_low: FIGURE,
  accuracy_high: FIGURE,
  balanced_accuracy: FIGURE,
  balanced_accuracy_low: FIGURE,
  balanced_accuracy_high: FIGURE,
  precision: FIGURE,
  precision_low: FIGURE,
  precision_high: FIGURE,
  recall: FIGURE,
  recall_low: FIGURE,
  recall_high: FIGURE,
  f1: FIGURE,
  f1_low: FIGURE,
  f1_high: FIGURE,
  calibration_error: FIGURE,
  median_milliseconds: FIGURE,
});

/** One component's figures on one set. */
export type HumanLabelledRow = Readonly<z.infer<typeof ROW>>;

/** Which cases of a set a row is of. */
export type CaseScope = HumanLabelledRow["cases"];

/** The table of aggregates as CSV: of the sets themselves no word is in it. */
export function humanLabelledCsv(rows: readonly HumanLabelledRow[]): string {
  return formatCsv(COLUMNS, rows);
}

/** The table. @throws {SyntaxError} naming the first damaged line. */
export function readHumanLabelled(path: string): readonly HumanLabelledRow[] {
  return readWhole(path, COLUMNS, (record) => ROW.parse(record), "deno task compare --human");
}

/** Figures of each component on a set, over those of the cases that it was asked about. */
export function humanLabelledRows(
  { set, scope }: { readonly set: string; readonly scope: CaseScope },
  cases: readonly LabelledCase[],
  runs: readonly ComponentRun[],
  random: RandomSource,
): readonly HumanLabelledRow[] {
  return runs.map(({ component, answers }) => {
    const claims = cases.flatMap(({ id, cluster, label }): readonly JudgedClaim[] => {
      const answer = answers.get(id);
      return answer === undefined ? [] : [{ cluster, supported: label === "supported", answer }];
    });
    const scored = claims.filter(({ answer }) => answer.supported !== undefined);
    return {
      ...{ set, cases: scope, component },
      n: scored.length,
      clusters: new Set(scored.map(({ cluster }) => cluster)).size,
      unscored: claims.length - scored.length,
      ...figuresOf(component, claims, random),
    };
  });
}

function figuresOf(
  component: string,
  claims: readonly JudgedClaim[],
  random: RandomSource,
) {
  const outcomes = claims.filter(({ answer }) => answer.supported !== undefined)
    .map((claim) => ({ cluster: claim.cluster, ...outcomeOf(claim) }));
  const interval = (measure: (table: ConfusionTable<Label>) => number | Unavailable) =>
    classificationInterval(BINARY_LABELS, outcomes, measure, random);
  const figures = componentFigures(component, claims, random);
  const { calibrationError, medianMilliseconds } = figures;
  return {
    ...bounds("accuracy", figures.accuracy),
    ...bounds("balanced_accuracy", figures.balancedAccuracy),
    ...bounds("precision", interval((table) => precision(table, "supported"))),
    ...bounds("recall", interval((table) => recall(table, "supported"))),
    ...bounds("f1", interval((table) => f1(table, "supported"))),
    calibration_error: shown(calibrationError),
    median_milliseconds: shown(medianMilliseconds),
  };
}

type Label = (typeof BINARY_LABELS)[number];
type Figure = number | "";

function bounds<Name extends (typeof MEASURES)[number]>(
  name: Name,
  value: BootstrapInterval | Unavailable,
): Record<Name | `${Name}_low` | `${Name}_high`, Figure> {
  const [estimate, low, high] = value.kind === "unavailable"
    ? ["", "", ""] as const
    : [shown(value.estimate), shown(value.low), shown(value.high)];
  return { [name]: estimate, [`${name}_low`]: low, [`${name}_high`]: high } as Record<
    Name | `${Name}_low` | `${Name}_high`,
    Figure
  >;
}

function shown(value: number | Unavailable): Figure {
  return typeof value === "number" ? Number(value.toFixed(4)) : "";
}
