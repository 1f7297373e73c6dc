import { z } from "zod";
import { formatCsv } from "../../files/csv.ts";
import { readWhole } from "../../files/whole_table.ts";
import { randomSource } from "../../stats/random.ts";
import { ABSTENTION_PATHS } from "./abstention_paths.ts";
import type { AbstentionLabel } from "./answer.ts";
import { ABSTAINS_FROM } from "./classifier.ts";
import { FIGURE_COLUMNS, FIGURE_FIELDS, figureFields } from "./figure_columns.ts";
import { measureAbstention } from "./measure.ts";
import { hasAbstentionPhrase } from "./substring_baseline.ts";

const COLUMNS = [
  ...["set", "method", "measure", "questions", "abstaining"] as const,
  ...FIGURE_COLUMNS,
];

const ROW = z.object({
  /** Which labelled answers; none of them was trained on. */
  set: z.string(),
  method: z.string(),
  /** Of `ABSTENTION_MEASURES`. */
  measure: z.string(),
  /** Different questions: what the bootstrap resamples. */
  questions: z.coerce.number(),
  /** Answers that abstain by hand. */
  abstaining: z.coerce.number(),
  ...FIGURE_FIELDS,
});

/** One figure of one method on one set. */
export type MeasuredRow = Readonly<z.infer<typeof ROW>>;

/** The table of what was measured. */
export function measuredCsv(rows: readonly MeasuredRow[]): string {
  return formatCsv(COLUMNS, rows);
}

/** What was measured. Throws as `readWhole` does. */
export function readMeasured(path: string = ABSTENTION_PATHS.measured): readonly MeasuredRow[] {
  return readWhole(path, COLUMNS, (record) => ROW.parse(record), '"deno task abstention"');
}

/** An answer with its label by hand and the classifier's opinion. */
export interface ClassifiedAnswer {
  /** What was asked. */
  readonly cluster: string;
  readonly answer: string;
  readonly label: AbstentionLabel;
  readonly probability: number;
}

/** The methods that are measured: the classifier, and what it has to be better than. */
const METHODS: Readonly<Record<string, (answer: ClassifiedAnswer) => boolean>> = {
  classifier: ({ probability }) => probability >= ABSTAINS_FROM,
  "list of phrases": ({ answer }) => hasAbstentionPhrase(answer),
  "never abstains": () => false,
};

/** Every method's figures on a set of labelled answers. */
export function measuredRows(
  set: string,
  answers: readonly ClassifiedAnswer[],
): readonly MeasuredRow[] {
  const questions = new Set(answers.map(({ cluster }) => cluster)).size;
  return Object.entries(METHODS).flatMap(([method, abstains]) => {
    const judged = answers.map((answer) => ({
      cluster: answer.cluster,
      truth: answer.label,
      predicted: abstains(answer) ? "abstains" as const : "answers" as const,
    }));
    return measureAbstention(judged, randomSource(`abstention/${set}/${method}`))
      .map(({ measure, n, abstaining, figure }) => ({
        ...{ set, method, measure, questions, abstaining },
        ...figureFields(figure, n),
      }));
  });
}
