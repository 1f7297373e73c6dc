import { inFolder } from "../../../lib/files/testdata/folder.ts";
import { z } from "zod";
import { randomSource } from "../../../lib/stats/random.ts";
import {
  type FaultFigures,
  judgeRows,
  runUntilComplete,
  startKnowingServer,
} from "./run_scenario.ts";
import { outcomesOf } from "./scenarios.ts";
import {
  evaluateOnce,
  knownQuestions,
  MODELS,
  type RunPlace,
  SEED,
  skippingClock,
  TIMEOUT_SECONDS,
} from "./setting.ts";

const SCRIPT = new URL("./child.ts", import.meta.url).href;

/** Starts child.ts; it may reach the stand-in's host only, and write in its folder only. */
function startChild(
  { folder, baseUrl, pairs }: RunPlace,
  timeoutSeconds = TIMEOUT_SECONDS,
): Deno.ChildProcess {
  const { hostname } = new URL(baseUrl);
  const permissions = [
    "--no-prompt",
    "--allow-read",
    "--allow-env",
    `--allow-net=${hostname}`,
    `--allow-write=${folder}`,
  ];
  const told = [folder, baseUrl, String(pairs), String(timeoutSeconds)];
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", ...permissions, SCRIPT, ...told],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

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
  return await inFolder(async (folder) => {
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

const NETWORK_PAIRS = 12;

/** `.invalid` is kept free of names for ever (RFC 2606): nothing is asked of anybody. */
const NOWHERE = "http://stand-in.invalid";

const REPORT = z.object({
  answered: z.number(),
  missing: z.number(),
  models: z.array(z.object({ ended: z.object({ message: z.string() }).optional() })),
});

/** A run in a process that may resolve names but finds none; gives why each model's part ended. */
export async function runWithoutDns(place: Omit<RunPlace, "baseUrl">): Promise<readonly string[]> {
  const child = startChild({ ...place, baseUrl: NOWHERE });
  const { success, stdout } = await child.output();
  if (!success) throw new Error("A run without DNS must end with a report, and threw");
  const { answered, models } = REPORT.parse(JSON.parse(new TextDecoder().decode(stdout)));
  if (answered > 0) throw new Error("A run without DNS must have no answers");
  return models.flatMap(({ ended }) => ended?.message ?? []);
}

/** The network is gone before the first answer, comes for a while, is gone again, comes back. */
export async function runNetworkGone(): Promise<FaultFigures> {
  return await inFolder(async (folder) => {
    const ended = [...await runWithoutDns({ folder, pairs: NETWORK_PAIRS })];
    const abort = new AbortController();
    let calls = 0;
    const { server } = startKnowingServer(() => {
      calls += 1;
      if (calls === 20) abort.abort();
      return undefined;
    });
    await using _server = server;
    const place = { folder, baseUrl: server.baseUrl, pairs: NETWORK_PAIRS };
    await evaluateOnce(place, { evaluation: { signal: abort.signal } });
    ended.push(...await runWithoutDns({ folder, pairs: NETWORK_PAIRS }));
    await runUntilComplete(place, skippingClock());
    const questions = knownQuestions(NETWORK_PAIRS);
    const rows = judgeRows(folder, outcomesOf(questions));
    const faults = ended.length / MODELS.length;
    return { kind: "DNS failure, run after run", faults, questions: questions.length, ...rows };
  });
}
