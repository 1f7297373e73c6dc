import { randomSource } from "../../lib/stats/random.ts";
import { startChild } from "./child_process.ts";
import { judgeRows } from "./judge_rows.ts";
import {
  type FaultFigures,
  inTemporaryFolder,
  runUntilComplete,
  startKnowingServer,
} from "./run_scenario.ts";
import { outcomesOf } from "./scenario.ts";
import { knownQuestions, SEED } from "./setting.ts";
import { skippingClock } from "./timing.ts";

const PAIRS = 32;
const CHAINS = 2;
const KILLS_A_CHAIN = 10;
/** Requests before a kill, at most, and those answered behind them: all fewer than questions. */
const MOST_CALLS = 12;
const MOST_AFTER = 8;
/** Milliseconds between that request and the kill, at most: replies and rows come in between. */
const LATEST = 6;

/** Seconds that a run waits for what hangs. */
const PATIENCE = 60;

/** Starts a run and kills it so long after its so-manieth request. */
async function runKilled(folder: string, call: number, delay: number): Promise<void> {
  const reached = Promise.withResolvers<void>();
  let calls = 0;
  const { server } = startKnowingServer(() => {
    calls += 1;
    if (calls === call) reached.resolve();
    // However late the kill comes on a busy machine, the run is not over before.
    return calls > call + MOST_AFTER ? { kind: "hang" } : undefined;
  });
  await using _server = server;
  const child = startChild({ folder, baseUrl: server.baseUrl, pairs: PAIRS }, PATIENCE);
  const ended = child.status.then(() => "ended" as const);
  const first = await Promise.race([reached.promise, ended]);
  if (first !== "ended") {
    await new Promise((resolve) => setTimeout(resolve, delay));
    child.kill("SIGKILL");
  }
  const { signal } = await child.status;
  await child.stdout.cancel();
  if (signal !== "SIGKILL") throw new Error("The run was over before it could be killed");
}

/** One folder, killed again and again, then run to the end. */
async function runChain(chain: number): Promise<FaultFigures> {
  const random = randomSource(`${SEED} kills ${chain}`);
  const outcomes = outcomesOf(knownQuestions(PAIRS));
  return await inTemporaryFolder(async (folder) => {
    for (let kill = 0; kill < KILLS_A_CHAIN; kill++) {
      await runKilled(folder, 1 + random.integer(MOST_CALLS), random.next() * LATEST);
      const { doubled, wrong } = judgeRows(folder, outcomes);
      if (doubled + wrong > 0) throw new Error(`Kill ${kill + 1} left ${doubled} + ${wrong} rows`);
    }
    const { server } = startKnowingServer();
    await using _server = server;
    const place = { folder, baseUrl: server.baseUrl, pairs: PAIRS };
    await runUntilComplete(place, skippingClock());
    const rows = judgeRows(folder, outcomes);
    return { kind: "", faults: KILLS_A_CHAIN, questions: outcomes.size, ...rows };
  });
}

/** SIGKILL at seeded moments; chains side by side, for each is one process after the other. */
export async function runKills(): Promise<FaultFigures> {
  const chains = await Promise.all(Array.from({ length: CHAINS }, (_, chain) => runChain(chain)));
  const sum = (of: (figures: FaultFigures) => number) =>
    chains.reduce((total, figures) => total + of(figures), 0);
  return {
    kind: "the process killed (SIGKILL) at seeded moments",
    faults: sum(({ faults }) => faults),
    questions: sum(({ questions }) => questions),
    lost: sum(({ lost }) => lost),
    doubled: sum(({ doubled }) => doubled),
    wrong: sum(({ wrong }) => wrong),
  };
}
