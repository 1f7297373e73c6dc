/**
 * Runs a notebook in a fresh kernel and stores its outputs on success.
 * @module
 */
import { once } from "node:events";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { sha256OfFile, writeTextAtomic } from "../../lib/files/atomic.ts";
import { formatDuration, openStatusLine } from "../../lib/files/progress.ts";
import { type Kernel, type KernelMessage, KernelSession, sleep, startKernel } from "./kernel.ts";
import {
  type CellResult,
  codeCells,
  declarationOf,
  MimeBundle,
  type Notebook,
  notebookPath,
  type Output,
  parseNotebook,
  serialiseNotebook,
} from "./nbformat.ts";

/** Outputs of a cell, collected message by message, even if it is interrupted. */
export class CellOutputs implements CellResult {
  executionCount: number | null = null;
  readonly #outputs: Output[] = [];

  /** Current outputs. Timers left running may still add to them. */
  get outputs(): readonly Output[] {
    return this.#outputs.map(readable);
  }

  /** Processes an iopub message. Messages without output are ignored. */
  receive({ type, content }: KernelMessage): void {
    const output = outputOf(type, content);
    if (output === undefined) return;
    const before = this.#outputs.at(-1);
    // Text that follows text of the same stream is one output: how it was cut says nothing.
    const joins = output.output_type === "stream" && before?.output_type === "stream" &&
      before.name === output.name;
    if (joins) this.#outputs.splice(-1, 1, { ...before, text: before.text + output.text });
    else this.#outputs.push(output);
  }
}

function outputOf(type: string, content: KernelMessage["content"]): Output | undefined {
  const { name, text, ename, evalue, traceback, execution_count: count } = content;
  switch (type) {
    case "stream":
      return { output_type: type, name: name === "stderr" ? name : "stdout", text: String(text) };
    case "display_data":
      return { output_type: type, ...shows(content) };
    case "execute_result": {
      const execution_count = typeof count === "number" ? count : null;
      return { output_type: type, execution_count, ...shows(content) };
    }
    case "error": {
      const lines = Array.isArray(traceback) ? traceback.map(String) : [];
      const [named, said] = [String(ename), String(evalue)];
      return { output_type: type, ename: named, evalue: said, traceback: lines };
    }
  }
}

const shows = ({ data, metadata }: KernelMessage["content"]) => (
  { data: MimeBundle.parse(data ?? {}), metadata: MimeBundle.parse(metadata ?? {}) }
);

/** Removes terminal codes, and overwritten text of lines with carriage returns. */
const plainText = (text: string) =>
  stripVTControlCharacters(text).replace(/\r+\n/g, "\n").replace(/[^\n]*\r(?=[^\n])/g, "");

function readable(output: Output): Output {
  if (output.output_type === "stream") return { ...output, text: plainText(output.text) };
  if (output.output_type === "error") {
    const traceback = output.traceback.map(plainText);
    return { ...output, evalue: plainText(output.evalue), traceback };
  }
  const text = output.data["text/plain"];
  if (typeof text !== "string") return output;
  return { ...output, data: { ...output.data, "text/plain": plainText(text) } };
}

/** Default time limit of a cell in ms. */
export const TIMEOUT = 30 * 60 * 1000;
/** Time limit in ms for the barrier after a cell. Timers left running may keep the kernel busy. */
const BARRIER_PATIENCE = 10_000;
/**
 * Milliseconds without output after a cell before the next begins.
 *
 * The latest output ever observed after idle came after 14 ms.
 */
const QUIET = 150;
/** Maximum wait in ms for silence. A cell with a running timer never becomes silent. */
const LONGEST_QUIET = 5000;
/** MIME type of the barrier's message, which is never stored. */
const BARRIER = "application/x-touchstone-barrier";

/** Runs cells one after the other in one kernel. */
class Executor {
  #shown = new CellOutputs();
  #lastShownAt = performance.now();
  #barrierShown = Promise.withResolvers<void>();
  #barrierId: string | undefined;

  constructor(
    private readonly kernel: Kernel,
    private readonly session: KernelSession,
    private readonly options: RunOptions,
  ) {
    session.onShown = (message) => this.#receive(message);
  }

  /** Runs one cell and waits for all its output. Returns the reason for a failure, if any. */
  async run(code: string, shown: CellOutputs): Promise<string | undefined> {
    const { timeout = TIMEOUT, signal } = this.options;
    this.#shown = shown;
    const execution = await this.session.execute(code);
    const replied = Promise.all([execution.reply, execution.idle]).then(([reply]) => reply);
    const died = this.kernel.ended.then((how) => {
      const words = this.kernel.lastWords().split("\n").filter((line) =>
        line.trim() !== "" && !line.includes("unstable")
      );
      return [`the kernel died: ${how}`, ...words.slice(-3)].join(" / ");
    });
    const stopped = aborted(signal).then(() => "stopped");
    const ended = await within(Promise.race([replied, died, stopped]), timeout);
    if (typeof ended === "object") {
      await this.#barrier();
      await this.#untilQuiet();
      return this.#failure(ended.content, shown);
    }
    await this.#untilQuiet();
    return ended ?? `the cell ran longer than ${timeout / 1000} s`;
  }

