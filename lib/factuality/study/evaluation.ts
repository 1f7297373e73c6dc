/** What notebook 42 shows where a cell would have to be long: an evaluation, components on the same claims. */
import { inertText } from "../../files/csv.ts";
import type { RowOf } from "../../files/table.ts";
import type { MeasuredRow } from "../../figures/rows.ts";
import { randomSource } from "../../stats/random.ts";
import type { BiasFindings } from "../bias/bias_judge.ts";
import { compareVariants, SWAP_THRESHOLD, type VariantScore } from "../bias/swaps.ts";
import { CANNOT_TELL, type ComponentComparison } from "../evaluate/compare_components.ts";
import type { ComponentDisagreement } from "../evaluate/compare_components.ts";
import type { HumanLabelledRow } from "../evaluate/human_labelled.ts";
import { verdictReason } from "../evaluate/run.ts";
import type { Comparison } from "../pairwise.ts";
import { ensembleWords, judgementWords, measuredWords, percent } from "../report/words.ts";
import { statusOf } from "../report/words.ts";
import type { ClaimResult, Evaluation, Named } from "../types.ts";
import type { ExampleSentence } from "./example.ts";
import { decimal, type DISAGREEMENTS, figureOf, headedTable } from "./tables.ts";

/** Names of hashes in settings, with what they are of. */
const HASHES = {
  ...{ fileSha256: "file", weightsSha256: "weights", encoderSha256: "encoder" },
  ...{ index: "index", sha256: "index" },
};

/** What an evaluation was made with: role, name, hashes, and what was measured of judges. */
export function componentsTable({ configuration, criteria: [first] }: Evaluation) {
  const { splitter, retriever, verifier, judges } = configuration;
  // The first digits tell files apart; whole hashes stand in every report.
  const row = (role: string, { name, settings }: Named, measured = "") => {
    const hashes = Object.entries(HASHES).flatMap(([key, of]) => {
      const value = settings[key];
      return typeof value === "string" ? [`${of} ${value.slice(0, 12)}…`] : [];
    });
    return [role, name, hashes.join(", "), measured];
  };
  return headedTable("role | component | SHA-256 begins | balanced accuracy on claims", [
    row("splitter", splitter),
    ...retriever === undefined ? [] : [row("retriever", retriever)],
    row("verifier", verifier),
    ...judges.map((judge) => {
      const { measured } = first!.judges.find((one) => one.judge === judge.name)!;
      return row("judge", judge, measuredWords(measured));
    }),
  ]);
}

/** What the verifier says of a claim, in words. */
export function verdictWords({ claim, verdict }: Pick<ClaimResult, "claim" | "verdict">): string {
  const said = statusOf({ claim, verdict });
  if (claim.notCheckable !== undefined) return `${said}: ${claim.notCheckable}`;
  if (verdict.kind === "unscored") return said;
  return `${said}, ${percent(verdict.probabilities[verdict.label])}`;
}

function reasonWords({ claim, verdict, retrieval, unverifiable }: ClaimResult): string {
  if (claim.notCheckable !== undefined) return "";
  if (unverifiable) return retrieval.message;
  return verdict.kind === "scored" ? verdictReason(verdict) : verdict.message;
}

/** Claim by claim: what it is, the verdict, what was seen, and each judge's score. */
export function claimsTable({ claims, configuration }: Evaluation) {
  const judges = configuration.judges.map(({ name }) => name);
  const rows = claims.map((result) => {
    const scores = judges.map((name) => {
      const judged = result.judges.find(({ judge }) => judge === name);
      return judged && judgementWords(judged.judgement);
    });
    const { text, kind } = result.claim;
    return [text, kind, verdictWords(result), reasonWords(result), ...scores];
  });
  return headedTable(["claim | kind | verdict | seen", ...judges].join(" | "), rows);
}

/** Sentence by sentence: what was planted, and what the verifier says of its claims. */
export function plantedTable(sentences: readonly ExampleSentence[], evaluation: Evaluation) {
  const rows = sentences.map(({ text, planted = "nothing" }) => {
    const start = evaluation.request.candidate.indexOf(text);
    const own = evaluation.claims.filter(({ claim: { sentence } }) =>
      sentence.start >= start && sentence.end <= start + text.length
    );
    return [text, planted, own.map(verdictWords).join("; ")];
  });
  return headedTable("sentence | planted | found", rows);
}

/** Each criterion: every judge's score beside what was measured of it, and what they say together. */
export function criteriaTable({ criteria }: Evaluation) {
  const rows = criteria.flatMap(({ criterion, judges, ensemble }) =>
    judges.map(({ judge, judgement, measured }, index) => {
      const [name, together] = index === 0 ? [criterion, ensembleWords(ensemble)] : ["", ""];
      return [name, judge, judgementWords(judgement), measuredWords(measured), together];
    })
  );
  return headedTable("criterion | judge | score | judge's balanced accuracy | together", rows);
}

/** Each judge's answers in both orders; a small model repeats itself, its reasoning is cut. */
export function pairwiseTable({ judges, candidates }: Comparison) {
  const rows = judges.flatMap(({ judge, answers }) =>
    [answers.aFirst, answers.bFirst].map((answer, at) => {
      const said = answer.kind === "answer"
        ? [answer.winner, answer.reasoning.slice(0, 200).toWellFormed()]
        : [`not scored (${answer.reason})`, answer.message];
      return [judge, candidates[at], ...said];
    })
  );
  return headedTable("judge | shown first | winner | reasoning", rows);
}

