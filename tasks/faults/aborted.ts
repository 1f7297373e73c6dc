import { randomSource } from "../../lib/stats/random.ts";
import { evaluateOnce } from "./evaluate_once.ts";
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

const PAIRS = 12;
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
  return await inTemporaryFolder(async (folder) => {
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
