import { join } from "node:path";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { formatDuration, openStatusLine } from "../../lib/files/progress.ts";
import {
  deferred,
  type Execution,
  type Kernel,
  type KernelMessage,
  removeIfThere,
  Session,
  sleep,
  startKernel,
} from "./kernel.ts";
import {
  type CellResult,
  codeCells,
  type Declaration,
  declarationOf,
  type ErrorOutput,
  type Json,
  MimeBundle,
  missingFiles,
  type Notebook,
  notebookPath,
  type Output,
  parseNotebook,
  serialiseNotebook,
} from "./nbformat.ts";

/** One output and, where it can be updated later, its display id. */
interface Shown {
  readonly output: Output;
  readonly displayId: string | undefined;
}

/** What one cell shows, built message by message. */
export class CellOutputs {
  #shown: Shown[] = [];
  #clearBeforeNext = false;

  /** The outputs so far; texts without terminal codes, overwritten progress lines left out. */
  get outputs(): readonly Output[] {
    return this.#shown.map(({ output }) => readable(output));
  }

  /** The error it ended with, if it did. */
  get error(): ErrorOutput | undefined {
    return this.outputs.find((output) => output.output_type === "error");
  }

  /** Takes an iopub message; those that show nothing are ignored. */
  receive({ type, content }: KernelMessage): void {
    if (type === "clear_output") return this.#clear(content.wait === true);
    const output = outputOf(type, content);
    if (output === undefined) return;
    if (this.#clearBeforeNext) this.#clear(false);
    this.#append(output, displayIdOf(content));
  }

  /** Replaces what was shown under `displayId`, as `update_display_data` asks. */
  update(displayId: string, data: MimeBundle, metadata: MimeBundle): void {
    this.#shown = this.#shown.map((shown) =>
      shown.displayId === displayId && "data" in shown.output
        ? { ...shown, output: { ...shown.output, data, metadata } }
        : shown
    );
  }

  #clear(wait: boolean): void {
    this.#clearBeforeNext = wait;
    if (!wait) this.#shown = [];
  }

  /** Text that follows text of the same stream is one output: how it was cut says nothing. */
  #append(output: Output, displayId: string | undefined): void {
    const last = this.#shown.at(-1)?.output;
    if (
      output.output_type === "stream" && last?.output_type === "stream" && last.name === output.name
    ) {
      const merged = { ...last, text: last.text + output.text };
      this.#shown[this.#shown.length - 1] = { output: merged, displayId };
    } else {
      this.#shown.push({ output, displayId });
    }
  }
}

/** The outputs of a notebook's cells; an update reaches displays of earlier cells too. */
export class NotebookOutputs {
  readonly #cells: CellOutputs[] = [];

  /** Begins the next cell: what is received from now on belongs to it. */
  begin(): CellOutputs {
    const cell = new CellOutputs();
    this.#cells.push(cell);
    return cell;
  }

