/**
 * Tests the evaluation against every kind of fault of a local fake server.
 *
 * The server knows all answers. Results are written into docs/reliability.md; the answers go to
 * temporary folders. Faults of single questions are in faults/scenarios.ts; runs and checks of rows
 * in faults/setting.ts.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { markdownTable } from "../../lib/figures/table.ts";
import { writeMarkedSection } from "../../lib/files/atomic.ts";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import type { FaultPlan } from "../../lib/models/hosted/testdata/stand_in/server.ts";
import { eachInFlight } from "../../lib/models/in_flight.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT } from "../command.ts";
import { CACHE_DIRECTORY } from "../python_environment.ts";
import { SCENARIOS, strikeOf, strikes } from "./faults/scenarios.ts";
import {
  evaluateOnce,
  type FaultRunTarget,
  judgeRows,
  KEYS,
  knowingServer,
  knownLetter,
  type KnownQuestion,
  knownQuestions,
  MODELS,
  ONE_BY_ONE,
  type RowOutcome,
  runUntilComplete,
  SEED,
  skippingClock,
  TIMEOUT_SECONDS,
} from "./faults/setting.ts";

const REPORT = "docs/reliability.md";
const COLUMNS = ["fault", "injected", "questions", "rows lost", "rows doubled", "wrong letters"];

export const TASK = command(
  "bench faults",
  "Every kind of fault between the evaluation and a server that knows all answers; renews docs/reliability.md",
  (c) => c,
  async () => {
    const figures = await runFaultMatrix(({ kind, faults, questions, lost, doubled, wrong }) => {
      const rows = `${lost} lost, ${doubled} doubled, ${wrong} wrong`;
      console.log(`${faults} faults, ${questions} questions, ${rows}: ${kind}`);
    });
    writeMarkedSection(REPORT, "reliability", reliabilityTable(figures));
    const format = new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", REPORT] });
    if (!(await format.output()).success) throw new Error(`Cannot format ${REPORT}: run deno fmt`);
    const faulty = figures.filter(({ lost, doubled, wrong }) => lost + doubled + wrong > 0);
    for (const { kind } of faulty) console.error(`Rows are not as they must be: ${kind}`);
    return faulty.length > 0 ? EXIT.failed : EXIT.done;
  },
);

/** Results of one kind of fault: number of faults, and of lost, doubled and wrong rows. */
type FaultFigures =
  & { readonly kind: string; readonly faults: number; readonly questions: number }
  & ReturnType<typeof judgeRows>;

/** Table with one row per kind of fault, and sums, for the section `reliability`. */
export function reliabilityTable(figures: readonly FaultFigures[]): string {
  return markdownTable(
    COLUMNS,
    [...figures, sumOf("**all**", figures)].map((row) => [
      row.kind,
      row.faults,
      row.questions,
      row.lost,
      row.doubled,
      row.wrong,
    ]),
  );
}

/** Returns the sum of several results. */
function sumOf(kind: string, figures: readonly FaultFigures[]): FaultFigures {
  const sum = (what: Exclude<keyof FaultFigures, "kind">) =>
    figures.reduce((all, one) => all + one[what], 0);
  const rows = { lost: sum("lost"), doubled: sum("doubled"), wrong: sum("wrong") };
  return { kind, faults: sum("faults"), questions: sum("questions"), ...rows };
}

/**
 * Runs all kinds of fault, in the order of the table. All random choices are seeded. Three kinds
 * run in parallel, since they mostly wait.
 */
export async function runFaultMatrix(
  onDone: (figures: FaultFigures) => void = () => {},
): Promise<readonly FaultFigures[]> {
  const done: FaultFigures[] = [];
  const kinds = [
    ...SCENARIOS.map((scenario) => () => runScenario(scenario)),
    runDailyQuota,
    runWithoutKeys,
    runWithoutModels,
    runNetworkGone,
    runAborts,
    runKills,
  ];
  await eachInFlight(kinds.entries(), 3, async ([place, run]) => {
    done[place] = await run();
    onDone(done[place]);
  });
  return done;
}

/** A kind of fault in runs that are complete in the end. */
interface Injection {
  readonly pairs?: number;
  readonly plan?: FaultPlan;
  readonly outcomeOf?: (question: KnownQuestion) => RowOutcome;
  /**
   * Runs until all is answered. Returns the number of faults, if the server does not count them.
   */
  readonly run?: (place: FaultRunTarget) => Promise<number | void>;
}

async function inject(
  kind: string,
  { pairs = 12, plan, outcomeOf, run = (place) => runUntilComplete(place) }: Injection,
): Promise<FaultFigures> {
  await using server = knowingServer(plan);
  // In the cache: the command may write there, and not where the system has its temporary files.
  Deno.mkdirSync(CACHE_DIRECTORY, { recursive: true });
  return await inFolder(async (folder) => {
    const faults = await run({ folder, baseUrl: server.baseUrl, pairs }) ?? server.faults();
    const questions = knownQuestions(pairs);
    return {
      kind,
      faults,
      questions: questions.length,
      ...judgeRows(folder, questions, outcomeOf),
    };
  }, CACHE_DIRECTORY);
}

/** Runs through faults of single questions. */
function runScenario(scenario: (typeof SCENARIOS)[number]): Promise<FaultFigures> {
  const { plan, faults } = strikes(scenario);
  return inject(scenario.kind, {
    plan,
    outcomeOf: (question) => strikeOf(scenario, question)?.outcome ?? knownLetter(question),
    async run(place) {
      await runUntilComplete(place);
      return faults();
    },
  });
}

const DAY = 86_400_000;
/** Number of requests per key and model that a day permits. */
const A_DAY = 5;

