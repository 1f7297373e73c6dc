import type { LabelledCase } from "../../lib/factuality/cases/labelled_case.ts";
import { askComponent, unanswered } from "../../lib/factuality/study/evaluation/ask_component.ts";
import {
  type AnswerRow,
  caseSha256,
  componentRuns,
  openComponentAnswers,
  readComponentAnswers,
  setAnswersAside,
} from "../../lib/factuality/study/evaluation/component_answers.ts";
import {
  type ComparedComponent,
  settingsSha256,
} from "../../lib/factuality/study/evaluation/compared_component.ts";
import { comparedEnsemble } from "../../lib/factuality/study/evaluation/compared_ensemble.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import type { ComponentGroup, OpenGroup } from "./component_group.ts";
import { ENSEMBLE } from "./component_groups.ts";

/** What is asked, of whom, and where the answers go. */
export interface AskRun {
  /** The table of answers. */
  readonly table: string;
  /** Where answers to other cases, or with other settings, are kept. */
  readonly aside: string;
  /** Every case as it is now: answers to others are set aside. */
  readonly known: readonly LabelledCase[];
  /** What a component of this name is asked. */
  readonly casesOf: (component: string) => readonly LabelledCase[];
  readonly groups: readonly ComponentGroup[];
  /** Part of the names of components to ask. */
  readonly only: string;
  readonly threads: number;
  readonly signal: AbortSignal;
  readonly tell: (words: string) => void;
}

/** Asks each group in turn what the table lacks. @returns whether nothing is left to ask. */
export async function askGroups(run: AskRun): Promise<boolean> {
  for (const group of run.groups) {
    const wanted = group.names.filter((name) => name.includes(run.only));
    if (wanted.length === 0) continue;
    if (run.signal.aborted) return false;
    await using opened = await group.open(run);
    if (!await askGroup(opened, wanted, run)) return false;
  }
  return true;
}

async function askGroup(
  opened: OpenGroup,
  wanted: readonly string[],
  run: AskRun,
): Promise<boolean> {
  for (const component of opened.components) {
    if (wanted.includes(component.name) && !await ask(component, run)) return false;
  }
  if (opened.ensemble === undefined || !wanted.includes(ENSEMBLE)) return true;
  const runs = componentRuns(readComponentAnswers(run.table), run.known);
  const { members, ...options } = opened.ensemble;
  return await ask(comparedEnsemble(ENSEMBLE, members, runs, options), run);
}

async function ask(component: ComparedComponent, run: AskRun): Promise<boolean> {
  const { signal, tell } = run;
  const moved = setAnswersAside(run.table, { path: run.aside, isStale: staleness(component, run) });
  if (moved > 0) tell(`${component.name}: ${moved} answers of other settings or cases set aside`);
  const cases = run.casesOf(component.name);
  using table = openComponentAnswers(run.table);
  const left = unanswered(component, cases, table.rows).length;
  if (left === 0) return true;
  using progress = openProgress(component.name, cases.length, { resumed: cases.length - left });
  return await askComponent(component, cases, table, {
    signal,
    onAnswer: () => progress.advance(),
  });
}

function staleness(component: ComparedComponent, { known }: AskRun): (row: AnswerRow) => boolean {
  const settings = settingsSha256(component.settings);
  const hashes = new Map(known.map((one) => [JSON.stringify([one.set, one.id]), caseSha256(one)]));
  return (row) =>
    row.component === component.name &&
    (row.settings_sha256 !== settings ||
      hashes.get(JSON.stringify([row.set, row.case_id])) !== row.case_sha256);
}
