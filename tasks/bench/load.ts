/** What a hosted call costs, against a server on this machine. */
import { z } from "zod";
import { CACHE_DIRECTORY, measurement, report, TextLineStream } from "./inputs.ts";

/** Of the specification, in ms. */
const LIMIT = 2;

export const TASK = measurement(
  "load",
  "What a hosted call costs, against a server on this machine",
  async () => {
    const { models, prompts, inFlight, delayMs } = LOAD;
    const { ours, bare } = await measureLoad(CACHE_DIRECTORY, LOAD);
    const milliseconds = (value: number) => `${value.toFixed(2)} ms`;
    const text = `${milliseconds(ours.overhead)} beyond the server's ${delayMs} ms ` +
      `(bare fetch ${milliseconds(bare.overhead)}), processor ${milliseconds(ours.cpu)} ` +
      `(${(ours.cpu / bare.cpu).toFixed(1)} times bare fetch's ${milliseconds(bare.cpu)}), ` +
      `${models} × ${prompts} prompts, ${inFlight} in flight`;
    return report("hosted call, ms", ours.overhead, LIMIT, text);
  },
);

/** How much is asked of the client. */
export interface LoadShape {
  readonly models: number;
  /** Of each model. */
  readonly prompts: number;
  /** In all. */
  readonly inFlight: number;
  /** Milliseconds that the server takes for an answer. */
  readonly delayMs: number;
}

/** The load of the specification: four models, a thousand prompts each. */
export const LOAD: LoadShape = { models: 4, prompts: 1000, inFlight: 32, delayMs: 50 };

const MEASURED = z.array(z.object({
  calls: z.number().positive(),
  wallMs: z.number(),
  cpuMs: z.number(),
})).min(1);

/** What a client process prints: every turn of both contestants. */
const LOAD_REPORT = z.object({ ours: MEASURED, bare: MEASURED });

/** One turn: so many calls, from the first to the last, and the processor's time for them. */
export type Measured = Readonly<z.infer<typeof MEASURED>[number]>;

/** Milliseconds a call. */
interface LoadCost {
  /** Beyond what the server's delay alone would take. */
  readonly overhead: number;
  /** Of the client's process, all its threads. */
  readonly cpu: number;
}

/** Costs of a call over all turns. */
export function costOf(turns: readonly Measured[], { delayMs, inFlight }: LoadShape): LoadCost {
  const sum = (of: (turn: Measured) => number) =>
    turns.reduce((total, turn) => total + of(turn), 0);
  const calls = sum((turn) => turn.calls);
  const ideal = (calls / inFlight) * delayMs;
  return {
    overhead: (sum((turn) => turn.wallMs) - ideal) / calls,
    cpu: sum((turn) => turn.cpuMs) / calls,
  };
}

/** What a call costs through the whole real path, and as a bare fetch in the same run. */
interface LoadFigures {
  readonly ours: LoadCost;
  readonly bare: LoadCost;
}

const SCRIPT = new URL("./load_process.ts", import.meta.url).href;

function startServer({ delayMs }: LoadShape): Deno.ChildProcess {
  const args = ["run", "--no-check", "--allow-net=127.0.0.1", "--allow-read", "--allow-env"];
  return new Deno.Command(Deno.execPath(), {
    args: [...args, SCRIPT, "server", String(delayMs)],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

async function addressOf(server: Deno.ChildProcess): Promise<string> {
  const lines = server.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(
    new TextLineStream(),
  );
  for await (const line of lines) return line;
  throw new Error("Cannot measure the load: the server did not start");
}

/**
 * Measures the client's own share of the time: client and server are processes of their own, and
 * the client's rows go to a folder under `cacheDirectory`, which is removed afterwards.
 */
async function measureLoad(cacheDirectory: string, shape: LoadShape): Promise<LoadFigures> {
  Deno.mkdirSync(cacheDirectory, { recursive: true });
  const folder = Deno.makeTempDirSync({ dir: cacheDirectory, prefix: "load-" });
  const server = startServer(shape);
  try {
    const permissions = ["--allow-net=127.0.0.1", "--allow-read", "--allow-env", "--allow-sys"];
    const told = [await addressOf(server), folder, JSON.stringify(shape)];
    const client = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--no-check", ...permissions, `--allow-write=${folder}`],
        ...[SCRIPT, "client", ...told],
      ],
      stdin: "null",
      stderr: "inherit",
    });
    const { success, stdout } = await client.output();
    if (!success) throw new Error("Cannot measure the load: the client failed");
    const { ours, bare } = LOAD_REPORT.parse(JSON.parse(new TextDecoder().decode(stdout)));
    return { ours: costOf(ours, shape), bare: costOf(bare, shape) };
  } finally {
    server.kill("SIGKILL");
    await server.status;
    Deno.removeSync(folder, { recursive: true });
  }
}
