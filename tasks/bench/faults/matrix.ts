import { markdownTable } from "../../../lib/figures/table.ts";
import { eachInFlight } from "../../../lib/models/in_flight.ts";
import { runKills, runNetworkGone } from "./processes.ts";
import { ENDED, type FaultFigures, runAborts, runDailyQuota, runScenario } from "./run_scenario.ts";
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

/** The README's section between markers. */
export const SECTION = "reliability";
const COLUMNS = ["fault", "injected", "questions", "rows lost", "rows doubled", "wrong letters"];

/** One row a kind of fault, and their sums. */
export function reliabilityTable(figures: readonly FaultFigures[]): string {
  const total = figures.reduce(
    (sum, each) => ({
      kind: "**all**",
      faults: sum.faults + each.faults,
      questions: sum.questions + each.questions,
      lost: sum.lost + each.lost,
      doubled: sum.doubled + each.doubled,
      wrong: sum.wrong + each.wrong,
    }),
    { kind: "", faults: 0, questions: 0, lost: 0, doubled: 0, wrong: 0 },
  );
  const rows = [...figures, total].map(({ kind, faults, questions, lost, doubled, wrong }) => [
    kind,
    faults,
    questions,
    lost,
    doubled,
    wrong,
  ]);
  return markdownTable(COLUMNS, rows);
}

/** A Markdown table without what a formatter may change: padding, and the length of rules. */
export function withoutPadding(markdown: string): string {
  return markdown.replace(/ +/g, " ").replace(/-+/g, "-").trim();
}
