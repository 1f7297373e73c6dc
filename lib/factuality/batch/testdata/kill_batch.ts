import { join } from "node:path";
import { readTextIfThere } from "../../../files/atomic.ts";
import type { RandomSource } from "../../../stats/random.ts";
import type { EvaluationRequest } from "../../types.ts";
import { BATCH_FILES } from "../evaluate_batch.ts";

const SCRIPT = new URL("./batch_until_killed.ts", import.meta.url).href;

/**
 * Kills a batch repeatedly with SIGKILL at random moments, then lets it finish. `cut` are lines
 * truncated by a kill; ids are in the order of the results file.
 */
export async function killBatch(plan: {
  readonly folder: string;
  readonly requests: number;
  readonly kills: number;
  readonly milliseconds: number;
  readonly random: RandomSource;
}) {
  const { folder, requests, random, milliseconds } = plan;
  let kills = 0;
  // Two requests run concurrently. With half of their time on average, each run does its part and
  // leaves work for the last one.
  const part = (1.3 * requests * milliseconds) / (2 * plan.kills);
  while (kills < plan.kills) {
    const child = start(folder, requests, milliseconds);
    const reader = child.stdout.getReader();
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, random.next() * part));
    try {
      child.kill("SIGKILL");
    } catch {
      // The batch ended before the kill.
    }
    await reader.cancel();
    const { signal } = await child.status;
    if (signal !== "SIGKILL") throw new Error("The batch was over before it could be killed.");
    kills += 1;
  }
  const last = start(folder, requests, milliseconds);
  await last.stdout.cancel();
  const { success } = await last.status;
  if (!success) throw new Error("The batch could not be resumed.");
  const cut = linesOf(join(folder, "results.damaged.jsonl")).length;
  const ids = linesOf(join(folder, BATCH_FILES.results)).map((line) => JSON.parse(line).id);
  return { kills, cut, ids: ids as readonly string[] };
}

function start(folder: string, requests: number, milliseconds: number): Deno.ChildProcess {
  const permissions = ["--no-check", "--allow-read", "--allow-env", `--allow-write=${folder}`];
  return new Deno.Command(Deno.execPath(), {
    args: ["run", ...permissions, SCRIPT, folder, `${requests}`, `${milliseconds}`],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

const linesOf = (path: string): readonly string[] =>
  (readTextIfThere(path) ?? "").split("\n").filter((line) => line !== "");

/** Requests of one claim each. Their sources are long enough for a kill to truncate a line. */
export function killedRequests(count: number): readonly EvaluationRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `r${index}`,
    source: `Elk number ${index} swims. ${"The fjord is deep and cold. ".repeat(20)}`,
    candidate: `Elk number ${index % 3 === 0 ? index : index + 1} swims.`,
    question: "",
  }));
}
