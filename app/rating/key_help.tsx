import { useEffect, useRef } from "preact/hooks";
import type { RunConfig } from "../../lib/translation/run_config.ts";

/** The keys, shown by `?` and put away by Escape. */
export function KeyHelp({ config, onClose }: {
  readonly config: RunConfig;
  readonly onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="keys" aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title">Keys</h2>
      <p>
        In a row the first digit is its <strong>bucket</strong>, the digits after it are its{" "}
        <strong>score</strong>, and Enter goes on to the next row: 2 6 5 Enter is{" "}
        “{config.buckets[1]!.label}, 65”.
      </p>
      <dl>
        {keysOf(config).map(({ keys, meaning }) => (
          <div key={meaning}>
            <dt>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="primary">Close</button>
      </form>
    </dialog>
  );
}

interface KeyMeaning {
  readonly keys: readonly string[];
  readonly meaning: string;
}

function keysOf({ buckets, daMin, daMax }: RunConfig): readonly KeyMeaning[] {
  const labels = buckets.map(({ label }) => label).join(", ");
  return [
    { keys: [`1 … ${buckets.length}`], meaning: `on a row: bucket (${labels})` },
    { keys: ["0 … 9"], meaning: `after the bucket: score, ${daMin} to ${daMax}` },
    { keys: ["Enter"], meaning: "next row; after the last, the first unfinished one, then Next" },
    { keys: ["Ctrl + Enter"], meaning: "commit this sentence and go to the next" },
    { keys: ["↑", "↓"], meaning: "row above, row below" },
    { keys: ["←", "→"], meaning: "score one point down, up; with Shift ten points" },
    {
      keys: ["B", "Esc", "Backspace"],
      meaning: "from the score (Backspace: if empty) to the bucket",
    },
    { keys: ["S"], meaning: "from the bucket to the score" },
    { keys: ["Backspace", "Delete"], meaning: "on a row: take its bucket away" },
    { keys: ["Ctrl + Z", "Ctrl + Y"], meaning: "undo, redo" },
    { keys: ["Ctrl + S"], meaning: "save a checkpoint" },
    { keys: ["?"], meaning: "these keys" },
  ];
}
