/** Every kind of fault between the evaluation and a server, each run until all questions have their row. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { inFolder } from "../../../lib/files/testdata/folder.ts";
import type { FaultPlan } from "../../../lib/models/hosted/testdata/stand_in/server.ts";
import { eachInFlight } from "../../../lib/models/in_flight.ts";
import { randomSource } from "../../../lib/stats/random.ts";
import { outcomeIn, planOf, type Scenario, SCENARIOS, strikeOf } from "./scenarios.ts";
import {
  evaluateOnce,
  judgeRows,
  KEYS,
  knowingServer,
  type KnownQuestion,
  knownQuestions,
  MODELS,
  ONE_BY_ONE,
  type Outcome,
  requireNoSecret,
  type RunOptions,
  type RunPlace,
  runUntilComplete,
  SEED,
  skippingClock,
  TIMEOUT_SECONDS,
} from "./setting.ts";

/** What one kind of fault did to the rows: faults that a server, or the run otherwise, was met with. */
export type FaultFigures =
  & { readonly kind: string; readonly faults: number; readonly questions: number }
  & ReturnType<typeof judgeRows>;

/** What was done to a run that is complete in the end, and how often, as it must be. */
interface Injection {
  readonly kind: string;
  readonly pairs?: number;
  readonly plan?: FaultPlan;
  readonly outcomeOf?: (question: KnownQuestion) => Outcome;
  /** Faults that the server must meet with where it is the server that makes them. */
  readonly planned?: number;
  /** Runs until all is answered; gives the faults where it is not the server that makes them. */
  readonly run: (place: RunPlace) => Promise<number | void>;
}

const PAIRS = 12;
const QUESTIONS = knownQuestions(PAIRS);

/** @throws {Error} where a run met other faults than planned: its figures would mean nothing. */
async function inject(
  { kind, pairs = PAIRS, plan, outcomeOf, planned, run }: Injection,
): Promise<FaultFigures> {
  await using server = knowingServer(plan);
  return await inFolder(async (folder) => {
    const own = await run({ folder, baseUrl: server.baseUrl, pairs });
    const faults = own ?? server.faults();
    if (own === undefined && faults !== planned) {
      throw new Error(`${kind}: met ${faults} faults, planned were ${planned}`);
    }
    const questions = knownQuestions(pairs);
    const rows = judgeRows(folder, questions, outcomeOf);
    return { kind, faults, questions: questions.length, ...rows };
  });
}

const runScenario = (scenario: Scenario) =>
  inject({
    kind: scenario.kind,
    plan: planOf(scenario),
    outcomeOf: outcomeIn(scenario),
    planned: QUESTIONS.flatMap((one) => strikeOf(scenario, one)?.behaviours ?? []).length,
    run: (place) => runUntilComplete(place),
  });

const DAY = 86_400_000;
/** Requests a key and model that a day allows. */
const A_DAY = 5;

/** Every key is of an organisation of its own and may ask each model so often a day (UTC). */
export function dailyQuota(now: () => number): FaultPlan {
  const used = new Map<string, number>();
  return ({ key, model }) => {
    const moment = now();
    const day = Math.floor(moment / DAY);
    const place = JSON.stringify([key, model, day]);
    const count = (used.get(place) ?? 0) + 1;
    used.set(place, count);
    if (count <= A_DAY) return undefined;
    const seconds = ((day + 1) * DAY - moment) / 1000;
    const tryAgainIn = `${Math.floor(seconds / 60)}m${(seconds % 60).toFixed(3)}s`;
    return { kind: "rate limit", quota: "RPD", tryAgainIn, organisation: `org_${key.at(-1)}` };
  };
}

/** Days of quota, with a run a day, until all is answered: one refusal a key, model and full day. */
function runDailyQuota(): Promise<FaultFigures> {
  const clock = skippingClock();
  const options = { keys: KEYS.slice(0, 2), calls: ONE_BY_ONE };
  const fullDays = Math.floor(QUESTIONS.length / MODELS.length / (A_DAY * 2));
  return inject({
    kind: "daily quota, over three days",
    plan: dailyQuota(clock.now),
    planned: fullDays * 2 * MODELS.length,
    run: (place) => runUntilComplete(place, clock, options),
  });
}

