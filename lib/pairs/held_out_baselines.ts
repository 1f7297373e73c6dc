import {
  type HeldOutBaseline,
  type PlaceBaseline,
  type PlacePreference,
  preferMoreProbable,
} from "../models/baselines/baseline.ts";
import type { Baseline } from "./artefacts.ts";
import type { Preference } from "./likelihood_measures.ts";

/** A rule of places asked in both orders; where it chooses another member in each, it has none: a tie. */
export function inBothOrders({ name, prefer }: PlaceBaseline): Baseline {
  return {
    name,
    choose: ({ grammatical, ungrammatical }) => {
      const forth = asMember(prefer(grammatical, ungrammatical), "grammatical");
      const back = asMember(prefer(ungrammatical, grammatical), "ungrammatical");
      return forth === back ? forth : "tie";
    },
  };
}

/**
 * A counted rule asked by what it learned outside a pair's own fold.
 * @param folds the fold of every pair, by its id; a pair without one is refused with a RangeError.
 */
export function heldOut(baseline: HeldOutBaseline, folds: ReadonlyMap<string, string>): Baseline {
  return {
    name: baseline.name,
    choose: ({ id, grammatical, ungrammatical }) => {
      const fold = folds.get(id);
      if (fold === undefined) {
        throw new RangeError(`Cannot hold out the text of ${id}: its place in it is not known.`);
      }
      const preferred = preferMoreProbable(baseline, grammatical, ungrammatical, fold);
      return asMember(preferred, "grammatical");
    },
  };
}

function asMember(
  preferred: PlacePreference,
  first: "grammatical" | "ungrammatical",
): Preference {
  if (preferred === "tie") return "tie";
  return (preferred === "first") === (first === "grammatical") ? "grammatical" : "ungrammatical";
}
