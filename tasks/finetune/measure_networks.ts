import { join } from "node:path";
import type { LabelledCase } from "../../lib/factuality/cases/labelled_case.ts";
import {
  loadSharedSet,
  presentSets,
  type SharedSet,
} from "../../lib/factuality/cases/shared_sets.ts";
import { networkResults } from "../../lib/factuality/fine_tuning/network_results.ts";
import type { FineTuningResult } from "../../lib/factuality/fine_tuning/results_table.ts";
import { drawCases } from "../../lib/factuality/study/evaluation/drawn_cases.ts";
import { KNOWLEDGE_SET } from "../../lib/factuality/training/case_group.ts";
import type { KnowledgeCase } from "../../lib/factuality/training/knowledge_case.ts";
import { wordsOf } from "../../lib/factuality/training/heads/held_out_claims.ts";
import type { Reading } from "../../lib/factuality/training/measured_verdicts.ts";
import type { CrossEncoder } from "../../lib/models/encoder/cross_encoder.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { askNetwork } from "./ask_network.ts";
import { MODEL_CLAIMS } from "./model_claims.ts";
import type { NetworkKind } from "./networks.ts";

/** Cases of one name, and the ways in which their labels are read. */
export interface MeasuredSet {
  readonly name: string;
  readonly cases: readonly LabelledCase[];
  readonly readings: readonly Reading[];
  /** Whether only the network that is used is asked; the others' worth shows on less. */
  readonly isThorough: boolean;
}

/** Sets that people labelled; the second reading of one of them is left out. */
const HUMAN_SETS = ["begin_wow", "halueval_qa", "factcheckgpt_stance"];

/** Claims of each such set that every network is asked about, half of them supported. */
const DRAWN = 200;

const TEST = `${KNOWLEDGE_SET}, test`;

const BOTH = ["three-way", "binary"] as const;

/** Claims of held-out countries; some few stand in the same words where something was learnt from. */
function heldOutSets(cases: readonly KnowledgeCase[]): readonly MeasuredSet[] {
  const test = cases.filter(({ split }) => split === "test");
  const known = new Set(
    cases.filter(({ split }) => split !== "test").map(({ claim }) => wordsOf(claim)),
  );
  const unseen = test.filter(({ claim }) => !known.has(wordsOf(claim)));
  return [
    { name: TEST, cases: test, readings: BOTH, isThorough: false },
    { name: `${TEST}, of words not learnt from`, cases: unseen, readings: BOTH, isThorough: false },
  ];
}

/** All claims with a source, and a balanced draw of them. */
function humanSets(set: SharedSet): readonly MeasuredSet[] {
  const { name } = set;
  const all = loadSharedSet(set).cases.filter(({ passages }) => passages.length > 0);
  const drawn = drawCases(all, DRAWN, randomSource(`fine-tuning/${name}`));
  return [
    { name, cases: all, readings: ["binary"], isThorough: true },
    {
      name: `${name}, draw of ${drawn.length}`,
      cases: drawn,
      readings: ["binary"],
      isThorough: false,
    },
  ];
}

/** Held-out countries, claims of models about some of them, and what is there that people labelled. */
export function measuredSets(
  cases: readonly KnowledgeCase[],
  modelClaims: readonly LabelledCase[],
): readonly MeasuredSet[] {
  const human = presentSets().filter(({ name }) => HUMAN_SETS.includes(name));
  return [
    ...heldOutSets(cases),
    { name: MODEL_CLAIMS, cases: modelClaims, readings: BOTH, isThorough: false },
    ...human.flatMap(humanSets),
  ];
}

function setsOf(sets: readonly MeasuredSet[], isUsed: boolean): readonly MeasuredSet[] {
  return sets.filter(({ isThorough }) => isUsed || !isThorough);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Figures of one network on every set; undefined where Ctrl-C ended it. */
export async function measureNetwork(
  { name, shown, isUsed }: NetworkKind,
  network: CrossEncoder,
  sets: readonly MeasuredSet[],
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<readonly FineTuningResult[] | undefined> {
  const rows: FineTuningResult[] = [];
  for (const { name: set, cases, readings } of setsOf(sets, isUsed)) {
    const asking = { network, shown, label: `${name}, ${set}`, signal };
    const asked = await askNetwork(cases, { ...asking, table: join(folder, "answers.csv") });
    if (asked === undefined) return undefined;
    rows.push(...readings.flatMap((reading) =>
      networkResults(
        { model: name, set, reading },
        asked.judged,
        randomSource(`${name}/${set}/${reading}`),
      )
    ));
    rows.push({
      ...{ model: name, set, labels: "", metric: "milliseconds of processor time a claim" },
      ...{ n: cases.length, clusters: 0, low: "", high: "" },
      estimate: Number(median(asked.milliseconds).toFixed(1)),
      note: "median; on a busy machine more than on an idle one",
    });
  }
  return rows;
}
