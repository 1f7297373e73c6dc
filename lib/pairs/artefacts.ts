import { formatCsv, type ParseRow } from "../files/csv.ts";
import { clusteredStatistics } from "./clustered_statistic.ts";
import { share } from "./forced_choice_measures.ts";
import type { Preference } from "./likelihood_measures.ts";
import type { DatasetItem } from "./number_pairs.ts";
import type { MinimalPair } from "./pair.ts";
import type { IntervalSettings } from "./resampled_sums.ts";
import type { DrawnMeasure } from "./statistic_lookup.ts";
import { ALL, parseNumber, parseValue, type StatisticValue } from "./statistics_row.ts";

/** A rule that knows no grammar. Where it beats chance, the pairs give themselves away. */
export interface Baseline {
  readonly name: string;
  /** Which member it prefers. It must not know which is which: the names are only the answer's. */
  readonly choose: (pair: MinimalPair) => Preference;
}

export const ARTEFACT_COLUMNS = [
  "baseline",
  "phenomenon",
  "n",
  "correct",
  "ties",
  "accuracy",
  "low",
  "high",
] as const;

/** One row of `artefacts.csv`. */
export interface Artefact {
  readonly baseline: string;
  /** A phenomenon, or ALL. */
  readonly phenomenon: string;
  readonly n: number;
  readonly correct: number;
  readonly ties: number;
  /** (correct + ties / 2) / n: who cannot tell the members apart guesses. Interval by lemma. */
  readonly accuracy: StatisticValue;
}

const ACCURACY = {
  name: "artefact_accuracy",
  method: "(correct + ties / 2) / pairs",
  of: ({ correct, ties, pairs }: Readonly<Record<"correct" | "ties" | "pairs", number>>) =>
    share(correct + ties / 2, pairs),
  n: ({ pairs }: Readonly<Record<"pairs", number>>) => pairs,
  isShare: true,
};

/** The accuracy of every baseline over all pairs and for each phenomenon. */
export function auditArtefacts<Phenomenon extends string>(
  items: readonly DatasetItem<Phenomenon>[],
  phenomena: readonly Phenomenon[],
  baselines: readonly Baseline[],
  settings: IntervalSettings,
): readonly Artefact[] {
  return baselines.flatMap(({ name, choose }) => {
    const chosen = items.map(({ pair, certificate }) => {
      const preferred = choose(pair);
      return {
        phenomenon: pair.phenomenon,
        lemma: certificate.lemma,
        counts: {
          pairs: 1,
          correct: Number(preferred === "grammatical"),
          ties: Number(preferred === "tie"),
        },
      };
    });
    return [ALL, ...phenomena].map((phenomenon) => {
      const own = chosen.filter((item) => phenomenon === ALL || item.phenomenon === phenomenon);
      const place = { model: name, phenomenon };
      const [accuracy] = clusteredStatistics(place, own, [ACCURACY], settings);
      return {
        baseline: name,
        phenomenon,
        n: own.length,
        correct: own.filter(({ counts }) => counts.correct === 1).length,
        ties: own.filter(({ counts }) => counts.ties === 1).length,
        accuracy: accuracy?.value ?? { kind: "unavailable" },
      };
    });
  });
}

/** Reads a row of `artefacts.csv`. Throws SyntaxError for a field that is no number. */
export const parseArtefact: ParseRow<(typeof ARTEFACT_COLUMNS)[number], Artefact> = (record) => ({
  baseline: record.baseline,
  phenomenon: record.phenomenon,
  n: parseNumber(record.n),
  correct: parseNumber(record.correct),
  ties: parseNumber(record.ties),
  accuracy: parseValue({ estimate: record.accuracy, low: record.low, high: record.high }),
});

/** `artefacts.csv` as text; what is not available is an empty field. */
export function formatArtefacts(artefacts: readonly Artefact[]): string {
  const text = (value: number) => Number(value.toFixed(6));
  return formatCsv(
    ARTEFACT_COLUMNS,
    artefacts.map(({ accuracy, ...row }) => ({
      ...row,
      accuracy: accuracy.kind === "unavailable" ? "" : text(accuracy.estimate),
      low: accuracy.kind === "interval" ? text(accuracy.low) : "",
      high: accuracy.kind === "interval" ? text(accuracy.high) : "",
    })),
  );
}

/** The accuracy of one baseline in one phenomenon, as figures and tables draw it. */
export function artefactMeasure(
  artefacts: readonly Artefact[],
  baseline: string,
  phenomenon: string,
): DrawnMeasure {
  const row = artefacts.find((own) => own.baseline === baseline && own.phenomenon === phenomenon);
  if (row === undefined || row.accuracy.kind === "unavailable") {
    return { kind: "unavailable", reason: "not measured" };
  }
  return row.accuracy.kind === "point" ? { ...row.accuracy, kind: "value" } : row.accuracy;
}
