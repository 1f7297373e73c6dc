import { fileURLToPath } from "node:url";
import { blankOr, number, oneOf, type RowOf, table, text, whole } from "../../files/table.ts";
import type { Unavailable } from "../../stats/agreement.ts";
import type { BootstrapInterval } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import type { LabelledCase } from "../datasets/labelled_case.ts";
import { type ConfusionTable, f1, precision, recall } from "../metrics/classification.ts";
import { classificationInterval } from "../metrics/intervals.ts";
import {
  BINARY_LABELS,
  componentFigures,
  type ComponentRun,
  type JudgedClaim,
  outcomeOf,
} from "./compare_components.ts";

const LOW = blankOr(number("lower end of the 95 % interval"));
const HIGH = blankOr(number("upper end"));
const OF_SUPPORTED = blankOr(number("of supported"));

/** Aggregates of sets that people labelled: of the sets themselves no word is in it. */
export const HUMAN_LABELLED = table({
  path: fileURLToPath(new URL("../../../data/factuality/human_labelled.csv", import.meta.url)),
  about: "`deno task study compare --human`: rows of the human-labelled sets are no part of this " +
    "project; aggregates only",
  maker: "deno task study compare --human",
  columns: {
    set: text("factcheckgpt_stance, begin_wow or halueval_qa"),
    cases: oneOf(
      ["all", "draw"],
      "all: every case with a source; draw: a balanced draw, for slow components",
    ),
    component: text("as in `component_answers.csv`"),
    n: whole("claims with a score"),
    clusters: whole("responses"),
    unscored: whole("claims without"),
    accuracy: blankOr(number("of supported against the rest, 0–1")),
    accuracy_low: LOW,
    accuracy_high: HIGH,
    balanced_accuracy: blankOr(number("the same")),
    balanced_accuracy_low: LOW,
    balanced_accuracy_high: HIGH,
    precision: OF_SUPPORTED,
    precision_low: LOW,
    precision_high: HIGH,
    recall: OF_SUPPORTED,
    recall_low: LOW,
    recall_high: HIGH,
    f1: OF_SUPPORTED,
    f1_low: LOW,
    f1_high: HIGH,
    calibration_error: blankOr(number("expected calibration error, ten bins")),
    median_milliseconds: blankOr(number("a claim, on the machine that made the file")),
  },
  key: ["set", "cases", "component"],
});
/** One component's figures on one set. */
export type HumanLabelledRow = RowOf<typeof HUMAN_LABELLED>;
type Label = (typeof BINARY_LABELS)[number];

/** Figures of each component on a set, over those of the cases that it was asked about. */
export function humanLabelledRows(
  { set, scope }: { readonly set: string; readonly scope: HumanLabelledRow["cases"] },
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
    const outcomes = scored.map((claim) => ({ cluster: claim.cluster, ...outcomeOf(claim) }));
    const interval = (measure: (table: ConfusionTable<Label>) => number | Unavailable) =>
      classificationInterval(BINARY_LABELS, outcomes, measure, random);
    const figures = componentFigures(component, claims, random);
    return {
      set,
      cases: scope,
      component,
      n: scored.length,
      clusters: new Set(scored.map(({ cluster }) => cluster)).size,
      unscored: claims.length - scored.length,
      ...bounds("accuracy", figures.accuracy),
      ...bounds("balanced_accuracy", figures.balancedAccuracy),
      ...bounds("precision", interval((table) => precision(table, "supported"))),
      ...bounds("recall", interval((table) => recall(table, "supported"))),
      ...bounds("f1", interval((table) => f1(table, "supported"))),
      calibration_error: shown(figures.calibrationError),
      median_milliseconds: shown(figures.medianMilliseconds),
    };
  });
}

function bounds<Name extends "accuracy" | "balanced_accuracy" | "precision" | "recall" | "f1">(
  name: Name,
  value: BootstrapInterval | Unavailable,
) {
  const [estimate, low, high] = value.kind === "unavailable"
    ? ["", "", ""] as const
    : [shown(value.estimate), shown(value.low), shown(value.high)];
  return { [name]: estimate, [`${name}_low`]: low, [`${name}_high`]: high } as Record<
    Name | `${Name}_low` | `${Name}_high`,
    number | ""
  >;
}

function shown(value: number | Unavailable): number | "" {
  return typeof value === "number" ? Number(value.toFixed(4)) : "";
}
