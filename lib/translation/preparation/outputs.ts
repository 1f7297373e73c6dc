import { inOneLine } from "./faults.ts";
import type { Table } from "./table.ts";

/** One cell of the researcher's file: what one system made of one segment. */
export interface Output {
  readonly segment: string;
  readonly document: string;
  readonly system: string;
  readonly source: string;
  readonly translation: string;
  /** Where it stands, for messages. */
  readonly line: number;
}

/** One row a segment and system. */
export interface LongForm {
  readonly form: "long";
  readonly segment: string;
  /** Undefined where the file has none: then each segment is a document of its own. */
  readonly document: string | undefined;
  readonly system: string;
  readonly source: string;
  readonly translation: string;
}

/** One row a segment, one column a system. */
export interface WideForm {
  readonly form: "wide";
  /** Undefined where the file has none: then segments are numbered from 1. */
  readonly segment: string | undefined;
  /** Undefined where the file has none: then each segment is a document of its own. */
  readonly document: string | undefined;
  readonly source: string;
  /** The systems' columns; undefined for all that no other name here claims. */
  readonly systems: readonly string[] | undefined;
}

/** Which columns hold what. */
export type Layout = LongForm | WideForm;

/** The long form under its usual headings. */
export const LONG_FORM: LongForm = {
  form: "long",
  segment: "segment",
  document: "document",
  system: "system",
  source: "source",
  translation: "translation",
};

/** The wide form under its usual headings: every other column is a system. */
export const WIDE_FORM: WideForm = {
  form: "wide",
  segment: "segment",
  document: "document",
  source: "source",
  systems: undefined,
};

/**
 * The outputs of a table, in its order.
 *
 * Throws SyntaxError naming the file and every column that is missing or stands twice.
 */
export function outputsFrom(table: Table, layout: Layout, file: string): Output[] {
  requireColumns(table, columnsOf(layout), file);
  return layout.form === "long" ? longOutputs(table, layout) : wideOutputs(table, layout);
}

function columnsOf(layout: Layout): string[] {
  const named = layout.form === "long"
    ? [layout.segment, layout.document, layout.system, layout.source, layout.translation]
    : [layout.segment, layout.document, layout.source, ...layout.systems ?? []];
  return named.filter((name) => name !== undefined);
}

function requireColumns({ headings }: Table, wanted: readonly string[], file: string): void {
  const doubled = headings.filter((name, index) => headings.indexOf(name) !== index);
  const faults = [
    ...wanted.filter((name) => !headings.includes(name)).map((name) => `column ${name} is missing`),
    ...doubled.map((name) => `column ${name || "without a name"} stands twice`),
  ];
  if (faults.length === 0) return;
  throw new SyntaxError(
    `Cannot read ${file}: ${inOneLine(faults)}. Its columns are ${headings.join(", ")}.`,
  );
}

function longOutputs({ headings, lines }: Table, layout: LongForm): Output[] {
  const at = (name: string) => headings.indexOf(name);
  return lines.map(({ line, cells }) => ({
    segment: cells[at(layout.segment)]!.trim(),
    document: cells[at(layout.document ?? layout.segment)]!.trim(),
    system: cells[at(layout.system)]!.trim(),
    source: cells[at(layout.source)]!,
    translation: cells[at(layout.translation)]!,
    line,
  }));
}

function wideOutputs({ headings, lines }: Table, layout: WideForm): Output[] {
  const at = (name: string) => headings.indexOf(name);
  const claimed = columnsOf(layout);
  const systems = layout.systems ?? headings.filter((name) => !claimed.includes(name));
  return lines.flatMap(({ line, cells }, index) => {
    const named = layout.segment === undefined ? String(index + 1) : cells[at(layout.segment)]!;
    const segment = named.trim();
    const document = layout.document === undefined ? segment : cells[at(layout.document)]!.trim();
    const source = cells[at(layout.source)]!;
    return systems.map((system) => ({
      ...{ segment, document, system, source, line },
      translation: cells[at(system)]!,
    }));
  });
}
