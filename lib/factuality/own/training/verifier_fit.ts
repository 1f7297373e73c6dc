/** The head over a network's reading and the features: fitted, ablated, and measured on what it has not seen. */
import { sha256Hex } from "../../../files/atomic.ts";
import { logistic } from "../../../stats/uncertainty.ts";
import { randomSource } from "../../../stats/random.ts";
import { nestedProbabilities } from "../../decision.ts";
import { FEATURES_VERSION } from "../../features/features.ts";
import { HEAD_INPUTS, HEAD_QUESTIONS, headProbabilities } from "../../verifiers/head.ts";
import { sealed } from "../../verifiers/head.ts";
import type {
  ClaimReading,
  Gazetteer,
  LogisticHead,
  TrainedWeights,
} from "../../verifiers/head.ts";
import { fitLine, standardisationOf, standardise, type TrainingRow } from "./logistic.ts";
import { crossFitted as fittedWithout, type JudgedCase } from "./measures.ts";
import type { TrainingCase } from "./pairs.ts";

/** A case as the head reads it; without inputs where there was nothing to read. */
export interface ReadCase {
  readonly case: TrainingCase;
  readonly inputs: ClaimReading["inputs"] | undefined;
}

/** A case that there was something to read for. */
type FullCase = Omit<ReadCase, "inputs"> & Readonly<Record<"inputs", ClaimReading["inputs"]>>;

/** Of each input, in the order of {@link HEAD_INPUTS}: the network, or a family of features. */
const GROUPS_OF = HEAD_INPUTS.map((name) => name.split(".")[0]!);

/** Inputs that are left out together. */
export const INPUT_GROUPS: readonly string[] = [...new Set(GROUPS_OF)];

const REFUTED_ODDS = HEAD_INPUTS.indexOf("network.refuted");
const SUPPORTED_ODDS = HEAD_INPUTS.indexOf("network.supported");

/** The set of the claims that are shown with sources which are silent on them. */
export const SILENT = "silent";

/** The sets of one maker stand in for one another: `fever_train` and `fever_nei_retrieved`. */
const familyOf = ({ set }: TrainingCase) => set.split(/[ _,]/u)[0]!;

/**
 * Rows for the first question. A family of sets weighs the square root of its claims, half of that on its
 * supported ones: so P(supported) ≥ 0.5 is where as much speaks for as against, whatever the shares of
 * labels and sets. Silent sources say nothing of where that is.
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

/** Rows for the second question, of the sets that tell: a family weighs the square root of its claims. */
function refutedRows(cases: readonly FullCase[]): readonly TrainingRow[] {
  const told = cases.filter(({ case: { label } }) =>
    label === "refuted" || label === "not enough info"
  );
  const families = Map.groupBy(told, ({ case: one }) => familyOf(one));
  return told.map(({ case: one, inputs: features }): TrainingRow => {
    const weight = 1 / Math.sqrt(families.get(familyOf(one))!.length);
    return { features, label: Number(one.label === "refuted"), weight };
  });
}

/** Of mean loss; the only one that was tried. */
const PENALTY = 0.0005;

/**
 * Fits a head; inputs left out have weight 0. Without both refuted claims and some that are left open,
 * the network's odds tell these apart. @throws {RangeError} without a case read.
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
    const { coefficients, intercept } = fitLine(used, PENALTY);
    let next = 0;
    return { coefficients: isUsed.map((is) => is ? coefficients[next++]! : 0), intercept };
  };
  const told = refutedRows(read);
  const lines = [
    fitted(supportedRows(read)),
    new Set(told.map(({ label }) => label)).size === 2
      ? fitted(told)
      : networkLine(scaling, isUsed[REFUTED_ODDS]!),
  ];
  return {
    ...scaling,
    coefficients: lines.map(({ coefficients }) => coefficients),
    intercepts: lines.map(({ intercept }) => intercept),
  };
}

/** A line that says the network's odds of refuted as they are; even odds where it is left out. */
const networkLine = ({ means, scales }: ReturnType<typeof standardisationOf>, isUsed: boolean) => (
  {
    coefficients: scales.map((scale, i) => isUsed && i === REFUTED_ODDS ? scale : 0),
    intercept: isUsed ? means[REFUTED_ODDS]! : 0,
  }
);

/** A verdict with the id of its case. */
export type NamedVerdict = JudgedCase & { readonly id: string };

/** What a head says of cases. */
export const judgedBy = (cases: readonly ReadCase[], head: LogisticHead): readonly NamedVerdict[] =>
  cases.map(({ case: { id, label, cluster }, inputs }) => (
    { id, label, cluster, probabilities: inputs && headProbabilities(inputs, head) }
  ));

/** What the network says of cases by itself, its odds as they are. */
export const judgedByNetwork = (cases: readonly ReadCase[]): readonly NamedVerdict[] =>
  cases.map(({ case: { id, label, cluster }, inputs }) => {
    if (inputs === undefined) return { id, label, cluster, probabilities: undefined };
    const [supported, refuted] = [SUPPORTED_ODDS, REFUTED_ODDS].map((at) => logistic(inputs[at]!));
    return { id, label, cluster, probabilities: nestedProbabilities(supported!, refuted!) };
  });

/**
 * What heads say that were fitted without the case's fifth of the clusters, and all `others`.
 * @param asked Cases of the same clusters, those that are fitted on unless told.
 */
export function crossFitted(
  cases: readonly ReadCase[],
  others: readonly ReadCase[],
  groups: readonly string[] = INPUT_GROUPS,
  asked: readonly ReadCase[] = cases,
): readonly NamedVerdict[] {
  const clustered = (one: ReadCase) => ({ ...one, cluster: one.case.cluster });
  const headOf = fittedWithout(
    cases.map(clustered),
    randomSource("folds of a head"),
    (rest) => fitHead([...others, ...rest], groups),
  );
  return asked.map((one) => judgedBy([one], headOf(clustered(one)))[0]!);
}

/** Eight digits are far more than the training knows, and keep the file readable. */
const short = (value: number) => Number(value.toPrecision(8));

/** The file of a head, sealed with its hash. */
export function weightsFile(
  cases: readonly ReadCase[],
  head: LogisticHead,
  { network, gazetteer }: Pick<TrainedWeights, "network"> & { readonly gazetteer: Gazetteer },
): TrainedWeights {
  const counts = Map.groupBy(cases, ({ case: { set } }) => set);
  const data = cases.map(({ case: one }) => [one.claim, one.passages, one.label]);
  return sealed({
    version: 4,
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
      cases: Object.fromEntries([...counts].sort().map(([set, own]) => [set, own.length])),
      dataSha256: sha256Hex(JSON.stringify(data)),
    },
    gazetteer: gazetteer.map((one) => ({ ...one, also: [...one.also] })),
  });
}
