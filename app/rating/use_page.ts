import { Component, type FunctionComponent, h } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RatedItem } from "../../lib/translation/types.ts";
import type { Dispatch, Say } from "./desk.ts";

/** Milliseconds that the line stands empty before the same words: else nobody would hear them. */
const AGAIN_MS = 80;

/** The words of the status line, which screen readers speak as they change. */
export function useStatus(): readonly [string, Say] {
  const [shown, show] = useState("");
  const last = useRef("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const say = useCallback((message: string) => {
    clearTimeout(timer.current);
    const again = message !== "" && message === last.current;
    last.current = message;
    show(again ? "" : message);
    if (again) timer.current = setTimeout(() => show(message), AGAIN_MS);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return [shown, say];
}

/** Milliseconds between two signs of life that are told to the session: idle gaps count 60 s. */
const EVERY_MS = 5_000;
const SIGNS = ["pointermove", "pointerdown", "keydown", "scroll", "wheel"] as const;

/** Tells the session that the rater is at work, and when the page is hidden. */
export function useActivity(dispatch: Dispatch): void {
  useEffect(() => {
    let last = -Infinity;
    const sign = () => {
      if (document.hidden || performance.now() - last < EVERY_MS) return;
      last = performance.now();
      dispatch({ kind: "activity" });
    };
    const visibility = () => dispatch({ kind: document.hidden ? "pause" : "activity" });
    const gone = new AbortController();
    const { signal } = gone;
    for (const name of SIGNS) addEventListener(name, sign, { passive: true, signal });
    document.addEventListener("visibilitychange", visibility, { signal });
    return () => gone.abort();
  }, [dispatch]);
}

/** Pixels between what has the focus and a bar. */
const GAP = 8;

/** Keeps what gets the focus clear of the bars that stand over the rows, whatever their heights. */
export function useScrollPadding(): void {
  useLayoutEffect(() => {
    const root = document.documentElement;
    const bars = [".source", ".foot"].map((name) => document.querySelector<HTMLElement>(name));
    const measure = () => {
      const [above, below] = bars.map((bar) =>
        bar && getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0
      );
      root.style.scrollPadding = `${above! + GAP}px 0 ${below! + GAP}px`;
      // A message that makes the foot taller must not cover the row that it is about.
      document.activeElement?.closest(".row")?.scrollIntoView({ block: "nearest" });
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const bar of bars) if (bar) observer.observe(bar);
    // Whether a bar is sticky depends on the window, though its size may stay.
    addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
      root.style.scrollPadding = "";
    };
  }, []);
}

/** Characters from which a text is a paragraph, of two lines and more. */
const PARAGRAPH = 240;

/** Whether rows are compact: where most texts are paragraphs, until the rater says otherwise. */
export function useCompact(items: readonly RatedItem[]) {
  return useState(() => {
    const texts = items.flatMap(({ input }) => input.translations);
    return texts.filter(({ length }) => length > PARAGRAPH).length > texts.length / 2;
  });
}

/** A component drawn again only for another property; preact/compat's changes what events mean. */
export function shallowMemo<P extends object>(draw: FunctionComponent<P>): new () => Component<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const names = Object.keys({ ...this.props, ...next }) as (keyof P)[];
      return names.some((name) => this.props[name] !== next[name]);
    }
    override render() {
      return h(draw, this.props as P);
    }
  };
}
