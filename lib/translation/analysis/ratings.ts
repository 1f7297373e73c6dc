import { shownPath } from "../../files/atomic.ts";
import type { RowOf } from "../../files/table.ts";
import { unorderedPairs } from "../../stats/agreement.ts";
import type { RunConfig } from "../configuration.ts";
import { configHash } from "../hashes.ts";
import { listFaults, readBytes } from "../preparation/read_table.ts";
import { checkKey, readSealedKey, type SealedKey } from "../preparation/run_files.ts";
import { bucketRank } from "../rules/order.ts";
import { isIncomplete, isInvalid } from "../rules/violations.ts";
import type { SYSTEM_RATINGS } from "../tables.ts";
import type { RatingWorkbook } from "../types.ts";
import { AS_SAVED, readWorkbook } from "../workbook/read_workbook.ts";
import { type Problem, problemLine } from "../workbook/sheets.ts";

/** Key and configuration of a run's workbooks. */
export interface RunMaterial {
  readonly key: SealedKey;
  readonly config: RunConfig;
}

/**
 * A rater's workbook with its key and configuration.
 * `rater` is the workbook's name if it has one.
 */
export interface RatedRun extends RunMaterial {
  readonly rater: string;
  readonly workbook: RatingWorkbook;
}

/** A rater's file. `rater` names a rater whom the workbook does not name. */
export interface RatedFile {
  readonly rater: string;
  readonly path: string;
}

/** One rater's rating of one translation, unblinded: a row of `system_ratings.csv`. */
export interface SystemRating extends RowOf<typeof SYSTEM_RATINGS> {
  /** Type of corruption, only on the rating of an attention check's spoiled text. */
  readonly spoiled_by: string | undefined;
}

/** An unblinded run: ratings in order of items, then t1 … tN. */
export type UnblindedRun = ReturnType<typeof unblind>;

/**
 * Joins the sealed key's systems to a rater's ratings.
 * With `partial`, incomplete or invalid items are left out. Throws Error if key or configuration do
 * not belong to the workbook, if no item remains, or, without `partial`, if any item is incomplete
 * or invalid.
 */
export function unblind(
  { rater, workbook, key, config }: RatedRun,
  { partial = false }: { readonly partial?: boolean } = {},
) {
  checkKey(key, workbook);
  const fail = (reason: string) => new Error(`Cannot unblind the ratings of ${rater}: ${reason}`);
  if (workbook.configSha256 !== configHash(config)) {
    throw fail(`they were made under another configuration, SHA-256 ${workbook.configSha256}.`);
  }
  const leftOut = workbook.items.flatMap(({ evaluation }) => {
    const invalid = isInvalid(evaluation, config);
    if (!invalid && !isIncomplete(evaluation)) return [];
    return [{ itemId: evaluation.itemId, reason: invalid ? "invalid" : "incomplete" }];
  });
  if (!partial && leftOut.length > 0) {
    const unusable = [...Map.groupBy(leftOut, ({ reason }) => reason)].map(([reason, items]) =>
      `item ${items.map(({ itemId }) => itemId).join(", ")} ${reason}`
    );
    throw fail(`${unusable.join("; ")}. --partial leaves these out and lists them.`);
  }
  const keyItems = new Map(key.items.map((item) => [item.itemId, item]));
  const excluded = new Set(leftOut.map(({ itemId }) => itemId));
  const included = workbook.items.filter(({ input }) => !excluded.has(input.itemId));
  const ratings = included.flatMap(({ input, evaluation }) => {
    const { systems, role, segment, document } = keyItems.get(input.itemId)!;
    if (role.kind === "practice") return [];
    const spoiled = role.kind === "attention" ? role : undefined;
    return evaluation.ratings.map(({ bucket, da }, t): SystemRating => ({
      rater,
      run_id: workbook.runId,
      item_id: input.itemId,
      document,
      segment,
      role: role.kind,
      role_of: "of" in role ? role.of : "",
      system: systems[t]!,
      translation: t + 1,
      position: evaluation.displayMap.indexOf(t) + 1,
      // The item is complete and valid: bucket, score and commitment are there.
      bucket: bucket!,
      bucket_rank: bucketRank(bucket, config) + 1,
      da: Number(da),
      started_at: evaluation.startedAt ?? "",
      committed_at: evaluation.committedAt!,
      active_seconds: evaluation.activeSeconds,
      highlight_seconds: evaluation.highlightSeconds,
      idle_seconds: evaluation.idleSeconds,
      edit_count: evaluation.editCount,
      comment: evaluation.comment,
      source: input.source,
      text: input.translations[t]!,
      spoiled_by: spoiled?.translation === t ? spoiled.spoiledBy : undefined,
    }));
  });
  if (ratings.length === 0) throw fail("no item of it is rated and confirmed. Leave the file out.");
  const { batch, items: { length: items } } = workbook;
  return { rater, ...batch !== undefined && { batch }, config, ratings, items, leftOut };
}

