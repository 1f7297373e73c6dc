import type { ClaimResult, CriterionResult, Evaluation } from "../evaluation/evaluation.ts";
import { FACTUAL_ACCURACY } from "../evaluation/components.ts";
import type { EnsembleScore } from "../judges/ensemble_score.ts";
import type { Judgement, MeasuredAccuracy } from "../judges/judgement.ts";
import { type Verdict, VERDICT_LABELS, type VerdictLabel } from "../verdicts/verdict.ts";

/** How many claims there are of each verdict. */
export type VerdictCounts = Readonly<Record<VerdictLabel | "unscored" | "not checkable", number>>;

/** Counts the claims of an evaluation; a statement that cannot be checked is not "unscored". */
export function verdictCounts(claims: readonly ClaimResult[]): VerdictCounts {
  const counts = {
    supported: 0,
    refuted: 0,
    "not enough info": 0,
    unscored: 0,
    "not checkable": 0,
  };
  for (const { claim, verdict } of claims) counts[standing(claim, verdict)]++;
  return counts;
}

/** What a claim is shown as. */
export function standing(
  { notCheckable }: ClaimResult["claim"],
  verdict: Verdict,
): keyof VerdictCounts {
  if (notCheckable !== undefined) return "not checkable";
  return verdict.kind === "scored" ? verdict.label : "unscored";
}

/** The result in two sentences: what the judges say together, and what the verifier says. */
export function resultSentence(evaluation: Evaluation): string {
  return `${judgesSentence(evaluation.criteria)} ${verifierSentence(evaluation.claims)}`;
}

function judgesSentence(criteria: readonly CriterionResult[]): string {
  const accuracy = criteria.find(({ criterion }) => criterion === FACTUAL_ACCURACY);
  return accuracy === undefined
    ? "No judge was asked."
    : `Factual accuracy: ${ensembleWords(accuracy.ensemble)}.`;
}

function verifierSentence(claims: readonly ClaimResult[]): string {
  const counts = verdictCounts(claims);
  const checkable = claims.length - counts["not checkable"];
  if (checkable === 0) return "No claim that can be checked was found in the text.";
  const parts = VERDICT_LABELS.map((label) => `${counts[label]} ${label}`);
  if (counts.unscored > 0) parts.push(`${counts.unscored} not scored`);
  const noun = checkable === 1 ? "claim" : "claims";
  return `The verifier on ${checkable} ${noun} that can be checked: ${parts.join(", ")}.`;
}

/** What the candidate was checked against, in a sentence. */
export function groundingSentence({ mode, claims }: Evaluation): string {
  const failed = claims.find(({ retrieval }) => retrieval.status === "failed")?.retrieval.message;
  const base = failed === undefined
    ? "no knowledge base was used"
    : `the knowledge base could not be used: ${failed.replace(/\.$/, "")}`;
  switch (mode) {
    case "source":
      return `Checked against the source text alone; ${base}.`;
    case "source and retrieval":
      return `Checked against the source text and ${lookedUp(claims)}.`;
    case "retrieval":
      return `There was no source text; checked against ${lookedUp(claims)}.`;
    case "zero retrieval":
      return `Nothing external was consulted: there was no source text, and ${base}. ` +
        "The text was read against itself only; nothing here says that it is true.";
  }
}

function lookedUp(claims: readonly ClaimResult[]): string {
  const ids = claims.flatMap(({ passages }) => passages.map(({ passage }) => passage.id));
  const passages = new Set(ids).size;
  if (passages === 0) return "the knowledge base, which has no passage on any of its claims";
  return `${passages} ${passages === 1 ? "passage" : "passages"} of the knowledge base`;
}

/** `65.0 of 100, mean of 2 of 3 judges; low confidence: …`, or why there is no score. */
export function ensembleWords(ensemble: EnsembleScore): string {
  if (ensemble.kind === "unscored") return `not scored (${ensemble.reason}: ${ensemble.message})`;
  const { score, strategy, scored, asked, lowConfidence, reasons } = ensemble;
  const doubt = lowConfidence ? `; low confidence: ${reasons.join("; ")}` : "";
  return `${score.toFixed(1)} of 100 (${strategy} of ${scored} of ${asked} judges${doubt})`;
}

/** A score, or why there is none. */
export function judgementWords(judgement: Judgement): string {
  return judgement.kind === "scored"
    ? `${round(judgement.score)}`
    : `not scored (${judgement.reason})`;
}

/** `0.70 [0.62, 0.78], 200 of factbook claims`, or that nobody has measured it. */
export function measuredWords(measured: MeasuredAccuracy | undefined): string {
  if (measured === undefined) return "not measured";
  const { balancedAccuracy, low, high, n, on } = measured;
  const [middle, from, to] = [balancedAccuracy, low, high].map((value) => value.toFixed(2));
  return `${middle} [${from}, ${to}] on ${n} of ${on}`;
}

/** What the splitter did to make a claim stand alone, or could not do; empty where nothing. */
export function noteWords({ notes }: ClaimResult["claim"]): string {
  return notes.map((note) => {
    switch (note.kind) {
      case "pronoun resolved":
        return `"${note.pronoun}" is taken for ${note.to}`;
      case "pronoun unresolved":
        return `"${note.pronoun}" could not be resolved`;
      case "subject supplied":
        return `the subject ${note.subject} is supplied`;
    }
  }).join("; ");
}

/** A probability in per cent, without decimals. */
export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** Tenths at most. */
export function round(value: number): number {
  return Math.round(10 * value) / 10;
}

/** The weight that the configuration gave a judge; undefined where nobody says. */
export function weightOf({ configuration }: Evaluation, judge: string): number | undefined {
  const settings = configuration.judges.find(({ name }) => name === judge)?.settings;
  return typeof settings?.weight === "number" ? settings.weight : undefined;
}

/** What a small language model makes of each claim; empty where none was asked. */
export function plausibilitySentence({ consistency }: Evaluation): string {
  const known = (consistency?.plausibility ?? []).flatMap(({ claimId, value }) =>
    value === undefined ? [] : [`${claimId} ${value.toFixed(2)}`]
  );
  return known.length === 0 ? "" : `Log-probability a token, in nats: ${known.join(", ")}.`;
}
