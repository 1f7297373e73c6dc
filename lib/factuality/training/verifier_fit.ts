/** The head over a network's reading and the features: fitted, ablated, and measured on what it has not seen. */
import { sha256Hex } from "../../files/atomic.ts";
import { randomSource } from "../../stats/random.ts";
import { FEATURES, FEATURES_VERSION } from "../features/features.ts";
import { VERDICT_LABELS } from "../types.ts";
import { type ClaimReading, type Gazetteer, HEAD_INPUTS } from "../verifiers/head.ts";
import { headProbabilities, type LogisticHead, sealed } from "../verifiers/head.ts";
import type { TrainedWeights } from "../verifiers/head.ts";
import { fitLogistic, standardisationOf, standardise, type TrainingRow } from "./logistic.ts";
import { crossFitted as fittedWithout, type JudgedCase } from "./measures.ts";
import type { TrainingCase } from "./pairs.ts";

/** A case as the head reads it; without inputs where there was nothing to read. */
export interface ReadCase {
  readonly case: TrainingCase;
  readonly inputs: ClaimReading["inputs"] | undefined;
}

/** Inputs that are left out together: the network, the length of the sources, a family of features. */
export const INPUT_GROUPS: readonly string[] = [
  "network",
  "length",
  ...new Set(FEATURES.map(({ group }) => group)),
];

/** Which groups each input is of, in the order of {@link HEAD_INPUTS}; a product is of two. */
const GROUPS_OF: readonly (readonly string[])[] = HEAD_INPUTS.map((name) => {
  if (name === "source.length") return ["length"];
  return name === "network.supported_long" ? ["network", "length"] : [name.split(".")[0]!];
});

const REFUTED_ODDS = HEAD_INPUTS.indexOf("network.refuted");
const SUPPORTED_ODDS = HEAD_INPUTS.indexOf("network.supported");

/** The sets of one maker stand in for one another: `fever_train` and `fever_nei_retrieved`. */
const familyOf = ({ set }: TrainingCase) => set.split(/[ _,]/u)[0]!;

/**
 * Rows to fit on. A family of sets weighs the square root of its claims, half of that on its supported
 * ones: so P(supported) ≥ 0.5 is where as much speaks for as against, whatever the shares of labels and
 * sets. A claim whose set does not tell refuted from not enough info is shared between both, as the
 * network has them.
 */
function weighedRows(cases: readonly ReadCase[]): readonly TrainingRow[] {
  const read = cases.filter(({ inputs }) => inputs !== undefined);
  const sideOf = (one: TrainingCase) => `${familyOf(one)}/${one.label === "supported"}`;
  const sides = Map.groupBy(read, ({ case: one }) => sideOf(one));
  const families = Map.groupBy(read, ({ case: one }) => familyOf(one));
  return read.flatMap(({ case: one, inputs: features }): readonly TrainingRow[] => {
    const all = families.get(familyOf(one))!.length;
    const weight = Math.sqrt(all) / 2 / sides.get(sideOf(one))!.length;
    const row = { features: features!, weight };
    if (one.label !== "not supported") {
      return [{ ...row, label: VERDICT_LABELS.indexOf(one.label) }];
    }
    const refuted = 1 / (1 + Math.exp(-features![REFUTED_ODDS]!));
    return [
      { ...row, label: VERDICT_LABELS.indexOf("refuted"), weight: weight * refuted },
      { ...row, label: VERDICT_LABELS.indexOf("not enough info"), weight: weight * (1 - refuted) },
    ];
  });
}

/** Of mean loss; the only one that was tried. */
const PENALTY = 0.001;

/** Fits a head; inputs left out have weight 0. @throws {RangeError} without a case read. */
export function fitHead(
  cases: readonly ReadCase[],
  groups: readonly string[] = INPUT_GROUPS,
): LogisticHead {
  const rows = weighedRows(cases);
  const scaling = standardisationOf(rows.map(({ features }) => features));
  const isUsed = GROUPS_OF.map((own) => own.every((group) => groups.includes(group)));
  const { coefficients, intercepts } = fitLogistic(
    rows.map(({ features, ...row }) => (
      { ...row, features: standardise(features, scaling).filter((_, i) => isUsed[i]) }
    )),
    { classes: VERDICT_LABELS.length, l2: PENALTY },
  );
  const widened = coefficients.map((row) => {
    let next = 0;
    return isUsed.map((used) => used ? row[next++]! : 0);
  });
  return { ...scaling, coefficients: widened, intercepts };
}

/** What a head says of cases. */
export const judgedBy = (cases: readonly ReadCase[], head: LogisticHead): readonly JudgedCase[] =>
  cases.map(({ case: { label, cluster }, inputs }) => (
    { label, cluster, probabilities: inputs && headProbabilities(inputs, head) }
  ));

/** What the network says of cases by itself, its odds as they are. */
export const judgedByNetwork = (cases: readonly ReadCase[]): readonly JudgedCase[] =>
  cases.map(({ case: { label, cluster }, inputs }) => {
    if (inputs === undefined) return { label, cluster, probabilities: undefined };
    const share = (odds: number) => 1 / (1 + Math.exp(-odds));
    const supported = share(inputs[SUPPORTED_ODDS]!);
    const refuted = (1 - supported) * share(inputs[REFUTED_ODDS]!);
    const unknown = 1 - supported - refuted;
    return { label, cluster, probabilities: { supported, refuted, "not enough info": unknown } };
  });

/** What heads say that were fitted without the case's fifth of the clusters, and all `others`. */
export function crossFitted(
  cases: readonly ReadCase[],
  others: readonly ReadCase[],
  groups: readonly string[] = INPUT_GROUPS,
): readonly JudgedCase[] {
  const own = cases.map((one) => ({ ...one, cluster: one.case.cluster }));
  const headOf = fittedWithout(
    own,
    randomSource("folds of a head"),
    (rest) => fitHead([...others, ...rest], groups),
  );
  return own.map((one) => judgedBy([one], headOf(one))[0]!);
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
    version: 3,
    network,
    featuresVersion: FEATURES_VERSION,
    inputs: [...HEAD_INPUTS],
    labels: [...VERDICT_LABELS],
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
