/** Rules that know no grammar: where they beat chance, the pairs give themselves away. */
import { resolve } from "node:path";
import { name, type RowOf, table, whole } from "../files/table.ts";
import {
  type HeldOutBaseline,
  type PlaceBaseline,
  type PlacePreference,
  preferMoreProbable,
} from "../models/baselines.ts";
import {
  ALL,
  clusteredStatistics,
  drawn,
  type DrawnMeasure,
  fieldsOf,
  figure,
  type IntervalSettings,
  type Tally,
  valueOf,
} from "./clustered.ts";
import type { DatasetItem } from "./dataset.ts";
import { type Preference, shareMeasure } from "./measures.ts";
import type { MinimalPair } from "./pair.ts";

/** A rule that knows no grammar. Where it beats chance, the pairs give themselves away. */
export interface Baseline {
  readonly name: string;
  /** Which member it prefers. It must not know which is which: the names are only the answer's. */
  readonly choose: (pair: MinimalPair) => Preference;
}

/** `artefacts.csv`; what is not available is an empty field. */
export function artefactsTable({ path, about = "baselines", maker = "the metrics" }: {
  readonly path: string;
  readonly about?: string;
  readonly maker?: string;
}) {
  return table({
    path: resolve(path),
    about,
    maker,
    columns: {
      baseline: name("name of the rule"),
      phenomenon: name("a phenomenon or ALL"),
      n: whole("pairs"),
      correct: whole("pairs on which it prefers the grammatical sentence"),
      ties: whole("pairs on which it prefers neither"),
      // Who cannot tell the members apart guesses.
      accuracy: figure("(correct + ties / 2) / n"),
      low: figure("lower end of the 95 % interval by lemma"),
      high: figure("upper end"),
    },
    key: ["baseline", "phenomenon"],
  });
}

export type Artefact = RowOf<ReturnType<typeof artefactsTable>>;

const ACCURACY = shareMeasure(
  "artefact_accuracy",
  "(correct + ties / 2) / pairs",
  ({ correct, ties }: Tally<"correct" | "ties" | "pairs">) => correct + ties / 2,
  ({ pairs }) => pairs,
);

export function auditArtefacts<Phenomenon extends string>(
  items: readonly DatasetItem<Phenomenon>[],
  phenomena: readonly Phenomenon[],
  baselines: readonly Baseline[],
  settings: IntervalSettings,
): readonly Artefact[] {
  return baselines.flatMap(({ name, choose }) => {
    const chosen = items.map(({ pair, certificate: { lemma } }) => {
      const preferred = choose(pair);
      const [correct, ties] = [preferred === "grammatical", preferred === "tie"].map(Number);
      const counts = { pairs: 1, correct: correct!, ties: ties! };
      return { phenomenon: pair.phenomenon, lemma, counts };
    });
    return [ALL, ...phenomena].map((phenomenon) => {
      const own = chosen.filter((item) => phenomenon === ALL || item.phenomenon === phenomenon);
      const place = { model: name, phenomenon };
      const [row] = clusteredStatistics(place, own, [ACCURACY], settings);
      const { estimate: accuracy, low, high } = fieldsOf(row!.value);
      const sum = (what: "correct" | "ties") => own.reduce((n, { counts }) => n + counts[what], 0);
      const counts = { n: own.length, correct: sum("correct"), ties: sum("ties") };
      return { baseline: name, phenomenon, ...counts, accuracy, low, high };
    });
  });
}

export function artefactMeasure(
  artefacts: readonly Artefact[],
  baseline: string,
  phenomenon: string,
): DrawnMeasure {
  const row = artefacts.find((own) => own.baseline === baseline && own.phenomenon === phenomenon);
  return drawn(row && valueOf(row.accuracy, row.low, row.high));
}

/** A rule of places asked in both orders; where it chooses another member in each, it has none: a tie. */
export function inBothOrders({ name, prefer }: PlaceBaseline): Baseline {
  return {
    name,
    choose: ({ grammatical, ungrammatical }) => {
      const [forth, back] = [
        prefer(grammatical, ungrammatical),
        prefer(ungrammatical, grammatical),
      ];
      return forth === back || back === "tie" ? "tie" : asMember(forth!);
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
      return asMember(preferMoreProbable(baseline, grammatical, ungrammatical, fold));
    },
  };
}

/** The grammatical member stands first. */
function asMember(preferred: PlacePreference): Preference {
  if (preferred === "tie") return "tie";
  return preferred === "first" ? "grammatical" : "ungrammatical";
}
