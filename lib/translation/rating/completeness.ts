import type { Evaluation } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import { violationsOf } from "./violations.ts";

/** Whether an item lacks any bucket, any score or its confirmation by Next (FR-6). */
export function isIncomplete({ ratings, committedAt }: Evaluation): boolean {
  return committedAt === undefined ||
    ratings.some(({ bucket, da }) => bucket === undefined || da === undefined);
}

/** Whether an item, complete or not, breaks a rule, so that Finish is blocked (FR-7). */
export function isInvalid(evaluation: Evaluation, config: RunConfig): boolean {
  return violationsOf(evaluation, config)
    .some(({ kind }) => kind !== "missing-bucket" && kind !== "missing-score");
}
