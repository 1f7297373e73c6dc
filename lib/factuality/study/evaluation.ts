/** What notebook 42 shows: an evaluation, two texts compared, components on the same claims. */
import type { MeasuredRow } from "../../figures/rows.ts";
import { markdownTable } from "../../figures/table.ts";
import { writeNumber, writtenMeasure } from "../../figures/theme.ts";
import { randomSource } from "../../stats/random.ts";
import { compareVariants, type VariantScore } from "../bias/swaps.ts";
import type { BiasFindings } from "../bias/bias_judge.ts";
import {
  CANNOT_TELL,
  type ComponentComparison,
  type ComponentDisagreement,
} from "../evaluate/compare_components.ts";
import type { HumanLabelledRow } from "../evaluate/human_labelled.ts";
import { verdictReason } from "../evaluate/unsupported_claims.ts";
import { inertText } from "../../files/csv.ts";
import type { RowOf } from "../../files/table.ts";
import type { Comparison } from "../pairwise.ts";
import {
  ensembleWords,
  judgementWords,
  measuredWords,
  percent,
  statusOf,
} from "../report/words.ts";
import type { ClaimResult, Evaluation, Named } from "../types.ts";
import type { ExampleSentence } from "./example.ts";
import { type DISAGREEMENTS, measureOf } from "./tables.ts";

/** Names of hashes in settings, with what they are of. */
const HASHES: Readonly<Record<string, string>> = {
  fileSha256: "file",
  weightsSha256: "weights",
  encoderSha256: "encoder",
  index: "index",
  sha256: "index",
};

/** What an evaluation was made with: role, name, hashes, and what was measured of judges. */
export function componentsTable({ configuration, criteria: [first] }: Evaluation): string {
  const { splitter, retriever, verifier, judges } = configuration;
  // The first digits tell files apart; whole hashes stand in every report.
  const hashes = ({ settings }: Named) =>
    Object.entries(HASHES).flatMap(([key, of]) => {
      const value = settings[key];
      return typeof value === "string" ? [`${of} ${value.slice(0, 12)}…`] : [];
    }).join(", ");
  const plain = (role: string, named: Named) => [role, named.name, hashes(named), ""];
  return markdownTable(
    ["role", "component", "SHA-256 begins", "balanced accuracy on claims"],
    [
      plain("splitter", splitter),
      ...retriever === undefined ? [] : [plain("retriever", retriever)],
      plain("verifier", verifier),
      ...judges.map((judge) => {
        const { measured } = first!.judges.find((one) => one.judge === judge.name)!;
        return ["judge", judge.name, hashes(judge), measuredWords(measured)];
      }),
    ],
  );
}

/** What the verifier says of a claim, in words. */
export function verdictWords({ claim, verdict }: Pick<ClaimResult, "claim" | "verdict">): string {
  const said = statusOf({ claim, verdict });
  if (claim.notCheckable !== undefined) return `${said}: ${claim.notCheckable}`;
  return verdict.kind === "scored"
    ? `${said}, ${percent(verdict.probabilities[verdict.label])}`
    : said;
}

function reasonWords({ claim, verdict, retrieval, unverifiable }: ClaimResult): string {
  if (claim.notCheckable !== undefined) return "";
  if (unverifiable) return retrieval.message;
  return verdict.kind === "scored" ? verdictReason(verdict) : verdict.message;
}

/** Claim by claim: what it is, the verdict, what was seen, and each judge's score. */
export function claimsTable({ claims, configuration }: Evaluation): string {
  const judges = configuration.judges.map(({ name }) => name);
  return markdownTable(
    ["claim", "kind", "verdict", "seen", ...judges],
    claims.map((result) => [
      result.claim.text,
      result.claim.kind,
      verdictWords(result),
      reasonWords(result),
      ...judges.map((name) => {
        const judged = result.judges.find(({ judge }) => judge === name);
        return judged === undefined ? undefined : judgementWords(judged.judgement);
      }),
    ]),
  );
}

/** Sentence by sentence: what was planted, and what the verifier says of its claims. */
export function plantedTable(
  sentences: readonly ExampleSentence[],
  evaluation: Evaluation,
): string {
  const { candidate } = evaluation.request;
  return markdownTable(
    ["sentence", "planted", "found"],
    sentences.map(({ text, planted }) => {
      const start = candidate.indexOf(text);
      const own = evaluation.claims.filter(({ claim: { sentence } }) =>
        sentence.start >= start && sentence.end <= start + text.length
      );
      return [text, planted ?? "nothing", own.map(verdictWords).join("; ")];
    }),
  );
}

