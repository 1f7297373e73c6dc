import { useLayoutEffect } from "preact/hooks";

/** Pixels between what has the focus and a bar. */
const GAP = 8;

/**
 * Keeps what gets the focus clear of the bars that stand over the rows: their heights are measured,
 * since they change with the source, the message, the zoom and the rater's own text size.
 */
export function useScrollPadding(): void {
  useLayoutEffect(() => {
    const root = document.documentElement;
    const bars = [".source", ".foot"].map((name) => document.querySelector<HTMLElement>(name));
    const measure = () => {
      const [above, below] = bars.map((bar) => bar && isSticky(bar) ? bar.offsetHeight : 0);
      root.style.scrollPadding = `${above! + GAP}px 0 ${below! + GAP}px`;
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

function isSticky(bar: HTMLElement): boolean {
  return getComputedStyle(bar).position === "sticky";
}
