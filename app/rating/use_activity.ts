import { useEffect } from "preact/hooks";
import type { Dispatch } from "./use_session.ts";

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
    for (const name of SIGNS) addEventListener(name, sign, { passive: true });
    document.addEventListener("visibilitychange", visibility);
    return () => {
      for (const name of SIGNS) removeEventListener(name, sign);
      document.removeEventListener("visibilitychange", visibility);
    };
  }, [dispatch]);
}
