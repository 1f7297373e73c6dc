import { Dealer, Subscriber } from "zeromq";
import { deferred, sleep } from "./waiting.ts";
import type { Kernel } from "./kernel.ts";
import type { Json } from "./nbformat.ts";
import { decodeMessage, encodeRequest, type KernelMessage } from "./wire.ts";

/**
 * How often the sockets are looked at (ms). We ask rather than wait to be woken: under Deno 2.9.6
 * npm zeromq 6.8.0 leaves an idle socket's next message unseen until the next send, and its own
 * time-outs crash the process.
 */
const LOOK_EVERY = 5;
/** Sockets never wait by themselves, neither to receive nor, when closed, to send. */
const AT_ONCE = { linger: 0, receiveTimeout: 0 };

/** A request under way. Reply and idle come in either order, and outputs may follow both. */
export interface Execution {
  readonly id: string;
  readonly reply: Promise<KernelMessage>;
  readonly idle: Promise<void>;
}

/** The talk with one kernel: requests go out, replies and what the kernel shows come in. */
export class Session {
  /** Called with every iopub message in the order in which the kernel sent them. */
  onShown: (message: KernelMessage) => void = () => {};
  readonly #key: string;
  readonly #name = crypto.randomUUID();
  readonly #shell = new Dealer(AT_ONCE);
  readonly #control = new Dealer(AT_ONCE);
  readonly #iopub = new Subscriber({
    ...AT_ONCE,
    receiveHighWaterMark: 0, // no limit: a talkative cell loses nothing
  });
  readonly #replies = new Map<string, (reply: KernelMessage) => void>();
  readonly #idles = new Map<string, () => void>();
  readonly #loops: Promise<void>[];
  #requests = 0;
  #closed = false;

  constructor({ connection }: Kernel) {
    this.#key = connection.key;
    const at = (port: number) => `${connection.transport}://${connection.ip}:${port}`;
    this.#shell.connect(at(connection.shell_port));
    this.#control.connect(at(connection.control_port));
    this.#iopub.connect(at(connection.iopub_port));
    this.#iopub.subscribe();
    this.#loops = [
      this.#listen(this.#shell, (message) => this.#replied(message)),
      this.#listen(this.#iopub, (message) => this.#shown(message)),
    ];
  }

  /**
   * Waits until the kernel answers and its iopub channel is heard, by asking again and again:
   * what a kernel publishes before the subscription is there is lost. Gives its kernel info.
   */
  async ready(signal: AbortSignal): Promise<KernelMessage["content"]> {
    while (!signal.aborted) {
      const { reply, idle } = await this.#request(this.#shell, "kernel_info_request", {});
      const heard = Promise.all([reply, idle]).then(([{ content }]) => content);
      const info = await Promise.race([heard, sleep(100)]);
      if (info !== undefined) return info;
    }
    throw signal.reason;
  }

  /** Sends code. A silent execution leaves the execution count alone. */
  execute(code: string, { silent } = { silent: false }): Promise<Execution> {
    return this.#request(this.#shell, "execute_request", {
      code,
      silent,
      store_history: !silent,
      user_expressions: {},
      allow_stdin: false,
      stop_on_error: true,
    });
  }

  /** Asks the kernel to break off the running cell; Deno's breaks loops, not pending promises. */
  async interrupt(): Promise<void> {
    await this.#request(this.#control, "interrupt_request", {});
  }

  /** Ends the talk; the kernel itself goes on. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#loops);
    for (const socket of [this.#shell, this.#control, this.#iopub]) socket.close();
  }

  async #request(
    socket: Dealer,
    type: string,
    content: Readonly<Record<string, Json>>,
  ): Promise<Execution> {
    const id = `${this.#name}-${++this.#requests}`;
    const reply = deferred<KernelMessage>();
    const idle = deferred<void>();
    this.#replies.set(id, reply.resolve);
    this.#idles.set(id, idle.resolve);
    await socket.send(encodeRequest({ id, type, content }, this.#key, this.#name));
    return { id, reply: reply.promise, idle: idle.promise };
  }

  async #listen(socket: Dealer | Subscriber, take: (message: KernelMessage) => void) {
    while (!this.#closed) {
      const frames = await receiveNow(socket);
      if (frames === undefined) await sleep(LOOK_EVERY);
      else take(decodeMessage(frames, this.#key));
    }
  }

  #replied(message: KernelMessage): void {
    if (message.parent === undefined) return;
    this.#replies.get(message.parent)?.(message);
    this.#replies.delete(message.parent);
  }

  #shown(message: KernelMessage): void {
    if (message.type === "status" && message.content.execution_state === "idle") {
      this.#idles.get(message.parent ?? "")?.();
      this.#idles.delete(message.parent ?? "");
    }
    this.onShown(message);
  }
}

/** The message that is there, or undefined where there is none. */
async function receiveNow(socket: Dealer | Subscriber): Promise<Uint8Array[] | undefined> {
  try {
    return await socket.receive();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return undefined;
    throw error;
  }
}
