import { sha256Hex } from "../../files/atomic.ts";
import {
  blankOr,
  decimals,
  name,
  number,
  oneOf,
  table,
  text,
  wholeNumber,
} from "../../files/table.ts";
import type { Column, RowOf } from "../../files/table.ts";
import type { Unavailable } from "../../stats/agreement.ts";
import { type Measure, measureFields } from "../../stats/measure.ts";
import { fourDecimals } from "../decision.ts";
import type { LabelledCase } from "../labelled_case.ts";
import { f1, precisionInterval, recallInterval } from "../metrics/classification.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { VERDICT_LABELS } from "../types.ts";
import {
  answeredClaims,
  binaryInterval,
  componentFigures,
  labelledPrediction,
} from "./compare_components.ts";
import type { ComponentAnswer, ComponentRun } from "./compare_components.ts";

const CASE_LABELS = [...VERDICT_LABELS, "not supported"] as const;
const SHARE = { min: 0, max: 1 };

type WithBounds<Name extends string, Value> = Record<Name | `${Name}_low` | `${Name}_high`, Value>;

function bounded<Name extends string, Value>(name: Name, [estimate, low, high]: readonly Value[]) {
  const cells = { [name]: estimate, [`${name}_low`]: low, [`${name}_high`]: high };
  return cells as WithBounds<Name, Value>;
}

const columns = <Name extends string>(name: Name, sentence: string) =>
  bounded<Name, Column<number | "">>(
    name,
    [sentence, "lower end of the 95 % interval", "upper end of the 95 % interval"].map((one) =>
      blankOr(number(one))
    ),
  );

/** Aggregated results on human-labelled sets. The table contains no text of the sets. */
export const HUMAN_LABELLED = table({
  path: FACTUALITY_PATHS.humanLabelled,
  about:
    "`deno task study compare --human`: figures on human-labelled sets, computed from `human_answers.csv`",
  maker: "deno task study compare --human",
  columns: {
    set: text(
      "factcheckgpt_stance, the same with partial support counted as support, or halueval_qa",
    ),
    cases: oneOf(
      ["all", "draw"],
      "all: every case with a source; draw: a balanced sample for slow components",
    ),
    component: text("component, as in `component_answers.csv`"),
    n: wholeNumber("number of claims with a score"),
    clusters: wholeNumber("number of groups of claims that share evidence"),
    unscored: wholeNumber("number of claims without a verdict"),
    ...columns("accuracy", "accuracy of supported against the rest, 0–1"),
    ...columns("balanced_accuracy", "mean of the recall of supported and of the rest, 0–1"),
    ...columns("precision", "precision for supported, 0–1"),
    ...columns("recall", "recall for supported, 0–1"),
    ...columns("f1", "F1 for supported, 0–1"),
    ...columns(
      "detection_precision",
      "share of the claims predicted unsupported that are unsupported",
    ),
    ...columns(
      "detection_recall",
      "share of the unsupported claims that are predicted unsupported",
    ),
    calibration_error: blankOr(number("expected calibration error with ten bins")),
    median_milliseconds: blankOr(
      number("median time per claim in milliseconds, on the machine that made the file"),
    ),
  },
  key: ["set", "cases", "component"],
});

/** Components' answers to human-labelled claims, from which the figures are computed. */
export const HUMAN_ANSWERS = table({
  path: FACTUALITY_PATHS.humanAnswers,
  about:
    "`deno task study compare --human`: answers of the components about each claim of human-labelled sets; ids and labels, no text. `human_labelled.csv` is computed from it",
  maker: "deno task study compare --human",
  columns: {
    set: name("set, as in `human_labelled.csv`"),
    case_id: name("id of the claim in its set"),
    case_sha256: name("SHA-256 of the JSON array of claim and source, first 16 digits"),
    cluster: name("SHA-256 of the evidence that claims share, first 16 digits"),
    label: oneOf(CASE_LABELS, "label given by people"),
    component: name("component, as in `component_answers.csv`"),
    supported: blankOr(decimals(4, "P(supported); empty if there is no score", SHARE)),
    milliseconds: number("time of this answer in milliseconds, on the machine that made the file", {
      min: 0,
    }),
  },
  key: ["set", "case_id", "component"],
});
export type HumanAnswer = RowOf<typeof HUMAN_ANSWERS>;

/** Converts answers to rows without any text. */
export const humanAnswers = (
  set: string,
  cases: readonly LabelledCase[],
  runs: readonly ComponentRun[],
): readonly HumanAnswer[] =>
  runs.flatMap(({ component, answers }) =>
    cases.flatMap((one): readonly HumanAnswer[] => {
      const answer = answers.get(one.id);
      if (answer === undefined) return [];
      return [{
        set,
        case_id: one.id,
        case_sha256: digest(JSON.stringify([one.claim, ...one.passages.map(({ text }) => text)])),
        cluster: digest(one.cluster),
        label: one.label,
        component,
        supported: answer.supported === undefined ? "" : fourDecimals(answer.supported),
        milliseconds: answer.milliseconds,
      }];
    })
  );

const digest = (text: string) => sha256Hex(text).slice(0, 16);

/**
 * Figures from all answers: on every case for components that answered all, on the sample for all
 * components.
 */
export const humanFigures = (rows: readonly HumanAnswer[]): readonly HumanLabelledRow[] =>
  [...Map.groupBy(rows, ({ set }) => set)].flatMap(([set, setRows]) => {
    const cases = [
      ...new Map(setRows.map((row) => [row.case_id, { ...row, id: row.case_id }])).values(),
    ];
    const runs = [...Map.groupBy(setRows, ({ component }) => component)].map((
      [component, answers],
    ) => (
      { component, answers: new Map(answers.map((row) => [row.case_id, answerOfHuman(row)])) }
    ));
    const ofAll = runs.filter(({ answers }) => answers.size === cases.length);
    const draw = cases.filter(({ id }) => runs.every(({ answers }) => answers.has(id)));
    return [
      ...humanLabelledRows({ set, scope: "all" }, cases, ofAll),
      ...draw.length === cases.length ? [] : humanLabelledRows({ set, scope: "draw" }, draw, runs),
    ];
  });

/** Converts a row to an answer, without its reason. */
const answerOfHuman = ({ supported, milliseconds }: HumanAnswer): ComponentAnswer => ({
  supported: supported === "" ? undefined : supported,
  unscored: supported === "" ? "no evidence" : undefined,
  reason: "",
  milliseconds,
});

/** One component's figures on one set. */
export type HumanLabelledRow = RowOf<typeof HUMAN_LABELLED>;

/** Figures of each component on its cases of a set. */
export function humanLabelledRows(
  { set, scope }: { readonly set: string; readonly scope: HumanLabelledRow["cases"] },
  cases: readonly Pick<LabelledCase, "id" | "cluster" | "label">[],
  runs: readonly ComponentRun[],
): readonly HumanLabelledRow[] {
  return runs.map((run) => {
    const { component } = run;
    const claims = answeredClaims(cases, run);
    const scored = claims.filter(({ answer }) => answer.supported !== undefined);
    const figures = componentFigures(component, claims);
    const outcomes = scored.map(labelledPrediction);
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
