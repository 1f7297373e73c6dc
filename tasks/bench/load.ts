/** What a hosted call costs, against a server on this machine. */
import { z } from "zod";
import { besides, CACHE_DIRECTORY, measurement, openLineProcess, report } from "./harness.ts";

/** Of the specification, in ms. */
const LIMIT = 2;

/**
 * The load of the specification: of four models a thousand prompts each, so many calls in flight in
 * all, and the milliseconds that the server takes for an answer.
 */
const LOAD = { models: 4, prompts: 1000, inFlight: 32, delayMs: 50 };
export type Load = typeof LOAD;

const MEASURED = z.object({ calls: z.number().positive(), wallMs: z.number(), cpuMs: z.number() });

/** One turn: so many calls, from the first to the last, and the processor's time for them. */
export type Measured = Readonly<z.infer<typeof MEASURED>>;

/**
 * The client's own share of the time: client and server are processes of their own, and the client's
 * rows go to a folder of the cache, which is removed afterwards.
 */
export const TASK = measurement(
  "What a hosted call costs, against a server on this machine",
  async () => {
    Deno.mkdirSync(CACHE_DIRECTORY, { recursive: true });
    const folder = Deno.makeTempDirSync({ dir: CACHE_DIRECTORY, prefix: "load-" });
    const permissions = ["--allow-net=127.0.0.1", "--allow-read", "--allow-env"];
    const start = (more: readonly string[], ...told: readonly string[]) =>
      openLineProcess("a server on this machine", Deno.execPath(), [
        ...["run", "--no-check", ...permissions, ...more, besides("load_process.ts"), ...told],
      ]);
    try {
      await using server = start([], "server", String(LOAD.delayMs));
      const address = await server.hear();
      const more = ["--allow-sys", `--allow-write=${folder}`];
      await using client = start(more, "client", address, folder, JSON.stringify(LOAD));
      const turns = z.record(z.enum(["ours", "bare"]), z.array(MEASURED).min(1))
        .parse(JSON.parse(await client.hear()));
      const [ours, bare] = [costOf(turns.ours, LOAD), costOf(turns.bare, LOAD)];
      const { models, prompts, inFlight, delayMs } = LOAD;
      const ms = (value: number) => `${value.toFixed(2)} ms`;
      const text = [
        `${ms(ours.overhead)} beyond the server's ${delayMs} ms (bare ${ms(bare.overhead)})`,
        `processor ${ms(ours.cpu)} (${(ours.cpu / bare.cpu).toFixed(1)} times bare fetch's)`,
        `${models} × ${prompts} prompts, ${inFlight} in flight`,
      ].join(", ");
      return report("hosted call, ms", ours.overhead, LIMIT, text);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  },
);

/** Milliseconds a call over all turns: beyond what the server's delay alone would take, and of the processor. */
export function costOf(turns: readonly Measured[], { delayMs, inFlight }: Load) {
  const sum = (of: (turn: Measured) => number) =>
    turns.reduce((total, turn) => total + of(turn), 0);
  const calls = sum((turn) => turn.calls);
  const ideal = (calls / inFlight) * delayMs;
  return {
    overhead: (sum((turn) => turn.wallMs) - ideal) / calls,
    cpu: sum((turn) => turn.cpuMs) / calls,
  };
}
