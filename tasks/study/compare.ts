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
import { markdownTable } from "../../lib/figures/table.ts";
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
      .option("--cases <format:file>", "labelled claims of your own in place of these", caseSource)
      .option("--out <file>", "for the figures of --cases")
      .addHelpText("after", HELP),
  async ({ cases, out, draw, human, ...options }, { signal }) => {
    if (cases === undefined && out !== undefined) {
      throw new RangeError("Cannot compare: --out goes with --cases; other tables have places.");
    }
    if (cases !== undefined && human) {
      throw new RangeError("Cannot compare: --human does not go with --cases; leave out one.");
    }
    using status = openStatusLine();
    const { only, threads } = options;
    const asking: Asking = { only, threads, signal, tell: (words) => status.show(words) };
    if (cases !== undefined) {
      const groups = draw === undefined
        ? QUICK_GROUPS
        : COMPONENT_GROUPS.filter(({ names }) => !names.every(isSlow));
      const print = (text: string) => console.log(text);
      const run = { ...asking, ...cases, draw, out, folder: FOLDER, groups, isQuick, print };
      return await compareOwn(run) ? EXIT.done : EXIT.incomplete;
    }
    const known = KNOWLEDGE_CASES.read();
    const drawn = heldOutDraw(known, options.claims);
    const few = drawn.slice(0, options.written);
    const casesOf = (component: string) => isSlow(component) ? few : drawn;
    const run = { table: COMPONENT_ANSWERS, known, groups: COMPONENT_GROUPS, casesOf };
    if (!await askGroups({ ...asking, ...run })) return EXIT.incomplete;
    console.log(`Answers: ${shownPath(COMPONENT_ANSWERS.path)}`);
    return !human || await compareHuman(draw ?? 40, asking) ? EXIT.done : EXIT.incomplete;
  },
);

/** How components are asked. */
interface Asking {
  /** Part of the names of components to ask; the empty string for all. */
  readonly only: string;
  readonly threads: number;
  readonly signal: AbortSignal;
  readonly tell: (words: string) => void;
}

async function compareHuman(draw: number, asking: Asking): Promise<boolean> {
  const sets = humanSets(draw);
  if (sets.length === 0) throw new Error("Cannot compare: ../shared/data has none of the sets.");
  const known = sets.flatMap(({ all }) => all);
  const drawn = sets.flatMap((set) => set.draw);
  const casesOf = (component: string) =>
    isSlow(component) ? [] : isQuick(component) ? known : drawn;
  const table = COMPONENT_ANSWERS.at(HUMAN_ANSWERS);
  const done = await askGroups({ ...asking, table, known, groups: COMPONENT_GROUPS, casesOf });
  const rows = table.read();
  HUMAN_LABELLED.write(sets.flatMap((set) => {
    const runs = componentRuns(rows.filter((row) => row.set === set.name), set.all);
    return figureRows(set, runs, isQuick);
  }));
  console.log(`Wrote ${shownPath(HUMAN_LABELLED.path)}.`);
  return done;
}

/** The same cases under another reading of their labels: drawing them again would ask all twice. */
const SECOND_READING = "factcheckgpt_stance with partial";

/** The sets that are there and have sources to check against. */
export function humanSets(count: number) {
  return presentSets().flatMap((set) => {
    const { name } = set;
    const all = loadSharedSet(set).cases.filter(({ passages }) => passages.length > 0);
    const isDrawn = name !== SECOND_READING;
    const draw = isDrawn ? drawCases(all, count, randomSource(`compare/${name}`)) : [];
    return all.length === 0 ? [] : [{ name, all, draw }];
  });
}

/** Aggregates of all answers: on all cases those that were asked about all, on the draw everyone. */
function figureRows(
  { name: set, all, draw }: ReturnType<typeof humanSets>[number],
  runs: ReturnType<typeof componentRuns>,
  isAskedAll: (component: string) => boolean,
): readonly HumanLabelledRow[] {
  const ofAll = runs.filter(({ component }) => isAskedAll(component));
  const random = randomSource(`compare/${set}/figures`);
  return [
    ...humanLabelledRows({ set, scope: "all" }, all, ofAll, random),
    ...draw.length === 0 ? [] : humanLabelledRows({ set, scope: "draw" }, draw, runs, random),
  ];
}

