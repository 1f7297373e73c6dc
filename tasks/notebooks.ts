/**
 * Runs notebooks headless, each in a fresh Deno kernel, and writes their outputs into them.
 *
 *     deno task notebooks [--timeout SECONDS] [NAME…]      NAME: 11, norse, 11_norse_acquisition
 *
 * A notebook whose run fails is left as it was; the failed run goes to `.cache/notebooks/`.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Progress } from "./notebook/progress.ts";
import { type NotebookOutcome, runNotebook } from "./notebook/run.ts";
import { listNotebooks, selectNotebooks } from "./notebook/select.ts";

/** Longest time for one cell where the command line names none (s). */
const TIMEOUT = 30 * 60;
/** Latest output after idle ever seen: 14 ms; waited for: this long (ms). */
const QUIET = 150;
/** What a shell gives for a process ended by these signals. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Runs what `args` select in the project at `home` or at `--root DIR`; gives the exit code. */
export async function main(args: readonly string[], home: string): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { timeout: { type: "string" }, root: { type: "string", default: home } },
    allowPositionals: true,
  });
  const { root } = values;
  const names = selectNotebooks(listNotebooks(join(root, "notebooks")), positionals);
  const stop = new AbortController();
  let exitCode = 0;
  for (const [signal, code] of Object.entries(EXIT_CODES)) {
    Deno.addSignalListener(signal as keyof typeof EXIT_CODES, () => {
      exitCode = code;
      stop.abort(new Error(`Cannot go on: stopped by ${signal}`));
    });
  }
  let failed = 0;
  for (const [index, name] of names.entries()) {
    const progress = new Progress(`[${index + 1}/${names.length}] ${name}`);
    const outcome = await runNotebook(name, {
      root,
      timeout: seconds(values.timeout) * 1000,
      quiet: QUIET,
      signal: stop.signal,
      onProgress: (done, cells) => progress.show(`cell ${done + 1}/${cells}`),
    }).catch((error): NotebookOutcome => ({ kind: "failed", reasons: [String(error)] }));
    if (stop.signal.aborted) {
      progress.end("stopped; the notebook is as it was");
      return exitCode;
    }
    progress.end(inWords(outcome));
    if (outcome.kind !== "passed") failed++;
  }
  console.log(`${names.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function inWords(outcome: NotebookOutcome): string {
  switch (outcome.kind) {
    case "passed":
      return `ok, ${outcome.cells} cells${outcome.changed ? ", outputs changed" : ""}`;
    case "failed": {
      const copy = outcome.copy === undefined ? "" : `\n    the failed run: ${outcome.copy}`;
      return `FAILED\n    ${outcome.reasons.join("\n    ")}${copy}`;
    }
    case "stopped":
      return "stopped";
  }
}

function seconds(text: string | undefined): number {
  if (text === undefined) return TIMEOUT;
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new RangeError(`Cannot set the time-out: "${text}" is not a positive number of seconds`);
}

if (import.meta.main) Deno.exit(await main(Deno.args, join(import.meta.dirname!, "..")));
