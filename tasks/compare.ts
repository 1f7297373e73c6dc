/**
 * Verifier against judges: every component on the same labelled claims (requirement 13).
 *
 *     deno task compare            240 held-out claims about countries
 *     deno task compare --human    the human-labelled sets of ../shared/data, too
 *     deno task compare --cases FORMAT:FILE    labelled claims of your own instead
 *
 * Writes data/factuality/component_answers.csv, an answer a row, and with --human the aggregates in
 * data/factuality/human_labelled.csv. Notebook 42 reads both. With --cases nothing in data/ changes.
 */
import { join } from "node:path";
import type { LabelledCase } from "../lib/factuality/cases/labelled_case.ts";
import { FACTUALITY_PATHS } from "../lib/factuality/paths.ts";
import { readKnowledgeCases } from "../lib/factuality/study/acquisition/case_table.ts";
import { heldOutDraw } from "../lib/factuality/study/evaluation/drawn_cases.ts";
import { humanLabelledCsv } from "../lib/factuality/study/evaluation/human_labelled.ts";
import { writeTextAtomic } from "../lib/files/atomic.ts";
import { shownPath } from "../lib/files/shown_path.ts";
import { openStatusLine } from "../lib/files/status_line.ts";
import { runCommand } from "./command.ts";
import { askGroups } from "./compare/ask_groups.ts";
import { COMPONENT_GROUPS, isQuick, isSlow, QUICK_GROUPS } from "./compare/component_groups.ts";
import { humanRows, humanSets } from "./compare/human_sets.ts";
import { type CompareOptions, compareOptions, type OwnCases, USAGE } from "./compare/options.ts";
import { compareOwn } from "./compare/own_cases.ts";
import { stopSignal } from "./stop_signal.ts";

/** Exit code of a run that was stopped: what is there is kept. */
const INCOMPLETE = 3;
/** No row of the human-labelled sets is ever written into the project. */
const FOLDER = join(FACTUALITY_PATHS.cache, "compare");
const HUMAN_ANSWERS = join(FOLDER, "human_answers.csv");
const HUMAN_ASIDE = join(FOLDER, "other_human_answers.csv");
const ASIDE = join(FOLDER, "other_answers.csv");

interface Asking extends CompareOptions {
  readonly signal: AbortSignal;
  readonly tell: (words: string) => void;
}

async function compareHeldOut({ claims, written, ...asking }: Asking): Promise<boolean> {
  const known = readKnowledgeCases(FACTUALITY_PATHS.knowledgeCases);
  const cases: readonly LabelledCase[] = heldOutDraw(known, claims);
  const table = FACTUALITY_PATHS.componentAnswers;
  const groups = COMPONENT_GROUPS;
  const first = cases.slice(0, written);
  const casesOf = (component: string) => isSlow(component) ? first : cases;
  return await askGroups({ ...asking, table, aside: ASIDE, known, groups, casesOf });
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
  const table = HUMAN_ANSWERS;
  const groups = COMPONENT_GROUPS;
  const done = await askGroups({ ...asking, table, aside: HUMAN_ASIDE, known, groups, casesOf });
  const csv = humanLabelledCsv(humanRows(sets, table, isQuick));
  writeTextAtomic(FACTUALITY_PATHS.humanLabelled, csv);
  console.log(`Wrote ${shownPath(FACTUALITY_PATHS.humanLabelled)}.`);
  return done;
}

async function compareFile(asking: Asking, own: OwnCases): Promise<boolean> {
  const groups = own.draw === undefined
    ? QUICK_GROUPS
    : COMPONENT_GROUPS.filter(({ names }) => !names.every(isSlow));
  const print = (text: string) => console.log(text);
  return await compareOwn({ ...asking, ...own, folder: FOLDER, groups, isQuick, print });
}

async function main(): Promise<number> {
  const options = compareOptions(Deno.args);
  const signal = stopSignal("answers are kept, and a further run goes on.");
  using status = openStatusLine();
  const asking = { ...options, signal, tell: (words: string) => status.show(words) };
  if (options.own !== undefined) return await compareFile(asking, options.own) ? 0 : INCOMPLETE;
  if (!await compareHeldOut(asking)) return INCOMPLETE;
  console.log(`Answers: ${shownPath(FACTUALITY_PATHS.componentAnswers)}`);
  return !options.human || await compareHuman(asking) ? 0 : INCOMPLETE;
}

if (import.meta.main) Deno.exit(await runCommand(Deno.args, USAGE, main));