/** Every flagged phrase, how severe, and who says so. */
export function biasTable({ flags }: BiasFindings) {
  const rows = flags.flatMap(({ phrase, group, reasons }) =>
    reasons.map(({ by, reason, severity, context }) => {
      const severe = context === undefined ? severity : `${severity} (${context})`;
      return [phrase, group, severe, by, reason];
    })
  );
  return headedTable("phrase | concerns | severity | by | reason", rows);
}

/** How good and how sure each component is on the same claims. */
export function figuresTable({ figures }: ComponentComparison) {
  const rows = figures.map((one) => {
    const digits = (value: unknown, places: number) =>
      typeof value === "number" ? value.toFixed(places) : undefined;
    const { balancedAccuracy, accuracy, detectionPrecision, detectionRecall } = one;
    const accuracies = [balancedAccuracy, accuracy, detectionPrecision, detectionRecall]
      .map(decimal);
    const sure = [digits(one.confidence, 2), digits(one.calibrationError, 3)];
    return [one.component, one.scored, one.unscored, ...accuracies, ...sure];
  });
  const measures = "balanced accuracy | accuracy | precision and | recall of hallucination " +
    "detection | mean confidence | calibration error";
  return headedTable(`component | scored | unscored | ${measures}`, rows);
}

/** Balanced accuracy of each component by kind of claim. */
export function kindsTable(comparisons: readonly ComponentComparison[]) {
  const kinds = comparisons.map(({ kind, claims }) => `${kind} (${claims})`);
  const rows = (comparisons[0]?.figures ?? []).map(({ component }) => [
    component,
    ...comparisons.map(({ figures }) => {
      const found = figures.find((one) => one.component === component);
      return found && decimal(found.balancedAccuracy);
    }),
  ]);
  return headedTable(["component", ...kinds].join(" | "), rows);
}

/** A component against each other on the claims that both have scored; `better` may be undefined. */
export function rivals({ differences }: ComponentComparison, of: string) {
  return differences.filter(({ first, second }) => first === of || second === of)
    .map(({ first, second, difference: value, claims, better }) => ({
      rival: first === of ? second : first,
      claims,
      better: better === CANNOT_TELL ? undefined : better,
      difference: value.kind === "unavailable" || first === of
        ? value
        : { ...value, estimate: -value.estimate, low: -value.high, high: -value.low },
    }));
}

/** One component against each other, on all claims and kind by kind: who is better. */
export function rivalsTable(comparisons: readonly ComponentComparison[], of: string) {
  const rows = comparisons.flatMap((one) =>
    rivals(one, of).map(({ rival, claims, difference, better = "cannot tell" }) => {
      return [one.kind, rival, claims, decimal(difference), better];
    })
  );
  return headedTable(`claims | ${of} against | n | difference of balanced accuracy | better`, rows);
}

/** A component's name without its model's size, so that it stands beside its row of a figure. */
export const shortName = (component: string) => component.replace(/-\d+M(?:-Instruct)?\b/i, "");

/** Rows of a forest plot: balanced accuracy on held-out claims. */
export const heldOutRows = ({ figures }: ComponentComparison): readonly MeasuredRow[] =>
  figures.map(({ component, balancedAccuracy: measure }) => {
    return { label: shortName(component), measure };
  });

/** A disagreement of two components as a row. */
export function disagreementRow(one: ComponentDisagreement): RowOf<typeof DISAGREEMENTS> {
  const { caseId, kind, label, first, second, right } = one;
  const [claim, first_reason, second_reason] = [one.claim, one.firstReason, one.secondReason]
    .map(inertText) as [string, string, string];
  const said = { label, first, second, right, first_reason, second_reason };
  return { case_id: caseId, claim, claim_kind: kind, ...said };
}

/** Rows of a forest plot: balanced accuracy on each human-labelled set. */
export const humanRows = (rows: readonly HumanLabelledRow[]): readonly MeasuredRow[] =>
  rows.map((row) => {
    const measure = figureOf(row, "balanced_accuracy", "one label only");
    return { group: row.set, label: shortName(row.component), measure };
  });

/** Figures on the human-labelled sets. */
export function humanTable(rows: readonly HumanLabelledRow[]) {
  const cells = rows.map((row) => {
    const measured = ["balanced_accuracy", "precision", "recall", "f1"] as const;
    const figures = ([...measured, "detection_precision", "detection_recall"] as const)
      .map((name) => row[name] === "" ? undefined : decimal(figureOf(row, name)));
    const error = row.calibration_error === "" ? undefined : row.calibration_error.toFixed(3);
    return [row.set, row.component, row.n, row.unscored, ...figures, error];
  });
  const measures = "balanced accuracy | precision | recall | F1 of supported | precision and | " +
    "recall of hallucination detection | calibration error";
  return headedTable(`set | component | n | unscored | ${measures}`, cells);
}

/** How far each judge's scores go with who a text is about. */
export function swapsTable(
  judges: readonly { readonly judge: string; readonly scores: readonly VariantScore[] }[],
  seed: number,
) {
  const rows = judges.map(({ judge, scores }) => {
    const found = compareVariants(scores, randomSource(seed));
    const { pairs, unscored, meanAbsolute, largest, flagged } = found;
    return [judge, pairs, unscored, decimal(meanAbsolute), largest?.toFixed(1), flagged.length];
  });
  const differences = `mean absolute difference | largest | over ${SWAP_THRESHOLD} points`;
  return headedTable(`judge | pairs | unscored | ${differences}`, rows);
}
