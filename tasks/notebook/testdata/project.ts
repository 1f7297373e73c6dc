import { join } from "node:path";
import { type NotebookOutcome, runNotebook, type RunOptions } from "../run.ts";

/** A cell of a notebook made for a test. */
export interface TestCell {
  readonly source: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A project in a temporary folder; `using` removes it. */
export interface TestProject extends Disposable {
  readonly root: string;
  add(name: string, cells: readonly TestCell[], declaration?: unknown): void;
  read(path: string): string;
  exists(path: string): boolean;
  run(name: string, options?: Partial<RunOptions>): Promise<NotebookOutcome>;
}

export function testProject(): TestProject {
  const root = Deno.makeTempDirSync({ prefix: "touchstone-" });
  Deno.mkdirSync(join(root, "notebooks"));
  return {
    root,
    add(name, cells, declaration = { reads: [], writes: [] }) {
      const text = JSON.stringify(notebookJson(cells, declaration));
      Deno.writeTextFileSync(join(root, "notebooks", `${name}.ipynb`), text);
    },
    read: (path) => Deno.readTextFileSync(join(root, path)),
    exists(path) {
      try {
        Deno.statSync(join(root, path));
        return true;
      } catch {
        return false;
      }
    },
    run: (name, options) =>
      runNotebook(name, {
        root,
        timeout: 20_000,
        quiet: 150,
        signal: new AbortController().signal,
        onCell: () => {},
        ...options,
      }),
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

function notebookJson(cells: readonly TestCell[], declaration: unknown) {
  return {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { touchstone: declaration },
    cells: cells.map(({ source, metadata = {} }) => ({
      cell_type: "code",
      metadata,
      source,
      execution_count: 7,
      outputs: [{ output_type: "stream", name: "stdout", text: "stale" }],
    })),
  };
}
