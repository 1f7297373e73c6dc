import type { Kernel } from "./kernel.ts";
import { type CellOutputs, NotebookOutputs } from "./outputs.ts";
import type { CellResult } from "./nbformat.ts";
import type { Execution, Session } from "./session.ts";
import { aborted, deferred, sleep, within } from "./waiting.ts";
import type { KernelMessage } from "./wire.ts";

/** How a cell ended. Whatever it showed until then stands in `result`. */
export type CellOutcome =
  | { readonly kind: "done"; readonly result: CellResult }
  | { readonly kind: "error"; readonly result: CellResult; readonly message: string }
  | { readonly kind: "timeout"; readonly result: CellResult; readonly message: string }
  | { readonly kind: "died"; readonly result: CellResult; readonly message: string }
  | { readonly kind: "stopped"; readonly result: CellResult };

export interface ExecutorOptions {
  /** Longest time for one cell, in ms. */
  readonly timeout: number;
  /** After a cell has ended, how long nothing may have arrived before the next begins, in ms. */
  readonly quiet: number;
  /** Stops the run where it stands. */
  readonly signal: AbortSignal;
}

/** How long an interrupted cell may take to end before its kernel is killed (ms). */
const PATIENCE = 1000;
/** How long the mark after a cell may take: a timer left behind may keep the kernel busy (ms). */
const BARRIER_PATIENCE = 10_000;
/** A cell that leaves a ticking timer behind never falls silent: go on after this long (ms). */
const LONGEST_QUIET = 5000;
/** MIME type of the message by which the barrier is known; it is never kept. */
const BARRIER = "application/x-touchstone-barrier";

/** Runs cells one after the other in one kernel. */
export class Executor {
  readonly #shown = new NotebookOutputs();
  #lastShownAt = performance.now();
  #barrierShown = deferred<void>();
  #barrierId: string | undefined;

  constructor(
    private readonly kernel: Kernel,
    private readonly session: Session,
    private readonly options: ExecutorOptions,
  ) {
    session.onShown = (message) => this.#receive(message);
  }

  /** Runs one cell and waits until everything it shows has arrived. Never rejects for the cell. */
  async run(code: string): Promise<CellOutcome> {
    const cell = this.#shown.begin();
    const execution = await this.session.execute(code);
    const ended = await within(this.#ended(execution), this.options.timeout);
    if (ended?.kind === "replied") {
      await this.#barrier();
      await this.#untilQuiet();
      return outcomeOf(ended.reply, cell);
    }
    if (ended === undefined) await this.#breakOff(execution);
    await this.#untilQuiet();
    const result = resultOf(cell, null);
    if (ended?.kind === "stopped") return { kind: "stopped", result };
    if (ended?.kind === "died") {
      const message = `the kernel died: ${ended.how}${lastWords(this.kernel)}`;
      return { kind: "died", result, message };
    }
    const message = `the cell ran longer than ${this.options.timeout / 1000} s`;
    return { kind: "timeout", result, message };
  }

  #ended({ reply, idle }: Execution) {
    return Promise.race([
      Promise.all([reply, idle]).then(([reply]) => ({ kind: "replied" as const, reply })),
      this.kernel.ended.then((how) => ({ kind: "died" as const, how })),
      aborted(this.options.signal).then(() => ({ kind: "stopped" as const })),
    ]);
  }

  #receive(message: KernelMessage): void {
    this.#lastShownAt = performance.now();
    const { data } = message.content;
    if (typeof data === "object" && data !== null && BARRIER in data) {
      return this.#barrierShown.resolve();
    }
    if (message.type === "error" && message.parent === this.#barrierId) return;
    this.#shown.receive(message);
  }

  /**
   * Deno's kernel reports idle before it has published what the cell showed. All that cells show
   * goes through one queue, so a mark shown after the cell tells that the cell's last has come.
   */
  async #barrier(): Promise<void> {
    this.#barrierShown = deferred<void>();
    const mark = JSON.stringify({ data: { [BARRIER]: "" }, metadata: {}, transient: {} });
    const code = `await Deno.jupyter.broadcast("display_data", ${mark}); undefined`;
    const execution = await this.session.execute(code, { silent: true });
    this.#barrierId = execution.id;
    const all = Promise.all([execution.reply, execution.idle, this.#barrierShown.promise]);
    await within(Promise.race([all, this.kernel.ended]), BARRIER_PATIENCE);
  }

  /** Timers that the cell did not await may show something a moment later. */
  async #untilQuiet(): Promise<void> {
    const begin = performance.now();
    while (performance.now() - begin < LONGEST_QUIET) {
      const rest = this.options.quiet - (performance.now() - this.#lastShownAt);
      if (rest <= 0) return;
      await sleep(rest, this.options.signal);
      if (this.options.signal.aborted) return;
    }
  }

  async #breakOff(execution: Execution): Promise<void> {
    await this.session.interrupt();
    await within(Promise.race([execution.reply, this.kernel.ended]), PATIENCE);
  }
}

/** A syntax error shows nothing and its reply says little: its output is then written here. */
function outcomeOf({ content }: KernelMessage, cell: CellOutputs): CellOutcome {
  const { status, evalue } = content;
  const result = resultOf(cell, content.execution_count);
  if (status !== "ok" && cell.error === undefined) {
    const unparsed = evalue === "Execution failed";
    const shown = unparsed
      ? { ename: "SyntaxError", evalue: "the cell cannot be parsed; deno task ok names the line" }
      : { ename: content.ename ?? "Error", evalue: evalue ?? "" };
    cell.receive({ type: "error", parent: undefined, content: { ...shown, traceback: [] } });
  }
  if (cell.error === undefined) return { kind: "done", result };
  return { kind: "error", result, message: `${cell.error.ename}: ${cell.error.evalue}` };
}

/** The outputs stay alive: a later cell may update what this one displays. */
function resultOf(cell: CellOutputs, count: unknown): CellResult {
  return {
    executionCount: typeof count === "number" ? count : null,
    get outputs() {
      return cell.outputs;
    },
  };
}

function lastWords(kernel: Kernel): string {
  const words = kernel.lastWords().split("\n").filter((line) =>
    line.trim() !== "" && !line.includes("unstable")
  );
  return words.length === 0 ? "" : `; its last words: ${words.slice(-3).join(" / ")}`;
}
