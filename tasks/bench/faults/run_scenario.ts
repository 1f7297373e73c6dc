import { inFolder } from "../../../lib/files/testdata/folder.ts";
import {
  type Behaviour,
  type FaultPlan,
  startStandInServer,
} from "../../../lib/models/hosted/testdata/stand_in/server.ts";
import { questionKey } from "../../../lib/pairs/answers.ts";
import type { EvaluationReport } from "../../../lib/pairs/choose.ts";
import { grammaticalLetter, ORDERS } from "../../../lib/pairs/forced_choice.ts";
import { randomSource } from "../../../lib/stats/random.ts";
import { type Outcome, outcomesOf, plannedFaults, planOf, type Scenario } from "./scenarios.ts";
import {
  evaluateOnce,
  KEYS,
  knownLetter,
  knownQuestions,
  MODELS,
  ONE_BY_ONE,
  requireNoSecret,
  resultsPath,
  type RunOptions,
  type RunPlace,
  SEED,
  type SkippingClock,
  skippingClock,
} from "./setting.ts";

/** What one kind of fault did to the rows. */
export interface FaultFigures extends RowFaults {
  readonly kind: string;
  /** Faults that the server met requests with, or that met the run otherwise. */
  readonly faults: number;
  readonly questions: number;
}

/** Far more runs than any scenario needs. */
const MOST_RUNS = 40;
const PAIRS = 12;

/** A server that knows every letter, and does what the plan says; counts what it did. */
export function startKnowingServer(plan: FaultPlan = () => undefined) {
  const counted = { faults: 0 };
  const server = startStandInServer({
    answer: ({ model, prompt }) => knownLetter(model, prompt),
    plan: (call) => {
      const behaviour = plan(call);
      if (behaviour) counted.faults += 1;
      return behaviour;
    },
  });
  return { server, counted };
}

/** Runs again until every question has its row, as a user would; rows that stood must stay. */
export async function runUntilComplete(
  place: RunPlace,
  clock: SkippingClock,
  options: RunOptions = {},
): Promise<readonly EvaluationReport[]> {
  const reports: EvaluationReport[] = [];
  let before: readonly string[] = [];
  while (reports.length < MOST_RUNS) {
    const calls = { now: clock.now, sleep: clock.sleep, ...options.calls };
    const report = await evaluateOnce(place, { ...options, calls });
    reports.push(report);
    const lines = new Set(readLines(resultsPath(place.folder)));
    const gone = before.find((line) => !lines.has(line));
    if (gone !== undefined) throw new Error(`A row is gone after run ${reports.length}: ${gone}`);
    before = [...lines];
    requireNoSecret(place.folder, report);
    if (report.missing === 0) return reports;
    waitForReturns(report, clock);
  }
  throw new Error(
    `Not complete after ${MOST_RUNS} runs: ${JSON.stringify(reports.at(-1)?.models)}`,
  );
}

/** What a user does who reads when the quota returns. */
function waitForReturns({ models }: EvaluationReport, clock: SkippingClock): void {
  for (const { ended } of models) {
    if (ended?.returns) clock.skipTo(ended.returns.getTime() + 1000);
  }
}

/** A kind of fault that strikes questions: its figures once all are answered. */
export async function runScenario(scenario: Scenario): Promise<FaultFigures> {
  const questions = knownQuestions(PAIRS);
  const { server, counted } = startKnowingServer(planOf(scenario));
  await using _server = server;
  return await inFolder(async (folder) => {
    const place = { folder, baseUrl: server.baseUrl, pairs: PAIRS };
    await runUntilComplete(place, skippingClock());
    requirePlanned(scenario.kind, counted.faults, plannedFaults(scenario, questions));
    const rows = judgeRows(folder, outcomesOf(questions, scenario));
    return { kind: scenario.kind, faults: counted.faults, questions: questions.length, ...rows };
  });
}

