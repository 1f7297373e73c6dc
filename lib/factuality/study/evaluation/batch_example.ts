import type { RandomSource } from "../../../stats/random.ts";
import type { KnowledgeCase } from "../../training/knowledge_case.ts";
import type { EvaluationComponents } from "../../evaluation/components.ts";
import type { EvaluationRequest } from "../../evaluation/evaluation.ts";
import { evaluateBatch, type FolderBatch } from "../../batch/evaluate_batch.ts";
import { STOPPED_CLOCK } from "./example.ts";

/** Longer sources take the judges longer, and show nothing more of a batch. */
const LONGEST_SOURCE = 500;

/** Held-out claims as lines of a JSONL file, one of which, in the middle, is broken. */
export function batchLines(
  cases: readonly KnowledgeCase[],
  count: number,
  random: RandomSource,
): string {
  const short = cases.flatMap(({ id, claim, passages: [passage, ...more] }) =>
    more.length === 0 && passage !== undefined && passage.text.length <= LONGEST_SOURCE
      ? [JSON.stringify({ id, source: passage.text, candidate: claim })]
      : []
  );
  const lines = random.sample(short, count);
  const middle = Math.floor(count / 2);
  return [...lines.slice(0, middle), '{"id": "broken", "candidate": ', ...lines.slice(middle)]
    .map((line) => `${line}\n`).join("");
}

/** A batch in a folder that is stopped after so many results, as Ctrl-C or a power cut would. */
export async function runBatchUntil(
  stopAfter: number,
  { folder, requests, components, seed }: {
    readonly folder: string;
    readonly requests: readonly EvaluationRequest[];
    readonly components: EvaluationComponents;
    readonly seed: number;
  },
): ReturnType<typeof evaluateBatch> {
  const stop = new AbortController();
  let done = 0;
  const batch: FolderBatch = {
    ...{ folder, requests, components, seed, concurrency: 1, clock: STOPPED_CLOCK },
    ...{ signal: stop.signal, versions: {} },
    onBegin: () => () => {
      if (++done === stopAfter) stop.abort();
    },
  };
  return await evaluateBatch(batch);
}
