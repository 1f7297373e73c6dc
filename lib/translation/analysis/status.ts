/** Progress of raters during a study. */
import { practiceItem, type RunConfig } from "../configuration.ts";
import { isIncomplete, isInvalid } from "../rules/violations.ts";
import { quartiles } from "../session/summary.ts";
import type { RatingWorkbook } from "../types.ts";
import { type ColumnsOf, formatQuartiles, tableOf } from "./estimate.ts";
import { type RatedFile, type RatedRun, readRatedRuns, unblind } from "./ratings.ts";
import { attentionResult, formatChecksPassed, labelOf } from "./reliability.ts";

/** One rater's progress, or the reason why the file cannot be read. */
type RaterStatus = ReturnType<typeof statusOf> | {
  readonly rater: string;
  readonly problem: string;
};

/**
 * Returns each file's progress. An unreadable file reports its reason and stops no other.
 * The keys distinguish ordinary items from repeats and checks.
 */
export async function raterStatuses(
  files: readonly RatedFile[],
  keys: readonly string[],
  config: RunConfig,
): Promise<readonly RaterStatus[]> {
  return await Array.fromAsync(files, async (file) => {
    try {
      const [run] = await readRatedRuns([file], keys, config);
      return statusOf(run!);
    } catch (error) {
      return { rater: file.rater, problem: (error as Error).message };
    }
  });
}

function statusOf(run: RatedRun) {
  const { rater, workbook, key, config } = run;
  const roles = new Map(key.items.map(({ itemId, role }) => [itemId, role.kind]));
  const counted = workbook.items
    .filter(({ input }) => !practiceItem(config, input) && roles.get(input.itemId) === "rated");
  const done = counted.filter(({ evaluation }) =>
    !isIncomplete(evaluation) && !isInvalid(evaluation, config)
  );
  const all = workbook.items.map(({ evaluation }) => evaluation);
  return {
    rater: labelOf({ rater, batch: workbook.batch }),
    done: done.length,
    sentences: counted.length,
    seconds: quartiles(done.map(({ evaluation }) => evaluation.activeSeconds), "none is done"),
    totalSeconds: all.reduce((sum, { activeSeconds }) => sum + activeSeconds, 0),
    checks: checksOf(run),
    /** Numbers of the items that break a rule. */
    invalid: all.flatMap((it) => isInvalid(it, config) ? [it.itemId] : []),
    /** Time of the latest confirmation, ISO 8601; empty if there is none. */
    lastConfirmed: lastOf(workbook),
  };
}

/** Returns the results of the checks rated so far. */
function checksOf(run: RatedRun) {
  const isRated = run.workbook.items.some(({ evaluation }) => !isIncomplete(evaluation));
  if (!isRated) return attentionResult([], run.config);
  try {
    return attentionResult(unblind(run, { partial: true }).ratings, run.config);
  } catch {
    // The rated items are practice or break a rule.
    return attentionResult([], run.config);
  }
}

const lastOf = ({ items }: RatingWorkbook) =>
  items.map(({ evaluation }) => evaluation.committedAt ?? "").reduce((a, b) => a > b ? a : b, "");

/** Returns a table of the readable files' progress. */
export function statusTable(statuses: readonly RaterStatus[]) {
  const read = statuses.filter((it) => "done" in it);
  const columns: ColumnsOf<typeof read[number]> = {
    rater: ({ rater }) => rater,
    done: ({ done, sentences }) => `${done} of ${sentences}`,
    "seconds a sentence": ({ seconds }) =>
      seconds.kind === "unavailable" ? "–" : formatQuartiles(seconds),
    hours: ({ totalSeconds }) => (totalSeconds / 3600).toFixed(1),
    "checks passed": ({ checks }) => formatChecksPassed(checks),
    "rows that break a rule": ({ invalid }) => invalid.join(", ") || "none",
    "last confirmed": ({ lastConfirmed }) => lastConfirmed.slice(0, 16).replace("T", " ") || "–",
  };
  return tableOf(read, columns);
}
