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
        {keysOf(config).map(([meaning, ...keys]) => (
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

/** What keys mean, each time before the keys. */
function keysOf(config: RunConfig): readonly (readonly string[])[] {
  const { buckets, daMin, daMax } = config;
  const { small, big } = nudgeSteps(config);
  // On a short scale Shift makes no difference.
  const steps = big > small ? `${small}, with Shift by ${big}` : String(small);
  return [
    [`on a row: ${buckets.map(({ label }) => label).join(", ")}`, `1 … ${buckets.length}`],
    [`then: score, ${daMin} to ${daMax}`, "0 … 9"],
    ["next row that is not rated in full; where none is left, Next", "Enter"],
    ["confirm this sentence and go to the next", "Ctrl + Enter"],
    ["back to the sentence before", "Ctrl + Shift + Enter"],
    ["row above, row below; above row 1 is the source", "↑", "↓"],
    [`score down, up by ${steps}`, "←", "→"],
    ["from the score (Backspace: if empty) to the row", "B", "Esc", "Backspace"],
    ["from the row to the score", "S"],
    ["on a row: take this choice away", "Backspace", "Delete"],
    ["through a row’s parts; choose what has the focus (there also the arrows)", "Tab", "Space"],
    ["on a slider with a score: big steps, the ends", "PageUp", "PageDown", "Home", "End"],
    ["undo, redo", "Ctrl + Z", "Ctrl + Y"],
    ["save a checkpoint: a file of all your work so far", "Ctrl + S"],
    ["these keys", "?"],
  ];
}
