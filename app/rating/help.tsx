import { marked } from "marked";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { RunConfig } from "../../lib/translation/configuration.ts";
import { nearestScore } from "../../lib/translation/rules/order.ts";
import { bucketChoice, orderRule, textsOf } from "../../lib/translation/page_texts.ts";
import { nudgeSteps } from "../keyboard.ts";
import { directionOf } from "../formatting.ts";

/** Dialogue with keys and instructions (`?` opens it, Escape closes it). */
export function KeyHelp({ config, onClose }: {
  readonly config: RunConfig;
  readonly onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const texts = textsOf(config);
  useEffect(() => {
    dialog.current?.showModal();
    // The browser would focus the first button, at the end, and scroll there.
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

/** Returns an example in the upper half of the scale: `2 6 5 Enter is “Good, 65”`. */
function example(config: RunConfig) {
  const da = nearestScore(config.daMin + 0.65 * (config.daMax - config.daMin), config);
  return { keys: `2 ${[...String(da)].join(" ")}`, bucket: config.buckets[1]!.label, da };
}

/** Returns the rows of the key table: an action, then its keys. */
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

// Markup in the Markdown is escaped, so that a configuration cannot run code.
marked.use({
  renderer: {
    html: ({ text }) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
    // Below the page's own headings.
    heading({ tokens, depth }) {
      const level = Math.min(depth + 2, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
  },
});

/** Instructions for raters in the page's language, else in the first available. */
export function Instructions({ config }: { readonly config: RunConfig }) {
  const { instructions, language } = config;
  const tag = [language, "und", ...Object.keys(instructions)].find((it) => instructions[it]);
  const markdown = tag && instructions[tag];
  const html = useMemo(() => markdown && marked.parse(markdown, { async: false }), [markdown]);
  if (!html) return null;
  return (
    <section class="card" aria-labelledby="instructions-title">
      <h2 id="instructions-title">{textsOf(config)("instructions")}</h2>
      <div
        class="instructions"
        lang={tag}
        dir={directionOf(tag)}
        dangerouslySetInnerHTML={{ __html: html }}
      />
    </section>
  );
}
