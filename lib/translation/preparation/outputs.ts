import { shownPath } from "../../files/atomic.ts";
import type { Preparation } from "../configuration.ts";
import { canonicalText, isEmpty, MAX_CELL_LENGTH } from "../text.ts";
import {
  cellFaults,
  listFaults,
  type OutputsTable,
  readTable,
  type TextForm,
} from "./read_table.ts";

/** A complete table of segments × systems. */
export interface SystemOutputs {
  /** Systems in the order of the file. */
  readonly systems: readonly string[];
  /** Segments in file order, grouped by document in order of first appearance. */
  readonly segments: readonly Segment[];
}

/** A source segment with every system's translation. */
export interface Segment {
  readonly segment: string;
  readonly document: string;
  readonly source: string;
  /** Translations in the order of {@link SystemOutputs.systems}; an empty text is allowed. */
  readonly translations: readonly string[];
}

/** Layout of a table of outputs. Missing settings are inferred from its headings. */
type Layout =
  & TextForm
  & Partial<Pick<Preparation, "form" | "columns" | "systems" | "exclude" | "missing">>;

/** Outputs with a description of how the file was read, for the researcher. */
export type ReadOutputs = SystemOutputs & { readonly described: readonly string[] };

/**
 * Reads systems' outputs from a table, a workbook or a folder.
 * A table (`.csv`, `.tsv`, `.jsonl`, `.xlsx` with its first sheet by default) has a row per segment
 * and system (`long`), or a row per segment and a column per system (`wide`); a folder has a text
 * per system. Throws SyntaxError naming the file and all its faults, RangeError for another kind of
 * file, and NotFound.
 */
export async function readOutputs(path: string, layout: Layout = {}): Promise<ReadOutputs> {
  const isHeading = (cells: readonly string[]) =>
    cells.some((cell) => cell === layout.columns?.source || isUsual("source", cell));
  return outputsOf(await readTable(path, { ...layout, isHeading }), shownPath(path), layout);
}

/** Usual headings, ignoring case and spaces. The last two occur only in the long form. */
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
 * Returns the outputs in a table.
 * The form is long if there are columns for system and translation. Without a document column each
 * segment is a document; without a segment column the rows of a wide table are numbered. Systems
 * are those named in the layout, or all other columns of a wide table (names in a long one) that
 * are not excluded.
 *
 * Throws SyntaxError listing all faults: missing or duplicate columns, systems that are missing or
 * doubtful (see {@link doubts}), and the faults of {@link systemOutputs}.
 */
