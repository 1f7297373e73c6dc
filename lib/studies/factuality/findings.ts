/** Findings 8 to 10 of RESULTS.md, built from the study's tables. */
import { beyondChance, type Measure, shown } from "../../stats/measure.ts";
import type { ComponentComparison } from "../../factuality/own/compare_components.ts";
import type { VerifierSourceRow } from "../../factuality/own/training/tables.ts";
import type { KindStatistics } from "../../factuality/own/variants/detection.ts";
import type { ConsistencyStatistics } from "../../factuality/own/variants/report.ts";
import type { Finding } from "../../figures/finding.ts";
import type { AbstentionRate } from "./generation/tables.ts";
import type { doubtFigures } from "./metrics.ts";
import {
  ALL_CLAIMS,
  ALL_CONTRADICTIONS,
  BALANCED_ACCURACY,
  NOT_ACCEPTED,
  REWORDED,
  SET_RIGHT,
} from "./robustness/natural.ts";
import { groupShifts } from "./robustness/swaps.ts";
import type { SwapRow } from "./robustness/tables.ts";
import { decimal, headedTable, percent } from "./tables.ts";
import { originName, type TrustRow } from "./training.ts";

const VERIFIER = "trained verifier";
const OVERLAP = "word overlap";
/** Model of `verifier: large`. */
const LARGE = "Qwen2.5-Coder-1.5B-Instruct";

/** Returns the estimate alone with two digits. @throws {RangeError} where there is none. */
function estimateOf(measure: Measure | undefined): string {
  if (measure === undefined || measure.kind === "unavailable") {
    throw new RangeError(
      "Cannot write a finding: a figure of it is missing. Run the notebook's commands again.",
    );
  }
  return measure.estimate.toFixed(2);
}

/** Accuracy of the verifiers and of word overlap, one row per origin of the claims. */
function originsTable(trust: readonly TrustRow[]): string {
  const rows = [...Map.groupBy(trust, ({ claims }) => claims)].map(([claims, rows]) => {
    const ofVerifier = (name: string) => rows.find(({ verifier }) => verifier === name);
    const accuracies = [VERIFIER, OVERLAP, LARGE].map((name) => {
      const row = ofVerifier(name);
      return row && decimal(row.accuracy);
    });
    const passed = ofVerifier(VERIFIER)?.passed;
    const risk = passed?.kind === "interval" ? `${decimal(passed)} of ${passed.n}` : undefined;
    return [originName(claims), rows[0]!.n, ...accuracies, risk];
  });
  const columns = "claims | n | verifier | word overlap | `verifier: large`";
  return headedTable(`${columns} | refuted claims called supported`, rows);
}

/** Table of refuted development claims predicted as supported, by the context of their evidence. */
const passedTable = (rows: readonly VerifierSourceRow[]): string =>
  headedTable(
    "development claims shown with | refuted claims | share called supported",
    rows.filter(({ label, n }) => label === "refuted" && n > 0)
      .map(({ source, n, supported }) => [source, n, (supported / n).toFixed(2)]),
  );

/** Finding 8: accuracy of the verifier by origin of the claims. */
export function originsFinding({ trust, outcomes, sources, made, written }: {
  readonly trust: readonly TrustRow[];
  /** Reader's label (`truth`) and verifier's label (`predicted`) of claims that models wrote. */
  readonly outcomes: readonly Readonly<Record<"truth" | "predicted", string>>[];
  readonly sources: readonly VerifierSourceRow[];
  /** Name in `trust` of rule-made claims; `written` is that of claims that models wrote. */
  readonly made: string;
  readonly written: string;
}): Finding {
  const scores = trust.filter(({ verifier }) => verifier === VERIFIER);
  const byRule = scores.find(({ claims }) => claims === made);
  const byModels = scores.find(({ claims }) => claims === written);
  const alike = outcomes.filter(({ truth, predicted }) => truth === predicted).length;
  return {
    number: 8,
    title: "The verifier's accuracy depends on where the claims come from",
    parts: [
      `The verifier scores ${estimateOf(byRule?.accuracy)} on claims made by rule and ` +
      `${estimateOf(byModels?.accuracy)} on claims that small models wrote (balanced accuracy of ` +
      "supported or not; chance: 0.50). " +
      `Its three-way verdict equals the label on ${alike} of ${outcomes.length} claims by ` +
      `models (${
        (alike / outcomes.length).toFixed(2)
      }). A language model set these labels and had ` +
      "seen some of the verdicts before.",
      originsTable(trust),
      passedTable(sources),
    ],
    soWhat: "label a hundred claims of your own kind before you rely on a rate.",
    files: [
      "verifier_training.csv",
      "verifier_sources.csv",
      "response_claims.csv",
      "human_labelled.csv",
    ],
  };
}

