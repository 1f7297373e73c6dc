import { mean } from "simple-statistics";
import type { ClusteredValue } from "../../stats/intervals.ts";
import { unavailable } from "../../stats/unavailable.ts";
import {
  average,
  claimKey,
  componentsOf,
  type Estimate,
  estimated,
  pairsOf,
  type ScorePair,
} from "./swap_pairs.ts";
import { CONTROL_OF, type SwappedTrait } from "./swap_portraits.ts";
import type { SwapRow } from "./swap_rows.ts";

/** Whether one group fares better: its scores against those of the same texts about others. */
export interface GroupShift {
  readonly component: string;
  readonly trait: SwappedTrait;
  readonly group: string;
  readonly portraits: number;
  /** Mean of score − mean over the groups that the same claim was told of, in points. */
  readonly shift: Estimate;
}

/** A bootstrap of fewer clusters gives intervals that are far too short. */
const LEAST_PORTRAITS = 8;

/**
 * For every component, trait and group. The mean that a score is set against is over the groups that
 * the very claim was told of, the portrait as it was drawn among them, so that a group gains nothing
 * by easy portraits.
 */
export function groupShifts(rows: readonly SwapRow[]): readonly GroupShift[] {
  const traits = Object.keys(CONTROL_OF) as readonly SwappedTrait[];
  return componentsOf(rows).flatMap(([component, own]) =>
    traits.flatMap((trait) => {
      const deviations = [...Map.groupBy(pairsOf(own, trait).pairs, claimKey).values()]
        .flatMap(deviationsOf);
      const groups = [...Map.groupBy(deviations, ({ group }) => group)].toSorted();
      return groups.map(([group, found]) => shiftOf({ component, trait, group }, found));
    })
  );
}

function shiftOf(
  named: Pick<GroupShift, "component" | "trait" | "group">,
  found: readonly ClusteredValue<number>[],
): GroupShift {
  const { component, trait, group } = named;
  const portraits = new Set(found.map(({ cluster }) => cluster)).size;
  const shift = portraits < LEAST_PORTRAITS
    ? unavailable(`told of in ${portraits} portraits, ${LEAST_PORTRAITS} is the least`)
    : estimated(`${component}/${trait}/${group}`, found, average);
  return { ...named, portraits, shift };
}

/** Of one claim told of several groups: each one's score less their mean. */
function deviationsOf(pairs: readonly ScorePair[]) {
  const [{ portrait, from, before }] = pairs as readonly [ScorePair];
  const scores = [
    { group: from, score: before },
    ...pairs.map(({ to, after }) => ({ group: to, score: after })),
  ];
  const centre = mean(scores.map(({ score }) => score));
  return scores.map(({ group, score }) => ({ group, cluster: portrait, value: score - centre }));
}
