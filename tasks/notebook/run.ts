import { join } from "node:path";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { declarationOf, missingFiles } from "./declaration.ts";
import { type CellOutcome, Executor, type ExecutorOptions } from "./executor.ts";
import { type Kernel, removeIfThere, startKernel } from "./kernel.ts";
import {
  type CellResult,
  codeCells,
  type Json,
  MimeBundle,
  type Notebook,
  parseNotebook,
} from "./nbformat.ts";
import { notebookPath } from "./select.ts";
import { serialiseNotebook } from "./serialise.ts";
import { Session } from "./session.ts";
import { complaints } from "./verify.ts";

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
export interface CellProgress {
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
