import { join } from "node:path";
import type { LabelledCase } from "../../lib/factuality/cases/labelled_case.ts";
import { loadSharedSet, presentSets } from "../../lib/factuality/cases/shared_sets.ts";
import { networkResults } from "../../lib/factuality/fine_tuning/network_results.ts";
import type { FineTuningResult } from "../../lib/factuality/fine_tuning/results_table.ts";
import { KNOWLEDGE_SET } from "../../lib/factuality/training/case_group.ts";
import type { KnowledgeCase } from "../../lib/factuality/training/knowledge_case.ts";
import type { Reading } from "../../lib/factuality/training/measured_verdicts.ts";
import type { CrossEncoder } from "../../lib/models/encoder/cross_encoder.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { askNetwork } from "./ask_network.ts";
import type { NetworkKind } from "./networks.ts";

/** Cases of one name, and the ways in which their labels are read. */
export interface MeasuredSet {
  readonly name: string;
  readonly cases: readonly LabelledCase[];
  readonly readings: readonly Reading[];
}

/** Sets that people labelled; the second reading of one of them is left out. */
const HUMAN_SETS = ["begin_wow", "halueval_qa", "factcheckgpt_stance"];

/** Held-out countries, and what of the human-labelled sets is there. */
export function measuredSets(cases: readonly KnowledgeCase[]): readonly MeasuredSet[] {
  const human = presentSets().filter(({ name }) => HUMAN_SETS.includes(name));
  return [
    {
      name: `${KNOWLEDGE_SET}, test`,
      cases: cases.filter(({ split }) => split === "test"),
      readings: ["three-way", "binary"],
    },
    ...human.map((set): MeasuredSet => ({
      name: set.name,
      cases: loadSharedSet(set).cases.filter(({ passages }) => passages.length > 0),
      readings: ["binary"],
    })),
  ];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Figures of one network on every set; undefined where Ctrl-C ended it. */
export async function measureNetwork(
  { name, shown }: NetworkKind,
  network: CrossEncoder,
  sets: readonly MeasuredSet[],
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<readonly FineTuningResult[] | undefined> {
  const rows: FineTuningResult[] = [];
  for (const { name: set, cases, readings } of sets) {
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
