/** The head over network and features: fit, ablation, and measurement on held-out claims. */
import { sha256Hex } from "../../../files/atomic.ts";
import { logistic } from "../../../stats/uncertainty.ts";
import { randomSource } from "../../../stats/random.ts";
import { decide, fourDecimals, nestedProbabilities } from "../../decision.ts";
import { FEATURES_VERSION } from "../../features/features.ts";
import { HEAD_INPUTS, HEAD_QUESTIONS, headProbabilities } from "../../verifiers/head.ts";
import {
  combinedProbabilities,
  passageVerdict,
  readAlone,
  withHash,
} from "../../verifiers/head.ts";
import type { Gazetteer, HeadInput, LogisticHead, TrainedWeights } from "../../verifiers/head.ts";
import {
  fitLogisticRegression,
  standardisationOf,
  standardise,
  type TrainingRow,
} from "./logistic.ts";
import { clusterFolds, type JudgedCase } from "./measures.ts";
import type { TrainingCase } from "./pairs.ts";

/** A case with the head's inputs; undefined inputs where there was no text to read. */
export interface ReadCase {
  readonly case: TrainingCase;
  readonly inputs: HeadInput["inputs"] | undefined;
  /** Inputs of each passage read alone (`readAlone()`); undefined for passages not read. */
  readonly each?: readonly (HeadInput["inputs"] | undefined)[];
}

/** Returns the probabilities of a head for a case, combining passages as the verifier does. */
function caseProbabilities(
  { case: { claim, passages }, inputs, each }: ReadCase,
  head: LogisticHead,
) {
  if (inputs === undefined) return undefined;
  const passageVerdicts = readAlone(passages).flatMap((passage, at) => {
    const read = each?.[at];
    return read ? [passageVerdict(claim, passage, headProbabilities(read, head))] : [];
  });
  return combinedProbabilities(headProbabilities(inputs, head), passageVerdicts);
}

/** A case with inputs. */
type FullCase = Pick<ReadCase, "case"> & Readonly<Record<"inputs", HeadInput["inputs"]>>;

/**
 * Group of each input, in the order of {@link HEAD_INPUTS}: the network, or a family of features.
 */
const GROUPS_OF = HEAD_INPUTS.map((name) => name.split(".")[0]!);

/** Groups of inputs that are ablated together. */
export const INPUT_GROUPS: readonly string[] = [...new Set(GROUPS_OF)];

const REFUTED_ODDS = HEAD_INPUTS.indexOf("network.refuted");
const SUPPORTED_ODDS = HEAD_INPUTS.indexOf("network.supported");

/** Name of the set of claims with silent sources. */
export const SILENT = "silent";

/** Family of a set: `fever_train` and `fever_nei_retrieved` are one source. */
export const familyOf = ({ set }: Pick<TrainingCase, "set">) => set.split(/[ _,]/u)[0]!;

/**
 * Returns weighted rows for supported against not supported. Each family of sets has the square
 * root of its size as weight, half of it on supported claims. P(supported) ≥ 0.5 thus marks
 * balanced evidence, whatever the shares of labels and sets. Sets with silent sources are excluded.
 */
function supportedRows(cases: readonly FullCase[]): readonly TrainingRow[] {
  const loud = cases.filter(({ case: { set } }) => set !== SILENT);
  const sideOf = (one: TrainingCase) => `${familyOf(one)}/${one.label === "supported"}`;
  const sides = Map.groupBy(loud, ({ case: one }) => sideOf(one));
  const families = Map.groupBy(loud, ({ case: one }) => familyOf(one));
  return loud.map(({ case: one, inputs: features }): TrainingRow => {
    const all = families.get(familyOf(one))!.length;
    const weight = Math.sqrt(all) / 2 / sides.get(sideOf(one))!.length;
    return { features, label: Number(one.label === "supported"), weight };
  });
}

/**
 * Returns weighted rows for refuted against not enough info, from sets with three labels. Each
 * family has the square root of its size as weight.
 */
function refutedRows(cases: readonly FullCase[]): readonly TrainingRow[] {
  const labelled = cases.filter(({ case: { label } }) =>
    label === "refuted" || label === "not enough info"
  );
  const families = Map.groupBy(labelled, ({ case: one }) => familyOf(one));
  return labelled.map(({ case: one, inputs: features }): TrainingRow => {
    const weight = 1 / Math.sqrt(families.get(familyOf(one))!.length);
    return { features, label: Number(one.label === "refuted"), weight };
  });
}

