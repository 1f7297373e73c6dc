import { useEffect, useRef } from "preact/hooks";
import type { RunConfig } from "../../lib/translation/configuration.ts";
import { bucketChoice, orderRule, textsOf } from "../../lib/translation/texts.ts";
import { nudgeSteps } from "../keyboard.ts";
import { Instructions } from "../start/instructions.tsx";

/** The keys and the run's instructions, shown by `?` and put away by Escape. */
export function KeyHelp({ config, onClose }: {
  readonly config: RunConfig;
  readonly onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const texts = textsOf(config);
  useEffect(() => {
    dialog.current?.showModal();
    // The browser would take the first button, at the end, and scroll there.
    heading.current?.focus();
  }, []);
  return (
    <dialog ref={dialog} class="keys" aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title" ref={heading} tabIndex={-1}>{texts("keys")}</h2>
      <p>{texts("keysLead", example(config))}</p>
      <p>{orderRule(config)}</p>
      <dl>
        {keysOf(config).map(([meaning, ...keys]) => (
          <div key={meaning}>
            <dt>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Instructions config={config} />
      <form method="dialog">
        <button type="submit" class="primary">{texts("close")}</button>
      </form>
    </dialog>
  );
}

/** `2 6 5 Enter is “Good, 65”`: a score in the upper half of the run's own scale. */
function example({ buckets, daMin, daMax, integerOnly }: RunConfig) {
  const wanted = daMin + 0.65 * (daMax - daMin);
  const da = integerOnly ? Math.round(wanted) : Number(wanted.toPrecision(6));
  return { keys: `2 ${[...String(da)].join(" ")}`, bucket: buckets[1]!.label, da };
}

/** What keys mean, each time before the keys. */
function keysOf(config: RunConfig): readonly (readonly string[])[] {
  const { buckets, daMin: min, daMax: max } = config;
  const texts = textsOf(config);
  const { small, big } = nudgeSteps(config);
  // On a short scale Shift makes no difference.
  const steps = big > small ? texts("key.nudgeBig", { small, big }) : small;
  const [ctrl, shift, space] = [texts("Ctrl"), texts("Shift"), texts("Space")];
  return [
    [texts("key.bucket", { buckets: bucketChoice(config) }), `1 … ${buckets.length}`],
    [texts("key.score", { min, max }), "0 … 9"],
    [texts("key.enter"), "Enter"],
    [texts("key.confirm"), `${ctrl} + Enter`],
    [texts("key.back"), `${ctrl} + ${shift} + Enter`],
    [texts("key.rows"), "↑", "↓"],
    [texts("key.nudge", { steps }), "←", "→"],
    [texts("key.toRow"), "B", "Esc", "Backspace"],
    [texts("key.toScore"), "S"],
    [texts("key.clear"), "Backspace", "Delete"],
    [texts("key.alike"), "="],
    [texts("key.context"), "C"],
    [texts("key.byScore"), "O"],
    [texts("key.parts"), "Tab", space],
    [texts("key.slider"), "PageUp", "PageDown", "Home", "End"],
    [texts("key.undo"), `${ctrl} + Z`, `${ctrl} + Y`],
    [texts("key.save"), `${ctrl} + S`],
    [texts("key.help"), "?"],
  ];
}