/** Each criterion: every judge's score beside what was measured of it, and what they say together. */
export function criteriaTable({ criteria }: Evaluation): string {
  return markdownTable(
    ["criterion", "judge", "score", "judge's balanced accuracy", "together"],
    criteria.flatMap(({ criterion, judges, ensemble }) =>
      judges.map(({ judge, judgement, measured }, index) => [
        index === 0 ? criterion : "",
        judge,
        judgementWords(judgement),
        measuredWords(measured),
        index === 0 ? ensembleWords(ensemble) : "",
      ])
    ),
  );
}

/** The unified list: what is not borne out, of which kind, and who says so. */
export function unsupportedTable({ unsupported }: Evaluation): string {
  return markdownTable(
    ["claim", "kind", "detected by", "evidence", "reasons"],
    unsupported.map(({ text, kind, detectedBy, evidence: [first], reasons }) => [
      text,
      kind,
      detectedBy.join(", "),
      first === undefined ? undefined : `${first.passageId}: “${first.text}”`,
      reasons.join("; "),
    ]),
  );
}

/** What a text says against itself, and how plausible its claims are, in nats a token. */
export function consistencyTables({ consistency, claims }: Evaluation): string {
  const textOf = new Map(claims.map(({ claim }) => [claim.id, claim.text]));
  const excluded = (consistency?.contradictions ?? [])
    .map(({ words, probability }) => [words, probability.toFixed(2)]);
  const plausible = (consistency?.plausibility ?? []).map(({ claimId, value }) => [
    textOf.get(claimId),
    value === undefined ? undefined : writeNumber(value, "decimal"),
  ]);
  return `${markdownTable(["exclude one another", "probability"], excluded)}\n\n` +
    markdownTable(["claim", "log-probability a token"], plausible);
}

/** Each judge's answers in both orders; a small model repeats itself, its reasoning is cut. */
export function pairwiseTable({ judges, candidates }: Comparison): string {
  return markdownTable(
    ["judge", "shown first", "winner", "reasoning"],
    judges.flatMap(({ judge, answers }) =>
      [answers.aFirst, answers.bFirst].map((answer, at) =>
        answer.kind === "answer"
          ? [judge, candidates[at], answer.winner, answer.reasoning.slice(0, 200).toWellFormed()]
          : [judge, candidates[at], `not scored (${answer.reason})`, answer.message]
      )
    ),
  );
}

/** Every flagged phrase, how severe, and who says so. */
export function biasTable({ flags }: BiasFindings): string {
  return markdownTable(
    ["phrase", "concerns", "severity", "by", "reason"],
    flags.flatMap(({ phrase, group, reasons }) =>
      reasons.map(({ by, reason, severity, context }) => [
        phrase,
        group,
        context === undefined ? severity : `${severity} (${context})`,
        by,
        reason,
      ])
    ),
  );
}

/** How good and how sure each component is on the same claims. */
export function figuresTable({ figures }: ComponentComparison): string {
  return markdownTable(
    ["component", "scored", "unscored", "balanced accuracy", "accuracy", "mean confidence"]
      .concat("calibration error"),
    figures.map((one) => [
      one.component,
      one.scored,
      one.unscored,
      writtenMeasure(one.balancedAccuracy, "decimal"),
      writtenMeasure(one.accuracy, "decimal"),
      typeof one.confidence === "number" ? one.confidence.toFixed(2) : undefined,
      typeof one.calibrationError === "number" ? one.calibrationError.toFixed(3) : undefined,
    ]),
  );
}

