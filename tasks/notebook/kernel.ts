/** Deno's Jupyter kernel: the process, its wire protocol, and a talk with it. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { rmSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Dealer, Subscriber } from "zeromq";
import { z } from "zod";
import { readTextIfThere } from "../../lib/files/atomic.ts";
import { Json } from "./nbformat.ts";

/** Same output on every machine: no colours, no local time, no local number formats. */
const ENVIRONMENT = { NO_COLOR: "1", FORCE_COLOR: "", TZ: "UTC", LC_ALL: "C.UTF-8" };

const SUPERVISOR = join(import.meta.dirname!, "supervise.ts");

/** A running kernel process. It has its own, full permissions: `deno jupyter` takes no flags. */
export type Kernel = ReturnType<typeof startKernel>;

/**
 * Starts `deno jupyter --kernel` with this Deno; it ends when this process does.
 *
 * `supervise.ts` runs it and notices our end. It may not yet answer on return.
 *
 * @param folder Working directory: relative imports and paths in the cells start from it.
 * @param cache Git-ignored folder for the connection file, which holds the key and goes with the
 * kernel.
 */
export function startKernel(folder: string, cache: string) {
  const connection = freshConnection();
  Deno.mkdirSync(cache, { recursive: true });
  const file = join(cache, `kernel-${crypto.randomUUID()}.json`);
  Deno.writeTextFileSync(file, JSON.stringify(connection), { mode: 0o600, createNew: true });
  const statusFile = file.replace(/json$/, "status");
  const allowed = (name: string, ...paths: readonly string[]) =>
    `--allow-${name}=${paths.map((path) => path.replaceAll(",", ",,")).join()}`;
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", "--no-config", "--no-lock"],
      ...["read", "write"].map((name) => allowed(name, file, statusFile)),
      ...[allowed("run", Deno.execPath()), SUPERVISOR, file, statusFile],
    ],
    cwd: folder,
    env: { ...ENVIRONMENT, TOUCHSTONE_STATUS: statusFile },
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let tail = "";
  const heard = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      tail = (tail + text).slice(-2000);
    }
  })();
  const ended = child.status.then((status) => {
    for (const path of [file, statusFile]) rmSync(path, { force: true });
    const [signal = status.signal] = Object.entries(constants.signals)
      .find(([, number]) => status.code === 128 + number) ?? [];
    return signal === null ? `exit code ${status.code}` : `signal ${signal}`;
  });
  return {
    connection,
    /** Ending of the kernel in words, e.g. "exit code 3"; resolves once, never rejects. */
    ended,
    /**
     * Progress of the running cell, from the file named by `TOUCHSTONE_STATUS`; "" for none.
     *
     * The kernel swallows all that cells write to stderr, so there is no other way that leaves the
     * outputs alone.
     */
    status: () => readTextIfThere(statusFile) ?? "",
    /** Last lines of stderr, the only place where a native crash gives its reason. */
    lastWords: () => tail,
    /** Kills the process and waits for its end; harmless when it has ended already. */
    async stop() {
      await child.stdin.close().catch(() => undefined); // it has ended already
      await ended;
      await heard;
    },
  };
}

/**
 * Chooses five free ports and a signing key, as Jupyter's connection file has them.
 *
 * The ports are held together while they are chosen, so that they differ.
 */
function freshConnection() {
  const held = Array.from({ length: 5 }, () => Deno.listen({ hostname: "127.0.0.1", port: 0 }));
  const [shell_port, iopub_port, stdin_port, control_port, hb_port] = held
    .map(({ addr }) => addr.port);
  for (const listener of held) listener.close();
  const ports = { shell_port, iopub_port, stdin_port, control_port, hb_port };
  const signed = { key: crypto.randomUUID(), signature_scheme: "hmac-sha256" };
  return { transport: "tcp", ip: "127.0.0.1", ...ports, ...signed, kernel_name: "deno" };
}

const DELIMITER = "<IDS|MSG>";
const Header = z.object({ msg_id: z.string(), msg_type: z.string() });
const Content = z.record(z.string(), Json);
type Content = Readonly<z.infer<typeof Content>>;

/** A message of the Jupyter protocol, as far as the runner reads it. */
export interface KernelMessage {
  readonly type: string;
  /** `msg_id` of the request that this answers; may be empty. */
  readonly parent: string;
  readonly content: Content;
}

/**
 * The frames of a request: delimiter, HMAC-SHA-256 over header, parent, metadata and content, and
 * these four as JSON (Jupyter messaging protocol 5.3, "The wire protocol"). `id` comes back as the
 * parent of everything that the request causes.
 */
function encodeRequest(
  { id, type, content }: { readonly id: string; readonly type: string; readonly content: Content },
  key: string,
  session: string,
): string[] {
  const by = { session, username: "touchstone", date: new Date().toISOString(), version: "5.3" };
  const header = { msg_id: id, msg_type: type, ...by };
  const parts = [header, {}, {}, content].map((part) => JSON.stringify(part));
  return [DELIMITER, signature(parts, key).toString("hex"), ...parts];
}

/**
 * Reads a message's frames; the part before the delimiter (routing, topic) is skipped.
 *
 * @throws SyntaxError where the frames are no Jupyter message or the signature is not the key's
 */