  /** Records a syntax error, which produces no output and a short reply. */
  #failure(content: KernelMessage["content"], shown: CellOutputs): string | undefined {
    const { status, evalue, ename, execution_count: count } = content;
    if (typeof count === "number") shown.executionCount = count;
    const errorOf = () => shown.outputs.find((output) => output.output_type === "error");
    if (status !== "ok" && errorOf() === undefined) {
      const said = evalue === "Execution failed"
        ? { ename: "SyntaxError", evalue: "the cell cannot be parsed; deno task ok names the line" }
        : { ename: ename ?? "Error", evalue: evalue ?? "" };
      shown.receive({ type: "error", parent: "", content: said });
    }
    const error = errorOf();
    return error && `${error.ename}: ${error.evalue}`;
  }

  #receive(message: KernelMessage): void {
    this.#lastShownAt = performance.now();
    const { data } = message.content;
    if (typeof data === "object" && data !== null && BARRIER in data) {
      this.#barrierShown.resolve();
    } else if (message.type !== "error" || message.parent !== this.#barrierId) {
      this.#shown.receive(message);
    }
  }

  /**
   * Waits until a cell's output is complete. Deno's kernel reports idle before it publishes all
   * output. Output has a single queue, so that a marker displayed after the cell proves that its
   * output has arrived.
   */
  async #barrier(): Promise<void> {
    this.#barrierShown = Promise.withResolvers<void>();
    const mark = JSON.stringify({ data: { [BARRIER]: "" }, metadata: {}, transient: {} });
    const code = `await Deno.jupyter.broadcast("display_data", ${mark}); undefined`;
    const execution = await this.session.execute(code, { silent: true });
    this.#barrierId = execution.id;
    const all = Promise.all([execution.reply, execution.idle, this.#barrierShown.promise]);
    await within(Promise.race([all, this.kernel.ended]), BARRIER_PATIENCE);
  }

  /** Waits for output of timers that the cell did not await. */
  async #untilQuiet(): Promise<void> {
    const { signal } = this.options;
    const begin = performance.now();
    while (performance.now() - begin < LONGEST_QUIET && !signal.aborted) {
      const rest = QUIET - (performance.now() - this.#lastShownAt);
      if (rest <= 0) return;
      await sleep(rest, signal);
    }
  }
}

/** Maximum size of a notebook in bytes that GitHub displays. */
const LARGEST = 1_000_000;

/** Outcome of a notebook's run. Only a successful run overwrites the notebook. */
export type NotebookOutcome =
  | { readonly kind: "passed"; readonly cells: number; readonly changed: boolean }
  | { readonly kind: "failed"; readonly reasons: readonly string[]; readonly copy?: string }
  | { readonly kind: "stopped" };

export interface RunOptions {
  /** Time limit of a cell in ms; half an hour by default. */
  readonly timeout?: number;
  /** Aborts the run at once. */
  readonly signal: AbortSignal;
  /** Folder of the project, with `notebooks/`. Failed runs are stored in `.cache/`. */
  readonly root: string;
  /**
   * Called before each code cell with its number (from 1), the number of cells, and its progress.
   */
  readonly onCell?: (
    progress: Readonly<{ position: number; count: number; status: () => string }>,
  ) => void;
}

/** Time limit in ms for the start of a kernel, on a busy machine. */
const START = 60_000;

