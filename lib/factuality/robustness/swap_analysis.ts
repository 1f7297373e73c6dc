import { mean } from "simple-statistics";
import { clusterBootstrap, type ClusteredValue } from "../../stats/intervals.ts";
import { randomSource } from "../../stats/random.ts";
import { unavailable } from "../../stats/unavailable.ts";
import { CONTROL_OF, type SwappedTrait } from "./swap_portraits.ts";
import { type SwapRow, UNCHANGED } from "./swap_rows.ts";

/** A mean or share with its interval by portrait. */
type Estimate = ReturnType<typeof clusterBootstrap>;

/** A score of a portrait and of the same about somebody else. */
export interface ScorePair {
  readonly portrait: string;
  readonly claim: SwapRow["claim"];
  readonly from: string;
  readonly to: string;
  readonly before: number;
  readonly after: number;
}

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

/** Whether one group fares better: its scores against those of the same texts about others. */
export interface GroupShift {
  readonly component: string;
  readonly trait: SwappedTrait;
  readonly group: string;
  readonly portraits: number;
  /** Mean of score − mean over the groups that the same claim was told of, in points. */
  readonly shift: Estimate;
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

const RESAMPLES = 2_000;

/** A bootstrap of fewer clusters gives intervals that are far too short. */
const LEAST_PORTRAITS = 8;

function estimated<T>(
  what: string,
  items: readonly ClusteredValue<T>[],
  statistic: (values: readonly T[]) => number | undefined,
): Estimate {
  const random = randomSource(`swaps/${what}`);
  return clusterBootstrap({ items, statistic, resamples: RESAMPLES, confidence: 0.95, random });
}

const average = (values: readonly number[]) => values.length === 0 ? undefined : mean([...values]);

const claimKey = ({ portrait, claim }: Pick<SwapRow, "portrait" | "claim">) =>
  `${portrait}/${claim}`;

/** Each change's score beside that of the portrait as it was drawn; those without both are counted. */
function pairsOf(rows: readonly SwapRow[], change: SwapRow["change"]) {
  const drawn = rows.filter((row) => row.change === UNCHANGED);
  const before = new Map(drawn.map((row) => [claimKey(row), row.score]));
  const changed = rows.filter((row) => row.change === change && before.has(claimKey(row)));
  const pairs = changed.flatMap((row): readonly ScorePair[] => {
    const first = before.get(claimKey(row))!;
    if (first === "" || row.score === "") return [];
    const { portrait, claim, from, to, score } = row;
    return [{ portrait, claim, from, to, before: first, after: score }];
  });
  return { pairs, unscored: changed.length - pairs.length };
}

const byPortrait = <T>(pairs: readonly ScorePair[], value: (pair: ScorePair) => T) =>
  pairs.map((pair): ClusteredValue<T> => ({ cluster: pair.portrait, value: value(pair) }));

const distance = ({ before, after }: ScorePair) => Math.abs(after - before);

function componentsOf(rows: readonly SwapRow[]) {
  return [...Map.groupBy(rows, ({ component }) => component)];
}

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