/** @throws {Error} where a run met other faults than planned: its figures would mean nothing. */
function requirePlanned(kind: string, met: number, planned: number): void {
  if (met !== planned) throw new Error(`${kind}: met ${met} faults, planned were ${planned}`);
}

/** What is wrong with the rows of a results file. */
interface RowFaults {
  /** Questions without a row. */
  readonly lost: number;
  /** Rows beyond the first of a question, and rows of no question. */
  readonly doubled: number;
  /** Rows that do not say what the server answered. */
  readonly wrong: number;
}

/**
 * Reads the file line by line, not with the code that wrote it, and holds every line against what
 * is known. Half a line at the end counts as no row: a killed process may leave one.
 */
export function judgeRows(folder: string, outcomes: ReadonlyMap<string, Outcome>): RowFaults {
  const lines = readLines(resultsPath(folder));
  const seen = new Set<string>();
  let [doubled, wrong] = [0, 0];
  for (const line of lines) {
    const [model = "", pairId = "", order = "", response, correct] = line.split(",");
    const known = ORDERS.find((name) => name === order) ?? "A_gram";
    const key = questionKey({ model, pairId, order: known });
    const outcome = outcomes.get(key);
    if (outcome === undefined || seen.has(key) || known !== order) {
      doubled += 1;
      continue;
    }
    seen.add(key);
    const isCorrect = outcome === grammaticalLetter(known) ? "True" : "False";
    if (response !== outcome || correct !== isCorrect) wrong += 1;
  }
  return { lost: outcomes.size - seen.size, doubled, wrong };
}

/** Whole lines below the header. */
export function readLines(path: string): readonly string[] {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  const [header, ...lines] = text.split("\n").slice(0, -1);
  if (header !== undefined && header !== "model,pair_id,order,response,correct") {
    throw new SyntaxError(`Cannot judge ${path}: its header is "${header}"`);
  }
  return lines;
}

const DAY = 86_400_000;

/** Requests a key and model that a day allows. */
const A_DAY = 5;
const OWNERS = KEYS.slice(0, 2);

