import type { FaultPlan } from "../../lib/models/hosted/stand_in_server.ts";
import { startStandInServer } from "../../lib/models/hosted/stand_in_server.ts";
import type { EvaluationReport } from "../../lib/pairs/evaluation_report.ts";
import { evaluateOnce, type RunOptions, type RunPlace } from "./evaluate_once.ts";
import { judgeRows, readLines, type RowFaults } from "./judge_rows.ts";
import { resultsPath } from "./evaluate_once.ts";
import { requireNoSecret } from "./secrets.ts";
import { outcomesOf, plannedFaults, planOf, type Scenario } from "./scenario.ts";
import { knownLetter, knownQuestions } from "./setting.ts";
import { type SkippingClock, skippingClock } from "./timing.ts";

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

/** Work in a folder that is gone afterwards. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = Deno.makeTempDirSync();
  try {
    return await work(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** A kind of fault that strikes questions: its figures once all are answered. */
export async function runScenario(scenario: Scenario): Promise<FaultFigures> {
  const questions = knownQuestions(PAIRS);
  const { server, counted } = startKnowingServer(planOf(scenario));
  await using _server = server;
  return await inTemporaryFolder(async (folder) => {
    const place = { folder, baseUrl: server.baseUrl, pairs: PAIRS };
    await runUntilComplete(place, skippingClock());
    requirePlanned(scenario.kind, counted.faults, plannedFaults(scenario, questions));
    const rows = judgeRows(folder, outcomesOf(questions, scenario));
    return { kind: scenario.kind, faults: counted.faults, questions: questions.length, ...rows };
  });
}

/** @throws {Error} where a run met other faults than planned: its figures would mean nothing. */
export function requirePlanned(kind: string, met: number, planned: number): void {
  if (met !== planned) throw new Error(`${kind}: met ${met} faults, planned were ${planned}`);
}
