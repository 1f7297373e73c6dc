import { z } from "zod";
import { sentencesOf } from "../claims/sentences.ts";
import type { Passage } from "../retrieval/passage.ts";
import { evidencePassage } from "./evidence_passage.ts";
import type { CaseLabel } from "./labelled_case.ts";
import {
  collected,
  labelled,
  leftOut,
  type LoadedCases,
  readRows,
  type RowCases,
} from "./load_cases.ts";

const SET = "ragtruth";

const SPAN = z.object({
  start: z.int().nonnegative(),
  end: z.int().positive(),
  label_type: z.enum([
    "Evident Conflict",
    "Subtle Conflict",
    "Evident Baseless Info",
    "Subtle Baseless Info",
  ]),
});
const RESPONSE = z.object({
  id: z.string(),
  source_id: z.string(),
  quality: z.string().default("good"),
  labels: z.array(SPAN),
  response: z.string().min(1),
});
const SOURCE = z.object({
  source_id: z.string(),
  source_info: z.union([z.string().min(1), z.record(z.string(), z.json())]),
});
type Response = z.infer<typeof RESPONSE>;

/**
 * RAGTruth (Niu et al. 2024, arXiv 2401.00396), `response.jsonl` and `source_info.jsonl`. Its people
 * marked stretches of responses; a case is a sentence: refuted where a marked conflict reaches into
 * it, not enough info where only baseless information does, else supported. Responses of poor
 * quality (truncated, wrongly refused) are left out. The cluster is the source, to which six models
 * responded. Structured sources are given as their JSON.
 * @throws {Error} naming the file, where one cannot be read.
 */
export function ragtruthCases(paths: {
  readonly responses: string;
  readonly sources: string;
}): LoadedCases {
  const sources = readRows(paths.sources, SOURCE);
  const passages = new Map(sources.rows.map((row) => [row.source_id, sourceOf(row)]));
  const { rows, damaged } = readRows(paths.responses, RESPONSE);
  const made = rows.flatMap((row) => casesOf(row, passages.get(row.source_id)));
  return collected(made, [...damaged, ...sources.damaged]);
}

function sourceOf({ source_id, source_info }: z.infer<typeof SOURCE>): Passage {
  const text = typeof source_info === "string" ? source_info : JSON.stringify(source_info);
  return evidencePassage(SET, source_id, text);
}

function casesOf(row: Response, passage: Passage | undefined): readonly RowCases[] {
  if (passage === undefined) return [leftOut(row.id, `source ${row.source_id} is missing`)];
  if (row.quality !== "good") return [leftOut(row.id, `quality: ${row.quality}`)];
  return sentencesOf(row.response).map(({ text, start, end }, index) => {
    const marked = row.labels.filter((label) => label.start < end && label.end > start);
    return labelled({
      id: `${row.id}/${index + 1}`,
      claim: text,
      passages: [passage],
      label: labelOf(marked.map(({ label_type }) => label_type)),
      cluster: row.source_id,
      set: SET,
    });
  });
}

function labelOf(marks: readonly string[]): CaseLabel {
  if (marks.length === 0) return "supported";
  return marks.some((mark) => mark.endsWith("Conflict")) ? "refuted" : "not enough info";
}