/** `7h41m0.250s`, as Groq writes durations. */
export function groqDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours}h${minutes}m${(seconds % 60).toFixed(3)}s`;
}

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
    const tryAgainIn = groqDuration((day + 1) * DAY - moment);
    return { kind: "rate limit", quota: "RPD", tryAgainIn, organisation: `org_${key.at(-1)}` };
  };
}

/** Days of quota, with a run a day, until all is answered: one refusal a key, model and full day. */
export async function runDailyQuota(): Promise<FaultFigures> {
  const kind = "daily quota, over three days";
  const clock = skippingClock();
  const { server, counted } = startKnowingServer(dailyQuota(clock.now));
  await using _server = server;
  return await inFolder(async (folder) => {
    const options = { keys: OWNERS, calls: ONE_BY_ONE };
    await runUntilComplete({ folder, baseUrl: server.baseUrl, pairs: PAIRS }, clock, options);
    const questions = knownQuestions(PAIRS);
    const fullDays = Math.floor(questions.length / MODELS.length / (A_DAY * OWNERS.length));
    requirePlanned(kind, counted.faults, fullDays * OWNERS.length * MODELS.length);
    const rows = judgeRows(folder, outcomesOf(questions));
    return { kind, faults: counted.faults, questions: questions.length, ...rows };
  });
}

interface EndedScenario {
  readonly kind: string;
  readonly planned: number;
  readonly plan: FaultPlan;
  readonly options: RunOptions;
}

/** Keys: two are refused at once, the third is restricted after a while. */
function endedKeys(): EndedScenario {
  const [first] = KEYS;
  let calls = 0;
  const plan: FaultPlan = ({ key }) => {
    if (key !== first?.reveal()) return { kind: "invalid key" };
    calls += 1;
    return calls > 20 ? { kind: "restricted", status: 403 } : undefined;
  };
  const kind = "401 and a restricted organisation, until no key is left";
  return { kind, planned: KEYS.length, plan, options: { calls: ONE_BY_ONE } };
}

/** Models: one is withdrawn in the middle, one is unknown from the beginning. */
function endedModels(): EndedScenario {
  const [one, two] = MODELS.map(({ id }) => id);
  let calls = 0;
  const plan: FaultPlan = ({ model }): Behaviour | undefined => {
    if (model === one) return { kind: "unknown model" };
    if (model !== two) return undefined;
    calls += 1;
    return calls > 5 ? { kind: "withdrawn" } : undefined;
  };
  const kind = "models withdrawn or unknown";
  return { kind, planned: 2, plan, options: { keys: KEYS.slice(0, 1), calls: ONE_BY_ONE } };
}

/** A run that ends because nothing more can be had, then one after all is mended. */
async function runEnded(scenario: EndedScenario): Promise<FaultFigures> {
  let mended = false;
  const { server, counted } = startKnowingServer((call) =>
    mended ? undefined : scenario.plan(call)
  );
  await using _server = server;
  return await inFolder(async (folder) => {
    const place = { folder, baseUrl: server.baseUrl, pairs: PAIRS };
    const report = await evaluateOnce(place, scenario.options);
    requireNoSecret(folder, report);
    if (report.missing === 0) throw new Error(`${scenario.kind}: the fault ended nothing`);
    mended = true;
    await runUntilComplete(place, skippingClock(), scenario.options);
    requirePlanned(scenario.kind, counted.faults, scenario.planned);
    const questions = knownQuestions(PAIRS);
    const rows = judgeRows(folder, outcomesOf(questions));
    return { kind: scenario.kind, faults: counted.faults, questions: questions.length, ...rows };
  });
}

export const ENDED: readonly (() => Promise<FaultFigures>)[] = [
  () => runEnded(endedKeys()),
  () => runEnded(endedModels()),
];

const ABORTS = 12;

/** Calls before an abort, at most: together fewer than there are questions. */
const MOST_CALLS = 7;

/** Seconds that a run waits for what hangs … */
const PATIENCE = 120;

/** … and milliseconds from an abort to its end, at most: far less, even on a busy machine. */
const PROMPTLY = 5000;

/** Aborts a run at its so-manieth request; that one and those behind it would hang. */
async function runAborted(
  place: { readonly folder: string; readonly pairs: number },
  call: number,
): Promise<void> {
  const abort = new AbortController();
  let [calls, at] = [0, Infinity];
  const { server } = startKnowingServer(() => {
    calls += 1;
    if (calls === call) {
      setTimeout(() => {
        at = performance.now();
        abort.abort();
      }, 2);
    }
    return calls >= call ? { kind: "hang" } : undefined;
  });
  await using _server = server;
  const options = { calls: { timeoutSeconds: PATIENCE }, evaluation: { signal: abort.signal } };
  const { missing, failed } = await evaluateOnce({ ...place, baseUrl: server.baseUrl }, options);
  const took = performance.now() - at;
  if (!(took < PROMPTLY)) throw new Error(`The run went on for ${took.toFixed(0)} ms after Ctrl-C`);
  if (missing === 0 || failed.length > 0) throw new Error("What Ctrl-C cut off counts as failed");
}

/** Ctrl-C at seeded moments, then a run to the end. */
export async function runAborts(): Promise<FaultFigures> {
  const random = randomSource(`${SEED} aborts`);
  return await inFolder(async (folder) => {
    for (let abort = 0; abort < ABORTS; abort++) {
      await runAborted({ folder, pairs: PAIRS }, 1 + random.integer(MOST_CALLS));
    }
    const { server } = startKnowingServer();
    await using _server = server;
    const place = { folder, baseUrl: server.baseUrl, pairs: PAIRS };
    await runUntilComplete(place, skippingClock());
    const questions = knownQuestions(PAIRS);
    const rows = judgeRows(folder, outcomesOf(questions));
    return {
      kind: "Ctrl-C at seeded moments",
      faults: ABORTS,
      questions: questions.length,
      ...rows,
    };
  });
}
