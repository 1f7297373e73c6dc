/** Views of notebook 42: an evaluation, and components on the same claims. */
import type { Measure } from "../../stats/measure.ts";
import { shownPath } from "../../files/atomic.ts";
import { withoutFormulas } from "../../files/csv.ts";
import type { RowOf } from "../../files/table.ts";
import type { MeasuredRow } from "../../figures/rows.ts";
import { CANNOT_TELL, type ComponentComparison } from "../../factuality/own/compare_components.ts";
import type { ComponentDisagreement } from "../../factuality/own/compare_components.ts";
import { verdictReason } from "../../factuality/check/verify.ts";
import { readJudgeEntries, weightFromAccuracy } from "../../factuality/judges/ensemble.ts";
import { FACTUALITY_PATHS } from "../../factuality/paths.ts";
import { judgementWords, percent } from "../../factuality/report/words.ts";
import { statusOf } from "../../factuality/report/words.ts";
import { judgeName } from "../../factuality/own/component_groups.ts";
import type { ClaimResult, Evaluation } from "../../factuality/types.ts";
import type { ExampleSentence } from "./example.ts";
import { decimal, type DISAGREEMENTS, headedTable } from "./tables.ts";
import { LabelledCase } from "../../factuality/labelled_case.ts";
import { drawCases } from "../../factuality/own/ask_components.ts";
import { randomSource } from "../../stats/random.ts";

/** Formats the verifier's verdict on a claim. */
export function verdictWords(result: Parameters<typeof statusOf>[0]): string {
  const { claim, verdict } = result;
  const status = statusOf(result);
  if (claim.notCheckable !== undefined) return `${status}: ${claim.notCheckable}`;
  if (verdict.kind === "unscored") return status;
  const label = status === "disputed" ? "supported" : verdict.label;
  const prefix = status === "disputed" ? "supported " : "";
  return `${status}, ${prefix}${percent(verdict.probabilities[label])}`;
}

function reasonWords({ claim, verdict, retrieval, unverifiable }: ClaimResult): string {
  if (claim.notCheckable !== undefined) return "";
  if (unverifiable) return retrieval.message;
  return verdict.kind === "scored" ? verdictReason(verdict) : verdict.message;
}

/** Table of claims with kind, verdict, findings and each judge's score. */
export function claimsTable({ claims, configuration }: Evaluation) {
  const judges = configuration.judges.map(({ name }) => name);
  const rows = claims.map((result) => {
    const scores = judges.map((name) => {
      const judged = result.judges.find(({ judge }) => judge === name);
      return judged && judgementWords(judged.judgement);
    });
    const { text, kind } = result.claim;
    return [text, kind, verdictWords(result), reasonWords(result), ...scores];
  });
  return headedTable(["claim | kind | verdict | seen", ...judges].join(" | "), rows);
}

/** Table of sentences with planted errors and the verifier's verdicts. */
export function plantedTable(sentences: readonly ExampleSentence[], evaluation: Evaluation) {
  const rows = sentences.map(({ text, planted = "nothing" }) => {
    const start = evaluation.request.candidate.indexOf(text);
    const sentenceClaims = evaluation.claims.filter(({ claim: { sentence } }) =>
      sentence.start >= start && sentence.end <= start + text.length
    );
    return [text, planted, sentenceClaims.map(verdictWords).join("; ")];
  });
  return headedTable("sentence | planted | found", rows);
}

/** Table of each component's accuracy and confidence on the same claims. */
export function figuresTable({ figures }: ComponentComparison) {
  const rows = figures.map((one) => {
    const digits = (value: unknown, places: number) =>
      typeof value === "number" ? value.toFixed(places) : undefined;
    const { balancedAccuracy, accuracy, detectionPrecision, detectionRecall } = one;
    const accuracies = [balancedAccuracy, accuracy, detectionPrecision, detectionRecall]
      .map(decimal);
    const scored = `${one.scored} of ${one.scored + one.unscored}`;
    return [one.component, scored, ...accuracies, digits(one.calibrationError, 3)];
  });
  const metrics = "balanced accuracy | accuracy | precision and | recall of hallucination " +
    "detection | calibration error";
  return headedTable(`component | scored | ${metrics}`, rows);
}

