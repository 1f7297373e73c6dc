import { existsSync } from "node:fs";
import { join } from "node:path";
import { type NotebookOutcome, runNotebook, type RunOptions } from "../run.ts";

/** A cell of a notebook made for a test. */
export interface TestCell {
  readonly source: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A project in a temporary folder; `using` removes it. */
export function testProject() {
  const root = Deno.makeTempDirSync({ prefix: "touchstone-" });
  Deno.mkdirSync(join(root, "notebooks"));
  const stale = {
    cell_type: "code",
    metadata: {},
    execution_count: 7,
    outputs: [{ output_type: "stream", name: "stdout", text: "stale" }],
  };
  return {
    root,
    add(name: string, sources: readonly TestCell[], touchstone: unknown = {}) {
      const cells = sources.map((cell) => ({ ...stale, ...cell }));
      const json = { nbformat: 4, nbformat_minor: 5, metadata: { touchstone }, cells };
      Deno.writeTextFileSync(join(root, "notebooks", `${name}.ipynb`), JSON.stringify(json));
    },
    read: (path: string) => Deno.readTextFileSync(join(root, path)),
    exists: (path: string) => existsSync(join(root, path)),
    run: (name: string, options?: Partial<RunOptions>): Promise<NotebookOutcome> =>
      runNotebook(name, {
        root,
        timeout: 20_000,
        signal: new AbortController().signal,
        ...options,
      }),
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}
