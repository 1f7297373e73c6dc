import { formatProgress } from "../../files/progress.ts";
import { openStatusLine, type StatusOptions } from "../../files/status_line.ts";
import { formatWait } from "../../models/hosted/key_ring_report.ts";
import type { WaitStatus } from "../../models/hosted/keyed_calls.ts";
import type { EvaluationProgress } from "../evaluation_report.ts";

/** A status line for models that are asked side by side. */
export interface HostedProgress extends Disposable {
  readonly onProgress: (progress: EvaluationProgress) => void;
  /** Shown until the next answer comes. */
  readonly onWait: (wait: WaitStatus) => void;
}

/** One line: all questions, then each model's answers of this run. */
export function openHostedProgress(
  names: readonly string[],
  total: number,
  options: StatusOptions = {},
): HostedProgress {
  const now = options.now ?? (() => performance.now() / 1000);
  const line = openStatusLine(options);
  const answers = new Map(names.map((name) => [name, 0]));
  const begun = now();
  const tally = { resumed: -1, done: 0, invalid: 0, failed: 0 };
  const text = () => {
    const { done, resumed, invalid, failed } = tally;
    const all = { label: "choices", done, total, resumed, seconds: now() - begun };
    const own = [...answers].map(([name, count]) => `${name.split("/").at(-1)} +${count}`);
    const odd = [invalid && `${invalid} invalid`, failed && `${failed} failed`];
    return [formatProgress(all), ...odd.filter(Boolean), ...own].join(" · ");
  };
  return {
    onProgress({ question, outcome, done }) {
      if (tally.resumed < 0) tally.resumed = done - 1;
      tally.done = done;
      if (outcome === "failed") tally.failed += 1;
      else answers.set(question.model, (answers.get(question.model) ?? 0) + 1);
      if (outcome === "invalid") tally.invalid += 1;
      line.show(text());
    },
    onWait: (wait) => line.show(formatWait(wait)),
    [Symbol.dispose]() {
      if (tally.resumed < 0) line[Symbol.dispose]();
      else line.finish(text());
    },
  };
}
