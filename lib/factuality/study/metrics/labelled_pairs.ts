import { z } from "zod";
import { markdownTable } from "../../../figures/markdown_table.ts";
import { writeEstimate } from "../../../figures/measure.ts";
import { readWhole } from "../../../files/whole_table.ts";
import type { BootstrapInterval } from "../../../stats/intervals.ts";
import type { RandomSource } from "../../../stats/random.ts";
import type { Unavailable } from "../../../stats/unavailable.ts";
import type { ClaimMatcher } from "../../metrics/claim_matching.ts";
import type { Entails } from "../../metrics/claim_matrix.ts";
import { precision, recall } from "../../metrics/classification.ts";
import {
  classificationInterval,
  type ClusteredOutcome,
} from "../../metrics/classification_interval.ts";
import { FACTUALITY_PATHS } from "../../paths.ts";

/** Which of two claims says what the other does. */
export const PAIR_LABELS = ["same", "first entails", "second entails", "neither"] as const;

const COLUMNS = ["part", "question_id", "first", "second", "label"] as const;

const ROW = z.object({
  /** The matchers' thresholds were chosen on `development`; no query is in both. */
  part: z.enum(["development", "test"]),
  question_id: z.string().min(1),
  first: z.string().min(1),
  second: z.string().min(1),
  /** By a careful reader, a language model, who saw no matcher's opinion. */
  label: z.enum(PAIR_LABELS),
});

/** Two claims of systems about one country. */
export type LabelledPair = Readonly<z.infer<typeof ROW>>;

const PATH = FACTUALITY_PATHS.responseClaims.replace(/[^/\\]+$/, "claim_pair_labels.csv");

/** The pairs that ship. Throws as `readWhole` does. */
export function readLabelledPairs(path: string = PATH): readonly LabelledPair[] {
  return readWhole(path, COLUMNS, (record) => ROW.parse(record), "the reading by hand");
}

type Entailment = "entails" | "does not";
const ENTAILMENTS: readonly Entailment[] = ["entails", "does not"];

/** How well a matcher tells entailments, over both directions of each pair. */
export interface MatcherAccuracy {
  readonly matcher: string;
  readonly directions: number;
  /** Entailments by the labels. */
  readonly entailments: number;
  /** Of "entails"; 95 % by resampling queries. */
  readonly precision: BootstrapInterval | Unavailable;
  readonly recall: BootstrapInterval | Unavailable;
}

/**
 * Holds a matcher against the labels. Most of the pairs were drawn from those that a matcher joins at
 * a low threshold, so that the recall is among pairs that are alike, not among all pairs.
 */
export async function measureMatcher(
  pairs: readonly LabelledPair[],
  matcher: ClaimMatcher,
  random: RandomSource,
): Promise<MatcherAccuracy> {
  const entails = await matcher.entailments(pairs.flatMap(({ first, second }) => [first, second]));
  const outcomes = pairs.flatMap((pair) => directionsOf(pair, entails));
  const interval = (measure: typeof precision<Entailment>) =>
    classificationInterval(ENTAILMENTS, outcomes, (table) => measure(table, "entails"), random);
  return {
    matcher: matcher.name,
    directions: outcomes.length,
    entailments: outcomes.filter(({ truth }) => truth === "entails").length,
    precision: interval(precision),
    recall: interval(recall),
  };
}

function directionsOf(
  { question_id: cluster, first, second, label }: LabelledPair,
  entails: Entails,
): readonly ClusteredOutcome<Entailment>[] {
  const outcome = (premise: string, claim: string, truth: LabelledPair["label"]) => ({
    cluster,
    truth: named(label === "same" || label === truth),
    predicted: named(entails(premise, claim)),
  });
  return [outcome(first, second, "first entails"), outcome(second, first, "second entails")];
}

const named = (holds: boolean): Entailment => holds ? "entails" : "does not";

/** Matchers side by side. */
export function matchersTable(measured: readonly MatcherAccuracy[]): string {
  const written = (figure: BootstrapInterval | Unavailable) =>
    figure.kind === "unavailable" ? `– ${figure.reason}` : writeEstimate(figure, "decimal");
  return markdownTable(
    ["matcher", "directions", "entailments by the reader", "precision", "recall"],
    measured.map(({ matcher, directions, entailments, precision, recall }) => [
      ...[matcher, directions, entailments, written(precision), written(recall)],
    ]),
  );
}
