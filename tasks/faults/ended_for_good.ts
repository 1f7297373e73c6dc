import type { Behaviour, FaultPlan } from "../../lib/models/hosted/stand_in_server.ts";
import { judgeRows } from "./judge_rows.ts";
import type { RunOptions } from "./evaluate_once.ts";
import { evaluateOnce } from "./evaluate_once.ts";
import {
  type FaultFigures,
  inTemporaryFolder,
  requirePlanned,
  runUntilComplete,
  startKnowingServer,
} from "./run_scenario.ts";
import { requireNoSecret } from "./secrets.ts";
import { outcomesOf } from "./scenario.ts";
import { KEYS, knownQuestions, MODELS } from "./setting.ts";
import { ONE_BY_ONE, skippingClock } from "./timing.ts";

const PAIRS = 12;

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
  return await inTemporaryFolder(async (folder) => {
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
