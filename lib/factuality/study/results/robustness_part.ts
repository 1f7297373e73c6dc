import { markdownTable } from "../../../figures/markdown_table.ts";
import type { ConsistencyFigure } from "../../robustness/consistency_figure.ts";
import type { RobustnessReport, Section } from "../../robustness/report.ts";
import { controlTable, detectionTable, overallTable } from "../../robustness/report_tables.ts";
import { bbqTable } from "../robustness/bbq_views.ts";
import { writtenMeasure } from "../robustness/written_measure.ts";
import { VERIFIER } from "./evaluation_part.ts";
import { notMeasured } from "./part_of_results.ts";
import type { StudyEvidence } from "./study_evidence.ts";

const FILE = "robustness_report.json";
const TASK = "deno task robustness";

function written<Row>(section: Section<Row>, write: (rows: readonly Row[]) => string): string {
  return section.kind === "rows" ? write(section.rows) : `_Not measured: ${section.reason}._`;
}

/** A row a component and group, a column a measure; n is what the figures rest on. */
function consistencyTable(figures: readonly ConsistencyFigure[]): string {
  const measures = [...new Set(figures.map(({ measure }) => measure))];
  const rows = Map.groupBy(figures, ({ component, group }) => JSON.stringify([component, group]));
  return markdownTable(
    ["component", "over", "n", ...measures],
    [...rows.values()].map((own) => [
      ...[own[0]!.component, own[0]!.group, own[0]!.n],
      ...measures.map((measure) => {
        const found = own.find((one) => one.measure === measure);
        return found && writtenMeasure(found.value, "decimal");
      }),
    ]),
  );
}

/** What each trait does beyond a change that says nothing of a group: the rest is in the report. */
function beyondTable(figures: readonly ConsistencyFigure[]): string {
  const beyond = figures.filter(({ measure }) => measure.includes("beyond the control"));
  return markdownTable(
    ["component", "changed", "n", "measure", "figure"],
    beyond.map((one) => [
      ...[one.component, one.group, one.n, one.measure, writtenMeasure(one.value, "decimal")],
    ]),
  );
}

/** Whether what is changed is noticed, and what is not changed is left alone. */
export function robustnessPart(
  { robustness, bbq }: Pick<StudyEvidence, "robustness" | "bbq">,
): string {
  const about = "### Robustness";
  if (robustness === undefined) return [about, notMeasured(FILE, TASK)].join("\n\n");
  return [
    about,
    `Notebook 44; file: \`data/factuality/${FILE}\` and \`.csv\`. True claims about held-out countries ` +
    "with one thing changed (to be noticed), and reworded so that they stay true (to be left alone); " +
    "a claim counts as detected where its probability of being supported falls below 0.5, of those " +
    "whose original was accepted:",
    ...perturbationTexts(robustness),
    "Which of two texts is better, asked in both orders:",
    "![Rank correlation with the true order](figures/factuality/pairwise_ranks.png)",
    written(robustness.orders, consistencyTable),
    "The same text several times:",
    written(robustness.repetitions, consistencyTable),
    "Portraits in which nothing but a person's gender, origin, age, nationality or religion is " +
    "changed, beyond a change that says nothing of a group:",
    "![Difference of scores by what was changed](figures/factuality/swaps.png)",
    written(robustness.swaps, beyondTable),
    "Questions of BBQ (not part of the project; aggregates only), by log-probability per byte:",
    bbq.length === 0
      ? notMeasured("bbq_results.csv", "deno task robustness --bbq FILE")
      : bbqTable(bbq, "per byte"),
  ].join("\n\n");
}

function perturbationTexts(
  { perturbations, contradictions }: RobustnessReport,
): readonly string[] {
  return [
    written(perturbations, overallTable),
    "![Detection against false alarm by kind of change](figures/factuality/perturbations.png)",
    "The verifier, kind by kind:",
    written(
      perturbations,
      (rows) => `${detectionTable(rows, VERIFIER)}\n\n${controlTable(rows, VERIFIER)}`,
    ),
    "Two statements of one text that contradict each other, without any source:",
    written(contradictions, overallTable),
  ];
}
