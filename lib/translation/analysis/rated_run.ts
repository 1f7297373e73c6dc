import type { RatingWorkbook } from "../item.ts";
import type { ItemRole, SealedKey } from "../preparation/key.ts";
import type { RunConfig } from "../run_config.ts";

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
export interface LeftOutItem {
  readonly itemId: number;
  readonly reason: "incomplete" | "invalid";
}
