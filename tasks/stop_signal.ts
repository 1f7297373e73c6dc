/** What of the process a stop signal works with; tests have their own. */
export interface Interruptible {
  readonly listen: (onInterrupt: () => void) => void;
  readonly unlisten: (onInterrupt: () => void) => void;
  /** Does it after so many milliseconds, unless the process has ended before. */
  readonly later: (work: () => void, milliseconds: number) => void;
  readonly say: (text: string) => void;
}

const THIS_PROCESS: Interruptible = {
  listen: (onInterrupt) => Deno.addSignalListener("SIGINT", onInterrupt),
  unlisten: (onInterrupt) => Deno.removeSignalListener("SIGINT", onInterrupt),
  later: (work, milliseconds) => Deno.unrefTimer(setTimeout(work, milliseconds)),
  say: (text) => console.error(text),
};

/**
 * Milliseconds in which a further interrupt is taken for the first one: one Ctrl-C reaches a task
 * twice, from the terminal and from `deno task`, which passes it on.
 */
const SAME_KEYSTROKE = 1000;

/**
 * Aborted by the first Ctrl-C, which prints `Stopping; ` and what is kept; one that comes a second
 * later or more ends the process as it always does.
 */
export function stopSignal(kept: string, process: Interruptible = THIS_PROCESS): AbortSignal {
  const stop = new AbortController();
  const onInterrupt = () => {
    if (stop.signal.aborted) return;
    process.say(`\nStopping; ${kept}`);
    process.later(() => process.unlisten(onInterrupt), SAME_KEYSTROKE);
    stop.abort();
  };
  process.listen(onInterrupt);
  return stop.signal;
}
