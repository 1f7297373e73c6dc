import type { Kernel } from "./kernel.ts";
import { NotebookOutputs } from "./outputs.ts";
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

/** How long an interrupted cell, or a barrier, may take before it is given up (ms). */
const PATIENCE = 3000;
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
    const { kernel, options } = this;
    const cell = this.#shown.begin();
    const execution = await this.session.execute(code);
    const finished = Promise.all([execution.reply, execution.idle]).then(([reply]) => reply);
    const ended = await within(
      Promise.race([
        finished.then((reply) => ({ kind: "finished" as const, reply })),
        kernel.ended.then((how) => ({ kind: "died" as const, how })),
        aborted(options.signal).then(() => ({ kind: "stopped" as const })),
      ]),
      options.timeout,
    );
    if (ended?.kind === "finished") {
      await this.#barrier();
      await this.#untilQuiet();
      return outcomeOf(ended.reply, cell.outputs);
    }
    if (ended === undefined) await this.#breakOff(execution);
    await this.#untilQuiet();
    const result = { executionCount: null, outputs: cell.outputs };
    if (ended?.kind === "stopped") return { kind: "stopped", result };
    if (ended?.kind === "died") {
      const message = `the kernel died: ${ended.how}${lastWords(kernel)}`;
      return { kind: "died", result, message };
    }
    const message = `the cell ran longer than ${options.timeout / 1000} s`;
    return { kind: "timeout", result, message };
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
    await within(Promise.race([all, this.kernel.ended]), PATIENCE);
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

/** A syntax error shows nothing and says little: the error output is then written here. */
function outcomeOf(reply: KernelMessage, outputs: CellResult["outputs"]): CellOutcome {
  const { status, ename, evalue, execution_count } = reply.content;
  const executionCount = typeof execution_count === "number" ? execution_count : null;
  const shown = outputs.find((output) => output.output_type === "error");
  if (status === "ok" && shown === undefined) {
    return { kind: "done", result: { executionCount, outputs } };
  }
  if (shown !== undefined) {
    const message = `${shown.ename}: ${shown.evalue}`;
    return { kind: "error", result: { executionCount, outputs }, message };
  }
  const message = evalue === "Execution failed"
    ? "SyntaxError: the cell could not be parsed (deno task ok names the line)"
    : `${ename}: ${evalue}`;
  const [name, ...value] = message.split(": ");
  const error = {
    output_type: "error" as const,
    ename: name!,
    evalue: value.join(": "),
    traceback: [message],
  };
  return { kind: "error", result: { executionCount, outputs: [...outputs, error] }, message };
}

function lastWords(kernel: Kernel): string {
  const words = kernel.lastWords().split("\n").filter((line) =>
    line.trim() !== "" && !line.includes("unstable")
  );
  return words.length === 0 ? "" : `; its last words: ${words.slice(-3).join(" / ")}`;
}
