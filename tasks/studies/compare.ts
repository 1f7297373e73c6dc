import { basename, dirname, extname, join, resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import type { LabelledCase, LoadedCases } from "../../lib/factuality/labelled_case.ts";
import {
  CASE_FORMATS,
  type CaseSource,
  caseSource,
  HUMAN_SETS,
  loadHumanSet,
  readLabelledCases,
} from "../../lib/studies/factuality/datasets/public_sets.ts";
import { askGroups, componentRuns, drawCases } from "../../lib/factuality/own/ask_components.ts";
import { heldOutDraw } from "../../lib/studies/factuality/evaluation.ts";
import { COMPONENT_ANSWERS } from "../../lib/factuality/own/component_answers.ts";
import {
  HUMAN_ANSWERS,
  HUMAN_LABELLED,
  humanAnswers,
  humanFigures,
  type HumanLabelledRow,
  humanLabelledRows,
} from "../../lib/factuality/own/human_labelled.ts";
import { FACTUALITY_PATHS, ownFolder } from "../../lib/factuality/paths.ts";
import { KNOWLEDGE_CASES } from "../../lib/studies/factuality/tables.ts";
import { markdownTable } from "../../lib/figures/table.ts";
import { shownPath } from "../../lib/files/atomic.ts";
import { inertText } from "../../lib/files/csv.ts";
import { openStatusLine } from "../../lib/files/progress.ts";
import { measureOfFields, shown } from "../../lib/stats/measure.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int } from "../command.ts";
import { largerPanel, ownPanel, QUICK_GROUPS, studyPanel } from "./components.ts";

/** No text of the human-labelled sets is ever written into the project. */
const FOLDER = join(FACTUALITY_PATHS.cache, "compare");

const HELP = `
FORMAT is one of ${CASE_FORMATS.join(", ")}.
A file of your own is CSV with a header, or JSON objects, one a line, with claim, source and label
(supported, refuted, not enough info; or yes, no), and if you like id and cluster: claims of one
response or topic, for intervals. FEVER's pages are looked for in wiki-pages beside the file,
RAGTruth's sources in source_info.jsonl. With --config verifier and judges of yours are asked beside
the baselines, about all claims unless --draw says about how many language models are. Answers are kept
as they come, and a further run asks what is missing; nothing of --cases or --config is written into
data/, of --human answers without any text, and aggregates.`;

/** The parser of a number half of which are supported. */
function even(text: string): number {
  const value = int({ min: 1 })(text);
  if (value % 2 === 0) return value;
  throw new InvalidArgumentError("half are supported, so it must be even");
}

export const TASK = command(
  "study compare",
  "Verifier, baselines and judges on the same labelled claims: held-out claims about countries, and " +
    "people's. Writes component_answers.csv, an answer a row; human_answers.csv and human_labelled.csv.",
  (c) =>
    c.option("--claims <n>", "held-out claims about countries", even, 240)
      .option("--written <n>", "of these, for the judge that writes its answers", even, 40)
      .option("--human", "sets that people labelled, too, from --folder")
      .option("--folder <folder>", "that holds these sets; data/README.md says where from")
      .option("--draw <n>", "of each such set, for language models (40); of --cases (none)", even)
      .option("--only <text>", "only components whose name has this in it", "")
      .option("--large", "the larger judge alone, about the study's claims; downloads 1.1 GB once")
      .option("--threads <n>", "of evaluation", int({ min: 1 }), 2)
      .option("--cases <format:file>", "labelled claims of your own in place of these", caseSource)
      .option("--config <file>", "verifier and judges of your own, as in evaluation.yaml")
      .option("--out <folder>", "for what comes of --cases or --config; .cache/compare unless told")
      .addHelpText("after", HELP),
  async ({ cases, config, out, draw, human, folder: sets, large, ...options }, { signal }) => {
    if (cases === undefined && config === undefined && out !== undefined) {
      const why = "--out goes with --cases or --config; the study's tables have places";
      throw new RangeError(`Cannot compare: ${why}.`);
    }
    if (cases !== undefined && human) {
      throw new RangeError("Cannot compare: --human does not go with --cases; leave out one.");
    }
    if (large && (cases ?? config ?? human) !== undefined) {
      throw new RangeError("Cannot compare: --large goes with the study's claims about countries.");
    }
    if (sets !== undefined && !human) {
      throw new RangeError("Cannot compare: --folder goes with --human; name both or neither.");
    }
    // Read before anything is asked: an absent set is told at once.
    const people = human ? humanSets(draw ?? 40, sets) : undefined;
    using status = openStatusLine();
    const { only, threads } = options;
    const tell = (words: string) => status.show(words);
    const studied = large ? largerPanel() : studyPanel();
    const panel = config === undefined ? studied : ownPanel(config);
    const asking: Asking = { ...panel, only, threads, signal, tell };
    const folder = out ?? (config === undefined ? FOLDER : ownFolder("compare", config));
    const print = (text: string) => console.log(text);
    const own = { ...asking, draw, folder, print };
    const known = KNOWLEDGE_CASES.read();
    const drawn = heldOutDraw(known, options.claims);
    if (config !== undefined) {
      // About as many as there are, unless a draw is wanted: whoever names a model wants it asked.
      const isQuick = draw === undefined ? () => true : panel.isQuick;
      const run = { ...own, isQuick };
      const isDone = cases !== undefined
        ? await compareOwn({ ...run, ...cases })
        : await compareCases(drawn, "held-out", run);
      if (!isDone || people === undefined) return isDone ? EXIT.done : EXIT.incomplete;
      return await compareHuman(people, folder, asking) ? EXIT.done : EXIT.incomplete;
    }
    if (cases !== undefined) {
      const groups = draw === undefined
        ? QUICK_GROUPS
        : panel.groups.filter(({ names }) => !names.every(panel.isSlow));
      return await compareOwn({ ...own, ...cases, groups }) ? EXIT.done : EXIT.incomplete;
    }
    const few = drawn.slice(0, options.written);
    const casesOf = (component: string) => panel.isSlow(component) ? few : drawn;
    const run = { table: COMPONENT_ANSWERS, known, casesOf };
    if (!await askGroups({ ...asking, ...run })) return EXIT.incomplete;
    console.log(`Answers: ${shownPath(COMPONENT_ANSWERS.path)}`);
    return people === undefined || await compareHuman(people, undefined, asking)
      ? EXIT.done
      : EXIT.incomplete;
  },
);

/** How components are asked. */
interface Asking extends ReturnType<typeof studyPanel> {
  /** Part of the names of components to ask; the empty string for all. */
  readonly only: string;
  readonly threads: number;
  readonly signal: AbortSignal;
  readonly tell: (words: string) => void;
}

/** @param folder Of a user's own run; undefined for the study's. */
async function compareHuman(
  sets: ReturnType<typeof humanSets>,
  folder: string | undefined,
  asking: Asking,
) {
  const { isQuick, isSlow } = asking;
  const figures = folder === undefined
    ? HUMAN_LABELLED
    : HUMAN_LABELLED.at(resolve(folder, "human_labelled.csv"));
  const known = sets.flatMap(({ all }) => all);
  const drawn = sets.flatMap((set) => set.draw);
  const casesOf = (component: string) =>
    isSlow(component) ? [] : isQuick(component) ? known : drawn;
  const table = COMPONENT_ANSWERS.at(join(folder ?? FOLDER, "human_answers.csv"));
  const done = await askGroups({ ...asking, table, known, casesOf });
  const rows = table.read();
  // The study's figures are of everybody.
  const names = asking.groups.flatMap(({ names }) => names).filter((name) => !isSlow(name));
  const isWhole = done && names.every((name) => rows.some(({ component }) => component === name));
  if (folder === undefined && !isWhole) return false;
  const answered = sets.map((set) => (
    { ...set, runs: componentRuns(rows.filter((row) => row.set === set.name), set.all) }
  ));
  if (folder === undefined) {
    HUMAN_ANSWERS.write(answered.flatMap(({ name, all, runs }) => humanAnswers(name, all, runs)));
    figures.write(humanFigures(HUMAN_ANSWERS.read()));
    console.log(`Answers: ${shownPath(HUMAN_ANSWERS.path)}`);
  } else {
    figures.write(answered.flatMap(({ runs, ...set }) => figureRows(set, runs, isQuick)));
  }
  console.log(`Wrote ${shownPath(figures.path)}.`);
  return done;
}

/** The same cases under another reading of their labels: drawing them again would ask all twice. */
const SECOND_READING = "factcheckgpt_stance with partial";

/** The sets in a folder, with their draws. @throws {Error} saying what to get where one is absent. */
function humanSets(count: number, folder: string | undefined) {
  return HUMAN_SETS.map((set) => {
    const { name } = set;
    const all: readonly LabelledCase[] = loadHumanSet(set, folder).cases;
    const isDrawn = name !== SECOND_READING;
    const draw = isDrawn ? drawCases(all, count, randomSource(`compare/${name}`)) : [];
    return { name, all, draw };
  });
}

/** Aggregates of all answers: on all cases those that were asked about all, on the draw everyone. */
function figureRows(
  { name: set, all, draw }: ReturnType<typeof humanSets>[number],
  runs: ReturnType<typeof componentRuns>,
  isAskedAll: (component: string) => boolean,
): readonly HumanLabelledRow[] {
  const ofAll = runs.filter(({ component }) => isAskedAll(component));
  return [
    ...humanLabelledRows({ set, scope: "all" }, all, ofAll),
    ...draw.length === 0 ? [] : humanLabelledRows({ set, scope: "draw" }, draw, runs),
  ];
}

/** Whom to ask about labelled claims, and where things go. */
interface CasesRun extends Asking {
  /** Cases that all but quick components are asked about; undefined for none. */
  readonly draw: number | undefined;
  /** Of figures and answers. */
  readonly folder: string;
  readonly print: (text: string) => void;
}

/** The same for labelled claims of somebody's own. */
export type OwnRun = CaseSource & CasesRun;

/**
 * Asks components about the labelled claims of a file, prints their figures and writes them as CSV.
 * @returns whether all is answered; figures of what is there are given in any case.
 * @throws {Error} naming the file, where it cannot be read or has no case; where nobody is asked.
 */
export async function compareOwn(run: OwnRun): Promise<boolean> {
  const { format, path } = run;
  const all = casesOf(await readLabelledCases(format, path), run);
  return await compareCases(all, `${format}-${basename(path, extname(path))}`, run);
}

async function compareCases(
  all: readonly LabelledCase[],
  name: string,
  run: CasesRun,
): Promise<boolean> {
  const { only, isQuick, print } = run;
  const names = run.groups.flatMap((group) => group.names);
  if (!names.some((name) => name.includes(only))) {
    throw new RangeError(
      `Cannot compare: no component has "${only}" in its name. There are ${names.join(", ")}` +
        (run.groups === QUICK_GROUPS ? "; with --draw language models, too." : "."),
    );
  }
  const out = resolve(run.folder, `${name}.csv`);
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
  HUMAN_LABELLED.at(out).write(rows);
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

const MEASURES = [
  "accuracy",
  "balanced_accuracy",
  "precision",
  "recall",
  "f1",
  "detection_precision",
  "detection_recall",
] as const;

/** Figures for a terminal, with 95 % intervals by cluster. */
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
  return `${table}\n\nSupported against the rest, with 95 % intervals by cluster; precision, recall and ` +
    "f1 of supported; of hallucination detection, too: of what is not supported.";
}
