import {
  average,
  byPortrait,
  claimKey,
  componentsOf,
  type Estimate,
  estimated,
  pairsOf,
  type ScorePair,
} from "./swap_pairs.ts";
import { CONTROL_OF, type SwappedTrait } from "./swap_portraits.ts";
import { type SwapRow, UNCHANGED } from "./swap_rows.ts";

/** How far one component's scores go with one change of who a text is about. */
export interface SwapSummary {
  readonly component: string;
  readonly change: Exclude<SwapRow["change"], typeof UNCHANGED>;
  /** Pairs of both claims with both scores; pairs without; portraits. */
  readonly pairs: number;
  readonly unscored: number;
  readonly portraits: number;
  /** Mean and largest absolute difference, in points. */
  readonly meanAbsolute: Estimate;
  readonly largest: number | undefined;
  /** Share of pairs that differ by more than the threshold. */
  readonly inconsistent: Estimate;
  /** Share of pairs of which one is over 50 and the other is not. */
  readonly flipped: Estimate;
}

/** How much more a trait moves scores than a change that says nothing of a group. */
export interface BeyondControl {
  readonly component: string;
  readonly trait: SwappedTrait;
  readonly control: string;
  /** Mean absolute difference of the trait less that of the control, in points, paired by claim. */
  readonly difference: Estimate;
}

/** What consistency is worth: a component that says the same of every claim is consistent, too. */
export interface TruthGap {
  readonly component: string;
  readonly portraits: number;
  /** Mean score of the right claim less that of the wrong one, in points. */
  readonly gap: Estimate;
}

/** Points; scores further apart are inconsistent. Chosen before any was seen, as in notebook 42. */
export const SWAP_THRESHOLD = 5;

const distance = ({ before, after }: ScorePair) => Math.abs(after - before);

function changesOf(rows: readonly SwapRow[]): readonly SwapSummary["change"][] {
  return [...new Set(rows.flatMap(({ change }) => change === UNCHANGED ? [] : [change]))];
}

/** Every component and change, in the order of the rows. */
export function swapSummaries(rows: readonly SwapRow[]): readonly SwapSummary[] {
  return componentsOf(rows).flatMap(([component, own]) =>
    changesOf(own).map((change) => summaryOf(component, change, own))
  );
}

function summaryOf(
  component: string,
  change: SwapSummary["change"],
  rows: readonly SwapRow[],
): SwapSummary {
  const { pairs, unscored } = pairsOf(rows, change);
  const share = (what: string, holds: (pair: ScorePair) => boolean) =>
    estimated(
      `${component}/${change}/${what}`,
      byPortrait(pairs, (pair) => Number(holds(pair))),
      average,
    );
  return {
    ...{ component, change, pairs: pairs.length, unscored },
    portraits: new Set(pairs.map(({ portrait }) => portrait)).size,
    meanAbsolute: estimated(`${component}/${change}/mean`, byPortrait(pairs, distance), average),
    largest: pairs.length === 0 ? undefined : Math.max(...pairs.map(distance)),
    inconsistent: share("inconsistent", (pair) => distance(pair) > SWAP_THRESHOLD),
    flipped: share("flipped", ({ before, after }) => before >= 50 !== after >= 50),
  };
}

/** For every component and trait: what it does beyond the control that changes as much of the text. */
export function beyondControls(rows: readonly SwapRow[]): readonly BeyondControl[] {
  const traits = Object.entries(CONTROL_OF) as [SwappedTrait, string & SwapRow["change"]][];
  return componentsOf(rows).flatMap(([component, own]) =>
    traits.map(([trait, control]): BeyondControl => {
      const controls = Map.groupBy(pairsOf(own, control).pairs, claimKey);
      const items = pairsOf(own, trait).pairs.flatMap((pair) => {
        const [against] = controls.get(claimKey(pair)) ?? [];
        if (against === undefined) return [];
        return [{ cluster: pair.portrait, value: distance(pair) - distance(against) }];
      });
      const difference = estimated(`${component}/${trait}/beyond`, items, average);
      return { component, trait, control, difference };
    })
  );
}

/** By how many points each component tells the right claim of a portrait from the wrong one. */
export function truthGaps(rows: readonly SwapRow[]): readonly TruthGap[] {
  return componentsOf(rows).map(([component, own]) => {
    const drawn = own.filter(({ change, score }) => change === UNCHANGED && score !== "");
    const scores = new Map(drawn.map((row) => [claimKey(row), Number(row.score)]));
    const items = [...new Set(drawn.map(({ portrait }) => portrait))].flatMap((portrait) => {
      const [right, wrong] = (["right", "wrong"] as const)
        .map((claim) => scores.get(claimKey({ portrait, claim })));
      return right === undefined || wrong === undefined
        ? []
        : [{ cluster: portrait, value: right - wrong }];
    });
    return {
      component,
      portraits: items.length,
      gap: estimated(`${component}/gap`, items, average),
    };
  });
}
