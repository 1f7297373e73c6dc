import { basename, extname } from "node:path";
import { z } from "zod";
import { checkInput, sha256Hex } from "../files/atomic.ts";
import { type DamagedLine, damageReason, foreignRecords, readInputText } from "../files/csv.ts";
import { readJsonLines } from "../files/json.ts";
import { connectedComponents } from "../stats/agreement.ts";
import type { CaseLabel, Passage } from "./types.ts";

/** A claim with its passages and its true label. */
export interface LabelledCase {
  /** Id, unique in its set. */
  readonly id: string;
  readonly claim: string;
  /** Passages to check against; empty where the set gives no evidence. */
  readonly passages: readonly Passage[];
  readonly label: CaseLabel;
  /** Response, question or entity of origin, the cluster of intervals. */
  readonly cluster: string;
  /** Name of the data set. */
  readonly set: string;
  /** Split, where the set states one. */
  readonly split?: CaseSplit;
}

/** Split of a labelled case: for fitting, for model selection, or for measurement. */
export type CaseSplit = "train" | "development" | "test";

/** Cases of a file in order, with its rejected rows and damaged lines. */
export type LoadedCases = ReturnType<typeof loadedCases>;

type LeftOut = Readonly<Record<"id" | "reason", string>>;

/** Result of one row: a case, or the reason why it is left out. */
export type RowCases = LabelledCase | LeftOut;

export const rejectedRow = (id: string, reason: string): LeftOut => ({ id, reason });

/**
 * Reads cases from JSON Lines; line numbers start at 1. @throws {Error} where the file cannot be
 * read.
 */
export function loadCases<Row>(
  path: string,
  schema: z.ZodType<Row>,
  casesOf: (row: Row, line: number) => readonly RowCases[],
): LoadedCases {
  const { rows, damaged } = readRows(path, schema);
  const broken = new Set(damaged.map(({ line }) => line));
  const sound = Array.from({ length: rows.length + damaged.length }, (_, index) => index + 1)
    .filter((line) => !broken.has(line));
  return loadedCases(rows.flatMap((row, index) => casesOf(row, sound[index]!)), damaged);
}

/** Reads rows of a JSON Lines file. Throws as {@link loadCases} does. */
export function readRows<Row>(path: string, schema: z.ZodType<Row>) {
  const remedy =
    "Check the path; no data set is part of this repository, and data/README.md says where those of " +
    "the studies come from.";
  checkInput(path, (why) => `Cannot read the cases: ${path} cannot be opened: ${why}. ${remedy}`);
  return readJsonLines(path, (value) => schema.parse(value));
}

/** Separates cases from rejected rows, and adds damaged lines. */
export function loadedCases(made: readonly RowCases[], damaged: readonly DamagedLine[]) {
  const isCase = (one: RowCases): one is LabelledCase => "claim" in one;
  const leftOut = made.filter((one): one is LeftOut => !isCase(one));
  return { cases: made.filter(isCase), damaged, leftOut };
}

/** Makes a passage from the evidence that a data set gives with a claim. */
export const evidencePassage = (set: string, id: string, text: string, title = ""): Passage => {
  return { id: `${id}/evidence`, text, collection: set, title, section: "" };
};

/** Reads cases from a third party's CSV. @param columnsOf Throws where a column is missing. */
export function loadCsvCases<Row>(
  path: string,
  columnsOf: (header: string[]) => string[],
  schema: z.ZodType<Row>,
  casesOf: (row: Row, line: number) => readonly RowCases[],
  refusal: (reason: string) => string,
): LoadedCases {
  const damaged: DamagedLine[] = [];
  const refuse = (line: number, error: unknown, text = "") =>
    damaged.push({ line, text, reason: damageReason(error) });
  let records;
  try {
    const table = readInputText(path, (why) => why);
    records = foreignRecords(table, { columns: columnsOf, refuse, isRagged: true });
  } catch (cause) {
    throw new Error(`Cannot read the cases: ${refusal(damageReason(cause))}`, { cause });
  }
  const made: RowCases[] = [];
  for (const { line, record } of records) {
    const row = schema.safeParse(record);
    if (row.success) made.push(...casesOf(row.data, line));
    else refuse(line, row.error, JSON.stringify(record));
  }
  return loadedCases(made, damaged);
}

/** Synonyms of labels in files, in lower case. Binary sets do not separate refuted from unknown. */
const LABELS: Readonly<Record<CaseLabel, readonly string[]>> = {
  supported: ["supported", "supports", "entailment", "true", "1", "yes"],
  refuted: ["refuted", "refutes", "contradiction"],
  "not enough info": ["not enough info", "neutral", "nei", "unverifiable"],
  "not supported": ["not supported", "false", "0", "no"],
};

/** Synonyms of splits in files, in lower case. */
const SPLITS: Readonly<Record<CaseSplit, readonly string[]>> = {
  train: ["train", "training"],
  development: ["development", "dev", "validation", "valid", "val"],
  test: ["test", "testing"],
};

/** Synonyms of field names; the first present in a row counts. */
const NAMES = {
  claim: ["claim", "statement", "response", "hypothesis"],
  source: ["evidence", "document", "context", "premise", "knowledge", "source"],
  label: ["label"],
  id: ["id"],
  cluster: ["cluster", "response_id", "topic"],
  split: ["split"],
  set: ["set", "dataset", "source"],
} as const;

