import { z } from "zod";
import { formatCsv } from "../../files/csv.ts";
import { readWhole } from "../../files/whole_table.ts";
import type { RobustnessCase } from "./robustness_case.ts";
import { isPerturbation, VARIANT_KINDS } from "./variant.ts";
import { SEEN_IN_TRAINING } from "./variant_kinds.ts";

/** Columns of `robustness_cases.csv`. */
const COLUMNS = [
  ...["id", "base", "country", "kind", "role", "seen_in_training", "original", "changed"] as const,
  ...["from", "to", "source_id", "drawn"] as const,
];

const ROW = z.object({
  id: z.string().min(1),
  base: z.string().min(1),
  country: z.string().min(1),
  kind: z.enum(VARIANT_KINDS as [typeof VARIANT_KINDS[number]]),
  original: z.string().min(1),
  changed: z.string().min(1),
  from: z.string(),
  to: z.string(),
  source_id: z.string().min(1),
  drawn: z.enum(["True", "False"]).transform((text) => text === "True"),
});

/** The cases as CSV, with what follows from their kinds beside them. */
export function formatRobustnessCases(cases: readonly RobustnessCase[]): string {
  return formatCsv(
    COLUMNS,
    cases.map(({ source, ...one }) => ({
      ...one,
      role: isPerturbation(one.kind) ? "perturbation" : "control",
      seen_in_training: SEEN_IN_TRAINING[one.kind],
      source_id: source,
    })),
  );
}

/** The cases of {@link formatRobustnessCases}. @throws {SyntaxError} naming a damaged line. */
export function readRobustnessCases(path: string): readonly RobustnessCase[] {
  const parseRow = (record: unknown): RobustnessCase => {
    const { source_id: source, ...one } = ROW.parse(record);
    return { ...one, source };
  };
  return readWhole(path, COLUMNS, parseRow, "deno task robustness --only perturbations");
}