  receive(message: KernelMessage): void {
    if (message.type !== "update_display_data") return this.#cells.at(-1)?.receive(message);
    const id = displayIdOf(message.content);
    if (id === undefined) return;
    const { data, metadata } = message.content;
    for (const cell of this.#cells) cell.update(id, bundle(data), bundle(metadata));
  }
}

function outputOf(type: string, content: KernelMessage["content"]): Output | undefined {
  const { data, metadata, name, text, ename, evalue, traceback, execution_count } = content;
  switch (type) {
    case "stream":
      return {
        output_type: type,
        name: name === "stderr" ? "stderr" : "stdout",
        text: String(text),
      };
    case "display_data":
      return { output_type: type, data: bundle(data), metadata: bundle(metadata) };
    case "execute_result":
      return {
        output_type: type,
        execution_count: typeof execution_count === "number" ? execution_count : null,
        data: bundle(data),
        metadata: bundle(metadata),
      };
    case "error":
      return {
        output_type: type,
        ename: String(ename),
        evalue: String(evalue),
        traceback: Array.isArray(traceback) ? traceback.map(String) : [],
      };
  }
}

function bundle(value: unknown): MimeBundle {
  return MimeBundle.parse(value ?? {});
}

function displayIdOf(content: KernelMessage["content"]): string | undefined {
  const { transient } = content;
  if (typeof transient !== "object" || transient === null || !("display_id" in transient)) return;
  return typeof transient.display_id === "string" ? transient.display_id : undefined;
}

// deno-lint-ignore no-control-regex -- terminal codes are control characters
const ANSI = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;

/** Terminal codes out; of a line rewritten by carriage returns only what stood there last. */
export function plainText(text: string): string {
  return text.replace(ANSI, "").replace(/\r+\n/g, "\n").replace(/[^\n]*\r(?=[^\n])/g, "");
}

function readable(output: Output): Output {
  switch (output.output_type) {
    case "stream":
      return { ...output, text: plainText(output.text) };
    case "error":
      return {
        ...output,
        evalue: plainText(output.evalue),
        traceback: output.traceback.map(plainText),
      };
    default: {
      const text = output.data["text/plain"];
      if (typeof text !== "string") return output;
      return { ...output, data: { ...output.data, "text/plain": plainText(text) } };
    }
  }
}

/** How a cell ended. Whatever it showed until then stands in `result`. */
type CellOutcome =
  | { readonly kind: "done"; readonly result: CellResult }
  | { readonly kind: "error"; readonly result: CellResult; readonly message: string }
  | { readonly kind: "timeout"; readonly result: CellResult; readonly message: string }
  | { readonly kind: "died"; readonly result: CellResult; readonly message: string }
  | { readonly kind: "stopped"; readonly result: CellResult };

interface ExecutorOptions {
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
class Executor {
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

/** GitHub shows no notebook much bigger than this (bytes). */
const LARGEST = 1_000_000;

interface Run {
  readonly notebook: Notebook;
  readonly declaration: Declaration;
  readonly results: ReadonlyMap<string, CellResult>;
  /** The notebook as it would be written. */
  readonly text: string;
  /** The project's folder. */
  readonly root: string;
}

/** Why a run whose cells all succeeded still does not count; empty where it does. */
function complaints(run: Run): readonly string[] {
  return [...missingOutputs(run), ...missingArtefacts(run), ...machinePaths(run), ...tooBig(run)];
}

/** A cell marked `touchstone.expects: "output"` shows something, and so does every notebook. */
function missingOutputs({ notebook, results }: Run): string[] {
  const silent = (id: string) => (results.get(id)?.outputs.length ?? 0) === 0;
  const cells = codeCells(notebook);
  if (cells.length > 0 && cells.every(({ cell }) => silent(cell.id))) {
    return ["no cell shows any output"];
  }
  return cells
    .filter(({ cell }) => expectsOutput(cell.metadata.touchstone) && silent(cell.id))
    .map(({ number }) => `cell ${number} should show output and shows none`);
}

function expectsOutput(mark: unknown): boolean {
  return typeof mark === "object" && mark !== null && "expects" in mark &&
    mark.expects === "output";
}

function missingArtefacts({ root, declaration }: Run): string[] {
  return missingFiles(root, declaration.writes)
    .map((path) => `declared artefact ${path} is missing or empty`);
}

/** An output that names this machine's folder can never be the same on another machine. */
function machinePaths({ notebook, results, root }: Run): string[] {
  return codeCells(notebook)
    .filter(({ cell }) => JSON.stringify(results.get(cell.id)?.outputs ?? []).includes(root))
    .map(({ number }) => `cell ${number} shows this machine's folder ${root}`);
}

function tooBig({ text }: Run): string[] {
  const bytes = new TextEncoder().encode(text).length;
  return bytes > LARGEST ? [`it has ${bytes} bytes, more than ${LARGEST}`] : [];
}

/** How a notebook's run ended. Only a passed one is written over the notebook. */
export type NotebookOutcome =
  | { readonly kind: "passed"; readonly cells: number; readonly changed: boolean }
  | { readonly kind: "failed"; readonly reasons: readonly string[]; readonly copy?: string }
  | { readonly kind: "stopped" };

export interface RunOptions extends ExecutorOptions {
  /** The project's folder; notebooks stand in its `notebooks/`, failed runs in its `.cache/`. */
  readonly root: string;
  /** Told before each code cell. */
  readonly onCell: (progress: CellProgress) => void;
}

/** Which code cell begins, of how many. */
interface CellProgress {
  /** 1-based among the code cells. */
  readonly position: number;
  readonly count: number;
  /** What the cell says of its own progress; may be asked at any time while it runs. */
  readonly status: () => string;
}

/** How long a kernel may take until it answers, on a machine under load (ms). */
const START = 60_000;

/** Runs a notebook top to bottom in a fresh kernel and, where all is well, writes it. */
export async function runNotebook(name: string, options: RunOptions): Promise<NotebookOutcome> {
  const { root } = options;
  const path = notebookPath(join(root, "notebooks"), name);
  const before = Deno.readTextFileSync(path);
  const notebook = parseNotebook(before, `${name}.ipynb`);
  const declaration = declarationOf(notebook, `${name}.ipynb`);
  const unread = missingFiles(root, declaration.reads);
  if (unread.length > 0) {
    const reason = (file: string) =>
      `reads ${file}, which is missing: run the notebook that writes it`;
    return { kind: "failed", reasons: unread.map(reason) };
  }
  const { info, results, failure } = await runCells(notebook, options);
  if (options.signal.aborted) return { kind: "stopped" };
  const named = { ...notebook, metadata: { ...notebook.metadata, language_info: info } };
  const text = serialiseNotebook(named, results);
  const reasons = failure === undefined
    ? complaints({ notebook, declaration, results, text, root })
    : [failure];
  const copy = `.cache/notebooks/${name}.failed.ipynb`;
  if (reasons.length > 0) {
    writeTextAtomic(join(root, copy), text);
    return { kind: "failed", reasons, copy };
  }
  if (text !== before) writeTextAtomic(path, text);
  removeIfThere(join(root, copy));
  return { kind: "passed", cells: codeCells(notebook).length, changed: text !== before };
}

interface CellsRun {
  readonly info: Json;
  readonly results: ReadonlyMap<string, CellResult>;
  /** Why the run broke off; undefined where every cell succeeded. */
  readonly failure: string | undefined;
}

async function runCells(notebook: Notebook, options: RunOptions): Promise<CellsRun> {
  const results = new Map<string, CellResult>();
  const { kernel, session, info } = await connect(options);
  try {
    const executor = new Executor(kernel, session, options);
    const cells = codeCells(notebook);
    for (const [index, { number, cell }] of cells.entries()) {
      options.onCell({ position: index + 1, count: cells.length, status: kernel.status });
      const outcome = await executor.run(cell.source);
      results.set(cell.id, outcome.result);
      const failure = failureOf(outcome, number, cell.source);
      if (failure !== undefined) return { info, results, failure };
    }
    return { info, results, failure: undefined };
  } finally {
    await session.close();
    await kernel.stop();
  }
}

function failureOf(outcome: CellOutcome, number: number, source: string): string | undefined {
  if (outcome.kind === "done") return undefined;
  if (outcome.kind === "stopped") return `cell ${number}: stopped`;
  const excerpt = source.split("\n").slice(0, 4).map((line) => `      | ${line}`).join("\n");
  return `cell ${number}: ${outcome.message}\n${excerpt}`;
}

/** A port chosen for the kernel may be taken before it binds: then it ends at once, and we retry. */
async function connect(options: RunOptions) {
  const folder = join(options.root, "notebooks");
  const cache = join(options.root, ".cache", "notebooks");
  for (let attempt = 1;; attempt++) {
    const kernel = startKernel({ folder, cache });
    const session = new Session(kernel);
    const limit = AbortSignal.any([options.signal, AbortSignal.timeout(START)]);
    try {
      const info = await Promise.race([session.ready(limit), endedEarly(kernel)]);
      return { kernel, session, info: MimeBundle.parse(info.language_info) };
    } catch (error) {
      await session.close();
      await kernel.stop();
      if (attempt === 3 || limit.aborted) throw error;
    }
  }
}

async function endedEarly(kernel: Kernel): Promise<never> {
  const how = await kernel.ended;
  throw new Error(`Cannot start the Deno kernel: it ended with ${how}: ${kernel.lastWords()}`);
}

/** `promise`, or undefined when it takes longer than `ms` milliseconds. Leaves no timer behind. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([promise, sleep(ms, done.signal)]);
  } finally {
    done.abort();
  }
}

/** Resolves when `signal` aborts. Never, where it does not. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** One status line for all notebooks under way, with a clock that ticks by itself. */
export interface Board extends Disposable {
  begin(subject: string): BoardLine;
}

/** What the board says of one notebook. */
interface BoardLine {
  /** What is being done now; asked anew at every tick. */
  state: () => string;
  /** Shows how it ended and how long it took. */
  finish(result: string): void;
}

export function openBoard(): Board {
  const line = openStatusLine({ everySeconds: 60 });
  const lines = new Set<() => string>();
  const timer = setInterval(() => line.show([...lines].map((text) => text()).join(" | ")), 250);
  return {
    begin(subject) {
      const begin = performance.now();
      const text = (state: string) =>
        `${subject} · ${state} · ${formatDuration((performance.now() - begin) / 1000)}`;
      const own = () => text(entry.state());
      const entry: BoardLine = {
        state: () => "kernel starts",
        finish(result) {
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
