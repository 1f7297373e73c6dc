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

/** The usual headings, without regard to case and spaces; the last two only in the long form. */
const USUAL: Readonly<Record<keyof Output & keyof Preparation["columns"], RegExp>> = {
  segment: /^((seg(ment)?|sentence|item)_id|seg(ment)?|id)$/,
  document: /^doc(ument)?(_id)?$/,
  source: /^(source|src)(_text)?$/,
  system: /^sys(tem)?(_id|_name)?$/,
  translation: /^(translation|target|tgt|output|hypothesis|hyp)$/,
};
const ROLES = Object.keys(USUAL) as (keyof typeof USUAL)[];
const isUsual = (role: keyof typeof USUAL, heading: string) =>
  USUAL[role].test(heading.toLowerCase().replace(/[\s-]+/g, "_"));

/**
 * A table's outputs. It is long where it has a column of systems and one of translations; without a
 * document each segment is one of its own, and a wide one without segments has them numbered. Systems
 * are those named, or all columns of a wide table (names of a long one) that are not excluded.
 *
 * Throws SyntaxError for columns that are missing or stand twice, for systems of which it is not
 * certain that they are any (see {@link doubts}), and as {@link systemOutputs} does.
 */
export function outputsOf(table: Table, file: string, layout: Layout = {}): ReadOutputs {
  const { headings, lines, described } = table;
  const fail = (reason: string) => new SyntaxError(`Cannot read ${file}: ${reason}`);
  const found = (role: keyof typeof USUAL) => {
    const usual = headings.filter((heading) => isUsual(role, heading));
    return layout.columns?.[role] ?? usual.find((it) => !/^id$/i.test(it)) ?? usual[0];
  };
  const form = layout.form ?? (found("system") && found("translation") ? "long" : "wide");
  const roles = ROLES.slice(0, form === "long" ? 5 : 3);
  const columns = Object.fromEntries(roles.map((role) => [role, found(role)]));
  const claimed = Object.values(columns).filter((it) => it !== undefined);
  const optional = form === "long" ? ["document"] : ["document", "segment"];
  const faults = [
    ...roles.filter((role) => columns[role] === undefined && !optional.includes(role))
      .map((role) => `there is no column for the ${role}`),
    ...claimed.filter((it) => !headings.includes(it)).map((it) => `column ${it} is missing`),
    ...headings.filter((name, index) => headings.indexOf(name) !== index)
      .map((name) => `column ${name || "without a name"} stands twice`),
  ];
  if (faults.length > 0) {
    const say = "preparation.columns in the configuration can say which is which";
    throw fail(`${inOneLine(faults)}. Its columns are ${headings.join(", ")} (${say}).`);
  }
  // A column without a heading is the row numbers that a program has written.
  const others = headings.filter((heading) => heading !== "" && !claimed.includes(heading));
  const all = lines.flatMap(({ line, cells }, index): Output[] => {
    const cell = (heading: string | undefined, otherwise = "") =>
      heading === undefined ? otherwise : cells[headings.indexOf(heading)]!;
    const segment = cell(columns.segment, `${index + 1}`).trim();
    const document = cell(columns.document, segment).trim();
    const place = { segment, document, source: cell(columns.source), line };
    if (form === "wide") {
      return others.map((it) => ({ ...place, system: it, translation: cell(it) }));
    }
    const [system, translation] = [cell(columns.system).trim(), cell(columns.translation)];
    return [{ ...place, system, translation }];
  });
  const { systems, exclude = [] } = layout;
  const byName = Map.groupBy(all, ({ system }) => system);
  const strangers = [...systems ?? [], ...exclude].filter((name) => !byName.has(name));
  if (strangers.length > 0) {
    throw fail(
      `there is no system ${strangers.join(", ")}, only ${[...byName.keys()].join(", ")}.`,
    );
  }
  const names = (systems ?? [...byName.keys()]).filter((name) => !exclude.includes(name));
  const doubtful = systems ? [] : names.flatMap((name) => {
    // An empty translation is one like any other: in a long file the name has said whose it is.
    const why = doubts(name, form === "long" ? [] : byName.get(name)!);
    return why.length > 0 ? [`${name}: ${why.join(", ")}`] : [];
  });
  if (doubtful.length > 0) {
    const certain = names.filter((name) => !doubtful.some((it) => it.startsWith(`${name}: `)));
    throw fail(
      `it is not certain that each of these is a system:${faultLines(doubtful)}\n` +
        "Say in the configuration which take part, such of these as do among them:\n" +
        `  preparation:\n    systems: ${JSON.stringify(certain)}`,
    );
  }
  const unread = [...others, ...byName.keys()].filter((it) => !names.includes(it));
  return {
    ...systemOutputs(all.filter(({ system }) => names.includes(system)), file),
    described: [
      `${file}: ${described}; ${form} form, a ${form === "wide" ? "column" : "row"} a system`,
      roles.map((role) => `${role}: ${columns[role] ?? "none"}`).join(", "),
      `${names.length} systems: ${names.join(", ")}`,
      `not read: ${[...new Set(unread)].join(", ") || "nothing"}`,
    ],
  };
}

/** Headings and names that belong to something else than a system under test. */
const NO_SYSTEM =
  /^(notes?|comments?|remarks?|(ref|human|gold)([ _-]?[a-z0-9])?|references?|targets?|scores?|da|mqm|esa|sqm|domain|genre|topic|(.*[ _-])?lang(uage)?s?|url|date|rater|annotator|labels?|split|rank|bucket|index|line|n|title)\d*$/i;

/** Why a column, or a name, may be no system. */
function doubts(name: string, outputs: readonly Output[]): string[] {
  const filled = outputs.map(({ translation }) => translation).filter((text) => !isEmpty(text));
  const isFew = filled.length > 3 && new Set(filled).size <= filled.length / 2;
  return [
    (NO_SYSTEM.test(name) || ROLES.some((role) => isUsual(role, name))) &&
    "its name is usually that of something else",
    filled.length < outputs.length &&
    `${outputs.length - filled.length} of ${outputs.length} cells are empty`,
    filled.length > 0 && filled.every((text) => !Number.isNaN(Number(text))) && "it holds numbers",
    isFew && filled.every((text) => text.length <= 20) &&
    "a few short values come again and again",
  ].filter((doubt) => doubt !== false);
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
