import { z } from "zod";
import { markdownTable } from "../../../figures/markdown_table.ts";
import { writeEstimate } from "../../../figures/measure.ts";
import { readWhole } from "../../../files/whole_table.ts";
import { wilsonInterval } from "../../../stats/intervals.ts";
import type { RobustnessCase } from "../../robustness/robustness_case.ts";
import { isPerturbation, VARIANT_KINDS } from "../../robustness/variant.ts";

const COLUMNS = ["id", "kind", "changed", "as_intended", "note"] as const;

const ROW = z.object({
  id: z.string().min(1),
  kind: z.enum(VARIANT_KINDS as [typeof VARIANT_KINDS[number]]),
  changed: z.string().min(1),
  /** A perturbed claim that its source does not bear out, a control that it does. */
  as_intended: z.enum(["True", "False"]),
  note: z.string(),
});

/** What a reader found on reading a case against its source. */
export type CaseLabel = Readonly<z.infer<typeof ROW>>;

/**
 * The labels of cases that were read, made by hand.
 * @throws {SyntaxError} naming the first damaged line.
 */
export function readCaseLabels(path: string): readonly CaseLabel[] {
  return readWhole(path, COLUMNS, (record) => ROW.parse(record), "git checkout");
}

/**
 * How many cases that were read are what they are meant to be.
 * @throws {RangeError} for a label of a case that is not there or reads differently by now.
 */
export function readingSentence(
  labels: readonly CaseLabel[],
  cases: readonly RobustnessCase[],
): string {
  const known = new Map(cases.map(({ id, changed }) => [id, changed]));
  const stale = labels.find(({ id, changed }) => known.get(id) !== changed);
  if (stale !== undefined) {
    throw new RangeError(
      `Cannot use the label of ${stale.id}: the case is another by now; read it.`,
    );
  }
  const right = labels.filter(({ as_intended }) => as_intended === "True").length;
  const perturbed = labels.filter(({ kind }) => isPerturbation(kind)).length;
  const share = wilsonInterval(right, labels.length, 0.95);
  const noted = labels.filter(({ note }) => note !== "");
  return `${right} of ${labels.length} cases that were read (${perturbed} perturbed, ` +
    `${labels.length - perturbed} controls) are what they are meant to be` +
    (share.kind === "unavailable" ? "" : `: ${writeEstimate(share, "percent")} %`) +
    `. Of ${noted.length} there was something to note.`;
}

/** The cases that the reader noted something about. */
export function notesTable(labels: readonly CaseLabel[]): string {
  return markdownTable(
    ["kind", "reads", "as intended", "note"],
    labels.filter(({ note }) => note !== "").map((one) => [
      ...[one.kind, one.changed, one.as_intended === "True" ? "yes" : "no", one.note],
    ]),
  );
}
