import { basename, extname } from "node:path";
import { z } from "zod";
import { sha256Hex } from "../../files/checksum.ts";
import { damageReason } from "../../files/damage_reason.ts";
import { casesOfRecords, readCsvRecords } from "./csv_records.ts";
import { evidencePassage } from "./evidence_passage.ts";
import type { CaseSplit } from "./labelled_case.ts";
import { labelled, leftOut, loadCases, type LoadedCases, type RowCases } from "./load_cases.ts";
import { LABELS_UNDERSTOOD, statedLabel } from "./stated_label.ts";
import { SPLITS_UNDERSTOOD, statedSplit } from "./stated_split.ts";

/** What a field may be called; of several in one row the first counts. */
const NAMES = {
  claim: ["claim", "statement", "response", "hypothesis"],
  source: ["source", "evidence", "document", "context", "premise", "knowledge"],
  label: ["label"],
  id: ["id"],
  cluster: ["cluster", "response_id", "topic"],
  split: ["split"],
} as const;

const needed = (field: "claim" | "label") => `is missing or no text; name it ${either(field)}`;
const NAME = z.union([z.string(), z.number()]).transform(String);

const FIELDS = z.object({
  claim: z.string({ error: needed("claim") }),
  /** Empty where there is nothing to check against. */
  source: z.union([z.string(), z.array(z.string())], { error: "is no text or list of texts" })
    .default([]).transform((source) => [source].flat().filter((text) => text.trim() !== "")),
  label: z.union([z.string(), z.number(), z.boolean()], { error: needed("label") })
    .transform(String),
  id: NAME.optional(),
  cluster: NAME.optional(),
  split: NAME.optional(),
});
type Fields = z.infer<typeof FIELDS>;

const ROW = z.preprocess(underOneName, FIELDS);

/**
 * Somebody's own labelled claims: CSV with a header where the name ends in `.csv`, else JSON objects,
 * one a line. A row has a claim, the source that it is checked against (a text; in JSON also a list
 * of texts), a label, and where they are known an id, a cluster and a split; {@link NAMES} has what
 * each may be called. Rows without an id are named by their line. Without a cluster, claims with one
 * source belong together. The set is called as the file, without its ending. A second row of the
 * same id is left out.
 *
 * @throws {Error} naming the file where it cannot be read or lacks a column, and the row where a
 * label or split is none that is understood: a whole class of them must not go missing unseen.
 */
export function labelledFile(path: string): LoadedCases {
  const set = basename(path, extname(path));
  const ids = new Set<string>();
  const casesOf = (row: Fields, line: number): readonly RowCases[] => {
    const made = caseOf(row, { path, line, set });
    const { id } = made.value;
    if (ids.has(id)) return [leftOut(id, `line ${line} has the id of a line before it`)];
    ids.add(id);
    return [made];
  };
  return extname(path).toLowerCase() === ".csv"
    ? loadCsv(path, casesOf)
    : loadCases(path, ROW, casesOf);
}

interface Place {
  readonly path: string;
  readonly line: number;
  readonly set: string;
}

function caseOf(row: Fields, { path, line, set }: Place): RowCases {
  const { id = `line-${line}`, claim, source } = row;
  const label = statedLabel(row.label);
  if (label === undefined) {
    throw new Error(
      `Cannot read the cases: ${path}, line ${line}: the label is "${row.label}". Understood, in ` +
        `capitals or not, are ${LABELS_UNDERSTOOD}.`,
    );
  }
  const split = row.split === undefined ? {} : { split: splitOf(row.split, path, line) };
  const passages = source.map((text, index) => evidencePassage(set, `${id}/${index + 1}`, text));
  const ofSource = sha256Hex(JSON.stringify(source.length > 0 ? source : claim)).slice(0, 16);
  return labelled({ id, claim, passages, label, cluster: row.cluster ?? ofSource, set, ...split });
}

function splitOf(text: string, path: string, line: number): CaseSplit {
  const split = statedSplit(text);
  if (split !== undefined) return split;
  throw new Error(
    `Cannot read the cases: ${path}, line ${line}: the split is "${text}". Understood are ` +
      `${SPLITS_UNDERSTOOD}.`,
  );
}

function loadCsv(
  path: string,
  casesOf: (row: Fields, line: number) => readonly RowCases[],
): LoadedCases {
  return casesOfRecords(readRecords(path), ROW, casesOf);
}

function readRecords(path: string) {
  try {
    return readCsvRecords(path, (header) => {
      const columns = header.map((name) => name.trim().toLowerCase());
      for (const field of ["claim", "label"] as const) {
        if (NAMES[field].some((name) => columns.includes(name))) continue;
        throw new SyntaxError(`the column with the ${field} is missing; name it ${either(field)}`);
      }
      return columns;
    });
  } catch (cause) {
    throw new Error(`Cannot read the cases: ${path}: ${damageReason(cause)}.`, { cause });
  }
}

/** The row with our names for its fields; what is empty or null is not there. */
function underOneName(row: unknown): unknown {
  const record = z.record(z.string(), z.unknown()).safeParse(row);
  if (!record.success) return row;
  const isThere = (value: unknown) =>
    value !== null && value !== undefined && !(typeof value === "string" && value.trim() === "");
  return Object.fromEntries(
    Object.entries(NAMES).flatMap(([field, names]) => {
      const value = names.map((name) => record.data[name]).find(isThere);
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

function either(field: keyof typeof NAMES): string {
  return NAMES[field].join(" or ");
}
