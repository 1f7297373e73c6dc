import { shownPath } from "../../files/atomic.ts";
import type { RunConfig } from "../configuration.ts";
import { configHash } from "../hashes.ts";
import { faultLines, readBytes } from "../preparation/read_table.ts";
import { checkKey, keyFaults, readSealedKey } from "../preparation/run_files.ts";
import { bucketRank } from "../rules/scale.ts";
import { isIncomplete, isInvalid } from "../rules/violations.ts";
import type { ItemRole, KeyItem, RatedItem, RatingWorkbook, SealedKey } from "../types.ts";
import { AS_SAVED, readWorkbook } from "../workbook/read_workbook.ts";
import type { Problem } from "../workbook/sheets.ts";

/** One rater's workbook with what it takes to read it. */
export interface RatedRun {
  /** How the report calls the rater. */
  readonly rater: string;
  readonly workbook: RatingWorkbook;
  readonly key: SealedKey;
  readonly config: RunConfig;
}

/** What a run's workbooks were made with. */
export type RunMaterial = Pick<RatedRun, "key" | "config">;

/** A rater's file, and how the report calls the rater. */
export interface RatedFile {
  readonly rater: string;
  readonly path: string;
}

/** One translation as one rater rated it, with the system it came from. */
export interface SystemRating {
  readonly rater: string;
  readonly itemId: number;
  readonly segment: string;
  readonly document: string;
  readonly role: ItemRole;
  readonly system: string;
  /** 0 … N−1, t1 … tN. */
  readonly translation: number;
  /** Row of the screen, 1 … N. */
  readonly position: number;
  /** A key of the configuration's buckets. */
  readonly bucket: string;
  /** 1 is the best bucket. */
  readonly bucketRank: number;
  /** Direct Assessment, within the configuration's scale. */
  readonly da: number;
  /** ISO 8601 in UTC. */
  readonly startedAt: string | undefined;
  readonly committedAt: string;
  /** Seconds at work on the whole item, idle gaps capped. */
  readonly activeSeconds: number;
  /** On the whole item. */
  readonly comment: string;
}

/** A run with systems' names. */
export interface UnblindedRun {
  readonly rater: string;
  readonly config: RunConfig;
  /** Item by item in the workbook's order, t1 … tN within an item. */
  readonly ratings: readonly SystemRating[];
  /** Items in the workbook. */
  readonly items: number;
  /** Only where part of a run was asked for. */
  readonly leftOut: readonly LeftOutItem[];
}

/** An item whose ratings cannot be used. */
interface LeftOutItem {
  readonly itemId: number;
  readonly reason: "incomplete" | "invalid";
}

/**
 * Puts the sealed key's systems to a rater's ratings.
 *
 * Throws Error where the key is not the one sealed with the workbook or their items differ (see
 * `checkKey`), where the ratings were made under another configuration, and, unless `partial`,
 * where items are incomplete or break a rule, which it lists. With `partial` these are left out.
 */
export function unblind(
  run: RatedRun,
  { partial = false }: { readonly partial?: boolean } = {},
): UnblindedRun {
  const { rater, workbook, key, config } = run;
  checkKey(key, workbook);
  if (workbook.configSha256 !== configHash(config)) {
    throw new Error(
      `Cannot unblind the ratings of ${rater}: they were made under another configuration, ` +
        `SHA-256 ${workbook.configSha256}.`,
    );
  }
  const leftOut = workbook.items.flatMap(({ evaluation }): LeftOutItem[] => {
    const { itemId } = evaluation;
    if (isInvalid(evaluation, config)) return [{ itemId, reason: "invalid" }];
    return isIncomplete(evaluation) ? [{ itemId, reason: "incomplete" }] : [];
  });
  if (!partial && leftOut.length > 0) {
    const unusable = [...Map.groupBy(leftOut, ({ reason }) => reason)].map(([reason, items]) =>
      `item ${items.map(({ itemId }) => itemId).join(", ")} ${reason}`
    );
    throw new Error(
      `Cannot unblind the ratings of ${rater}: ${unusable.join("; ")}. ` +
        "unblind(run, { partial: true }) leaves these out and lists them.",
    );
  }
  const keyItems = new Map(key.items.map((item) => [item.itemId, item]));
  const excluded = new Set(leftOut.map(({ itemId }) => itemId));
  const ratings = workbook.items
    .filter(({ input }) => !excluded.has(input.itemId))
    .flatMap((item) => ratingsOf(item, keyItems.get(item.input.itemId)!, run));
  return { rater, config, ratings, items: workbook.items.length, leftOut };
}

