import { basename, dirname, extname, join, resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import type { LabelledCase, LoadedCases } from "../../lib/factuality/datasets/labelled_case.ts";
import {
  CASE_FORMATS,
  type CaseSource,
  caseSource,
  loadSharedSet,
  presentSets,
  readLabelledCases,
} from "../../lib/factuality/datasets/open_cases.ts";
import {
  askGroups,
  COMPONENT_ANSWERS,
  type ComponentGroup,
  componentRuns,
  drawCases,
  heldOutDraw,
} from "../../lib/factuality/evaluate/ask_components.ts";
import {
  HUMAN_LABELLED,
  type HumanLabelledRow,
  humanLabelledRows,
} from "../../lib/factuality/evaluate/human_labelled.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { KNOWLEDGE_CASES } from "../../lib/factuality/study/tables.ts";
import { shownPath } from "../../lib/files/atomic.ts";
import { inertText } from "../../lib/files/csv.ts";
import { openStatusLine } from "../../lib/files/progress.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int } from "../command.ts";
import { COMPONENT_GROUPS, isQuick, isSlow, QUICK_GROUPS } from "./components.ts";

/** No row of the human-labelled sets is ever written into the project. */
const FOLDER = join(FACTUALITY_PATHS.cache, "compare");
const HUMAN_ANSWERS = join(FOLDER, "human_answers.csv");

const HELP = `
FORMAT is one of ${CASE_FORMATS.join(", ")}.
A file of your own is CSV with a header, or JSON objects, one a line, with claim, source and label
(supported, refuted, not enough info; or yes, no), and if you like id and cluster: claims of one
response or topic, for intervals. FEVER's pages are looked for in wiki-pages beside the file,
RAGTruth's sources in source_info.jsonl. Answers are kept as they come, and a further run asks what
is missing; nothing of --cases or --human is written into data/ but aggregates.`;

/** The parser of a number half of which are supported. */
function even(text: string): number {
  const value = int({ min: 1 })(text);
  if (value % 2 === 0) return value;
  throw new InvalidArgumentError("half are supported, so it must be even");
}

export const TASK = command(
  "study compare",
  "Verifier, baselines and judges on the same labelled claims: held-out claims about countries, and " +
    "people's. Writes component_answers.csv, an answer a row, and human_labelled.csv.",
  (c) =>
    c.option("--claims <n>", "held-out claims about countries", even, 240)
      .option("--written <n>", "of these, for the judge that writes its answers", even, 40)
      .option("--human", "the human-labelled sets of ../shared/data, too")
      .option("--draw <n>", "of each such set, for language models (40); of --cases (none)", even)
      .option("--only <text>", "only components whose name has this in it", "")
      .option("--threads <n>", "of evaluation", int({ min: 1 }), 2)
      .option(
        "--cases <format:file>",
        "labelled claims of your own in place of all these",
        caseSource,
      )
      .option("--out <file>", "for the figures of --cases")
      .addHelpText("after", HELP),
  async ({ cases, out, draw, human, ...options }, { signal }) => {
    if (cases === undefined && out !== undefined) {
      throw new RangeError(
        "Cannot compare: --out goes with --cases; other tables have their places.",
      );
    }
    if (cases !== undefined && human) {
      throw new RangeError("Cannot compare: --human does not go with --cases; leave out one.");
    }
    using status = openStatusLine();
    const tell = (words: string) => status.show(words);
    const asking = { ...options, draw: draw ?? 40, signal, tell };
    if (cases !== undefined) {
      const groups = draw === undefined
        ? QUICK_GROUPS
        : COMPONENT_GROUPS.filter(({ names }) => !names.every(isSlow));
      const print = (text: string) => console.log(text);
      const run = { ...asking, ...cases, draw, out, folder: FOLDER, groups, isQuick, print };
      return await compareOwn(run) ? EXIT.done : EXIT.incomplete;
    }
    if (!await compareHeldOut(asking)) return EXIT.incomplete;
    console.log(`Answers: ${shownPath(COMPONENT_ANSWERS.path)}`);
    return !human || await compareHuman(asking) ? EXIT.done : EXIT.incomplete;
  },
);

interface Asking {
  readonly claims: number;
  readonly written: number;
  readonly draw: number;
  /** Part of the names of components to ask; the empty string for all. */
  readonly only: string;
  readonly threads: number;
  readonly signal: AbortSignal;
  readonly tell: (words: string) => void;
}

async function compareHeldOut({ claims, written, ...asking }: Asking): Promise<boolean> {
  const known = KNOWLEDGE_CASES.read();
  const cases = heldOutDraw(known, claims);
  const table = COMPONENT_ANSWERS;
  const groups = COMPONENT_GROUPS;
  const first = cases.slice(0, written);
  const casesOf = (component: string) => isSlow(component) ? first : cases;
  return await askGroups({ ...asking, table, known, groups, casesOf });
}

async function compareHuman({ draw, ...asking }: Asking): Promise<boolean> {
  const sets = humanSets(draw);
  if (sets.length === 0) throw new Error("Cannot compare: ../shared/data has none of the sets.");
  const known = sets.flatMap(({ all }) => all);
  const drawn = sets.flatMap((set) => set.draw);
  const casesOf = (component: string) => {
    if (isSlow(component)) return [];
    return isQuick(component) ? known : drawn;
  };
  const table = COMPONENT_ANSWERS.at(HUMAN_ANSWERS);
  const groups = COMPONENT_GROUPS;
  const done = await askGroups({ ...asking, table, known, groups, casesOf });
  HUMAN_LABELLED.write(humanRows(sets, HUMAN_ANSWERS, isQuick));
  console.log(`Wrote ${shownPath(HUMAN_LABELLED.path)}.`);
  return done;
}

/** A human-labelled set, and the draw that language models are asked about. */
interface HumanSet {
  readonly name: string;
  readonly all: readonly LabelledCase[];
  readonly draw: readonly LabelledCase[];
}

/** The same cases under another reading of their labels: drawing them again would ask all twice. */
const SECOND_READING = "factcheckgpt_stance with partial";

/** The sets that are there and have sources to check against. */
export function humanSets(draw: number): readonly HumanSet[] {
  return presentSets().flatMap((set): readonly HumanSet[] => {
    const all = loadSharedSet(set).cases.filter(({ passages }) => passages.length > 0);
    if (all.length === 0) return [];
    const random = randomSource(`compare/${set.name}`);
    return [{
      name: set.name,
      all,
      draw: set.name === SECOND_READING ? [] : drawCases(all, draw, random),
    }];
  });
}

/** Aggregates of all answers: on all cases those that were asked about all, on the draw everyone. */
function humanRows(
  sets: readonly HumanSet[],
  table: string,
  isAskedAll: (component: string) => boolean,
): readonly HumanLabelledRow[] {
  const rows = COMPONENT_ANSWERS.at(table).read();
  return sets.flatMap(({ name, all, draw }) => {
    const runs = componentRuns(rows.filter(({ set }) => set === name), all);
    const ofAll = runs.filter(({ component }) => isAskedAll(component));
    const random = randomSource(`compare/${name}/figures`);
    return [
      ...humanLabelledRows({ set: name, scope: "all" }, all, ofAll, random),
      ...draw.length === 0
        ? []
        : humanLabelledRows({ set: name, scope: "draw" }, draw, runs, random),
    ];
  });
}

/** Labelled claims of somebody's own, and what is done with them. */
interface OwnCases extends CaseSource {
  /** Cases that language models are asked about; undefined where they are asked about none. */
  readonly draw: number | undefined;
  /** Path of the table of figures; undefined for the usual one. */
  readonly out: string | undefined;
}

/** Whom to ask about somebody's own cases, and where things go. */
export interface OwnRun extends OwnCases {
  /** Folder of answers and, unless told, of the figures. */
  readonly folder: string;
  readonly groups: readonly ComponentGroup[];
  /** Whether a component is asked about all cases, rather than the draw. */
  readonly isQuick: (component: string) => boolean;
  readonly only: string;
  readonly threads: number;
  readonly signal: AbortSignal;
  readonly tell: (words: string) => void;
  readonly print: (text: string) => void;
}

/**
 * Asks components about the labelled claims of a file, prints their figures and writes them as CSV.
 * @returns whether all is answered; figures of what is there are given in any case.
 * @throws {Error} naming the file, where it cannot be read or has no case; where nobody is asked.
 */
export async function compareOwn(run: OwnRun): Promise<boolean> {
  assertSomeone(run);
  const name = `${run.format}-${basename(run.path, extname(run.path))}`;
  const out = run.out ?? join(run.folder, `${name}.csv`);
  if (resolve(out) === resolve(run.path)) {
    throw new RangeError(`Cannot compare: --out is the file with the cases, ${run.path}.`);
  }
  const known = casesOf(await readLabelledCases(run.format, run.path), run);
  const drawn = drawCases(known, run.draw ?? 0, randomSource(`compare/${name}`));
  if (run.draw !== undefined) run.print(`Language models are asked about ${drawn.length}.`);
  const asked = (component: string) => run.isQuick(component) ? known : drawn;
  const table = join(run.folder, "answers", `${name}.csv`);
  for (const path of [table, out]) Deno.mkdirSync(dirname(path), { recursive: true });
  const answers = COMPONENT_ANSWERS.at(table);
  const done = await askGroups({ ...run, table: answers, known, casesOf: asked });
  const rows = rowsOf(known, drawn, table, run);
  HUMAN_LABELLED.at(resolve(out)).write(rows);
  run.print(`${figuresTable(rows)}\n\nWrote ${shownPath(out)}; answers: ${shownPath(table)}`);
  return done;
}

function assertSomeone({ groups, only, draw }: OwnRun): void {
  const names = groups.flatMap((group) => group.names);
  if (names.some((name) => name.includes(only))) return;
  throw new RangeError(
    `Cannot compare: no component has "${only}" in its name. There are ${names.join(", ")}` +
      (draw === undefined ? "; with --draw language models, too." : "."),
  );
}

/** The cases, with names that one line of a table can hold; what is none is told. */
function casesOf({ cases, damaged, leftOut }: LoadedCases, { path, print }: OwnRun) {
  for (const { line, reason } of damaged) print(`${path}, line ${line} is passed over: ${reason}`);
  for (const { id, reason } of leftOut) print(`${id} is left out: ${reason}`);
  if (cases.length === 0) throw new Error(`Cannot compare: ${path} has no labelled claim.`);
  const without = cases.filter(({ passages }) => passages.length === 0).length;
  print(
    `${cases.length} claims` + (without === 0 ? "" : `, ${without} without a source`) +
      `, ${cases.filter(({ label }) => label === "supported").length} supported.`,
  );
  return cases.map((one): LabelledCase => ({
    ...one,
    set: inertText(one.set),
    id: inertText(one.id),
    cluster: inertText(one.cluster),
  }));
}

function rowsOf(
  known: readonly LabelledCase[],
  drawn: readonly LabelledCase[],
  table: string,
  { only, isQuick }: OwnRun,
): readonly HumanLabelledRow[] {
  const set = known[0]!.set;
  const runs = componentRuns(COMPONENT_ANSWERS.at(table).readSoFar().rows, known)
    .filter(({ component }) => component.includes(only));
  const random = randomSource(`compare/${set}/figures`);
  const ofAll = runs.filter(({ component }) => isQuick(component));
  return [
    ...humanLabelledRows({ set, scope: "all" }, known, ofAll, random),
    ...drawn.length === 0 ? [] : humanLabelledRows({ set, scope: "draw" }, drawn, runs, random),
  ];
}

const MEASURES = ["accuracy", "balanced_accuracy", "precision", "recall", "f1"] as const;

const HEADER = [
  "component",
  "cases",
  "n",
  "unscored",
  "accuracy",
  "balanced accuracy",
  "precision",
  "recall",
  "F1",
];

const LEGEND =
  "Supported against the rest, with 95 % intervals by cluster; – where too few claims " +
  "tell it.";

/** Figures in columns for a terminal, with 95 % intervals by cluster. */
function figuresTable(rows: readonly HumanLabelledRow[]): string {
  const lines = [HEADER, ...rows.map(cells)];
  const widths = HEADER.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const table = lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd());
  return [...table, LEGEND].join("\n");
}

function cells(row: HumanLabelledRow): readonly string[] {
  return [
    row.component,
    row.cases,
    String(row.n),
    String(row.unscored),
    ...MEASURES.map((name) => interval(row[name], row[`${name}_low`], row[`${name}_high`])),
  ];
}

function interval(...values: readonly (number | "")[]): string {
  const [value, low, high] = values.map((each) => each === "" ? undefined : each.toFixed(2));
  return value === undefined ? "–" : `${value} [${low}, ${high}]`;
}
