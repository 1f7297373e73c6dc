import { costOf, LOAD_REPORT, type LoadCost, type LoadShape } from "./load_shape.ts";
import { TextLineStream } from "./text_lines.ts";

/** What a call costs through the whole real path, and as a bare fetch in the same run. */
export interface LoadFigures {
  readonly ours: LoadCost;
  readonly bare: LoadCost;
}

const script = (name: string) => new URL(`./${name}`, import.meta.url).href;

function startServer({ delayMs }: LoadShape): Deno.ChildProcess {
  const args = ["run", "--no-check", "--allow-net=127.0.0.1", "--allow-read", "--allow-env"];
  return new Deno.Command(Deno.execPath(), {
    args: [...args, script("load_server.ts"), String(delayMs)],
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
export async function measureLoad(cacheDirectory: string, shape: LoadShape): Promise<LoadFigures> {
  Deno.mkdirSync(cacheDirectory, { recursive: true });
  const folder = Deno.makeTempDirSync({ dir: cacheDirectory, prefix: "load-" });
  const server = startServer(shape);
  try {
    const permissions = ["--allow-net=127.0.0.1", "--allow-read", "--allow-env", "--allow-sys"];
    const told = [await addressOf(server), folder, JSON.stringify(shape)];
    const client = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--no-check", ...permissions, `--allow-write=${folder}`],
        ...[script("load_client.ts"), ...told],
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
