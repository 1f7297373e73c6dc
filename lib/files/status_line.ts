import { formatProgress } from "./progress.ts";

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
export interface StatusLine extends Disposable {
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
export interface Progress extends Disposable {
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
