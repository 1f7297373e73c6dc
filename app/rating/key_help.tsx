import { useEffect, useRef } from "preact/hooks";
import type { RunConfig } from "../../lib/translation/configuration.ts";
import { nudgeSteps } from "../keyboard.ts";
import { orderRule } from "../words.ts";

/** The keys, shown by `?` and put away by Escape. */
export function KeyHelp({ config, onClose }: {
  readonly config: RunConfig;
  readonly onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // The browser would take the first button, at the end, and scroll there.
    heading.current?.focus();
  }, []);
  return (
    <dialog ref={dialog} class="keys" aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title" ref={heading} tabIndex={-1}>Keys</h2>
      <p>
        In a row the first digit <strong>sorts</strong> it, the digits after it are its{" "}
        <strong>score</strong>, and Enter goes on: {example(config)}.
      </p>
      {config.strictOrdering && <p>{orderRule(config)}</p>}
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

/** `2 6 5 Enter is “Good, 65”`: a score in the upper half of the run's own scale. */
function example({ buckets, daMin, daMax, integerOnly }: RunConfig): string {
  const wanted = daMin + 0.65 * (daMax - daMin);
  const da = integerOnly ? Math.round(wanted) : Number(wanted.toPrecision(6));
  return `2 ${[...String(da)].join(" ")} Enter is “${buckets[1]!.label}, ${da}”`;
}

/** `1, with Shift by 10`; on a short scale Shift makes no difference. */
function stepWords(config: RunConfig): string {
  const { small, big } = nudgeSteps(config);
  return big > small ? `${small}, with Shift by ${big}` : String(small);
}

interface KeyMeaning {
  readonly keys: readonly string[];
  readonly meaning: string;
}

function keysOf(config: RunConfig): readonly KeyMeaning[] {
  const { buckets, daMin, daMax } = config;
  const labels = buckets.map(({ label }) => label).join(", ");
  return [
    { keys: [`1 … ${buckets.length}`], meaning: `on a row: ${labels}` },
    { keys: ["0 … 9"], meaning: `then: score, ${daMin} to ${daMax}` },
    { keys: ["Enter"], meaning: "next row that is not rated in full; where none is left, Next" },
    { keys: ["Ctrl + Enter"], meaning: "confirm this sentence and go to the next" },
    { keys: ["Ctrl + Shift + Enter"], meaning: "back to the sentence before" },
    { keys: ["↑", "↓"], meaning: "row above, row below; above row 1 is the source" },
    { keys: ["←", "→"], meaning: `score down, up by ${stepWords(config)}` },
    {
      keys: ["B", "Esc", "Backspace"],
      meaning: "from the score (Backspace: if empty) to the row",
    },
    { keys: ["S"], meaning: "from the row to the score" },
    { keys: ["Backspace", "Delete"], meaning: "on a row: take this choice away" },
    {
      keys: ["Tab", "Space"],
      meaning: "through a row’s parts; choose what has the focus (there also the arrows)",
    },
    {
      keys: ["PageUp", "PageDown", "Home", "End"],
      meaning: "on a slider with a score: big steps, the ends",
    },
    { keys: ["Ctrl + Z", "Ctrl + Y"], meaning: "undo, redo" },
    { keys: ["Ctrl + S"], meaning: "save a checkpoint: a file of all your work so far" },
    { keys: ["?"], meaning: "these keys" },
  ];
}
