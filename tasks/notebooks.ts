/**
 * Runs notebooks headless, each in a fresh Deno kernel, and writes their outputs into them.
 *
 *     deno task notebooks [--timeout SECONDS] [NAME…]      NAME: 11, norse, 11_norse_acquisition
 *
 * A notebook whose run fails is left as it was; the failed run goes to `.cache/notebooks/`.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openTicking } from "./notebook/progress.ts";
import { type NotebookOutcome, runNotebook, type RunOptions } from "./notebook/run.ts";
import { listNotebooks, selectNotebooks } from "./notebook/select.ts";

/** Longest time for one cell where the command line names none (s). */
const TIMEOUT = 30 * 60;
/** Latest output after idle ever seen: 14 ms; waited for: this long (ms). */
const QUIET = 150;
/** The signals that end a run, and the exit code a shell gives each; Windows has no others. */
const EXIT_CODES: Partial<Record<Deno.Signal, number>> = Deno.build.os === "windows"
  ? { SIGINT: 130, SIGBREAK: 149 }
  : { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** Runs what `args` select in the project at `home` or at `--root DIR`; gives the exit code. */
export async function main(args: readonly string[], home: string): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { timeout: { type: "string" }, root: { type: "string", default: home } },
    allowPositionals: true,
  });
  const { root } = values;
  const names = selectNotebooks(listNotebooks(join(root, "notebooks")), positionals);
  if (names.length === 0) throw new RangeError("Cannot run notebooks: notebooks/ holds none");
  const timeout = seconds(values.timeout) * 1000;
  const stop = new AbortController();
  let exitCode = 0;
  for (const [signal, code] of Object.entries(EXIT_CODES)) {
    Deno.addSignalListener(signal as Deno.Signal, () => {
      exitCode = code;
      stop.abort(new Error(`Cannot go on: stopped by ${signal}`));
    });
  }
  const options = { root, timeout, signal: stop.signal };
  let failed = 0;
  for (const [index, name] of names.entries()) {
    const outcome = await runShown(`[${index + 1}/${names.length}] ${name}`, name, options);
    if (stop.signal.aborted) return exitCode;
    if (outcome.kind !== "passed") failed++;
  }
  console.log(`${names.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

type Options = Pick<RunOptions, "root" | "timeout" | "signal">;

async function runShown(subject: string, name: string, options: Options): Promise<NotebookOutcome> {
  using ticking = openTicking(subject);
  const outcome = await runNotebook(name, {
    ...options,
    quiet: QUIET,
    onCell: ({ position, count, status }) => {
      ticking.state = () => [`cell ${position}/${count}`, status()].filter(Boolean).join(" · ");
    },
  }).catch((error): NotebookOutcome => ({ kind: "failed", reasons: [String(error)] }));
  ticking.finish(options.signal.aborted ? "stopped, left as it was" : inWords(outcome));
  if (outcome.kind === "failed" && !options.signal.aborted) console.error(explanation(outcome));
  return outcome;
}

function inWords(outcome: NotebookOutcome): string {
  if (outcome.kind !== "passed") return outcome.kind.toUpperCase();
  return `ok, ${outcome.cells} cells${outcome.changed ? ", outputs changed" : ""}`;
}

function explanation({ reasons, copy }: Extract<NotebookOutcome, { kind: "failed" }>): string {
  const lines = copy === undefined ? reasons : [...reasons, `the failed run: ${copy}`];
  return lines.map((line) => `    ${line}`).join("\n");
}

function seconds(text: string | undefined): number {
  if (text === undefined) return TIMEOUT;
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new RangeError(`Cannot set the time-out: "${text}" is not a positive number of seconds`);
}

if (import.meta.main) Deno.exit(await main(Deno.args, join(import.meta.dirname!, "..")));
