import { join } from "node:path";

/** Where a kernel listens and the key that signs its messages: Jupyter's connection file. */
export interface Connection {
  readonly transport: "tcp";
  readonly ip: "127.0.0.1";
  readonly shell_port: number;
  readonly iopub_port: number;
  readonly stdin_port: number;
  readonly control_port: number;
  readonly hb_port: number;
  readonly key: string;
  readonly signature_scheme: "hmac-sha256";
  readonly kernel_name: "deno";
}

/** A running kernel process. It has its own, full permissions: `deno jupyter` takes no flags. */
export interface Kernel {
  readonly connection: Connection;
  /** How it ended, in words, e.g. "exit code 3"; resolves once, never rejects. */
  readonly ended: Promise<string>;
  /**
   * What the running cell says of its progress: the content of the file that it finds named in the
   * environment as `TOUCHSTONE_STATUS`; "" where it says nothing. The kernel swallows all that
   * cells write to stderr, so there is no other way that leaves the outputs alone.
   */
  status(): string;
  /** The last lines it wrote to stderr: a native crash says its reason nowhere else. */
  lastWords(): string;
  /** Kills the process and waits until it is gone; harmless when it has ended already. */
  stop(): Promise<void>;
}

export interface KernelOptions {
  /** Working directory: what relative imports and paths in the cells start from. */
  readonly folder: string;
  /** Git-ignored folder for the connection file, which holds the key and goes with the kernel. */
  readonly cache: string;
}

/** Same output on every machine: no colours, no local time, no local number formats. */
const ENVIRONMENT = { NO_COLOR: "1", FORCE_COLOR: "", TZ: "UTC", LC_ALL: "C.UTF-8" };

/** Starts `deno jupyter --kernel` with this very Deno. It may not yet answer on return. */
export function startKernel({ folder, cache }: KernelOptions): Kernel {
  const connection = freshConnection();
  Deno.mkdirSync(cache, { recursive: true });
  const file = join(cache, `kernel-${crypto.randomUUID()}.json`);
  Deno.writeTextFileSync(file, JSON.stringify(connection), { mode: 0o600, createNew: true });
  const statusFile = file.replace(/json$/, "status");
  const child = new Deno.Command(Deno.execPath(), {
    args: ["jupyter", "--kernel", "--conn", file],
    cwd: folder,
    env: { ...ENVIRONMENT, TOUCHSTONE_STATUS: statusFile },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const words = listen(child.stderr);
  const ended = child.status.then((status) => {
    for (const path of [file, statusFile]) removeIfThere(path);
    return status.signal === null ? `exit code ${status.code}` : `signal ${status.signal}`;
  });
  return {
    connection,
    ended,
    status: () => textIfThere(statusFile),
    lastWords: () => words.tail,
    async stop() {
      try {
        child.kill("SIGKILL");
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // TypeError: it has ended already
      }
      await ended;
      await words.done;
    },
  };
}

function textIfThere(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

/** Removes a file; one that is not there is as good. */
export function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function listen(stderr: ReadableStream<Uint8Array>) {
  const words = { tail: "", done: Promise.resolve() };
  words.done = (async () => {
    for await (const text of stderr.pipeThrough(new TextDecoderStream())) {
      words.tail = (words.tail + text).slice(-2000);
    }
  })();
  return words;
}

/** Five free ports: held together while they are chosen, so that they differ. */
function freshConnection(): Connection {
  const held = Array.from({ length: 5 }, () => Deno.listen({ hostname: "127.0.0.1", port: 0 }));
  const port = (index: number) => held[index]!.addr.port;
  const connection: Connection = {
    transport: "tcp",
    ip: "127.0.0.1",
    shell_port: port(0),
    iopub_port: port(1),
    stdin_port: port(2),
    control_port: port(3),
    hb_port: port(4),
    key: crypto.randomUUID(),
    signature_scheme: "hmac-sha256",
    kernel_name: "deno",
  };
  for (const listener of held) listener.close();
  return connection;
}
