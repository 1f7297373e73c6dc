import { formatDuration } from "../../lib/files/progress.ts";
import { openStatusLine } from "../../lib/files/status_line.ts";

/** A status line with a clock that ticks by itself. */
export interface Ticking extends Disposable {
  /** What is being done now; asked anew at every tick. */
  state: () => string;
  /** Shows how it ended and how long it took, and stops the clock. */
  finish(result: string): void;
}

/** @param subject stands at the beginning of every line */
export function openTicking(subject: string): Ticking {
  const begin = performance.now();
  const line = openStatusLine({ everySeconds: 60 });
  const text = (state: string) => {
    const seconds = (performance.now() - begin) / 1000;
    return `${subject} · ${state} · ${formatDuration(seconds)}`;
  };
  const timer = setInterval(() => line.show(text(ticking.state())), 250);
  const ticking: Ticking = {
    state: () => "kernel starts",
    finish(result) {
      clearInterval(timer);
      line.finish(text(result));
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      line[Symbol.dispose]();
    },
  };
  return ticking;
}
