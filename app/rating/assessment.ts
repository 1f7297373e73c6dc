import type { Evaluation, RatedItem } from "../../lib/translation/item.ts";
import { isIncomplete, isInvalid } from "../../lib/translation/rating/completeness.ts";
import { violationsOf } from "../../lib/translation/rating/violations.ts";
import type { Violation } from "../../lib/translation/rating/violation.ts";
import type { RunConfig } from "../../lib/translation/run_config.ts";

/** Where the rater stands with an item. */
export type ItemState = "done" | "invalid" | "filled" | "begun" | "untouched";

/** What the rules say of one item. */
export interface Assessment {
  readonly violations: readonly Violation[];
  readonly incomplete: boolean;
  readonly invalid: boolean;
  readonly state: ItemState;
}

/** How a state is said to the rater. */
export const STATE_WORDS: Readonly<Record<ItemState, string>> = {
  done: "done",
  invalid: "needs correcting",
  filled: "rated, press Next",
  begun: "begun",
  untouched: "not yet begun",
};

const known = new WeakMap<RunConfig, WeakMap<Evaluation, Assessment>>();

/** What the rules say of an item; worked out once for each value of an evaluation. */
export function assess(evaluation: Evaluation, config: RunConfig): Assessment {
  const ofRun = known.get(config) ?? new WeakMap<Evaluation, Assessment>();
  known.set(config, ofRun);
  const found = ofRun.get(evaluation) ?? assessAnew(evaluation, config);
  ofRun.set(evaluation, found);
  return found;
}

/** The state of every item, in order. */
export function statesOf(items: readonly RatedItem[], config: RunConfig): readonly ItemState[] {
  return items.map(({ evaluation }) => assess(evaluation, config).state);
}

/** Whether nothing stands in the way of Finish. */
export function isFinishable(states: readonly ItemState[]): boolean {
  return states.every((state) => state === "done");
}

function assessAnew(evaluation: Evaluation, config: RunConfig): Assessment {
  const incomplete = isIncomplete(evaluation);
  const invalid = isInvalid(evaluation, config);
  const isFull = evaluation.ratings.every(({ bucket, da }) =>
    bucket !== undefined && da !== undefined
  );
  const touched = evaluation.comment !== "" ||
    evaluation.ratings.some(({ bucket, da }) => bucket !== undefined || da !== undefined);
  const unfinished = isFull ? "filled" : touched ? "begun" : "untouched";
  return {
    violations: violationsOf(evaluation, config),
    incomplete,
    invalid,
    state: invalid ? "invalid" : incomplete ? unfinished : "done",
  };
}
