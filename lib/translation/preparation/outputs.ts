import { shownPath } from "../../files/atomic.ts";
import type { Preparation } from "../configuration.ts";
import { canonicalText, isEmpty, MAX_CELL_LENGTH } from "../text.ts";
import { faultLines, inOneLine, readTable, type Table, type TextForm } from "./read_table.ts";

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

/** What is said of a table of outputs; what is left out is told by its headings. */
type Layout = TextForm & Partial<Pick<Preparation, "form" | "columns" | "systems" | "exclude">>;

/** What was read as what: for each line a sentence's worth of words, for the person who wrote it. */
export type ReadOutputs = SystemOutputs & { readonly described: readonly string[] };

/**
 * Reads systems' outputs from a `.csv`, `.tsv` or `.xlsx` (its first sheet), a row a segment and
 * system (`long`) or a row a segment and a column a system (`wide`). Throws SyntaxError naming the
 * file and every fault in it, RangeError for another kind of file, and NotFound if there is none.
 */
export async function readOutputs(path: string, layout: Layout = {}): Promise<ReadOutputs> {
  return outputsOf(await readTable(path, layout), shownPath(path), layout);
}

/** The usual headings, first the house's own, without regard to case and spaces. */
const USUAL = {
  segment: ["segment", "seg", "segment_id", "seg_id", "sentence_id", "item_id", "id"],
  document: ["document", "doc", "document_id", "doc_id"],
  source: ["source", "src", "source_text"],
  system: ["system", "system_id", "system_name", "sys"],
  translation: ["translation", "target", "tgt", "output", "hypothesis", "hyp"],
};

/**
 * A table's outputs. It is long where it has a column of systems and one of translations; without a
 * document each segment is one of its own, and a wide one without segments has them numbered. Systems
 * are those named, or all columns of a wide table (names of a long one) that are not excluded.
 *
 * Throws SyntaxError for columns that are missing or stand twice, for systems of which it is not
 * certain that they are any (see {@link doubts}), and as {@link systemOutputs} does.
 */
export function outputsOf(table: Table, file: string, layout: Layout = {}): ReadOutputs {
  const { headings, lines } = table;
  const { columns = {}, exclude = [] } = layout;
  const plain = headings.map((heading) => heading.toLowerCase().replace(/[\s-]+/g, "_"));
  const found = (role: keyof typeof USUAL) =>
    columns[role] ?? headings[plain.findIndex((name) => USUAL[role].includes(name))];
  const [segment, document, source] = [found("segment"), found("document"), found("source")];
  const pair = [found("system"), found("translation")] as const;
  const [system, translation] = pair;
  const form = layout.form ?? (pair.includes(undefined) ? "wide" : "long");
  const places = { source, segment, document };
  const claimed = { ...places, ...form === "long" && { system, translation } };
  const faults = [
    ...Object.entries(claimed).flatMap(([role, heading]) => {
      const isNeeded = role !== "document" && !(role === "segment" && form === "wide");
      if (heading === undefined) return isNeeded ? [`there is no column for the ${role}`] : [];
      return headings.includes(heading) ? [] : [`column ${heading} is missing`];
    }),
    ...headings.filter((name, index) => headings.indexOf(name) !== index)
      .map((name) => `column ${name || "without a name"} stands twice`),
  ];
  if (faults.length > 0) {
    throw new SyntaxError(
      `Cannot read ${file}: ${inOneLine(faults)}. Its columns are ${headings.join(", ")} ` +
        "(preparation.columns in the configuration can say which is which).",
    );
  }
  const cell = (cells: readonly string[], heading: string) => cells[headings.indexOf(heading)]!;
  const others = headings.filter((heading) => !Object.values(claimed).includes(heading));
  const names = form === "wide"
    ? others
    : [...new Set(lines.map(({ cells }) => cell(cells, system!).trim()))];
  const strangers = [...layout.systems ?? [], ...exclude].filter((name) => !names.includes(name));
  if (strangers.length > 0) {
    throw new SyntaxError(
      `Cannot read ${file}: there is no system ${strangers.join(", ")}, only ${names.join(", ")}.`,
    );
  }
  const systems = (layout.systems ?? names).filter((name) => !exclude.includes(name));
  if (layout.systems === undefined) {
    const texts = (name: string) => form === "wide" ? lines.map((it) => cell(it.cells, name)) : [];
    requireCertain(systems.map((name) => [name, doubts(name, texts(name))] as const), file);
  }
  const outputs = lines.flatMap(({ line, cells }, index): Output[] => {
    const id = (segment === undefined ? `${index + 1}` : cell(cells, segment)).trim();
    const of = document === undefined ? id : cell(cells, document).trim();
    const place = { segment: id, document: of, source: cell(cells, source!), line };
    if (form === "wide") {
      return systems.map((system) => ({ ...place, system, translation: cell(cells, system) }));
    }
    const own = { system: cell(cells, system!).trim(), translation: cell(cells, translation!) };
    return systems.includes(own.system) ? [{ ...place, ...own }] : [];
  });
  const unread = [...form === "long" ? others : [], ...names].filter((it) => !systems.includes(it));
  return {
    ...systemOutputs(outputs, file),
    described: [
      `${file}: ${table.described}; ${form} form, a ${form === "wide" ? "column" : "row"} a system`,
      Object.entries(claimed).map(([role, heading]) => `${role}: ${heading ?? "none"}`).join(", "),
      `${systems.length} systems: ${systems.join(", ")}`,
      `not read: ${unread.join(", ") || "nothing"}`,
    ],
  };
}