/** The item is complete and valid: bucket, score and commitment are there. */
function ratingsOf(
  { evaluation }: RatedItem,
  { segment, document, role, systems }: KeyItem,
  { rater, config }: RatedRun,
): readonly SystemRating[] {
  const { itemId, startedAt, activeSeconds, comment, displayMap } = evaluation;
  return evaluation.ratings.map((rating, translation) => ({
    rater,
    itemId,
    segment,
    document,
    role,
    startedAt,
    committedAt: evaluation.committedAt!,
    activeSeconds,
    comment,
    system: systems[translation]!,
    translation,
    position: displayMap.indexOf(translation) + 1,
    bucket: rating.bucket!,
    bucketRank: bucketRank(rating.bucket, config) + 1,
    da: Number(rating.da),
  }));
}

/** A rater's file, and the file of the key that was sealed with it: raters may share one. */
interface SealedFile extends RatedFile {
  readonly key: string;
}

/** What to read a workbook with, and how messages call the key: `the key` unless told. */
interface NamedMaterial extends RunMaterial {
  readonly keyFile?: string;
}

/**
 * Reads rated workbooks and makes sure that each was sealed with its key.
 *
 * Throws Error that names the file and everything wrong with it: a cell that was changed outside the
 * page, a sheet or column that is missing, another run's key; and NotFound for a file that is not
 * there.
 */
export async function readRatedRuns(
  files: readonly SealedFile[],
  config: RunConfig,
): Promise<readonly RatedRun[]> {
  const runs: RatedRun[] = [];
  for (const { rater, path, key: keyPath } of files) {
    const key = readSealedKey(keyPath);
    const material = { key, keyFile: shownPath(keyPath), config };
    const workbook = await readSealedWorkbook(await readBytes(path), shownPath(path), material);
    runs.push({ rater, workbook, key, config });
  }
  return runs;
}

/** A workbook that was sealed with this key, rated or not. Throws as {@link readRatedRuns} does. */
export async function readSealedWorkbook(
  bytes: Uint8Array,
  file: string,
  { key, config, keyFile = "the key" }: NamedMaterial,
): Promise<RatingWorkbook> {
  const read = await readWorkbook(bytes, { config, runId: key.runId });
  if (read.kind === "refused") throw new Error(`Cannot use ${file}:${reasons(read.problems)}`);
  const faults = keyFaults(key, read.workbook);
  if (faults.length === 0) return read.workbook;
  throw new Error(`Cannot use ${file} with ${keyFile}:${faultLines(faults)}`);
}

/** Who reads here cannot mend a row, and has no page that saved the file. */
function reasons(problems: readonly Problem[]): string {
  const texts = problems.map(({ sheet, row, column, message }) => {
    const place = [sheet, row && `row ${row}`, column].filter((part) => part !== undefined);
    return place.length === 0 ? message : `${place.join(", ")}: ${message}`;
  });
  const mended = texts.map((text) => text.replace(AS_SAVED, "").trim());
  const remedy = texts.some((text) => text.includes(AS_SAVED))
    ? `${texts.length === 1 ? " " : "\n"}Ask the rater for the file as the page last saved it.`
    : "";
  return `${faultLines(mended)}${remedy}`;
}
