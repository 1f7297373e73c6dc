import { z } from "zod";
import { formatCsv } from "../../../files/csv.ts";
import { readWhole } from "../../../files/whole_table.ts";
import { KNOWLEDGE_SET } from "../../training/case_group.ts";
import { SPLITS } from "../../training/country_split.ts";
import type { KnowledgeCase } from "../../training/knowledge_case.ts";
import { VERDICT_LABELS } from "../../verdicts/verdict.ts";

/** Columns of `knowledge_cases.csv`. */
const COLUMNS = [
  "id",
  "country",
  "split",
  "kind",
  "edit",
  "form",
  "label",
  "claim",
  "passages",
] as const;

const PASSAGE = z.object({
  id: z.string(),
  text: z.string().min(1),
  collection: z.string(),
  title: z.string(),
  section: z.string(),
});
const ROW = z.object({
  id: z.string().min(1),
  country: z.string().min(1),
  split: z.enum(SPLITS),
  kind: z.enum(["fact", "prose", "two statements", "opinion"]),
  edit: z.string(),
  form: z.enum(["sentence", "passage", "passages", "web", "written"]),
  label: z.enum(VERDICT_LABELS),
  claim: z.string().min(1),
  passages: z.string().transform((json) => z.array(PASSAGE).parse(JSON.parse(json))),
});

/** The cases as CSV; the passages as JSON, since there may be several and each has its place. */
export function formatKnowledgeCases(cases: readonly KnowledgeCase[]): string {
  return formatCsv(
    COLUMNS,
    cases.map(({ cluster, passages, ...one }) => ({
      ...one,
      country: cluster,
      passages: JSON.stringify(passages),
    })),
  );
}

/** The cases of {@link formatKnowledgeCases}. @throws {SyntaxError} for a damaged file. */
export function readKnowledgeCases(path: string): readonly KnowledgeCase[] {
  const parseRow = (record: unknown): KnowledgeCase => {
    const { country, ...one } = ROW.parse(record);
    return { ...one, cluster: country, set: KNOWLEDGE_SET };
  };
  return readWhole(path, COLUMNS, parseRow, "deno task notebooks 41");
}
