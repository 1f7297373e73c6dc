import { eachInFlight } from "../../lib/models/in_flight.ts";
import { runAborts } from "./aborted.ts";
import { runDailyQuota } from "./daily_quota.ts";
import { ENDED } from "./ended_for_good.ts";
import { runKills } from "./killed.ts";
import { runNetworkGone } from "./no_network.ts";
import { type FaultFigures, runScenario } from "./run_scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

/** Kinds run at once: most of their time is waiting. */
const AT_ONCE = 3;

/** Every kind of fault, in the order of the table. */
const KINDS: readonly (() => Promise<FaultFigures>)[] = [
  ...SCENARIOS.map((scenario) => () => runScenario(scenario)),
  runDailyQuota,
  ...ENDED,
  runNetworkGone,
  runAborts,
  runKills,
];

/** Runs every kind to the end. All is drawn by seed, so that the figures are always the same. */
export async function runFaultMatrix(
  onDone: (figures: FaultFigures) => void = () => {},
): Promise<readonly FaultFigures[]> {
  const done = new Map<number, FaultFigures>();
  await eachInFlight(KINDS.entries(), AT_ONCE, async ([place, run]) => {
    const figures = await run();
    done.set(place, figures);
    onDone(figures);
    return true;
  });
  return [...done].toSorted(([a], [b]) => a - b).map(([, figures]) => figures);
}