/** Headings and names that belong to something else than a system under test. */
const NO_SYSTEM =
  /^(notes?|comments?|remarks?|ref([ _-]?[a-z0-9]|erences?)?|human|gold|scores?|da|mqm|esa|sqm|domain|genre|topic|(.*[ _-])?lang(uage)?|url|date|rater|annotator|labels?|split|rank|bucket|index|line|n|title)\d*$/i;

/** Why a column, or a name, may be no system; `texts` are the column's cells. */
function doubts(name: string, texts: readonly string[]): string[] {
  const filled = texts.filter((text) => !isEmpty(text));
  const distinct = new Set(filled).size;
  const isShort = filled.every((text) => text.length <= 20);
  return [
    ...NO_SYSTEM.test(name) ? ["its name is usually that of something else"] : [],
    ...filled.length < texts.length
      ? [`${texts.length - filled.length} of ${texts.length} cells are empty`]
      : [],
    ...filled.length > 0 && filled.every((text) => !Number.isNaN(Number(text)))
      ? ["it holds numbers"]
      : filled.length > 3 && isShort && distinct <= filled.length / 2
      ? ["a few short values come again and again"]
      : [],
  ];
}

function requireCertain(
  systems: readonly (readonly [name: string, doubts: readonly string[]])[],
  file: string,
): void {
  const doubtful = systems.filter(([, why]) => why.length > 0);
  if (doubtful.length === 0) return;
  const certain = systems.filter(([, why]) => why.length === 0).map(([name]) => name);
  throw new SyntaxError(
    `Cannot read ${file}: it is not certain that each of these is a system:` +
      faultLines(doubtful.map(([name, why]) => `${name}: ${why.join(", ")}`)) +
      "\nSay in the configuration which take part, such of these as do among them:\n" +
      `  preparation:\n    systems: ${JSON.stringify(certain)}`,
  );
}

/** What one system made of one segment; `line` is where it stands, for messages. */
interface Output extends Omit<Segment, "translations"> {
  readonly system: string;
  readonly translation: string;
  readonly line: number;
}

/**
 * Puts single outputs together; a segment is told by its document and identifier. Throws SyntaxError
 * that lists every fault: an empty identifier or source, outputs that lack or stand twice, sources
 * that differ within a segment, a text that no cell can hold.
 */
export function systemOutputs(outputs: readonly Output[], file: string): SystemOutputs {
  const systems = [...new Set(outputs.map(({ system }) => system))];
  const groups = [...Map.groupBy(outputs, (it) => `${it.document}\0${it.segment}`).values()];
  const faults = [
    ...outputs.flatMap(faultsOfOutput),
    ...groups.flatMap((group) => faultsOfSegment(group, systems)),
    ...outputs.length === 0 ? ["it holds no outputs"] : [],
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
