/** Answers of verifiers by claim, and the tables of figures computed from them. */
import { withoutFormulas } from "../../../files/csv.ts";
import { decide, fourDecimals } from "../../decision.ts";
import { VERDICT_LABELS, type VerdictProbabilities } from "../../types.ts";
import * as measures from "./measures.ts";
import type { TrainingResult, VerifierAnswer, VerifierSourceRow } from "./tables.ts";
import type { NamedVerdict } from "./verifier_fit.ts";

/** Name of the default verifier in every table. */
export const VERIFIER = "trained verifier";

/** Name of the set of labelled claims, each answered by a fit without its source. */
export const LABELLED = "labelled claims, held out";
/** Name of sets that nothing is fitted to. */
export const MEASURED_ALONE = "sets that are only measured";

/** Converts verdicts to rows of {@link VERIFIER_ANSWERS}. */
export const answerRows = (
  set: string,
  verifier: string,
  verdicts: readonly NamedVerdict[],
): readonly VerifierAnswer[] =>
  verdicts.map(({ id, source, cluster, label, probabilities }) => ({
    ...{
      set,
      case_id: withoutFormulas(id),
      source: withoutFormulas(source),
      cluster: withoutFormulas(cluster),
    },
    ...{ label, verifier },
    ...probabilities ? rounded(probabilities) : { supported: "", refuted: "" } as const,
  }));

/** Rounds probabilities to four decimals without a change of verdict. */
function rounded(probabilities: VerdictProbabilities) {
  const supported = fourDecimals(probabilities.supported);
  const refuted = Number(probabilities.refuted.toFixed(4));
  const verdict = decide(probabilities);
  if (decide(asVerdict(supported, refuted)) === verdict) return { supported, refuted };
  // Refuted and not enough info were nearly equal, and rounding has swapped them.
  const step = verdict === "refuted" ? 0.0001 : -0.0001;
  return { supported, refuted: Number((refuted + step).toFixed(4)) };
}

/** Completes two rounded probabilities to three. */
const asVerdict = (supported: number, refuted: number): VerdictProbabilities => (
  {
    supported,
    refuted,
    "not enough info": Math.max(0, Number((1 - supported - refuted).toFixed(4))),
  }
);

/** Converts a row back to a verdict. */
function verdictOf({ label, cluster, supported, refuted }: VerifierAnswer): measures.JudgedCase {
  if (supported === "" || refuted === "") return { label, cluster, probabilities: undefined };
  return { label, cluster, probabilities: asVerdict(supported, refuted) };
}

const READINGS = ["three-way", "binary"] as const;

/**
 * Measures each verifier on each set of answers, then on each held-out source.
 *
 * The first part excludes sets that are reported by source only. Three-way measures require that
 * all three labels occur.
 */
export function trainingResults(
  answers: readonly VerifierAnswer[],
  step: TrainingResult["step"] = "result",
): readonly TrainingResult[] {
  const measured = (
    step: TrainingResult["step"],
    selected: readonly VerifierAnswer[],
    setOf: (row: VerifierAnswer) => string,
  ) =>
    [...Map.groupBy(selected, (row) => JSON.stringify([setOf(row), row.verifier])).values()]
      .flatMap((groupAnswers) => {
        const [set, { verifier }] = [setOf(groupAnswers[0]!), groupAnswers[0]!];
        if (step === "source" && isTooSmall(groupAnswers)) return [];
        const labels = new Set(groupAnswers.map(({ label }) => label));
        const isThreeWay = VERDICT_LABELS.every((label) => labels.has(label)) && labels.size === 3;
        return READINGS.filter((reading) => reading === "binary" || isThreeWay)
          .map((reading) =>
            resultRow({ step, set, verifier, reading }, groupAnswers.map(verdictOf))
          );
      });
  const ofSets = answers.filter(({ set }) => !isOfSources(set) && set !== MEASURED_ALONE);
  const heldOut = answers.filter(({ set }) => set === LABELLED || set === MEASURED_ALONE);
  return [
    ...measured(step, ofSets, ({ set }) => set),
    ...step === "result" ? measured("source", heldOut, ({ source }) => source) : [],
  ];
}

/**
 * Minimum number of claims of a source. Sources with fewer claims, or with one label only, are left
 * out.
 */
const MIN_CLAIMS_PER_SOURCE = 40;
const isTooSmall = (sourceAnswers: readonly VerifierAnswer[]) =>
  sourceAnswers.length < MIN_CLAIMS_PER_SOURCE ||
  new Set(sourceAnswers.map(({ label }) => label === "supported")).size < 2;

function resultRow(
  named: Pick<TrainingResult, "step" | "set" | "verifier" | "reading">,
  verdicts: readonly measures.JudgedCase[],
): TrainingResult {
  const { set, verifier, reading } = named;
  const { low, high, n, unscored, clusters, ...measured } = measures.measureVerdicts(
    verdicts,
    reading,
  );
  const figure = (what: string, value: typeof measured.accuracy) =>
    Number(measures.numberOrThrow(`${verifier} on ${set}`, what, value).toFixed(4));
  return {
    ...named,
    ...{ n, unscored, clusters },
    accuracy: figure("accuracy", measured.accuracy),
    balanced_accuracy: figure("balanced accuracy", measured.balancedAccuracy),
    low: figure("interval", low),
    high: figure("interval", high),
    area_under_curve: figure("area under the curve", measured.areaUnderCurve),
    macro_f1: figure("F1", measured.macroF1),
    calibration_error: figure("calibration error", measured.calibrationError),
    brier: figure("Brier score", measured.brier),
  };
}

/** Tests whether a set belongs to `verifier_sources.csv` only. */
const isOfSources = (set: string) => /^(?:evidence|silent) /u.test(set);

/** Counts the verifier's verdicts by the sources shown with the claims. */
export const sourceCounts = (
  answers: readonly VerifierAnswer[],
): readonly VerifierSourceRow[] =>
  [...Map.groupBy(answers, ({ set }) => set === LABELLED ? "evidence alone" : set)]
    .filter(([source]) => isOfSources(source))
    .flatMap(([source, sourceAnswers]) =>
      measures.verdictCounts(
        source,
        sourceAnswers.filter(({ verifier }) => verifier === VERIFIER).map(verdictOf),
      )
    );
