import type { FaultPlan } from "../../lib/models/hosted/stand_in_server.ts";
import { judgeRows } from "./judge_rows.ts";
import {
  type FaultFigures,
  inTemporaryFolder,
  requirePlanned,
  runUntilComplete,
  startKnowingServer,
} from "./run_scenario.ts";
import { outcomesOf } from "./scenario.ts";
import { KEYS, knownQuestions, MODELS } from "./setting.ts";
import { ONE_BY_ONE, skippingClock } from "./timing.ts";

const PAIRS = 12;
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
  return await inTemporaryFolder(async (folder) => {
    const options = { keys: OWNERS, calls: ONE_BY_ONE };
    await runUntilComplete({ folder, baseUrl: server.baseUrl, pairs: PAIRS }, clock, options);
    const questions = knownQuestions(PAIRS);
    const fullDays = Math.floor(questions.length / MODELS.length / (A_DAY * OWNERS.length));
    requirePlanned(kind, counted.faults, fullDays * OWNERS.length * MODELS.length);
    const rows = judgeRows(folder, outcomesOf(questions));
    return { kind, faults: counted.faults, questions: questions.length, ...rows };
  });
}
