import { canonicalText, MAX_CELL_LENGTH } from "../canonical_text.ts";
import type { Problem } from "./read_result.ts";
import type { TableRow } from "./table.ts";

/** Reads the cells of one row and collects what is wrong with them. */
export class RowReader {
  constructor(
    private readonly sheet: string,
    private readonly row: TableRow,
    private readonly problems: Problem[],
  ) {}

  /** Notes something wrong with the row, or with one of its columns. */
  refuse(column: string | undefined, message: string): void {
    this.problems.push({ sheet: this.sheet, row: this.row.number, column, message });
  }

  has(column: string): boolean {
    return this.row.cells.has(column);
  }

  /** Canonical text; a number in the cell is taken as the text that it is shown as. */
  text(column: string): string {
    const text = canonicalText(String(this.row.cells.get(column) ?? ""));
    if (text.length > MAX_CELL_LENGTH) {
      const length = text.length.toLocaleString("en");
      this.refuse(column, `The text has ${length} characters, more than a cell can hold.`);
    }
    return text;
  }

  /** As it stands, text in canonical form; undefined where the cell is empty. */
  rating(column: string): string | number | undefined {
    const value = this.row.cells.get(column);
    return typeof value === "number" ? value : this.text(column) || undefined;
  }

  /** A number from 0, whole if so asked; an empty cell is 0. */
  amount(column: string, isWhole: boolean): number {
    const value = this.row.cells.get(column) ?? 0;
    if (typeof value === "number" && value >= 0 && (!isWhole || Number.isSafeInteger(value))) {
      return value;
    }
    this.refuse(column, `It must be a ${isWhole ? "whole " : ""}number from 0.`);
    return 0;
  }

  /** A time in ISO 8601, UTC; undefined where the cell is empty. */
  time(column: string): string | undefined {
    const value = this.row.cells.get(column);
    if (value === undefined || isIsoTime(value)) return value;
    this.refuse(column, "It must be a time in UTC such as 2026-01-31T09:30:00.000Z.");
    return undefined;
  }
}

/** Whether it is a time as `Date.toISOString` writes it, with or without fractions of a second. */
export function isIsoTime(value: string | number): value is string {
  return typeof value === "string" &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(value) &&
    !Number.isNaN(Date.parse(value));
}
