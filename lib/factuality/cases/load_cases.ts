import type { z } from "zod";
import { readJsonLines } from "../../files/jsonl.ts";
import type { DamagedLine } from "../../files/csv.ts";
import type { LabelledCase } from "./labelled_case.ts";

/** The cases of a file, and an account of everything in it that is none. */
export interface LoadedCases {
  /** In the order of the file. */
  readonly cases: readonly LabelledCase[];
  /** Lines that are no row of the format, and why. */
  readonly damaged: readonly DamagedLine[];
  /** Sound rows, or parts of them, that no case can be made of. */
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  /** As the case's would have been. */
  readonly id: string;
  readonly reason: string;
}

/** What one row gives. */
export type RowCases =
  | { readonly kind: "case"; readonly value: LabelledCase }
  | { readonly kind: "left out"; readonly value: LeftOut };

export function labelled(value: LabelledCase): RowCases {
  return { kind: "case", value };
}

export function leftOut(id: string, reason: string): RowCases {
  return { kind: "left out", value: { id, reason } };
}

/**
 * Reads a file of JSON objects, one a line; `casesOf` is given each sound row and its line number
 * from 1. Damaged lines are reported and passed over.
 * @throws {Error} naming the file, where it cannot be read.
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
  return collected(rows.flatMap((row, index) => casesOf(row, sound[index]!)), damaged);
}

/** Rows of a file, without cases yet. Throws as {@link loadCases} does. */
export function readRows<Row>(path: string, schema: z.ZodType<Row>) {
  try {
    return readJsonLines(path, (value) => schema.parse(value));
  } catch (cause) {
    throw new Error(
      `Cannot read the cases: ${path} cannot be opened. Check the path; the data sets lie ` +
        "beside the project and are not part of it.",
      { cause },
    );
  }
}

export function collected(
  made: readonly RowCases[],
  damaged: readonly DamagedLine[],
): LoadedCases {
  return {
    cases: made.flatMap((one) => one.kind === "case" ? [one.value] : []),
    damaged,
    leftOut: made.flatMap((one) => one.kind === "left out" ? [one.value] : []),
  };
}