export function decodeMessage(frames: readonly Uint8Array[], key: string): KernelMessage {
  const texts = frames.map((frame) => new TextDecoder().decode(frame));
  const start = texts.indexOf(DELIMITER);
  const [signed, ...parts] = texts.slice(start + 1, start + 6);
  if (start < 0 || signed === undefined || parts.length < 4) {
    throw new SyntaxError(`Cannot read kernel message: it has ${frames.length} frames, not 6`);
  }
  const [own, theirs] = [signature(parts, key), new Uint8Array(32)];
  theirs.setFromHex(/^[\da-f]{64}$/.test(signed) ? signed : "");
  if (!timingSafeEqual(own, theirs)) {
    throw new SyntaxError("Cannot trust kernel message: its signature is not that of our key");
  }
  const [header, parent, , content] = parts.map((part) => JSON.parse(part));
  return {
    type: Header.parse(header).msg_type,
    parent: Header.safeParse(parent).data?.msg_id ?? "",
    content: Content.parse(content),
  };
}

const signature = (parts: readonly string[], key: string) =>
  createHmac("sha256", key).update(parts.join("")).digest();

/**
 * Interval between looks at the sockets, in ms. We poll rather than wait to be woken: under Deno
 * 2.9.6 npm zeromq 6.8.0 leaves an idle socket's next message unseen until the next send, and its
 * own time-outs crash the process.
 */
const LOOK_EVERY = 5;

/** Socket options: no waiting, neither to receive nor, when closed, to send. */
const AT_ONCE = { linger: 0, receiveTimeout: 0 };

/** A request under way. Reply and idle come in either order, and outputs may follow both. */
interface Execution {
  readonly id: string;
  readonly reply: Promise<KernelMessage>;
  readonly idle: Promise<void>;
}

type Once<Value> = PromiseWithResolvers<Value>;

/** The talk with one kernel: requests go out, replies and what the kernel shows come in. */
export class KernelSession {
  /** Called with every iopub message in the order sent. */
  onShown: (message: KernelMessage) => void = () => {};
  readonly #key: string;
  readonly #name = crypto.randomUUID();
  readonly #shell = new Dealer(AT_ONCE);
  // No limit of messages: a talkative cell loses nothing.
  readonly #iopub = new Subscriber({ ...AT_ONCE, receiveHighWaterMark: 0 });
  readonly #asked = new Map<string, { reply: Once<KernelMessage>; idle: Once<void> }>();
  readonly #loops: Promise<void>[];
  #requests = 0;
  #closed = false;

  constructor({ connection }: Kernel) {
    const { key, transport, ip, shell_port, iopub_port } = connection;
    this.#key = key;
    this.#shell.connect(`${transport}://${ip}:${shell_port}`);
    this.#iopub.connect(`${transport}://${ip}:${iopub_port}`);
    this.#iopub.subscribe();
    this.#loops = [
      this.#listen(this.#shell, (reply) => this.#asked.get(reply.parent)?.reply.resolve(reply)),
      this.#listen(this.#iopub, (message) => {
        if (message.type === "status" && message.content.execution_state === "idle") {
          this.#asked.get(message.parent)?.idle.resolve();
        }
        this.onShown(message);
      }),
    ];
  }

  /**
   * Waits until the kernel answers and its iopub channel is heard; returns its kernel info.
   *
   * It asks again and again: messages published before the subscription are lost.
   */
  async ready(signal: AbortSignal): Promise<Content> {
    while (!signal.aborted) {
      const { reply, idle } = await this.#request("kernel_info_request", {});
      const heard = Promise.all([reply, idle]).then(([{ content }]) => content);
      const info = await Promise.race([heard, sleep(100)]);
      if (info !== undefined) return info;
    }
    throw signal.reason;
  }

  /** Sends code. A silent execution leaves the execution count alone. */
  execute(code: string, { silent } = { silent: false }): Promise<Execution> {
    const asked = { user_expressions: {}, allow_stdin: false, stop_on_error: true };
    const content = { code, silent, store_history: !silent, ...asked };
    return this.#request("execute_request", content);
  }

  /** Ends the talk; the kernel itself goes on. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#loops);
    for (const socket of [this.#shell, this.#iopub]) socket.close();
  }

  async #request(type: string, content: Content): Promise<Execution> {
    const id = `${this.#name}-${++this.#requests}`;
    const reply = Promise.withResolvers<KernelMessage>();
    const idle = Promise.withResolvers<void>();
    this.#asked.set(id, { reply, idle });
    await this.#shell.send(encodeRequest({ id, type, content }, this.#key, this.#name));
    return { id, reply: reply.promise, idle: idle.promise };
  }

  async #listen(socket: Dealer | Subscriber, take: (message: KernelMessage) => void) {
    while (!this.#closed) {
      const frames = await socket.receive().catch((error: Error & { code?: string }) => {
        if (error.code !== "EAGAIN") throw error; // EAGAIN: there is no message
      });
      if (frames) take(decodeMessage(frames, this.#key));
      else await sleep(LOOK_EVERY);
    }
  }
}

/** Resolves to undefined after `ms` milliseconds, at once when `signal` aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<undefined> {
  return setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
