import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** Says a sentence in the page's status line; an empty one takes back what was said. */
export type Say = (message: string) => void;

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