/** A run that ends because nothing more can be had, then one after all is mended. */
function runEnded(kind: string, planned: number, plan: FaultPlan, keys = KEYS) {
  let mended = false;
  const options: RunOptions = { keys, calls: ONE_BY_ONE };
  return inject({
    kind,
    planned,
    plan: (call) => mended ? undefined : plan(call),
    async run(place) {
      const report = await evaluateOnce(place, options);
      requireNoSecret(place.folder, report);
      if (report.missing === 0) throw new Error(`${kind}: the fault ended nothing`);
      mended = true;
      await runUntilComplete(place, undefined, options);
    },
  });
}

/** Keys: two are refused at once, the third is restricted after a while. */
function runWithoutKeys(): Promise<FaultFigures> {
  let calls = 0;
  const kind = "401 and a restricted organisation, until no key is left";
  return runEnded(kind, KEYS.length, ({ key }) => {
    if (key !== KEYS[0]!.reveal()) return { kind: "invalid key" };
    calls += 1;
    return calls > 20 ? { kind: "restricted", status: 403 } : undefined;
  });
}

/** Models: one is withdrawn in the middle, one is unknown from the beginning. */
function runWithoutModels(): Promise<FaultFigures> {
  const [one, two] = MODELS.map(({ id }) => id);
  let calls = 0;
  return runEnded("models withdrawn or unknown", 2, ({ model }) => {
    if (model === one) return { kind: "unknown model" };
    if (model !== two) return undefined;
    calls += 1;
    return calls > 5 ? { kind: "withdrawn" } : undefined;
  }, KEYS.slice(0, 1));
}

const ABORTS = 12;
/** Calls before an abort, at most: together fewer than there are questions. */
const MOST_CALLS_ABORTED = 7;

/** Ctrl-C at seeded moments: that request and those behind it would hang. Then a run to the end. */
function runAborts(): Promise<FaultFigures> {
  const random = randomSource(`${SEED} aborts`);
  const runAborted = async (place: RunPlace, last: number) => {
    const abort = new AbortController();
    let at = Infinity;
    abort.signal.onabort = () => at = performance.now();
    await using server = knowingServer(({ number }) => {
      if (number === last) setTimeout(() => abort.abort(), 2);
      return number >= last ? { kind: "hang" } : undefined;
    });
    const options = { calls: { timeoutSeconds: 120 }, signal: abort.signal };
    const report = await evaluateOnce({ ...place, baseUrl: server.baseUrl }, options);
    const took = performance.now() - at;
    // Far less than what hangs is waited for.
    if (!(took < 5000)) throw new Error(`The run went on for ${took} ms after Ctrl-C`);
    if (report.missing === 0 || report.failed.length > 0) {
      throw new Error("What Ctrl-C cut off counts as failed");
    }
  };
  return inject({
    kind: "Ctrl-C at seeded moments",
    async run(place) {
      for (let abort = 0; abort < ABORTS; abort++) {
        await runAborted(place, 1 + random.integer(MOST_CALLS_ABORTED));
      }
      await runUntilComplete(place);
      return ABORTS;
    },
  });
}