/** Runs a notebook top to bottom in a fresh kernel and writes it on success. */
export async function runNotebook(name: string, options: RunOptions): Promise<NotebookOutcome> {
  const { root, signal } = options;
  const path = notebookPath(join(root, "notebooks"), name);
  const before = Deno.readTextFileSync(path);
  const notebook = parseNotebook(before, `${name}.ipynb`);
  const declaration = declarationOf(notebook, `${name}.ipynb`);
  const { reads, writes } = declaration;
  const missing = (files: readonly string[]) =>
    files.filter((file) => {
      const found = statSync(join(root, file), { throwIfNoEntry: false });
      return !found?.isFile() || found.size === 0;
    });
  const unread = missing(reads).map((file) =>
    `reads ${file}, which is missing: run the notebook that writes it`
  );
  if (unread.length > 0) return { kind: "failed", reasons: unread };
  const { info, results, failure } = await runCells(notebook, options);
  if (signal.aborted) return { kind: "stopped" };
  const sha256 = Object.fromEntries(reads.map((file) => [file, sha256OfFile(join(root, file))]));
  const metadata = {
    ...notebook.metadata,
    language_info: info,
    ...reads.length > 0 && { touchstone: { ...declaration, sha256 } },
  };
  const named = { ...notebook, metadata };
  const text = serialiseNotebook(named, results);
  const bytes = new TextEncoder().encode(text).length;
  const reasons = failure !== undefined ? [failure] : [
    ...wrongOutputs(notebook, results, root),
    ...missing(writes).map((file) => `declared artefact ${file} is missing or empty`),
    ...(bytes > LARGEST ? [`it has ${bytes} bytes, more than ${LARGEST}`] : []),
  ];
  const copy = `.cache/notebooks/${name}.failed.ipynb`;
  if (reasons.length > 0) {
    writeTextAtomic(join(root, copy), text);
    return { kind: "failed", reasons, copy };
  }
  if (text !== before) writeTextAtomic(path, text);
  rmSync(join(root, copy), { force: true });
  return { kind: "passed", cells: codeCells(notebook).length, changed: text !== before };
}

type Results = ReadonlyMap<string, CellResult>;

/** Checks outputs: a notebook must have some, and none may contain a path of this machine. */
function wrongOutputs(notebook: Notebook, results: Results, root: string): string[] {
  const outputs = codeCells(notebook).map(({ number, cell }) => (
    { number, shown: results.get(cell.id)?.outputs ?? [] }
  ));
  if (outputs.length > 0 && outputs.every(({ shown }) => shown.length === 0)) {
    return ["no cell shows any output"];
  }
  return outputs.filter(({ shown }) => JSON.stringify(shown).includes(root))
    .map(({ number }) => `cell ${number} shows this machine's folder ${root}`);
}

/** Runs the cells until one fails, and returns the reason. */
async function runCells(notebook: Notebook, options: RunOptions) {
  const results = new Map<string, CellResult>();
  const { kernel, session, info } = await connect(options);
  try {
    const executor = new Executor(kernel, session, options);
    const cells = codeCells(notebook);
    for (const [index, { number, cell }] of cells.entries()) {
      options.onCell?.({ position: index + 1, count: cells.length, status: kernel.status });
      const shown = new CellOutputs();
      results.set(cell.id, shown);
      const failure = await executor.run(cell.source, shown);
      if (failure === undefined) continue;
      const excerpt = cell.source.split("\n").slice(0, 4).map((line) => `      | ${line}`);
      return { info, results, failure: [`cell ${number}: ${failure}`, ...excerpt].join("\n") };
    }
    return { info, results };
  } finally {
    await session.close();
    await kernel.stop();
  }
}

/** Starts a kernel, again if its port was taken in the meantime. */
async function connect({ root, signal }: RunOptions) {
  for (let attempt = 1;; attempt++) {
    const kernel = startKernel(join(root, "notebooks"), join(root, ".cache", "notebooks"));
    const session = new KernelSession(kernel);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(START)]);
    const endedEarly = kernel.ended.then((how) => {
      throw new Error(`Cannot start the Deno kernel: it ended with ${how}: ${kernel.lastWords()}`);
    });
    try {
      const info = await Promise.race([session.ready(limit), endedEarly]);
      return { kernel, session, info: MimeBundle.parse(info.language_info) };
    } catch (error) {
      await session.close();
      await kernel.stop();
      if (attempt === 3 || limit.aborted) throw error;
    }
  }
}

/** Waits for a promise at most `ms` milliseconds; undefined after that. Leaves no timer behind. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([promise, sleep(ms, done.signal)]);
  } finally {
    done.abort();
  }
}

/** Resolves when the signal aborts. */
async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

/** Status line of all running notebooks, with a clock. */
export type Board = ReturnType<typeof openBoard>;

export function openBoard() {
  const line = openStatusLine({ everySeconds: 60 });
  const lines = new Set<() => string>();
  const timer = setInterval(() => line.show([...lines].map((text) => text()).join(" | ")), 250);
  return {
    /** Adds a notebook to the status line. `state` is called at every tick. */
    begin(subject: string) {
      const begin = performance.now();
      const text = (state: string) =>
        `${subject} · ${state} · ${formatDuration((performance.now() - begin) / 1000)}`;
      const own = () => text(entry.state());
      const entry = {
        state: () => "kernel starts",
        /** Prints the result and duration. */
        finish(result: string) {
          lines.delete(own);
          line.finish(text(result));
        },
      };
      lines.add(own);
      return entry;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      line[Symbol.dispose]();
    },
  };
}