/** Finding 9: accuracy of the judges, and uncertainty and abstention of the same models. */
export function judgesFinding({ comparison, doubts, abstention }: {
  readonly comparison: ComponentComparison;
  readonly doubts: ReturnType<typeof doubtFigures>;
  readonly abstention: readonly AbstentionRate[];
}): Finding {
  const judges = comparison.figures.filter(({ component }) => /\(|ensemble/.test(component));
  const isAtChance = ({ balancedAccuracy: one }: (typeof judges)[number]) =>
    one.kind !== "interval" || (one.low <= 0.5 && one.high >= 0.5);
  const atChance = judges.filter(isAtChance).length;
  const verifier = comparison.figures.find(({ component }) => component === VERIFIER);
  const accuracies = [verifier!, ...judges].map((
    { component, balancedAccuracy },
  ) => [component, decimal(balancedAccuracy)]);
  const rateOf = (model: string, instruction: string, rate: AbstentionRate["rate"]) =>
    abstention.find((row) =>
      row.model === model && row.instruction === instruction && row.rate === rate &&
      row.kind === "all" && row.read_by === "language model" && row.temperature === 0
    );
  const knowing = doubts.map(({ model, n, wrong, byCountry, byKind }) => {
    const rates = (["false acceptance", "over-refusal"] as const).map((rate) =>
      rateOf(model, "may decline", rate)
    );
    return [
      ...[model, `${wrong} of ${n}`, decimal(byCountry), decimal(byKind)],
      ...rates.map((row) => row && Number(row.value).toFixed(2)),
    ];
  });
  return {
    number: 9,
    title: `${atChance} of ${judges.length} language-model judges score at chance`,
    parts: [
      `On ${comparison.claims} held-out claims the verifier scores ` +
      `${estimateOf(verifier?.balancedAccuracy)} (balanced accuracy; chance: 0.50). The second ` +
      "table is about what the same models know. It gives the probability that a wrong answer is " +
      "more uncertain than a right one. It also shows how the models, instructed that they may " +
      "decline, answer questions about invented and about real things. Few answers are wrong, so " +
      "the intervals by kind of question are wide.",

      headedTable("component | balanced accuracy", accuracies),
      headedTable(
        "model | wrong answers | P(wrong more uncertain), by country | by kind | invented things described as real | real things declined",
        knowing,
      ),
    ],
    soWhat: "measure a judge before you use it.",
    files: ["component_answers.csv", "choice_samples.csv", "abstention_rates.csv"],
  };
}

/** Counts groups of people for whom a component's scores of the same claims differ. */
function groupsApart(swaps: readonly SwapRow[]) {
  const shifts = groupShifts(swaps);
  const { n, above, below, aboveAdjusted, belowAdjusted } = beyondChance(
    shifts.map(({ shift }) => shift),
    0,
  );
  const isApart = (shift: Measure) => aboveAdjusted.has(shift) || belowAdjusted.has(shift);
  const byComponent = new Map(
    [...Map.groupBy(shifts, ({ component }) => component)].map(([component, componentShifts]) => [
      component,
      `${
        componentShifts.filter(({ shift }) => isApart(shift)).length
      } of ${componentShifts.length}`,
    ]),
  );
  const apart = aboveAdjusted.size + belowAdjusted.size;
  return { n, apart, unadjusted: above.size + below.size, byComponent };
}

/**
 * Table of natural contradictions by component: shares flagged of contradictions, of corrected ones
 * and of reworded claims, with balanced accuracy over all claims.
 */
export function naturalTable(rows: readonly ConsistencyStatistics[]): string {
  const components = [...Map.groupBy(rows, ({ component }) => component)];
  return headedTable(
    "component | contradictions | noticed (%) | set right, flagged (%) | reworded, flagged (%) | balanced accuracy | n",
    components.map(([component, found]) => {
      const row = (group: string, measure: string) =>
        found.find((one) => one.group === group && one.measure === measure);
      const flagged = [ALL_CONTRADICTIONS, SET_RIGHT, REWORDED].map((group) =>
        row(group, NOT_ACCEPTED)
      );
      const all = row(ALL_CLAIMS, BALANCED_ACCURACY);
      return [
        ...[component, flagged[0]?.n, ...flagged.map((one) => one && percent(one.value))],
        ...[all && decimal(all.value), all?.n],
      ];
    }),
  );
}

/** Finding 10: detection of changed facts, false alarms, social groups, and calibration. */
export function robustnessFinding({ perturbations, natural, swaps, calibration }: {
  readonly perturbations: readonly KindStatistics[];
  /** Statistics on natural contradictions, by component. */
  readonly natural: readonly ConsistencyStatistics[];
  readonly swaps: readonly SwapRow[];
  /** Calibration error of the verifier's probabilities by set of claims. */
  readonly calibration: readonly Readonly<{ claims: string; error: number }>[];
}): Finding {
  const overall = perturbations.filter(({ kind }) => kind === "all perturbations");
  const verifier = overall.find(({ component }) => component === VERIFIER);
  const kinds = perturbations.filter(({ component, role, kind }) =>
    component === VERIFIER && role === "perturbation" && kind !== "all perturbations"
  );
  const least = kinds.toSorted((a, b) =>
    Number(estimateOf(a.flaggedGivenAccepted)) - Number(estimateOf(b.flaggedGivenAccepted))
  )[0]!;
  const groups = groupsApart(swaps);
  const rows = overall.map(({ component, originalsAccepted, flaggedGivenAccepted, falseAlarm }) => {
    // The verifier scores a claim about a person by its mean probability.
    const apart = groups.byComponent.get(component) ??
      groups.byComponent.get(`${component} (mean probability)`);
    return [
      ...[component, originalsAccepted, percent(flaggedGivenAccepted), percent(falseAlarm)],
      apart,
    ];
  });
  const noticed = (measure: Measure | undefined) =>
    measure && shown(measure, "percent").replace(/ \[.*/, "");
  const onNatural = natural.find(({ component, group, measure }) =>
    component === VERIFIER && group === ALL_CONTRADICTIONS && measure === NOT_ACCEPTED
  );
  const errors = calibration.map(({ claims, error }) => `${error.toFixed(2)} (claims ${claims})`);
  return {
    number: 10,
    title: `The verifier notices ${noticed(verifier?.flaggedGivenAccepted)} % of changes of the ` +
      `kinds it was trained on, and ${noticed(onNatural?.value)} % of natural contradictions`,
    parts: [
      "One fact of a true claim was changed by rule, or the claim was reworded without changing " +
      `what it says. The kind noticed least is ${least.kind}, at ` +
      `${percent(least.flaggedGivenAccepted)} % of ${least.originalsAccepted}. Each component ` +
      `also scored the same claims about different groups of people. In ${groups.apart} of ` +
      `${groups.n} such comparisons a group scores differently from the others (Holm-adjusted; ` +
      `${groups.unadjusted} unadjusted). Averaged over ten bins, stated probabilities differ from the observed shares ` +
      `by ${errors.join(" and by ")}.`,
      headedTable(
        "component | changed claims | noticed (%) | rewordings flagged (%) | groups scored differently",
        rows,
      ),
      "Natural contradictions were written for invented passages. They negate an event, change a " +
      "limit or a time, or exchange attributes or speakers. Each is compared with the same " +
      "sentence, corrected. True " +
      "claims about the same passages use words unlike the source's, and many of them are flagged " +
      "too. A language model wrote the passages and all claims.",
      naturalTable(natural),
    ],
    soWhat:
      "a test with changes by rule flatters a verifier; use stated probabilities for ranking only.",
    files: [
      "robustness_report.json",
      "natural_contradictions.csv",
      "swap_scores.csv",
      "component_answers.csv",
      "response_claims.csv",
    ],
  };
}
