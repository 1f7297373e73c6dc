/** Benchmarks the cost of a hosted call, against a server on this machine. */
import { z } from "zod";
import { startStandInServer } from "../../lib/models/hosted/testdata/stand_in/server.ts";
import { command, EXIT, int } from "../command.ts";
import { benchPath, CACHE_DIRECTORY, openLineProcess } from "../python_environment.ts";
import { printMeasurement, THREADS } from "./harness.ts";
import { openServer } from "./agreement.ts";

/**
 * Maximum overhead per call in milliseconds (by the specification), and maximum ratio of bare
 * throughput to an evaluation's.
 */
const LIMITS = { overhead: 2, throughput: 1.11 };

/**
 * Load by the specification: four models with a thousand prompts each.
 *
 * `inFlight` is the total number of concurrent calls. The server answers after `delayMs`
 * milliseconds.
 */
const LOAD = { models: 4, prompts: 1000, inFlight: 32, delayMs: 50 };
export type Load = typeof LOAD;

/**
 * Number of concurrent calls that llama.cpp's server processes. The client has twice as many in
 * flight.
 */
const SLOTS = 4;

const MEASURED = z.object({
  calls: z.number().positive(),
  wallMs: z.number(),
  cpuMs: z.number(),
  tokens: z.number(),
});

/** Results of one turn: calls, wall-clock time, CPU time, and tokens if reported. */
export type Measured = Readonly<z.infer<typeof MEASURED>>;

export const TASK = command(
  "bench load",
  "What a hosted call costs, against a server on this machine that answers in 50 ms; or, with --prompts, " +
    "how much of the throughput of llama.cpp's own server with SmolLM2 an evaluation leaves",
  (c) =>
    c.option("--prompts <number>", "number of prompts to llama.cpp's server", int({ min: 20 }))
      .option("--threads <number>", "threads of that server", ...THREADS),
  async ({ prompts, threads }) => {
    if (prompts === undefined) {
      await using server = startStandInServer({ delayMs: LOAD.delayMs });
      return hostedCall(await measured(server.baseUrl, LOAD));
    }
    await using server = await openServer(threads, SLOTS);
    const load = { models: 1, prompts, inFlight: 2 * SLOTS, delayMs: 0 };
    const { ours, bare } = await measured(`${server.address}/v1`, load);
    const rate = (turns: readonly Measured[], of: "calls" | "tokens") =>
      1000 * sumOf(turns, of) / sumOf(turns, "wallMs");
    const share = rate(ours, "calls") / rate(bare, "calls");
    const tokens = `the server's own ${rate(bare, "tokens").toFixed(0)} tokens a second`;
    const text = `${share.toFixed(3)} of ${
      rate(bare, "calls").toFixed(2)
    } calls a second; ${tokens}`;
    const kept = printMeasurement(
      "bare / evaluation's throughput",
      1 / share,
      LIMITS.throughput,
      text,
    );
    return kept ? EXIT.done : EXIT.failed;
  },
);

/**
 * Runs the client in a separate process, so that the server's CPU time is not counted.
 *
 * Its rows are in a folder of the cache, which is removed at the end.
 */
async function measured(address: string, load: Load) {
  Deno.mkdirSync(CACHE_DIRECTORY, { recursive: true });
  const folder = Deno.makeTempDirSync({ dir: CACHE_DIRECTORY, prefix: "load-" });
  try {
    await using client = openLineProcess("a server on this machine", Deno.execPath(), [
      "run",
      "--no-check",
      "--allow-net=127.0.0.1",
      "--allow-read",
      "--allow-env",
      "--allow-sys",
      `--allow-write=${folder}`,
      benchPath("load_client.ts"),
      address,
      folder,
      JSON.stringify(load),
    ]);
    return z.record(z.enum(["ours", "bare"]), z.array(MEASURED).min(1))
      .parse(JSON.parse(await client.hear()));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function hostedCall(turns: Awaited<ReturnType<typeof measured>>): number {
  const [ours, bare] = [costOf(turns.ours, LOAD), costOf(turns.bare, LOAD)];
  const { models, prompts, inFlight, delayMs } = LOAD;
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  const text = [
    `${ms(ours.overhead)} beyond the server's ${delayMs} ms (bare ${ms(bare.overhead)})`,
    `processor ${ms(ours.cpu)} (${(ours.cpu / bare.cpu).toFixed(1)} times bare fetch's)`,
    `${models} × ${prompts} prompts, ${inFlight} in flight`,
  ].join(", ");
  return printMeasurement("hosted call, ms", ours.overhead, LIMITS.overhead, text)
    ? EXIT.done
    : EXIT.failed;
}

const sumOf = (turns: readonly Measured[], of: keyof Measured) =>
  turns.reduce((total, turn) => total + turn[of], 0);

/**
 * Computes milliseconds per call over all turns: overhead beyond the server's delay, and CPU time.
 */
export function costOf(turns: readonly Measured[], { delayMs, inFlight }: Load) {
  const calls = sumOf(turns, "calls");
  const ideal = (calls / inFlight) * delayMs;
  return { overhead: (sumOf(turns, "wallMs") - ideal) / calls, cpu: sumOf(turns, "cpuMs") / calls };
}
