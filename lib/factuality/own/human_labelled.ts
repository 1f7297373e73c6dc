import { blankOr, number, oneOf, table, text, whole } from "../../files/table.ts";
import type { Column, RowOf } from "../../files/table.ts";
import type { Unavailable } from "../../stats/agreement.ts";
import { type Measure, measureFields } from "../../stats/measure.ts";
import type { LabelledCase } from "../labelled_case.ts";
import { f1 } from "../metrics/classification.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { precisionInterval, recallInterval } from "../metrics/intervals.ts";
import {
  answeredClaims,
  binaryInterval,
  componentFigures,
  outcomeOf,
} from "./compare_components.ts";
import type { ComponentRun } from "./compare_components.ts";

type WithBounds<Name extends string, Value> = Record<Name | `${Name}_low` | `${Name}_high`, Value>;

function bounded<Name extends string, Value>(name: Name, [estimate, low, high]: readonly Value[]) {
  const cells = { [name]: estimate, [`${name}_low`]: low, [`${name}_high`]: high };
  return cells as WithBounds<Name, Value>;
}

const columns = <Name extends string>(name: Name, sentence: string) =>
  bounded<Name, Column<number | "">>(
    name,
    [sentence, "lower end of the 95 % interval", "upper end"].map((one) => blankOr(number(one))),
  );

/** Aggregates of sets that people labelled: of the sets themselves no word is in it. */
export const HUMAN_LABELLED = table({
  path: FACTUALITY_PATHS.humanLabelled,
  about: "`deno task study compare --human`: rows of the human-labelled sets are no part of this " +
    "project; aggregates only",
  maker: "deno task study compare --human",
  columns: {
    set: text("factcheckgpt_stance, the same with partial support as support, or halueval_qa"),
    cases: oneOf(
      ["all", "draw"],
      "all: every case with a source; draw: a balanced draw, for slow components",
    ),
    component: text("as in `component_answers.csv`"),
    n: whole("claims with a score"),
    clusters: whole("groups of claims that share evidence"),
    unscored: whole("claims without"),
    ...columns("accuracy", "of supported against the rest, 0–1"),
    ...columns("balanced_accuracy", "the same"),
    ...columns("precision", "of supported"),
    ...columns("recall", "of supported"),
    ...columns("f1", "of supported"),
    ...columns("detection_precision", "of what is taken for not supported, the share that is not"),
    ...columns("detection_recall", "of what is not supported, the share that is taken for it"),
    calibration_error: blankOr(number("expected calibration error, ten bins")),
    median_milliseconds: blankOr(number("a claim, on the machine that made the file")),
  },
  key: ["set", "cases", "component"],
});
/** One component's figures on one set. */
export type HumanLabelledRow = RowOf<typeof HUMAN_LABELLED>;

/** Figures of each component on a set, over those of the cases that it was asked about. */
export function humanLabelledRows(
  { set, scope }: { readonly set: string; readonly scope: HumanLabelledRow["cases"] },
  cases: readonly LabelledCase[],
  runs: readonly ComponentRun[],
): readonly HumanLabelledRow[] {
  return runs.map((run) => {
    const { component } = run;
    const claims = answeredClaims(cases, run);
    const scored = claims.filter(({ answer }) => answer.supported !== undefined);
    const figures = componentFigures(component, claims);
    const outcomes = scored.map(outcomeOf);
    const ofSupported = [
      precisionInterval(outcomes, "supported"),
      recallInterval(outcomes, "supported"),
      binaryInterval(scored, (table) => f1(table, "supported")),
    ];
    return {
      set,
      cases: scope,
      component,
      n: scored.length,
      clusters: new Set(scored.map(({ cluster }) => cluster)).size,
      unscored: claims.length - scored.length,
      ...bounded("accuracy", endsOf(figures.accuracy)),
      ...bounded("balanced_accuracy", endsOf(figures.balancedAccuracy)),
      ...bounded("precision", endsOf(ofSupported[0]!)),
      ...bounded("recall", endsOf(ofSupported[1]!)),
      ...bounded("f1", endsOf(ofSupported[2]!)),
      ...bounded("detection_precision", endsOf(figures.detectionPrecision)),
      ...bounded("detection_recall", endsOf(figures.detectionRecall)),
      calibration_error: rounded(figures.calibrationError),
      median_milliseconds: rounded(figures.medianMilliseconds),
    };
  });
}

const rounded = (value: number | Unavailable) =>
  typeof value === "number" ? Number(value.toFixed(4)) : "";

function endsOf(measure: Measure) {
  const { estimate, low, high } = measureFields(measure);
  return [estimate, low, high].map((value) => value === "" ? "" : rounded(value));
}