export function outputsOf(table: OutputsTable, file: string, layout: Layout = {}): ReadOutputs {
  const { headings, lines, described } = table;
  const columnFor = (role: keyof typeof USUAL) => {
    const usual = headings.filter((heading) => isUsual(role, heading));
    return layout.columns?.[role] ?? usual.find((it) => !/^id$/i.test(it)) ?? usual[0];
  };
  const form = layout.form ?? (columnFor("system") && columnFor("translation") ? "long" : "wide");
  const roles = ROLES.slice(0, form === "long" ? 5 : 3);
  const columns = Object.fromEntries(roles.map((role) => [role, columnFor(role)]));
  const claimed = Object.values(columns).filter((it) => it !== undefined);
  const optional = form === "long" ? ["document"] : ["document", "segment"];
  const ofColumns = [
    ...roles.filter((role) => columns[role] === undefined && !optional.includes(role))
      .map((role) => `there is no column for the ${role}`),
    ...claimed.filter((it) => !headings.includes(it)).map((it) => `column ${it} is missing`),
    ...headings.filter((name, index) => headings.indexOf(name) !== index)
      .map((name) => `column ${name || "without a name"} occurs twice`),
  ];
  // A column without a heading holds row numbers written by a program.
  const others = [...new Set(headings)].filter((it) => it !== "" && !claimed.includes(it));
  const all = lines.flatMap(({ line, cells }, index): Output[] => {
    // A missing column is reported once, not as a fault of every line.
    const cell = (heading: string | undefined, otherwise = "?") =>
      cells[headings.indexOf(heading ?? "\0")] ?? otherwise;
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
  const names = (systems ?? [...byName.keys()])
    .filter((name) => byName.has(name) && !exclude.includes(name));
  const unread = (heading: string, line: number) =>
    table.faults.some((fault) => fault.heading === heading && fault.line === line);
  const doubted = systems ? [] : names.flatMap((name) => {
    // In a long file the name identifies the system, so empty translations raise no doubt.
    const { reasons, gaps } = doubts(
      name,
      // Unreadable cells are reported as such and do not count as gaps.
      form === "long" ? [] : byName.get(name)!.filter(({ line }) => !unread(name, line)),
    );
    const faults = reasons.length > 0
      ? [`${name} may be no system: ${reasons.join(", ")}`]
      : gaps.map((line) => `line ${line} has nothing under ${name}`);
    return faults.length > 0 ? [{ name, faults, isLikely: reasons.length === 0 }] : [];
  });
  const unlikely = new Set(doubted.flatMap(({ name, isLikely }) => isLikely ? [] : [name]));
  const outputs = all.filter(({ system }) => names.includes(system));
  // Without these columns all rows would belong to one segment.
  const isKeyed = (["segment", "system"] as const)
    .every((role) =>
      !roles.includes(role) || headings.includes(columns[role] ?? "\0") ||
      columns[role] === undefined && optional.includes(role)
    );
  const read = new Set([...claimed, ...form === "wide" ? names : []]);
  const faults = [
    ...ofColumns,
    ...cellFaults(table.faults.filter(({ heading }) => read.has(heading))),
    ...strangers.length === 0
      ? []
      : [`there is no system ${strangers.join(", ")}, only ${[...byName.keys()].join(", ")}`],
    ...doubted.flatMap(({ faults }) => faults),
    ...rowFaults(outputs.filter(({ system }) => !unlikely.has(system)), isKeyed)
      .filter((fault) => layout.missing !== "empty" || !isMissingOutput(fault)),
    ...outputs.length === 0 && isKeyed && strangers.length === 0 ? [NONE] : [],
  ];
  if (faults.length > 0) {
    const likely = JSON.stringify(names.filter((name) => !unlikely.has(name)));
    throw refusal(file, faults, [
      ...ofColumns.length === 0 ? [] : [
        `Its columns are ${
          headings.join(", ")
        } (preparation.columns in the configuration can say ` +
        "which is which).",
      ],
      ...faults.some(isMissingOutput)
        ? [
          "A system that has nothing for a segment may be given an empty translation:\n" +
          "  preparation:\n    missing: empty",
        ]
        : [],
      ...doubted.length === 0 ? [] : [
        "Say in the configuration which systems take part; an empty cell of theirs is then an empty " +
        `translation:\n  preparation:\n    systems: ${likely}`,
      ],
    ]);
  }
  const notRead = [...others, ...byName.keys()].filter((it) => !names.includes(it));
  const complete = groupOutputs(outputs);
  const holes = complete.segments.length * names.length -
    new Set(outputs.map((it) => JSON.stringify([it.document, it.segment, it.system]))).size;
  return {
    ...complete,
    described: [
      `${file}: ${described}; ${form} form, a ${form === "wide" ? "column" : "row"} a system`,
      roles.map((role) => `${role}: ${columns[role] ?? "none"}`).join(", "),
      `${names.length} systems: ${names.join(", ")}`,
      ...holes > 0 ? [`holes, taken for empty translations: ${holes}`] : [],
      `not read: ${[...new Set(notRead)].join(", ") || "nothing"}`,
    ],
  };
}

/** Returns an error that lists up to ten faults, followed by the remedy. */
function refusal(file: string, faults: readonly string[], hints: readonly string[] = []) {
  const end = faults.length === 1 ? "." : "";
  const remedy = hints.map((hint) => `\n${hint}`).join("");
  return new SyntaxError(`Cannot read ${file}:${listFaults(faults)}${end}${remedy}`);
}

/** Headings and names of columns that are not systems under test. */
const NO_SYSTEM =
  /^(notes?|comments?|remarks?|(ref|human|gold)([ _-]?[a-z0-9])?|references?|targets?|scores?|da|mqm|esa|sqm|domain|genre|topic|(.*[ _-])?lang(uage)?s?|url|date|rater|annotator|labels?|split|rank|bucket|index|line|n|title)\d*$/i;

/**
 * Returns reasons to doubt that a column is a system.
 * If there are none, it returns the lines without a translation.
 */
function doubts(name: string, outputs: readonly Output[]) {
  const filled = outputs.map(({ translation }) => translation).filter((text) => !isEmpty(text));
  const isFew = filled.length > 3 && new Set(filled).size <= filled.length / 2;
  const empty = outputs.filter(({ translation }) => isEmpty(translation));
  const reasons = [
    (NO_SYSTEM.test(name) || ROLES.some((role) => isUsual(role, name))) &&
    "its name is usually that of something else",
    empty.length > filled.length && `${empty.length} of ${outputs.length} cells are empty`,
    filled.length > 0 && filled.every((text) => !Number.isNaN(Number(text))) && "it holds numbers",
    isFew && filled.every((text) => text.length <= 20) &&
    "a few short values come again and again",
  ].filter((doubt) => doubt !== false);
  return { reasons, gaps: empty.map(({ line }) => line) };
}

/** One system's translation of one segment. `line` is its line in the file, for messages. */
interface Output extends Omit<Segment, "translations"> {
  readonly system: string;
  readonly translation: string;
  readonly line: number;
}

/**
 * Joins single outputs by segment.
 * A segment is identified by document and identifier. Throws SyntaxError listing all faults: empty
 * identifiers or sources, missing or duplicate outputs, different sources of one segment, texts too
 * long for a cell.
 */
export function systemOutputs(outputs: readonly Output[], file: string): SystemOutputs {
  const faults = outputs.length === 0 ? [NONE] : rowFaults(outputs);
  if (faults.length > 0) throw refusal(file, faults);
  return groupOutputs(outputs);
}

/** Groups faultless outputs by segment and system. */
function groupOutputs(outputs: readonly Output[]): SystemOutputs {
  const systems = systemsOf(outputs);
  const segments = segmentsOf(outputs).map((group): Segment => {
    const { segment, document, source } = group[0]!;
    const texts = new Map(group.map(({ system, translation }) => [system, translation]));
    return {
      segment,
      document,
      source,
      translations: systems.map((system) => texts.get(system) ?? ""),
    };
  });
  return { systems, segments: [...Map.groupBy(segments, (it) => it.document).values()].flat() };
}

const systemsOf = (outputs: readonly Output[]) => [...new Set(outputs.map(({ system }) => system))];

const segmentsOf = (outputs: readonly Output[]) => [
  ...Map.groupBy(outputs, (it) => `${it.document}\0${it.segment}`).values(),
];

const NONE = "it holds no outputs";

/** Lists the faults of outputs, and of segments if rows are identifiable. */
function rowFaults(outputs: readonly Output[], isKeyed = true): string[] {
  const systems = systemsOf(outputs);
  return [
    ...new Set(outputs.flatMap(faultsOfOutput)),
    ...isKeyed ? segmentsOf(outputs).flatMap((group) => faultsOfSegment(group, systems)) : [],
  ];
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

/** Tests whether a fault is a missing output of a system. */
const isMissingOutput = (fault: string) => /^segment .* has no output of /s.test(fault);

function faultsOfSegment(group: readonly Output[], systems: readonly string[]): string[] {
  const first = group[0]!;
  const name = `segment ${first.segment} of document ${first.document}`;
  const bySystem = Map.groupBy(group, ({ system }) => system);
  // A duplicate row of a wide table is one fault, common to all systems.
  const doubles = Map.groupBy(
    [...bySystem].filter(([, { length }]) => length > 1),
    ([, rows]) => rows.map(({ line }) => line).join(", "),
  );
  const other = group.find(({ source }) => canonicalText(source) !== canonicalText(first.source));
  return [
    ...systems.filter((system) => !bySystem.has(system))
      .map((system) => `${name} has no output of ${system}`),
    ...[...doubles].map(([lines, outputs]) => {
      const [count, names] = [outputs[0]![1].length, outputs.map(([system]) => system).join(", ")];
      return `${name} has ${count} outputs of ${names} (lines ${lines})`;
    }),
    ...other ? [`${name} has another source in line ${other.line} than in ${first.line}`] : [],
  ];
}
