import { shownPath } from "../../files/atomic.ts";
import { canonicalText, isEmpty, MAX_CELL_LENGTH } from "../text.ts";
import { inOneLine, readTable, type Table } from "./read_table.ts";

/** A complete table of segments × systems. */
export interface SystemOutputs {
  /** In the order of the file. */
  readonly systems: readonly string[];
  /** Documents together, in the order in which each first appears; segments in the file's order. */
  readonly segments: readonly Segment[];
}

/** A source segment with what every system made of it. */
export interface Segment {
  readonly segment: string;
  readonly document: string;
  readonly source: string;
  /** In the order of {@link SystemOutputs.systems}; an empty text is an output like any other. */
  readonly translations: readonly string[];
}

/**
 * The headings of a file: one row a segment and system (`long`), or one a segment and a column a
 * system (`wide`). Without `document` each segment is one of its own; a wide file may do without
 * `segment`, then numbered from 1, and `systems`, then all columns that no other name claims.
 */
type Layout =
  & { readonly document: string | undefined; readonly source: string }
  & (
    | Readonly<Record<"segment" | "system" | "translation", string> & { form: "long" }>
    | {
      readonly form: "wide";
      readonly segment: string | undefined;
      readonly systems: readonly string[] | undefined;
    }
  );

const USUAL = { segment: "segment", document: "document", source: "source" } as const;

/** The long form under its usual headings. */
export const LONG_FORM = {
  ...USUAL,
  form: "long",
  system: "system",
  translation: "translation",
} satisfies Layout;

/** The wide form under its usual headings: every other column is a system. */
export const WIDE_FORM = { ...USUAL, form: "wide", systems: undefined } satisfies Layout;

/**
 * Reads systems' outputs from a `.csv`, `.tsv` (both UTF-8) or `.xlsx` (its first sheet). `exclude`
 * names systems that take no part; `quotes` says whether fields may stand in quotation marks.
 * Throws SyntaxError naming the file and every fault in it, RangeError for another kind of file,
 * and NotFound if there is none.
 */
export async function readOutputs(
  path: string,
  { layout = LONG_FORM, exclude = [], quotes = true }: {
    readonly layout?: Layout;
    readonly exclude?: readonly string[];
    readonly quotes?: boolean;
  } = {},
): Promise<SystemOutputs> {
  const file = shownPath(path);
  return systemOutputs(outputsFrom(await readTable(path, quotes), layout, file), file, exclude);
}

/** What one system made of one segment; `line` is where it stands, for messages. */
interface Output extends Omit<Segment, "translations"> {
  readonly system: string;
  readonly translation: string;
  readonly line: number;
}

/** A table's outputs. Throws SyntaxError for columns that are missing or stand twice. */
export function outputsFrom({ headings, lines }: Table, layout: Layout, file: string): Output[] {
  const { form: _, ...columns } = layout;
  const claimed = Object.values(columns).flatMap((column) => column ?? []);
  const missing = claimed.filter((name) => !headings.includes(name));
  const doubled = headings.filter((name, index) => headings.indexOf(name) !== index);
  const faults = [
    ...missing.map((name) => `column ${name} is missing`),
    ...doubled.map((name) => `column ${name || "without a name"} stands twice`),
  ];
  if (faults.length > 0) {
    throw new SyntaxError(
      `Cannot read ${file}: ${inOneLine(faults)}. Its columns are ${headings.join(", ")}.`,
    );
  }
  return lines.flatMap(({ line, cells }, index) => {
    const cell = (column: string) => cells[headings.indexOf(column)]!;
    const segment = (layout.segment === undefined ? `${index + 1}` : cell(layout.segment)).trim();
    const document = layout.document === undefined ? segment : cell(layout.document).trim();
    const place = { segment, document, source: cell(layout.source), line };
    if (layout.form === "long") {
      const [system, translation] = [cell(layout.system).trim(), cell(layout.translation)];
      return [{ ...place, system, translation }];
    }
    const systems = layout.systems ?? headings.filter((name) => !claimed.includes(name));
    return systems.map((system) => ({ ...place, system, translation: cell(system) }));
  });
}

/**
 * Puts single outputs together; a segment is told by its document and identifier. Throws SyntaxError
 * that lists every fault of the systems that are not excluded: an empty identifier or source, outputs
 * that lack or stand twice, sources that differ within a segment, a text that no cell can hold.
 */
export function systemOutputs(
  outputs: readonly Output[],
  file: string,
  exclude: readonly string[] = [],
): SystemOutputs {
  const kept = outputs.filter(({ system }) => !exclude.includes(system));
  const systems = [...new Set(kept.map(({ system }) => system))];
  const groups = [...Map.groupBy(kept, (it) => `${it.document}\0${it.segment}`).values()];
  const faults = [
    ...exclude.filter((name) => outputs.every(({ system }) => system !== name))
      .map((name) => `there is no system ${name} to exclude`),
    ...kept.flatMap(faultsOfOutput),
    ...groups.flatMap((group) => faultsOfSegment(group, systems)),
    ...kept.length === 0 ? ["it holds no outputs"] : [],
  ];
  if (faults.length > 0) throw new SyntaxError(`Cannot read ${file}: ${inOneLine(faults)}.`);
  const segments = groups.map((group): Segment => {
    const { segment, document, source } = group[0]!;
    const texts = new Map(group.map(({ system, translation }) => [system, translation]));
    return { segment, document, source, translations: systems.map((system) => texts.get(system)!) };
  });
  return { systems, segments: [...Map.groupBy(segments, (it) => it.document).values()].flat() };
}

function faultsOfOutput(output: Output): string[] {
  const empty = (["segment", "document", "system", "source"] as const)
    .filter((field) => isEmpty(output[field]));
  const long = (["source", "translation"] as const)
    .filter((field) => canonicalText(output[field]).length > MAX_CELL_LENGTH);
  return [
    ...empty.map((field) => `line ${output.line} has an empty ${field}`),
    ...long.map((field) =>
      `line ${output.line} has a ${field} of ${output[field].length} characters, ` +
      `a cell holds ${MAX_CELL_LENGTH}`
    ),
  ];
}

function faultsOfSegment(group: readonly Output[], systems: readonly string[]): string[] {
  const first = group[0]!;
  const name = `segment ${first.segment} of document ${first.document}`;
  const bySystem = Map.groupBy(group, ({ system }) => system);
  const other = group.find(({ source }) => canonicalText(source) !== canonicalText(first.source));
  return [
    ...systems.filter((system) => !bySystem.has(system))
      .map((system) => `${name} has no output of ${system}`),
    ...[...bySystem].filter(([, { length }]) => length > 1).map(([system, rows]) => {
      const lines = rows.map(({ line }) => line).join(", ");
      return `${name} has ${rows.length} outputs of ${system} (lines ${lines})`;
    }),
    ...other ? [`${name} has another source in line ${other.line} than in ${first.line}`] : [],
  ];
}
