import { randomSource } from "../../stats/random.ts";
import type { ResponseClaimRow } from "./response_tables.ts";

/** Names a claim among those of all responses. */
export function claimKey(
  { system, question_id, claim_id }: Pick<
    ResponseClaimRow,
    "system" | "question_id" | "claim_id"
  >,
): string {
  return JSON.stringify([system, question_id, claim_id]);
}

/** Claims with a verdict by lot, over all systems alike; fewer where there are not so many. */
export function drawClaims(
  rows: readonly ResponseClaimRow[],
  count: number,
  seed: number | string,
): readonly ResponseClaimRow[] {
  const scored = rows.filter(({ status }) => status === "scored")
    .toSorted((one, other) => claimKey(one) < claimKey(other) ? -1 : 1);
  return randomSource(`${seed}/ratings`).shuffle(scored).slice(0, count);
}