/** Balanced accuracy of each component by kind of claim. */
export function kindsTable(comparisons: readonly ComponentComparison[]): string {
  const names = comparisons[0]?.figures.map(({ component }) => component) ?? [];
  return markdownTable(
    ["component", ...comparisons.map(({ kind, claims }) => `${kind} (${claims})`)],
    names.map((name) => [
      name,
      ...comparisons.map(({ figures }) => {
        const found = figures.find(({ component }) => component === name);
        return found && writtenMeasure(found.balancedAccuracy, "decimal");
      }),
    ]),
  );
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
export function rivalsTable(comparisons: readonly ComponentComparison[], of: string): string {
  return markdownTable(
    ["claims", `${of} against`, "n", "difference of balanced accuracy", "better"],
    comparisons.flatMap((one) =>
      rivals(one, of).map(({ rival, claims, difference, better }) => [
        one.kind,
        rival,
        claims,
        writtenMeasure(difference, "decimal"),
        better ?? "cannot tell",
      ])
    ),
  );
}

/** A component's name without its model's size, so that it stands beside its row of a figure. */
export function shortName(component: string): string {
  return component.replace(/-\d+M(?:-Instruct)?\b/i, "");
}

/** Rows of a forest plot: balanced accuracy on held-out claims. */
export function heldOutRows({ figures }: ComponentComparison): readonly MeasuredRow[] {
  return figures.map(({ component, balancedAccuracy }) => ({
    label: shortName(component),
    measure: balancedAccuracy,
  }));
}

/** A disagreement of two components as a row. */
export function disagreementRow(
  { caseId, claim, kind, label, first, second, right, ...reasons }: ComponentDisagreement,
): RowOf<typeof DISAGREEMENTS> {
  return {
    case_id: caseId,
    claim: inertText(claim),
    claim_kind: kind,
    label,
    first,
    second,
    right,
    first_reason: inertText(reasons.firstReason),
    second_reason: inertText(reasons.secondReason),
  };
}

/** Rows of a forest plot: balanced accuracy on each human-labelled set. */
export function humanRows(rows: readonly HumanLabelledRow[]): readonly MeasuredRow[] {
  return rows.map(({ set, component, balanced_accuracy: value, ...row }) => ({
    group: set,
    label: shortName(component),
    measure: measureOf(
      value,
      row.balanced_accuracy_low,
      row.balanced_accuracy_high,
      "one label only",
    ),
  }));
}

/** Balanced accuracy on a human-labelled set with its interval. */
export function humanWords(row: HumanLabelledRow): string {
  const { balanced_accuracy: value, balanced_accuracy_low: low, balanced_accuracy_high } = row;
  return writtenMeasure(measureOf(value, low, balanced_accuracy_high), "decimal");
}

/** Figures on the human-labelled sets. */
export function humanTable(rows: readonly HumanLabelledRow[]): string {
  const cell = (row: HumanLabelledRow, name: "balanced_accuracy" | "precision" | "recall" | "f1") =>
    row[name] === ""
      ? undefined
      : writtenMeasure(measureOf(row[name], row[`${name}_low`], row[`${name}_high`]), "decimal");
  return markdownTable(
    ["set", "component", "n", "unscored", "balanced accuracy", "precision", "recall", "F1"]
      .concat("calibration error"),
    rows.map((row) => [
      row.set,
      row.component,
      row.n,
      row.unscored,
      cell(row, "balanced_accuracy"),
      cell(row, "precision"),
      cell(row, "recall"),
      cell(row, "f1"),
      row.calibration_error === "" ? undefined : row.calibration_error.toFixed(3),
    ]),
  );
}

/** Scores further apart are inconsistent, in points; chosen beforehand. */
const SWAP_THRESHOLD = 5;

/** How far each judge's scores go with who a text is about. */
export function swapsTable(
  judges: readonly { readonly judge: string; readonly scores: readonly VariantScore[] }[],
  seed: number,
): string {
  return markdownTable(
    ["judge", "pairs", "unscored", "mean absolute difference", "largest"]
      .concat(`over ${SWAP_THRESHOLD} points`),
    judges.map(({ judge, scores }) => {
      const { pairs, unscored, meanAbsolute, largest, flagged } = compareVariants(scores, {
        threshold: SWAP_THRESHOLD,
        resamples: 2_000,
        confidence: 0.95,
        random: randomSource(seed),
      });
      const mean = writtenMeasure(meanAbsolute, "decimal");
      return [judge, pairs, unscored, mean, largest?.toFixed(1), flagged.length];
    }),
  );
}

/** Disagreements with both reasons. */
export function disagreementsTable(some: readonly ComponentDisagreement[]): string {
  return markdownTable(
    ["claim", "it is", "right", "one says", "the other says"],
    some.map(({ claim, label, right, first, firstReason, second, secondReason }) => [
      claim,
      label,
      right,
      `${first}: ${firstReason}`,
      `${second}: ${secondReason}`,
    ]),
  );
}