/** Table of each component's balanced accuracy by kind of claim. */
export function kindsTable(comparisons: readonly ComponentComparison[]) {
  const kinds = comparisons.map(({ kind, claims }) => `${kind} (${claims})`);
  const rows = (comparisons[0]?.figures ?? []).map(({ component }) => [
    component,
    ...comparisons.map(({ figures }) => {
      const componentFigures = figures.find((one) => one.component === component);
      return componentFigures && decimal(componentFigures.balancedAccuracy);
    }),
  ]);
  return headedTable(["component", ...kinds].join(" | "), rows);
}

/** Returns the difference with its sign reversed. */
function negated(measure: Measure): Measure {
  if (measure.kind === "unavailable") return measure;
  const estimate = -measure.estimate;
  return measure.kind === "value"
    ? { ...measure, estimate }
    : { ...measure, estimate, low: -measure.high, high: -measure.low };
}

/**
 * Compares a component with every other on claims that both scored. `better` is undefined if the
 * interval includes no difference.
 */
export function rivals({ differences }: ComponentComparison, component: string) {
  return differences.filter(({ first, second }) => first === component || second === component)
    .map(({ first, second, difference: value, claims, better }) => ({
      rival: first === component ? second : first,
      claims,
      better: better === CANNOT_TELL ? undefined : better,
      difference: first === component ? value : negated(value),
    }));
}

/** Removes the model's size from a component's name, to fit a figure. */
export const shortName = (component: string) =>
  component.replace(/-[\d.]+[MB](?:-Instruct)?\b/i, "");

/** Names of judges measured above chance (`deno task study judges`), as in tables. */
export function trustedJudges() {
  const file = FACTUALITY_PATHS.judgeCalibration;
  const entries = readJudgeEntries(Deno.readTextFileSync(file), shownPath(file));
  const trusted = entries.filter(({ measured }) => weightFromAccuracy(measured) > 0);
  return new Set(trusted.map(({ id, readout }) => judgeName(id, readout)));
}

type Trusted = ReadonlySet<string>;

/** Sorts rows of trusted judges first; the others keep their order. */
export function trustedFirst<Row extends { readonly component: string }>(
  rows: readonly Row[],
  trusted: Trusted = trustedJudges(),
): readonly Row[] {
  const { first = [], rest = [] } = Object.groupBy(
    rows,
    ({ component }) => trusted.has(component) ? "first" : "rest",
  );
  return [...first, ...rest];
}

/** Results of trusted judges whose interval on these claims is above chance. */
const usefulJudges = ({ figures }: ComponentComparison, trusted: Trusted) =>
  figures.filter(({ component, balancedAccuracy: one }) =>
    trusted.has(component) && one.kind === "interval" && one.low > 0.5
  );

/** Formats these judges' balanced accuracies as a clause; empty without any. */
export const usefulWords = (comparison: ComponentComparison, trusted: Trusted = trustedJudges()) =>
  usefulJudges(comparison, trusted)
    .map(({ component, balancedAccuracy }) => `; ${component} ${decimal(balancedAccuracy)}`).join(
      "",
    );

/** Forest-plot rows of balanced accuracy on held-out claims. */
export const heldOutRows = ({ figures }: ComponentComparison): readonly MeasuredRow[] =>
  // A component with a constant answer is at chance on every set.
  figures.filter(({ component }) => component !== "majority")
    .map(({ component, balancedAccuracy: measure }) => {
      return { label: shortName(component), measure };
    });

/** Converts a disagreement of two components to a row. */
export function disagreementRow(one: ComponentDisagreement): RowOf<typeof DISAGREEMENTS> {
  const { caseId, kind, label, first, second, right } = one;
  const [claim, first_reason, second_reason] = [one.claim, one.firstReason, one.secondReason]
    .map(withoutFormulas) as [string, string, string];
  const answers = { label, first, second, right, first_reason, second_reason };
  return { case_id: caseId, claim, claim_kind: kind, ...answers };
}

/** Draws the claims about countries on which all components are compared. */
export function heldOutDraw(cases: readonly LabelledCase[], count: number) {
  const heldOut = cases.filter(({ split }) => split === "test");
  return drawCases(heldOut, count, randomSource("compare/held-out claims"));
}