/**
 * Reads rated workbooks, each with the key of its run.
 * Raters may share a key. Throws Error that names a file and all its faults (a cell changed outside
 * the page, another run's key, …) or two files of the same rater; throws NotFound.
 */
export async function readRatedRuns(
  files: readonly RatedFile[],
  keyPaths: readonly string[],
  config: RunConfig,
): Promise<readonly RatedRun[]> {
  const keys = keyPaths.map((path) => ({ key: readSealedKey(path), name: shownPath(path) }));
  const runs = await Array.fromAsync(files, async ({ rater, path }) => {
    const read = await readSealed(readBytes(path), shownPath(path), config, keys);
    return { rater: read.workbook.rater ?? rater, config, ...read };
  });
  for (const [one, other] of unorderedPairs([...runs.keys()])) {
    if (!isSameRater(runs[one]!, runs[other]!)) continue;
    const [first, second] = [one, other].map((at) => shownPath(files[at]!.path));
    throw new Error(
      `Cannot use ${first} and ${second}: they hold one rater's work on one run, as a checkpoint ` +
        "and the finished file do, and would count it twice. Give one of them.",
    );
  }
  return runs;
}

/**
 * Tests whether two workbooks of one run come from the same rater.
 * They do if they share the rater's name, one item opened in the same millisecond and rated alike,
 * or two items opened in the same millisecond.
 */
function isSameRater(one: RatedRun, other: RatedRun): boolean {
  if (one.workbook.runId !== other.workbook.runId) return false;
  const alike = one.workbook.items.flatMap(({ evaluation: { startedAt, ratings } }, index) => {
    const theirs = other.workbook.items[index]!.evaluation;
    if (startedAt === undefined || startedAt !== theirs.startedAt) return [];
    return [JSON.stringify(ratings) === JSON.stringify(theirs.ratings)];
  });
  return one.rater === other.rater || alike.length > 1 || alike.includes(true);
}

/** Reads a workbook sealed with this key, rated or not. Throws as {@link readRatedRuns} does. */
export async function readSealedWorkbook(
  bytes: Uint8Array,
  file: string,
  { key, config }: RunMaterial,
): Promise<RatingWorkbook> {
  return (await readSealed(bytes, file, config, [{ key, name: "the key" }])).workbook;
}

async function readSealed(
  bytes: Uint8Array,
  file: string,
  config: RunConfig,
  keys: readonly { readonly key: SealedKey; readonly name: string }[],
) {
  const read = await readWorkbook(bytes, { config, runId: keys[0]!.key.runId });
  if (read.kind === "refused") {
    throw new Error(`Cannot use ${file}:${describeProblems(read.problems)}`);
  }
  const { workbook } = read;
  const { key, name } = keys.find(({ key }) => key.runId === workbook.runId) ?? keys[0]!;
  checkKey(key, workbook, `${file} with ${name}`);
  return { workbook, key };
}

/** Lists a workbook's problems with remedies for a researcher without the page. */
function describeProblems(problems: readonly Problem[]): string {
  const texts = problems.map(problemLine);
  const remedy = texts.some((text) => text.includes(AS_SAVED))
    ? `${texts.length === 1 ? " " : "\n"}Ask the rater for the file as the page last saved it.`
    : "";
  return listFaults(texts.map((text) => text.replace(AS_SAVED, "").trim())) + remedy;
}
