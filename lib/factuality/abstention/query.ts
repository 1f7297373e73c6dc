import { z } from "zod";
import { formatCsv } from "../../files/csv.ts";
import { readWhole } from "../../files/whole_table.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { QUERY_KINDS } from "./query_kinds.ts";

const COLUMNS = ["id", "kind", "exists", "name", "question"] as const;

const ROW = z.object({
  /** Unique: `river-invented-2`. */
  id: z.string().min(1),
  kind: z.enum(QUERY_KINDS),
  /** Whether there is such a thing. */
  exists: z.enum(["True", "False"]).transform((said) => said === "True"),
  /** As it stands in the question. */
  name: z.string().min(1),
  question: z.string().min(1),
});

/** A question about one thing, which exists or was invented. */
export type AbstentionQuery = Readonly<z.infer<typeof ROW>>;

/** The table of queries. */
export function queriesCsv(queries: readonly AbstentionQuery[]): string {
  return formatCsv(COLUMNS, queries);
}

/** The queries that ship. Throws as `readWhole` does. */
export function readQueries(
  path: string = FACTUALITY_PATHS.abstentionQueries,
): readonly AbstentionQuery[] {
  return readWhole(path, COLUMNS, (record) => ROW.parse(record), '"deno task abstention"');
}