/**
 * Returns faults that limit each key, in separate organisations, to a daily quota per model (UTC).
 */
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

/**
 * Runs once a day under a daily quota until all is answered. Each key and model is refused once per
 * full day.
 */
function runDailyQuota(): Promise<FaultFigures> {
  const clock = skippingClock();
  const options = { keys: KEYS.slice(0, 2), calls: ONE_BY_ONE };
  return inject("daily quota, over three days", {
    plan: dailyQuota(clock.now),
    run: (place) => runUntilComplete(place, clock, options),
  });
}

/** Runs until nothing more can be answered, then again without faults. */
function runEnded(kind: string, plan: FaultPlan, keys = KEYS) {
  let mended = false;
  const options = { keys, calls: ONE_BY_ONE };
  return inject(kind, {
    plan: (call) => mended ? undefined : plan(call),
    async run(place) {
      const { missing } = await evaluateOnce(place, options);
      if (missing === 0) throw new Error(`${kind}: the fault ended nothing`);
      mended = true;
      await runUntilComplete(place, undefined, options);
    },
  });
}

/** Runs with invalid keys: two at once, the third later. */
function runWithoutKeys(): Promise<FaultFigures> {
  let calls = 0;
  return runEnded("401 and a restricted organisation, until no key is left", ({ key }) => {
    if (key !== KEYS[0]!.reveal()) return { kind: "invalid key" };
    calls += 1;
    return calls > 20 ? { kind: "restricted", status: 403 } : undefined;
  });
}

/** Runs with missing models: one withdrawn during the run, one unknown from the beginning. */
function runWithoutModels(): Promise<FaultFigures> {
  const [one, two] = MODELS.map(({ id }) => id);
  let calls = 0;
  return runEnded("models withdrawn or unknown", ({ model }) => {
    if (model === one) return { kind: "unknown model" };
    if (model !== two) return undefined;
    calls += 1;
    return calls > 5 ? { kind: "withdrawn" } : undefined;
  }, KEYS.slice(0, 1));
}

/** Runs while the network fails before the first answer, recovers, fails again and recovers. */
function runNetworkGone(): Promise<FaultFigures> {
  const abort = new AbortController();
  return inject("DNS failure, run after run", {
    plan: ({ number }) => void (number === 20 && abort.abort()),
    async run(place) {
      const before = await runWithoutDns(place);
      await evaluateOnce(place, { signal: abort.signal });
      const after = await runWithoutDns(place);
      await runUntilComplete(place);
      return (before + after) / MODELS.length;
    },
  });
}

const NO_NETWORK = z.object({
  answered: z.literal(0),
  models: z.array(z.object({
    // Where a resolver is set that does not answer, time is up first.
    ended: z.object({
      message: z.string().regex(/check that this machine has a network|no whole/),
    }),
  })),
});

/** Runs in a process without DNS. Returns the number of models whose part ended for that reason. */
async function runWithoutDns(place: FaultRunTarget): Promise<number> {
  // `.invalid` is kept free of names for ever (RFC 2606): nothing is asked of anybody.
  const { stdout } = await startChild({ ...place, baseUrl: "http://stand-in.invalid" }).output();
  return NO_NETWORK.parse(JSON.parse(new TextDecoder().decode(stdout))).models.length;
}

/** Starts a run in a process limited to the fake server's host and to its folder. */
function startChild({ folder, baseUrl, pairs }: FaultRunTarget, timeoutSeconds = TIMEOUT_SECONDS) {
  const script = new URL("./faults/setting.ts", import.meta.url).href;
  const hosts = `--allow-net=${new URL(baseUrl).hostname}`;
  const permissions = ["--no-prompt", "--allow-read", "--allow-env", `--allow-write=${folder}`];
  const parameters = [script, folder, baseUrl, String(pairs), String(timeoutSeconds)];
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", ...permissions, hosts, ...parameters],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

const ABORTS = 12;
/** Maximum number of calls before an abort. Together they are fewer than the questions. */
const MOST_CALLS_ABORTED = 7;

/** Aborts runs (Ctrl-C) at random moments, then completes them. */
function runAborts(): Promise<FaultFigures> {
  const random = randomSource(`${SEED} aborts`);
  return inject("Ctrl-C at seeded moments", {
    async run(place) {
      for (let abort = 0; abort < ABORTS; abort++) {
        await runAborted(place, 1 + random.integer(MOST_CALLS_ABORTED));
      }
      await runUntilComplete(place);
      return ABORTS;
    },
  });
}

/** Aborts a run at a request; it and later ones would hang. */
async function runAborted(place: FaultRunTarget, last: number): Promise<void> {
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
}

const KILLED_PAIRS = 32;
const KILLS_A_CHAIN = 10;
/**
 * Maximum number of requests before a kill, and of further answers. Both are fewer than the
 * questions.
 */
const MOST_CALLS_KILLED = 12;
const MOST_AFTER = 8;

/** Kills a run repeatedly at random moments, then completes it; two such sequences in parallel. */
async function runKills(): Promise<FaultFigures> {
  const kind = "the process killed (SIGKILL) at seeded moments";
  const questions = knownQuestions(KILLED_PAIRS);
  const chains = await Promise.all([0, 1].map((chain) => {
    const random = randomSource(`${SEED} kills ${chain}`);
    const run = async (place: FaultRunTarget) => {
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
    return inject(kind, { pairs: KILLED_PAIRS, run });
  }));
  return sumOf(kind, chains);
}

/** Starts a run and kills it a given time after its n-th request. */
async function runKilled(place: FaultRunTarget, call: number, delay: number): Promise<void> {
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
