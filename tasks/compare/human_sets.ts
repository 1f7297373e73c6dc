import type { LabelledCase } from "../../lib/factuality/cases/labelled_case.ts";
import { loadSharedSet, presentSets } from "../../lib/factuality/cases/shared_sets.ts";
import {
  componentRuns,
  readComponentAnswers,
} from "../../lib/factuality/study/evaluation/component_answers.ts";
import { drawCases } from "../../lib/factuality/study/evaluation/drawn_cases.ts";
import {
  type HumanLabelledRow,
  humanLabelledRows,
} from "../../lib/factuality/study/evaluation/human_labelled.ts";
import { randomSource } from "../../lib/stats/random.ts";

/** A human-labelled set, and the draw that language models are asked about. */
export interface HumanSet {
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
export function humanRows(
  sets: readonly HumanSet[],
  table: string,
  isAskedAll: (component: string) => boolean,
): readonly HumanLabelledRow[] {
  const rows = readComponentAnswers(table);
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
