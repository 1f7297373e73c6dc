import { z } from "zod";
import { formatCsv } from "../../../files/csv.ts";
import { readWhole } from "../../../files/whole_table.ts";
import type { RandomSource } from "../../../stats/random.ts";
import { FEATURE_SETS } from "../../verifiers/pair_vector.ts";
import {
  balancedAccuracyDifference,
  claimsIn,
  clusterTables,
  meanBalancedAccuracy,
} from "./cluster_tables.ts";
import { type DomainAnswers, REGIMES } from "./domain_training.ts";
import { FIGURE, shownBounds } from "./figure_bounds.ts";

const COLUMNS = [
  ...["features", "head", "trained_on", "set", "n", "clusters"] as const,
  ...["balanced_accuracy", "low", "high"] as const,
  ...["difference", "difference_low", "difference_high"] as const,
];

const ROW = z.object({
  features: z.enum(FEATURE_SETS),
  head: z.enum(["logistic", "MLP 32"]),
  trained_on: z.enum(REGIMES),
  /** What it is measured on, never on what it learnt from. */
  set: z.string(),
  n: z.coerce.number().int(),
  clusters: z.coerce.number().int(),
  /** Of supported against the rest, 95 % by response or country. */
  balanced_accuracy: FIGURE,
  low: FIGURE,
  high: FIGURE,
  /** To the head trained on claims of the knowledge base, on the same resamples. */
  difference: FIGURE,
  difference_low: FIGURE,
  difference_high: FIGURE,
});

/** What training on one's own kind of text gives, or costs. Aggregates only. */
export type DomainRow = Readonly<z.infer<typeof ROW>>;

/** The rows of one kind of head. */
export function domainRows(
  kind: Pick<DomainRow, "features" | "head">,
  answers: readonly DomainAnswers[],
  random: RandomSource,
): readonly DomainRow[] {
  return answers.map(({ regime, set, judged }) => {
    const base = answers.find((one) => one.set === set && one.regime === REGIMES[0])!;
    const [own, first] = [judged, base.judged].map((cases) => clusterTables(cases, "binary"));
    const [balanced_accuracy, low, high] = shownBounds(meanBalancedAccuracy([own!], random));
    const [difference, difference_low, difference_high] = shownBounds(
      balancedAccuracyDifference(own!, first!, random),
    );
    return {
      ...{ ...kind, trained_on: regime, set, n: claimsIn(own!), clusters: own!.length },
      ...{ balanced_accuracy, low, high, difference, difference_low, difference_high },
    };
  });
}

/** The table as CSV. */
export function domainCsv(rows: readonly DomainRow[]): string {
  return formatCsv(COLUMNS, rows);
}

/** The table. @throws {SyntaxError} naming the first damaged line. */
export function readDomainTraining(path: string): readonly DomainRow[] {
  return readWhole(path, COLUMNS, (record) => ROW.parse(record), "deno task train --study");
}
