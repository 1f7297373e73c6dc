import { sourcePassage } from "../retrieval/passage.ts";
import {
  JUDGE_ENSEMBLE,
  MEAN_PROBABILITY,
  panelScores,
  type ScoringPanel,
} from "./panel/panel_scores.ts";
import { type PortraitVariant, portraitVariants, type SwapPortrait } from "./swap_portraits.ts";
import { type SwapRow, type SwapTable, UNCHANGED } from "./swap_rows.ts";

/** A claim about a portrait or a variant of it, to be scored. */
export interface SwapTask {
  readonly portrait: string;
  readonly claim: "right" | "wrong";
  readonly change: SwapRow["change"];
  readonly from: string;
  readonly to: string;
  readonly source: string;
  readonly text: string;
}

/** Both claims of every portrait and of its variants, a portrait's own first. */
export function swapTasks(
  portraits: readonly SwapPortrait[],
  options: { readonly seed: number | string; readonly perTrait: number },
): readonly SwapTask[] {
  return portraits.flatMap((portrait) => {
    const unchanged = { ...portrait, change: UNCHANGED, from: "", to: "" } as const;
    return [unchanged, ...portraitVariants(portrait, options)].flatMap((told) =>
      (["right", "wrong"] as const).map((claim) => taskOf(portrait.id, claim, told))
    );
  });
}

function taskOf(
  portrait: string,
  claim: "right" | "wrong",
  told: Omit<PortraitVariant, "change"> & { readonly change: SwapRow["change"] },
): SwapTask {
  const { change, from, to, source } = told;
  return { portrait, claim, change, from, to, source, text: told[claim] };
}

/** What a task asks; rows of the same claim have the same one. */
export const swapKey = (
  { portrait, claim, change, from, to }: Omit<SwapTask, "source" | "text">,
): string => JSON.stringify([portrait, claim, change, from, to]);

/** Whether the judges are asked about a portrait, or the verifier alone, which is much quicker. */
export type IsJudged = (portrait: string) => boolean;

/** The components that the rows have of each claim. */
function knownComponents(rows: readonly SwapRow[]): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(rows, swapKey);
  return new Map([...groups].map(([key, own]) => [key, own.map(({ component }) => component)]));
}

/** The tasks that the rows do not answer, or not by the judges where these are asked. */
export function unansweredSwaps(
  tasks: readonly SwapTask[],
  rows: readonly SwapRow[],
  isJudged: IsJudged,
): readonly SwapTask[] {
  const known = knownComponents(rows);
  return tasks.filter((task) => {
    const components = known.get(swapKey(task)) ?? [];
    const last = isJudged(task.portrait) ? JUDGE_ENSEMBLE : MEAN_PROBABILITY;
    return !components.includes(last);
  });
}

/** How asking goes on. */
export interface SwapAsking {
  readonly isJudged: IsJudged;
  readonly table: SwapTable;
  /** Hash of whatever could change a score. */
  readonly settingsSha256: string;
  readonly signal: AbortSignal;
  readonly onAnswer: () => void;
}

/**
 * Scores what the table lacks, every component's row of a task on disk before the next is asked.
 *
 * @returns whether all are answered.
 */
export async function askSwaps(
  tasks: readonly SwapTask[],
  panel: ScoringPanel,
  { isJudged, table, settingsSha256, signal, onAnswer }: SwapAsking,
): Promise<boolean> {
  const known = knownComponents(table.rows);
  for (const task of unansweredSwaps(tasks, table.rows, isJudged)) {
    if (signal.aborted) return false;
    const { source, text, ...named } = task;
    const scored = { text, claims: [text], passages: [sourcePassage(source)] };
    const asked = isJudged(task.portrait) ? panel : { ...panel, judges: [] };
    const scores = await panelScores(asked, scored, signal).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    if (scores === undefined) return false;
    const before = known.get(swapKey(task)) ?? [];
    for (const { component, status, score } of scores) {
      if (before.includes(component)) continue;
      const value = score === undefined ? "" : Number(score.toFixed(4));
      table.append({ ...named, component, status, score: value, settings_sha256: settingsSha256 });
    }
    onAnswer();
  }
  return true;
}
