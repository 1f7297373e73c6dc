import { z } from "zod";
import { readWhole } from "../../files/whole_table.ts";
import { sha256Hex } from "../../files/checksum.ts";
import { ABSTENTION_PATHS } from "./abstention_paths.ts";
import { ABSTENTION_LABELS, type AbstentionAnswer, type AbstentionLabel } from "./answer.ts";
import { answerKey } from "./answer.ts";

const COLUMNS = ["key", "answer_sha256", "label"] as const;
const SHARED_COLUMNS = ["set", "id", "label"] as const;

const ROW = z.object({
  /** Which answer: model, instruction, temperature, seed and query. */
  key: z.string().min(1),
  /** The first sixteen digits: a changed answer has no label. */
  answer_sha256: z.string().length(16),
  label: z.enum(ABSTENTION_LABELS),
});
const SHARED_ROW = z.object({
  set: z.string().min(1),
  /** The line in the set's file, the first being 1. */
  id: z.coerce.number().int().positive(),
  label: z.enum(ABSTENTION_LABELS),
});

/** The label of an answer of a set that is not part of the project. */
export type SharedLabel = Readonly<z.infer<typeof SHARED_ROW>>;

/** Looks an answer's label up; undefined for one that nobody has read as it stands. */
export type HandLabels = (answer: AbstentionAnswer) => AbstentionLabel | undefined;

/** What identifies an answer's text in the table of labels. */
export const answerDigest = (answer: string) => sha256Hex(answer).slice(0, 16);

/** Labels by hand of the answers that ship. Throws as `readWhole` does. */
export function readHandLabels(path: string = ABSTENTION_PATHS.labels): HandLabels {
  const labels = new Map(
    labelRows(path).map((row) => [`${row.key} ${row.answer_sha256}`, row.label]),
  );
  return (answer) => labels.get(`${answerKey(answer)} ${answerDigest(answer.answer)}`);
}

/** The same labels by the key of the answer. Throws as `readWhole` does. */
export function readLabelsByKey(
  path: string = ABSTENTION_PATHS.labels,
): ReadonlyMap<string, AbstentionLabel> {
  return new Map(labelRows(path).map(({ key, label }) => [key, label]));
}

const labelRows = (path: string) =>
  readWhole(path, COLUMNS, (record) => ROW.parse(record), "git checkout");

/** Labels by hand of answers elsewhere. Throws as `readWhole` does. */
export function readSharedLabels(
  path: string = ABSTENTION_PATHS.sharedLabels,
): readonly SharedLabel[] {
  return readWhole(path, SHARED_COLUMNS, (record) => SHARED_ROW.parse(record), "git checkout");
}
