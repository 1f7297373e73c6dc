import { z } from "zod";
import { startChild } from "./child_process.ts";
import { evaluateOnce, type RunPlace } from "./evaluate_once.ts";
import { judgeRows } from "./judge_rows.ts";
import {
  type FaultFigures,
  inTemporaryFolder,
  runUntilComplete,
  startKnowingServer,
} from "./run_scenario.ts";
import { outcomesOf } from "./scenario.ts";
import { knownQuestions, MODELS } from "./setting.ts";
import { skippingClock } from "./timing.ts";

const PAIRS = 12;
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
  return await inTemporaryFolder(async (folder) => {
    const ended = [...await runWithoutDns({ folder, pairs: PAIRS })];
    const abort = new AbortController();
    let calls = 0;
    const { server } = startKnowingServer(() => {
      calls += 1;
      if (calls === 20) abort.abort();
      return undefined;
    });
    await using _server = server;
    const place = { folder, baseUrl: server.baseUrl, pairs: PAIRS };
    await evaluateOnce(place, { evaluation: { signal: abort.signal } });
    ended.push(...await runWithoutDns({ folder, pairs: PAIRS }));
    await runUntilComplete(place, skippingClock());
    const questions = knownQuestions(PAIRS);
    const rows = judgeRows(folder, outcomesOf(questions));
    const faults = ended.length / MODELS.length;
    return { kind: "DNS failure, run after run", faults, questions: questions.length, ...rows };
  });
}
