import { useEffect, useState } from "preact/hooks";

/**
 * A value once it has stood for `ms` milliseconds; until then the one before. It keeps the page
 * from finding fault with the 7 of a 72 that is being typed.
 */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
