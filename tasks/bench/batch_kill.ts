import { killedRequests } from "../../lib/factuality/batch/testdata/killed_requests.ts";
import { killBatch } from "../../lib/factuality/batch/testdata/kill_batch.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { CACHE_DIRECTORY } from "./inputs.ts";

const REQUESTS = 1_000;
const KILLS = 20;
/** What each request takes: with none the process would be over before it can be killed. */
const MILLISECONDS = 10;

/** What a batch that was killed again and again has in the end. */
export interface KilledBatchFigures {
  readonly requests: number;
  readonly kills: number;
  /** Kills that cut a line. */
  readonly cut: number;
  readonly lost: number;
  readonly doubled: number;
}

/** 1,000 claims in a batch, killed by SIGKILL at 20 random moments and resumed. */
export async function batchKill(): Promise<KilledBatchFigures> {
  const folder = Deno.makeTempDirSync({ dir: CACHE_DIRECTORY });
  try {
    const random = randomSource("batch kill");
    const plan = { folder, requests: REQUESTS, kills: KILLS, milliseconds: MILLISECONDS, random };
    const { ids, kills, cut } = await killBatch(plan);
    const kept = new Set(ids);
    const lost = killedRequests(REQUESTS).filter(({ id }) => !kept.has(id)).length;
    return { requests: REQUESTS, kills, cut, lost, doubled: ids.length - kept.size };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