/** Labelled claims of somebody's own, whom to ask about them, and where things go. */
export interface OwnRun extends CaseSource, Asking {
  /** Cases that language models are asked about; undefined where they are asked about none. */
  readonly draw: number | undefined;
  /** Path of the table of figures; undefined for the usual one. */
  readonly out: string | undefined;
  /** Folder of answers and, unless told, of the figures. */
  readonly folder: string;
  readonly groups: readonly ComponentGroup[];
  /** Whether a component is asked about all cases, rather than the draw. */
  readonly isQuick: (component: string) => boolean;
  readonly print: (text: string) => void;
}

/**
 * Asks components about the labelled claims of a file, prints their figures and writes them as CSV.
 * @returns whether all is answered; figures of what is there are given in any case.
 * @throws {Error} naming the file, where it cannot be read or has no case; where nobody is asked.
 */
export async function compareOwn(run: OwnRun): Promise<boolean> {
  const { format, path, only, isQuick, print } = run;
  const names = run.groups.flatMap((group) => group.names);
  if (!names.some((name) => name.includes(only))) {
    throw new RangeError(
      `Cannot compare: no component has "${only}" in its name. There are ${names.join(", ")}` +
        (run.draw === undefined ? "; with --draw language models, too." : "."),
    );
  }
  const name = `${format}-${basename(path, extname(path))}`;
  const out = run.out ?? join(run.folder, `${name}.csv`);
  if (resolve(out) === resolve(path)) {
    throw new RangeError(`Cannot compare: --out is the file with the cases, ${path}.`);
  }
  const all = casesOf(await readLabelledCases(format, path), run);
  const draw = drawCases(all, run.draw ?? 0, randomSource(`compare/${name}`));
  if (run.draw !== undefined) print(`Language models are asked about ${draw.length}.`);
  const asked = (component: string) => isQuick(component) ? all : draw;
  const answers = join(run.folder, "answers", `${name}.csv`);
  for (const file of [answers, out]) Deno.mkdirSync(dirname(file), { recursive: true });
  const table = COMPONENT_ANSWERS.at(answers);
  const done = await askGroups({ ...run, table, known: all, casesOf: asked });
  const runs = componentRuns(table.readSoFar().rows, all)
    .filter(({ component }) => component.includes(only));
  const rows = figureRows({ name: all[0]!.set, all, draw }, runs, isQuick);
  HUMAN_LABELLED.at(resolve(out)).write(rows);
  print(`${figuresTable(rows)}\n\nWrote ${shownPath(out)}; answers: ${shownPath(answers)}`);
  return done;
}

/** The cases, with names that one line of a table can hold; what is none is told. */
function casesOf({ cases, damaged, leftOut }: LoadedCases, { path, print }: OwnRun) {
  for (const { line, reason } of damaged) print(`${path}, line ${line} is passed over: ${reason}`);
  for (const { id, reason } of leftOut) print(`${id} is left out: ${reason}`);
  if (cases.length === 0) throw new Error(`Cannot compare: ${path} has no labelled claim.`);
  const without = cases.filter(({ passages }) => passages.length === 0).length;
  const supported = cases.filter(({ label }) => label === "supported").length;
  const sourceless = without === 0 ? "" : `, ${without} without a source`;
  print(`${cases.length} claims${sourceless}, ${supported} supported.`);
  return cases.map((one): LabelledCase => {
    const [set, id, cluster] = [one.set, one.id, one.cluster].map(inertText);
    return { ...one, set: set!, id: id!, cluster: cluster! };
  });
}

const MEASURES = ["accuracy", "balanced_accuracy", "precision", "recall", "f1"] as const;

/** Figures for a terminal, with 95 % intervals by cluster. */
function figuresTable(rows: readonly HumanLabelledRow[]): string {
  const interval = (...values: readonly (number | "")[]) => {
    const [value, low, high] = values.map((each) => each === "" ? undefined : each.toFixed(2));
    return value && `${value} [${low}, ${high}]`;
  };
  const table = markdownTable(
    ["component", "cases", "n", "unscored", ...MEASURES.map((name) => name.replace("_", " "))],
    rows.map((row) => [
      ...[row.component, row.cases, row.n, row.unscored],
      ...MEASURES.map((name) => interval(row[name], row[`${name}_low`], row[`${name}_high`])),
    ]),
  );
  return `${table}\n\nSupported against the rest, with 95 % intervals by cluster.`;
}
