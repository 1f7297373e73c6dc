import { basename, dirname, extname, join, resolve } from "node:path";
import { readLabelledCases } from "../../lib/factuality/cases/case_formats.ts";
import type { LabelledCase } from "../../lib/factuality/cases/labelled_case.ts";
import type { LoadedCases } from "../../lib/factuality/cases/load_cases.ts";
import {
  componentRuns,
  openComponentAnswers,
  readComponentAnswers,
} from "../../lib/factuality/study/evaluation/component_answers.ts";
import { drawCases } from "../../lib/factuality/study/evaluation/drawn_cases.ts";
import {
  humanLabelledCsv,
  type HumanLabelledRow,
  humanLabelledRows,
} from "../../lib/factuality/study/evaluation/human_labelled.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { inertText } from "../../lib/files/inert_text.ts";
import { shownPath } from "../../lib/files/shown_path.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { askGroups } from "./ask_groups.ts";
import type { ComponentGroup } from "./component_group.ts";
import { figuresTable } from "./figures_table.ts";
import type { OwnCases } from "./options.ts";

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
  const [table, aside] = ["", ".aside"].map((kind) =>
    join(run.folder, "answers", `${name}${kind}.csv`)
  ) as [string, string];
  for (const path of [table, out]) Deno.mkdirSync(dirname(path), { recursive: true });
  openComponentAnswers(table)[Symbol.dispose]();
  const done = await askGroups({ ...run, table, aside, known, casesOf: asked });
  const rows = rowsOf(known, drawn, table, run);
  writeTextAtomic(out, humanLabelledCsv(rows));
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
  const runs = componentRuns(readComponentAnswers(table), known)
    .filter(({ component }) => component.includes(only));
  const random = randomSource(`compare/${set}/figures`);
  const ofAll = runs.filter(({ component }) => isQuick(component));
  return [
    ...humanLabelledRows({ set, scope: "all" }, known, ofAll, random),
    ...drawn.length === 0 ? [] : humanLabelledRows({ set, scope: "draw" }, drawn, runs, random),
  ];
}
