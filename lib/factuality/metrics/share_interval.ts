import {
  clusterBootstrap,
  type ClusteredValue,
  type Interval,
  wilsonInterval,
} from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
import { RESPONSE_BOOTSTRAP } from "./response_interval.ts";

/**
 * Interval of a share of items (k of n). Where every cluster has one item it is Wilson's: a bootstrap
 * of a share of 0 or 1 has no width. Else whole clusters are resampled. Unavailable without items.
 */
export function shareInterval<T>(
  items: readonly ClusteredValue<T>[],
  share: (values: readonly T[]) => number | Unavailable,
  random: RandomSource,
): Interval | Unavailable {
  if (items.length === 0) return unavailable("no items");
  const estimate = share(items.map(({ value }) => value));
  if (typeof estimate !== "number") return estimate;
  if (new Set(items.map(({ cluster }) => cluster)).size === items.length) {
    const count = Math.round(estimate * items.length);
    return wilsonInterval(count, items.length, RESPONSE_BOOTSTRAP.confidence);
  }
  return clusterBootstrap({
    items,
    statistic: (drawn) => {
      const value = share(drawn);
      return typeof value === "number" ? value : undefined;
    },
    ...RESPONSE_BOOTSTRAP,
    random,
  });
}
