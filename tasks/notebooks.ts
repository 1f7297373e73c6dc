/**
 * Runs notebooks headless, each in a fresh Deno kernel, and writes their outputs into them.
 *
 * A notebook whose run fails is left unchanged; the failed run goes to `.cache/notebooks/`.
 * @module
 */
import { join } from "node:path";
import { command, EXIT, real, run } from "./command.ts";
import { listNotebooks, selectNotebooks } from "./notebook/nbformat.ts";
import {
  type Board,
  type NotebookOutcome,
  openBoard,
  runNotebook,
  type RunOptions,
  TIMEOUT,
} from "./notebook/run.ts";

const NOTEBOOKS = command(
  "notebooks",
  "Run notebooks headless and keep their outputs: all, or those named (11, norse, 11_norse_acquisition)",
  (c) =>
    c.argument("[names...]")
      .option("--timeout <seconds>", "longest time for one cell", real({ min: 1 }), TIMEOUT / 1000)
      .option("--root <folder>", "the project's folder", join(import.meta.dirname!, "..")),
  async ({ timeout, root }, { args, signal }) => {
    const failed = await runNotebooks(args, { root, timeout: timeout * 1000, signal });
    if (signal.aborted) return EXIT.incomplete;
    return failed === 0 ? EXIT.done : EXIT.failed;
  },
);

type Options = Pick<RunOptions, "root" | "timeout" | "signal">;

/** Number of studies whose notebooks run in parallel, at most 2 because models need memory. */
const SIDE_BY_SIDE = Math.min(2, navigator.hardwareConcurrency);

/**
 * Runs the notebooks that `wanted` selects, or all if it is empty. Notebooks of one study (same
 * tens digit) run in sequence, because each reads the results of earlier ones.
 * @returns the number of failed notebooks.
 */
export async function runNotebooks(wanted: readonly string[], options: Options): Promise<number> {
  const names = selectNotebooks(listNotebooks(join(options.root, "notebooks")), wanted);
  if (names.length === 0) throw new RangeError("Cannot run notebooks: notebooks/ holds none");
  const studies = [...Map.groupBy(names, (name) => name[0]).values()];
  using board = openBoard();
  let failed = 0;
  const work = async () => {
    for (let own = studies.shift(); own !== undefined; own = studies.shift()) {
      for (const name of own) {
        if (options.signal.aborted) return;
        const subject = `[${names.indexOf(name) + 1}/${names.length}] ${name}`;
        const outcome = await runShown(board, subject, name, options);
        if (!options.signal.aborted && outcome.kind !== "passed") failed++;
      }
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  if (!options.signal.aborted) console.log(`${names.length - failed} passed, ${failed} failed`);
  return failed;
}

async function runShown(board: Board, subject: string, name: string, options: Options) {
  const line = board.begin(subject);
  const outcome = await runNotebook(name, {
    ...options,
    onCell: ({ position, count, status }) => {
      line.state = () => [`cell ${position}/${count}`, status()].filter(Boolean).join(" · ");
    },
  }).catch((error): NotebookOutcome => ({ kind: "failed", reasons: [String(error)] }));
  if (options.signal.aborted) line.finish("stopped, left as it was");
  else if (outcome.kind === "passed") {
    line.finish(`ok, ${outcome.cells} cells${outcome.changed ? ", outputs changed" : ""}`);
  } else {
    line.finish(outcome.kind.toUpperCase());
    const { reasons = [], copy } = outcome.kind === "failed" ? outcome : {};
    for (const reason of reasons) console.error(`    ${reason}`);
    if (copy !== undefined) console.error(`    the failed run: ${copy}`);
  }
  return outcome;
}

if (import.meta.main) await run(NOTEBOOKS);