/** Regularisation strength in units of mean loss. No other value was tried. */
const PENALTY = 0.0005;

/**
 * Fits a head. Inputs that are left out have coefficient 0.
 *
 * Without both refuted and undecided claims, the network's log-odds decide between these two.
 * @throws {RangeError} without a case to fit.
 */
export function fitHead(
  cases: readonly ReadCase[],
  groups: readonly string[] = INPUT_GROUPS,
): LogisticHead {
  const read = cases.flatMap(({ case: one, inputs }) => inputs ? [{ case: one, inputs }] : []);
  const scaling = standardisationOf(read.map(({ inputs }) => inputs));
  const isUsed = GROUPS_OF.map((group) => groups.includes(group));
  const fitted = (rows: readonly TrainingRow[]) => {
    const used = rows.map(({ features, ...row }) => (
      { ...row, features: standardise(features, scaling).filter((_, i) => isUsed[i]) }
    ));
    const { coefficients, intercept } = fitLogisticRegression(used, PENALTY);
    let next = 0;
    return { coefficients: isUsed.map((is) => is ? coefficients[next++]! : 0), intercept };
  };
  const refuted = refutedRows(read);
  const lines = [
    fitted(supportedRows(read)),
    new Set(refuted.map(({ label }) => label)).size === 2
      ? fitted(refuted)
      : networkLine(scaling, isUsed[REFUTED_ODDS]!),
  ];
  return {
    ...scaling,
    coefficients: lines.map(({ coefficients }) => coefficients),
    intercepts: lines.map(({ intercept }) => intercept),
  };
}

/**
 * Coefficients that reproduce the network's log-odds of refuted, or even odds if it is excluded.
 */
const networkLine = ({ means, scales }: ReturnType<typeof standardisationOf>, isUsed: boolean) => (
  {
    coefficients: scales.map((scale, i) => isUsed && i === REFUTED_ODDS ? scale : 0),
    intercept: isUsed ? means[REFUTED_ODDS]! : 0,
  }
);

/** A verdict with the id and the source of its case. */
export type NamedVerdict = JudgedCase & Readonly<Record<"id" | "source", string>>;

const named = (one: TrainingCase) => {
  const { id, label, cluster } = one;
  return { id, label, cluster, source: familyOf(one) };
};

/** Returns the head's verdicts on cases. */
export const headPredictions = (
  cases: readonly ReadCase[],
  head: LogisticHead,
): readonly NamedVerdict[] =>
  cases.map((one) => ({ ...named(one.case), probabilities: caseProbabilities(one, head) }));

/** Returns the network's verdicts, without a head. */
export const networkPredictions = (cases: readonly ReadCase[]): readonly NamedVerdict[] =>
  cases.map(({ case: one, inputs }) => {
    if (inputs === undefined) return { ...named(one), probabilities: undefined };
    const [supported, refuted] = [SUPPORTED_ODDS, REFUTED_ODDS].map((at) => logistic(inputs[at]!));
    return { ...named(one), probabilities: nestedProbabilities(supported!, refuted!) };
  });

/**
 * Returns the held-out group of a case: its source. With a single source, a fifth of the clusters.
 */
function heldOutGroups(cases: readonly ReadCase[]): (one: ReadCase) => string {
  const sourceOf = ({ case: { set, madeOf = set } }: ReadCase) => familyOf({ set: madeOf });
  if (new Set(cases.map(sourceOf)).size > 1) return sourceOf;
  const clusters = cases.map(({ case: { cluster } }) => ({ cluster }));
  const folds = clusterFolds(clusters, randomSource("folds of a head"));
  return ({ case: { cluster } }) => String(folds.get(cluster));
}

/**
 * Returns verdicts on each case by a head fitted without its source.
 *
 * The head is fitted to all `others` and to the cases of other sources. With a single source, it is
 * fitted to the clusters outside the case's fifth. Verdicts on unseen sources estimate those on a
 * user's claims.
 * @param asked Cases of the same sources and clusters; by default those that are fitted.
 */
export function heldOutVerdicts(
  cases: readonly ReadCase[],
  others: readonly ReadCase[],
  groups: readonly string[] = INPUT_GROUPS,
  asked: readonly ReadCase[] = cases,
): readonly NamedVerdict[] {
  const groupOf = heldOutGroups(cases);
  const heads = new Map<string, LogisticHead>();
  const headOf = (group: string) => {
    const rest = () => cases.filter((one) => groupOf(one) !== group);
    return heads.getOrInsertComputed(group, () => fitHead([...others, ...rest()], groups));
  };
  return asked.map((one) => headPredictions([one], headOf(groupOf(one)))[0]!);
}