/** Starts child.ts; it may reach the stand-in's host only, and write in its folder only. */
function startChild({ folder, baseUrl, pairs }: RunPlace, timeoutSeconds = TIMEOUT_SECONDS) {
  const script = new URL("./child.ts", import.meta.url).href;
  const told = [script, folder, baseUrl, String(pairs), String(timeoutSeconds)];
  const hosts = `--allow-net=${new URL(baseUrl).hostname}`;
  const permissions = ["--no-prompt", "--allow-read", "--allow-env", `--allow-write=${folder}`];
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", ...permissions, hosts, ...told],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

const KILLED_PAIRS = 32;
const KILLS_A_CHAIN = 10;
/** Requests before a kill, at most, and those answered behind them: all fewer than questions. */
const MOST_CALLS_KILLED = 12;
const MOST_AFTER = 8;

/** Starts a run and kills it so long after its so-manieth request. */
async function runKilled(place: RunPlace, call: number, delay: number): Promise<void> {
  const reached = Promise.withResolvers<void>();
  await using server = knowingServer(({ number }) => {
    if (number === call) reached.resolve();
    // However late the kill comes on a busy machine, the run is not over before.
    return number > call + MOST_AFTER ? { kind: "hang" } : undefined;
  });
  const child = startChild({ ...place, baseUrl: server.baseUrl }, 60);
  const ended = child.status.then(() => "ended" as const);
  if (await Promise.race([reached.promise, ended]) !== "ended") {
    await sleep(delay);
    child.kill("SIGKILL");
  }
  const { signal } = await child.status;
  await child.stdout.cancel();
  if (signal !== "SIGKILL") throw new Error("The run was over before it could be killed");
}

/** SIGKILL at seeded moments, again and again, then a run to the end: two such chains side by side. */
async function runKills(): Promise<FaultFigures> {
  const kind = "the process killed (SIGKILL) at seeded moments";
  const questions = knownQuestions(KILLED_PAIRS);
  const chains = await Promise.all([0, 1].map((chain) => {
    const random = randomSource(`${SEED} kills ${chain}`);
    const run = async (place: RunPlace) => {
      for (let kill = 1; kill <= KILLS_A_CHAIN; kill++) {
        const call = 1 + random.integer(MOST_CALLS_KILLED);
        // Within 6 ms after that request: replies and rows come in between.
        await runKilled(place, call, random.next() * 6);
        const { doubled, wrong } = judgeRows(place.folder, questions);
        if (doubled + wrong > 0) throw new Error(`Kill ${kill} left ${doubled} + ${wrong} rows`);
      }
      await runUntilComplete(place);
      return KILLS_A_CHAIN;
    };
    return inject({ kind, pairs: KILLED_PAIRS, run });
  }));
  return sumOf(kind, chains);
}

const REPORT = z.object({
  answered: z.literal(0),
  models: z.array(z.object({ ended: z.object({ message: z.string() }).optional() })),
});

/** A run in a process that may resolve names but finds none; gives why each model's part ended. */
export async function runWithoutDns(place: Omit<RunPlace, "baseUrl">): Promise<readonly string[]> {
  // `.invalid` is kept free of names for ever (RFC 2606): nothing is asked of anybody.
  const child = startChild({ ...place, baseUrl: "http://stand-in.invalid" });
  const { success, stdout } = await child.output();
  if (!success) throw new Error("A run without DNS must end with a report, and threw");
  const { models } = REPORT.parse(JSON.parse(new TextDecoder().decode(stdout)));
  return models.flatMap(({ ended }) => ended?.message ?? []);
}

/** The network is gone before the first answer, comes for a while, is gone again, comes back. */
function runNetworkGone(): Promise<FaultFigures> {
  const abort = new AbortController();
  return inject({
    kind: "DNS failure, run after run",
    plan: ({ number }) => void (number === 20 && abort.abort()),
    async run(place) {
      const before = await runWithoutDns(place);
      await evaluateOnce(place, { signal: abort.signal });
      const after = await runWithoutDns(place);
      await runUntilComplete(place);
      return (before.length + after.length) / MODELS.length;
    },
  });
}

/**
 * Runs every kind to the end, in the order of the table. All is drawn by seed, so that the figures are
 * always the same; three run at once, for most of their time is waiting.
 */
export async function runFaultMatrix(
  onDone: (figures: FaultFigures) => void = () => {},
): Promise<readonly FaultFigures[]> {
  const done: FaultFigures[] = [];
  const kinds = [
    ...SCENARIOS.map((scenario) => () => runScenario(scenario)),
    ...[runDailyQuota, runWithoutKeys, runWithoutModels, runNetworkGone, runAborts, runKills],
  ];
  await eachInFlight(kinds.entries(), 3, async ([place, run]) => {
    done[place] = await run();
    onDone(done[place]);
    return true;
  });
  return done;
}

/** All figures of several kinds together. */
export function sumOf(kind: string, figures: readonly FaultFigures[]): FaultFigures {
  const sum = (what: Exclude<keyof FaultFigures, "kind">) =>
    figures.reduce((all, one) => all + one[what], 0);
  const rows = { lost: sum("lost"), doubled: sum("doubled"), wrong: sum("wrong") };
  return { kind, faults: sum("faults"), questions: sum("questions"), ...rows };
}
