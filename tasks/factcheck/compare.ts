/**
 * Command that compares verifiers, judges and baselines on the user's labelled claims (requirement
 * 13).
 */
import { basename, dirname, extname, join, resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import {
  type LabelledCase,
  labelledFile,
  type LoadedCases,
} from "../../lib/factuality/labelled_case.ts";
import { askGroups, componentRuns, drawCases } from "../../lib/factuality/own/ask_components.ts";
import { COMPONENT_ANSWERS } from "../../lib/factuality/own/component_answers.ts";
import {
  type ComparedPanel,
  QUICK_GROUPS,
  userPanel,
} from "../../lib/factuality/own/component_groups.ts";
import {
  HUMAN_LABELLED,
  type HumanLabelledRow,
  humanLabelledRows,
} from "../../lib/factuality/own/human_labelled.ts";
import { FACTUALITY_PATHS, userFolder } from "../../lib/factuality/paths.ts";
import { markdownTable } from "../../lib/figures/table.ts";
import { makeFolder, requireWritable, shownPath } from "../../lib/files/atomic.ts";
import { withoutFormulas } from "../../lib/files/csv.ts";
import { firstThree, openStatusLine } from "../../lib/files/progress.ts";
import { measureOfFields, shown } from "../../lib/stats/measure.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int } from "../command.ts";

const HELP = `
The file is CSV with a header, or JSON lines, with claim, source and label (supported, refuted, not enough
info; or yes, no), and optional id and cluster (claims of one response or topic, for intervals). Without
--config the default verifier and the baselines are asked, with --draw also the judges of evaluation.yaml.
With --config its verifier, its judges and the baselines are asked about all claims; --draw limits the
claims for language models. Answers are saved as they arrive, and another run asks for missing ones.
Nothing is written into data/. Published sets (FEVER, HaluEval, RAGTruth, …) are read by
deno task study compare --cases FORMAT:FILE.`;

/** Parses an even number. */
export function even(text: string): number {
  const value = int({ min: 1 })(text);
  if (value % 2 === 0) return value;
  throw new InvalidArgumentError("half are supported, so it must be even");
}

export const TASK = command(
  "factcheck compare",
  "Accuracy, precision and recall of verifiers, judges and baselines on your labelled claims.",
  (c) =>
    c.requiredOption("--cases <file>", "labelled claims: CSV, or JSON lines")
      .option("--config <file>", "your verifier and judges, as in evaluation.yaml")
      .option("--draw <n>", "number of claims for language models", even)
      .option("--only <text>", "only components whose name contains this", "")
      .option("--threads <n>", "of evaluation", int({ min: 1, max: 1024 }), 2)
      .option("--out <folder>", "for figures and answers; below .cache/compare by default")
      .addHelpText("after", HELP),
  async ({ cases: path, config, draw, only, threads, out }, { signal }) => {
    using status = openStatusLine();
    const panel = userPanel(config ?? FACTUALITY_PATHS.configuration);
    const isDone = await compareFile(labelledFile(path), { format: "file", path }, {
      groups: config === undefined && draw === undefined ? QUICK_GROUPS : panel.groups,
      // By default a named model is asked about all claims.
      isQuick: config === undefined || draw !== undefined ? panel.isQuick : () => true,
      isSlow: panel.isSlow,
      only,
      threads,
      signal,
      tell: (words) => status.show(words),
      draw,
      folder: out ?? (config === undefined ? COMPARE_FOLDER : userFolder("compare", config)),
      print: (text) => console.log(text),
    });
    return isDone ? EXIT.done : EXIT.incomplete;
  },
);

/** Default folder of figures and answers. Claims of others are never written into the project. */
export const COMPARE_FOLDER = join(FACTUALITY_PATHS.cache, "compare");

/** Options for selecting and asking components. */
export interface ComparisonOptions extends ComparedPanel {
  /** Substring of the names of components to ask; empty for all. */
  readonly only: string;
  readonly threads: number;
  readonly signal: AbortSignal;
  readonly tell: (words: string) => void;
}

/** Options for asking about labelled claims. */
export interface CasesRun extends ComparisonOptions {
  /** Number of cases for all but quick components; undefined for none. */
  readonly draw: number | undefined;
  /** Folder of figures and answers. */
  readonly folder: string;
  readonly print: (text: string) => void;
}

/**
 * Compares components on a file's labelled claims; prints and writes their figures. @returns true
 * where everything is answered; figures of existing answers are written in any case. @throws
 * {Error} naming the file, where it is unreadable or without cases, and where no component is
 * selected.
 */
export async function compareFile(
  loaded: LoadedCases,
  { format, path }: { readonly format: string; readonly path: string },
  run: CasesRun,
): Promise<boolean> {
  const all = namedCases(loaded, path, run.print);
  const file = basename(path, extname(path));
  const sets = new Set(all.map(({ set }) => set));
  // The names of set and source may differ between claims.
  return await compareCases(all, `${format}-${file}`, run, sets.size > 1 ? file : undefined);
}

/** Checks the selection. @throws {RangeError} where it matches no component of these groups. */
export function checkOnly(groups: ComparisonOptions["groups"], only: string): void {
  const names = groups.flatMap((group) => group.names);
  if (names.some((name) => name.includes(only))) return;
  throw new RangeError(
    `Cannot compare: no component has "${only}" in its name. There are ${names.join(", ")}` +
      (groups === QUICK_GROUPS ? "; --draw adds language models." : "."),
  );
}

/**
 * Compares components on given cases. `name` is the files' name, `set` the name of the claims' set.
 */
export async function compareCases(
  all: readonly LabelledCase[],
  name: string,
  run: CasesRun,
  set: string = all[0]!.set,
): Promise<boolean> {
  const { only, isQuick, print } = run;
  checkOnly(run.groups, only);
  const out = resolve(run.folder, `${name}.csv`);
  const draw = drawCases(all, run.draw ?? 0, randomSource(`compare/${name}`));
  if (run.draw !== undefined) {
    print(`Language models are asked about ${draw.length} of the claims.`);
  }
  const asked = (component: string) => isQuick(component) ? all : draw;
  const answers = join(run.folder, "answers", `${name}.csv`);
  makeFolder(dirname(answers));
  requireWritable(out);
  const table = COMPONENT_ANSWERS.at(answers);
  const done = await askGroups({ ...run, table, known: all, casesOf: asked });
  const runs = componentRuns(table.readSoFar().rows, all)
    .filter(({ component }) => component.includes(only));
  const rows = labelledFigures({ name: set, all, draw }, runs, isQuick);
  HUMAN_LABELLED.at(out).write(rows);
  print(`${figuresTable(rows)}\n\nWrote ${shownPath(out)}; answers: ${shownPath(answers)}`);
  return done;
}

/** Renames cases so that each name fits a table line. Rejected rows are reported. */
function namedCases(
  { cases, damaged, leftOut }: LoadedCases,
  path: string,
  print: CasesRun["print"],
) {
  for (const [reason, alike] of Map.groupBy(damaged, ({ reason }) => reason)) {
    const [first, another] = alike.map(({ line }) => line);
    const are = another === undefined
      ? `line ${first} is`
      : `lines ${firstThree(alike.map(({ line }) => line))} are`;
    print(`${path}, ${are} skipped: ${reason}`);
  }
  for (const [reason, alike] of Map.groupBy(leftOut, ({ reason }) => reason)) {
    print(
      `${firstThree(alike.map(({ id }) => id))} ${
        alike.length === 1 ? "is" : "are"
      } left out: ${reason}`,
    );
  }
  if (cases.length === 0) throw new Error(`Cannot compare: ${path} has no labelled claim.`);
  const without = cases.filter(({ passages }) => passages.length === 0).length;
  const supported = cases.filter(({ label }) => label === "supported").length;
  const sourceless = without === 0 ? "" : `, ${without} without a source`;
  print(`${cases.length} claims${sourceless}, ${supported} supported.`);
  return cases.map((one): LabelledCase => {
    const [set, id, cluster] = [one.set, one.id, one.cluster].map(withoutFormulas);
    return { ...one, set: set!, id: id!, cluster: cluster! };
  });
}

const MEASURES = [
  "accuracy",
  "balanced_accuracy",
  "precision",
  "recall",
  "f1",
  "detection_precision",
  "detection_recall",
] as const;

/** Table of figures for a terminal, with 95 % intervals by cluster. */
function figuresTable(rows: readonly HumanLabelledRow[]): string {
  const table = markdownTable(
    ["component", "cases", "n", "unscored", ...MEASURES.map((name) => name.replace("_", " "))],
    rows.map((row) => [
      row.component,
      row.cases,
      row.n,
      row.unscored,
      ...MEASURES.map((name) =>
        shown(
          measureOfFields({
            estimate: row[name],
            low: row[`${name}_low`],
            high: row[`${name}_high`],
          }),
        )
      ),
    ]),
  );
  return `${table}\n\nSupported against the rest, with 95 % intervals by cluster. Precision, recall and f1 are ` +
    "of supported claims, detection precision and recall of the others.";
}

/**
 * Aggregates all answers: on all cases for components asked about all, on the sample for every
 * component.
 */
export function labelledFigures(
  { name: set, all, draw }: Readonly<{
    name: string;
    all: readonly LabelledCase[];
    draw: readonly LabelledCase[];
  }>,
  runs: ReturnType<typeof componentRuns>,
  isAskedAll: (component: string) => boolean,
): readonly HumanLabelledRow[] {
  const ofAll = runs.filter(({ component }) => isAskedAll(component));
  return [
    ...humanLabelledRows({ set, scope: "all" }, all, ofAll),
    ...draw.length === 0 ? [] : humanLabelledRows({ set, scope: "draw" }, draw, runs),
  ];
}