/**
 * Converts one score to probabilities by a cross-fitted logistic regression.
 *
 * It is fitted like the heads: to cases of other sources, or for `asked` cases to all of them.
 */
export function lineVerdicts(
  cases: readonly ScoredCase[],
  asked?: readonly ScoredCase[],
): readonly NamedVerdict[] {
  const lineOf = (fitted: readonly ScoredCase[]) => {
    const rows = supportedRows(fitted.map((one) => ({ ...one, inputs: [one.score] })));
    const scaling = standardisationOf(rows.map(({ features }) => features));
    const standard = rows.map((row) => (
      { ...row, features: standardise(row.features, scaling) }
    ));
    const { coefficients: [slope], intercept } = fitLogisticRegression(standard, PENALTY);
    return (score: number) => logistic(slope! * standardise([score], scaling)[0]! + intercept);
  };
  const groupOf = heldOutGroups(cases);
  const all = asked && lineOf(cases);
  const lines = new Map<string, (score: number) => number>();
  const without = (group: string) =>
    lines.getOrInsertComputed(
      group,
      () => lineOf(cases.filter((one) => groupOf(one) !== group)),
    );
  return (asked ?? cases).map((one) => {
    const supported = (all ?? without(groupOf(one)))(one.score);
    return { ...named(one.case), probabilities: nestedProbabilities(supported, 0.5) };
  });
}

type ScoredCase = ReadCase & { readonly score: number };

/** Minimum number of claims of a source to be included in the accuracy. */
const MIN_CLAIMS_PER_SOURCE = 40;

/**
 * Computes the accuracy of verdicts by the probability of their label.
 *
 * Each band has the share of correct verdicts, averaged over sources with equal weight, and the
 * number of claims. For claims known only as not supported, either other label is correct.
 */
export function trustBands(verdicts: readonly NamedVerdict[]) {
  const sources = [...Map.groupBy(verdicts, ({ source }) => source).values()]
    .filter((sourceVerdicts) => sourceVerdicts.length >= MIN_CLAIMS_PER_SOURCE);
  const judged = sources.flatMap((sourceVerdicts) =>
    sourceVerdicts.flatMap(({ label, probabilities }) => {
      if (probabilities === undefined) return [];
      const predictedLabel = decide(probabilities);
      const isRight = label === "not supported"
        ? predictedLabel !== "supported"
        : predictedLabel === label;
      return [{ sure: probabilities[predictedLabel], isRight, weight: 1 / sourceVerdicts.length }];
    })
  );
  const bands = BAND_STARTS.map((from, at) => {
    const to = BAND_STARTS[at + 1] ?? 1;
    const within = judged.filter(({ sure }) => sure >= from && (sure < to || to === 1));
    const total = within.reduce((sum, { weight }) => sum + weight, 0);
    const right = within.reduce((sum, { isRight, weight }) => isRight ? sum + weight : sum, 0);
    return { from, to, n: within.length, right: total === 0 ? null : fourDecimals(right / total) };
  });
  return { sources: sources.length, bands };
}

const BAND_STARTS = [0, 0.5, 0.6, 0.7, 0.8, 0.9];

/** Rounds to eight digits, more than the data determine, to keep the file readable. */
const short = (value: number) => Number(value.toPrecision(8));

/** Makes the file of a head, with its hash. */
export function weightsFile(
  cases: readonly ReadCase[],
  head: LogisticHead,
  { network, gazetteer, trust }: Pick<TrainedWeights, "network" | "trust"> & {
    readonly gazetteer: Gazetteer;
  },
): TrainedWeights {
  const counts = Map.groupBy(cases, ({ case: { set } }) => set);
  const data = cases.map(({ case: one }) => [one.claim, one.passages, one.label]);
  return withHash({
    version: 5,
    network,
    featuresVersion: FEATURES_VERSION,
    inputs: [...HEAD_INPUTS],
    questions: [...HEAD_QUESTIONS],
    means: head.means.map(short),
    scales: head.scales.map(short),
    coefficients: head.coefficients.map((row) => row.map(short)),
    intercepts: head.intercepts.map(short),
    training: {
      l2: PENALTY,
      cases: Object.fromEntries(
        [...counts].sort().map(([set, setCases]) => [set, setCases.length]),
      ),
      dataSha256: sha256Hex(JSON.stringify(data)),
    },
    trust,
    gazetteer: gazetteer.map((one) => ({ ...one, also: [...one.also] })),
  });
}