const acceptedNames = (field: keyof typeof NAMES) => NAMES[field].join(" or ");
const requiredFieldMessage = (field: "claim" | "label") =>
  `is missing or no text; name it ${acceptedNames(field)}`;
const NAME = z.union([z.string(), z.number()]).transform(String);

const FIELDS = z.object({
  claim: z.string({ error: requiredFieldMessage("claim") }),
  /** Source texts; empty where there is nothing to check against. */
  source: z.union([z.string(), z.array(z.string())], { error: "is no text or list of texts" })
    .default([]).transform((source) => [source].flat().filter((text) => text.trim() !== "")),
  label: z.union([z.string(), z.number(), z.boolean()], { error: requiredFieldMessage("label") })
    .transform(String),
  id: NAME.optional(),
  cluster: NAME.optional(),
  split: NAME.optional(),
  set: NAME.optional(),
});

type Fields = z.infer<typeof FIELDS>;
const ROW = z.preprocess(canonicalRow, FIELDS);

/**
 * Reads a user's labelled claims: CSV with a header for `.csv`, otherwise JSON Lines. {@link NAMES}
 * lists the accepted field names. A row without an id is named by its line. Without a cluster, the
 * claims of one source form a cluster. If all claims have the same source, each claim is its own
 * cluster, and results hold for that source only. A repeated id is left out. @throws {Error} naming
 * file and row for an unknown label or split, so that no class of claims disappears silently.
 */
export function labelledFile(path: string): LoadedCases {
  const file = basename(path).replace(/(?:\.\w+){1,2}$/u, "");
  const ids = new Set<string>();
  let named = false;
  const casesOf = (row: Fields, line: number): readonly RowCases[] => {
    const { id = `line-${line}`, claim, source, set = file } = row;
    const meant = <Name extends string>(
      what: string,
      names: Readonly<Record<Name, readonly string[]>>,
      value: string,
    ) => {
      const word = value.trim().toLowerCase().replaceAll(/[\s_-]+/gu, " ");
      const match = (Object.keys(names) as Name[]).find((name) => names[name].includes(word));
      if (match !== undefined) return match;
      throw new Error(
        `Cannot read the cases: ${path}, line ${line}: the ${what} is "${value}". Understood, in ` +
          `capitals or not, are ${Object.values<readonly string[]>(names).flat().join(", ")}.`,
      );
    };
    const label = meant("label", LABELS, row.label);
    const split = row.split === undefined ? {} : { split: meant("split", SPLITS, row.split) };
    if (ids.has(id)) return [rejectedRow(id, `line ${line} has the id of a line before it`)];
    ids.add(id);
    const passages = source.map((text, index) => evidencePassage(set, `${id}/${index + 1}`, text));
    const ofSource = sha256Hex(JSON.stringify(source.length > 0 ? source : claim)).slice(0, 16);
    named ||= row.cluster !== undefined;
    const cluster = row.cluster ?? ofSource;
    return [{ id, claim, passages, label, cluster, set, ...split }];
  };
  const clustered = (loaded: LoadedCases): LoadedCases => {
    const isOne = new Set(loaded.cases.map(({ cluster }) => cluster)).size === 1;
    if (named || !isOne) return loaded;
    return { ...loaded, cases: loaded.cases.map((one) => ({ ...one, cluster: one.id })) };
  };
  if (extname(path).toLowerCase() !== ".csv") return clustered(loadCases(path, ROW, casesOf));
  const columnsOf = (header: readonly string[]) => {
    const columns = header.map((name) => name.trim().toLowerCase());
    for (const field of ["claim", "label"] as const) {
      if (NAMES[field].some((name) => columns.includes(name))) continue;
      throw new SyntaxError(
        `the column with the ${field} is missing; name it ${acceptedNames(field)}`,
      );
    }
    return columns;
  };
  const problem = (reason: string) => `${path}: ${reason}.`;
  return clustered(loadCsvCases(path, columnsOf, ROW, casesOf, problem));
}

/** Renames a row's fields to canonical names and drops empty ones. */
function canonicalRow(row: unknown): unknown {
  const record = z.record(z.string(), z.unknown()).safeParse(row);
  if (!record.success) return row;
  const isThere = (value: unknown) =>
    value !== null && value !== undefined && !(typeof value === "string" && value.trim() === "");
  const used = new Set<string>();
  return Object.fromEntries(
    Object.entries(NAMES).flatMap(([field, names]) => {
      const name = names.find((name) => !used.has(name) && isThere(record.data[name]));
      if (name === undefined) return [];
      // Where the evidence has a field of its own, "source" names the set; otherwise it is the
      // evidence.
      used.add(name);
      return [[field, record.data[name]]];
    }),
  );
}

/** Normalises a claim's case and white space. */
export const claimWords = (claim: string): string =>
  claim.toLowerCase().split(/\s+/u).join(" ").trim();

/**
 * Assigns each case a group that must stay in one split: cases that share cluster, claim or source.
 */
export function entityGroups(cases: readonly LabelledCase[]): readonly number[] {
  const firstWith = new Map<string, number>();
  const pairs = cases.flatMap(({ set, cluster, claim, passages }, i) =>
    [
      `cluster ${JSON.stringify([set, cluster])}`,
      `claim ${claimWords(claim)}`,
      ...passages.map(({ text }) => `source ${text}`),
    ].map((mark) => [firstWith.getOrInsert(mark, i), i] as const)
  );
  return connectedComponents(cases.length, pairs);
}
