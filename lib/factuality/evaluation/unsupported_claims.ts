import type { FlaggedPhrase } from "../judges/judgement.ts";
import { VOTE_THRESHOLD } from "../judges/aggregate.ts";
import { FACTUAL_ACCURACY } from "./components.ts";
import type {
  ClaimResult,
  Contradiction,
  CriterionResult,
  JudgeResult,
  UnsupportedClaim,
} from "./evaluation.ts";
import { hallucinationKind } from "./hallucination_kind.ts";
import { judgementReason, scoreWords, verdictReason } from "./reasons.ts";
import { overlaps } from "../text_span.ts";

/** What each component has found. */
export interface Detected {
  readonly claims: readonly ClaimResult[];
  readonly criteria: readonly CriterionResult[];
  readonly contradictions: readonly Contradiction[];
  /** Names of judges that weigh nothing: measured to be no better than chance. */
  readonly weightless: ReadonlySet<string>;
}

interface Charge {
  readonly by: string;
  readonly reason: string;
}

interface Flag extends FlaggedPhrase {
  readonly judge: string;
}

/**
 * One list of everything that the sources do not bear out: claims in the order of the text, each
 * with who detected it and why; then phrases that a judge flagged and that belong to no claim, with
 * an empty id; then claims that contradict one another. A judge that weighs nothing can second a
 * charge and bring none: what it says is among the judgements and disagreements.
 */
export function unsupportedClaims(
  { claims, criteria, contradictions, weightless }: Detected,
): readonly UnsupportedClaim[] {
  const flags = flagsOf(criteria.find(({ criterion }) => criterion === FACTUAL_ACCURACY));
  const strays = flags.filter((flag) =>
    !weightless.has(flag.judge) && !claims.some((result) => concerns(flag, result))
  );
  return [
    ...claims.flatMap((result) => entryOf(result, flags, weightless)),
    ...strays.map(stray),
    ...contradictions.flatMap((contradiction) => contradictionEntries(contradiction, claims)),
  ];
}

function flagsOf(criterion: CriterionResult | undefined): readonly Flag[] {
  return (criterion?.judges ?? []).flatMap(({ judge, judgement }) =>
    judgement.kind === "scored" ? judgement.flagged.map((flag) => ({ ...flag, judge })) : []
  );
}

/** A phrase that stands nowhere in the text may still be quoted from the claim's wording. */
function concerns({ span, phrase }: Flag, { claim }: ClaimResult): boolean {
  return span === undefined
    ? phrase !== "" && claim.text.toLowerCase().includes(phrase.toLowerCase())
    : claim.spans.some((own) => overlaps(own, span));
}

function entryOf(
  result: ClaimResult,
  flags: readonly Flag[],
  weightless: ReadonlySet<string>,
): readonly UnsupportedClaim[] {
  const { claim, verdict, judges } = result;
  if (claim.notCheckable !== undefined) return [];
  const charges = [
    ...verdictCharge(result),
    ...judges.flatMap(judgeCharge),
    ...flags.filter((flag) => concerns(flag, result)).map(({ judge, phrase, reason }) => ({
      by: judge,
      reason: `${judge}: "${phrase}": ${reason}`,
    })),
  ];
  if (charges.every(({ by }) => weightless.has(by))) return [];
  return [{
    claimId: claim.id,
    text: claim.text,
    spans: claim.spans,
    kind: hallucinationKind(verdict, claim.kind),
    detectedBy: [...new Set(charges.map(({ by }) => by))],
    evidence: verdict.kind === "scored" ? verdict.evidence : [],
    reasons: charges.map(({ reason }) => reason),
  }];
}

function verdictCharge({ verdict, unverifiable, retrieval }: ClaimResult): readonly Charge[] {
  if (verdict.kind === "unscored") {
    return unverifiable ? [{ by: "verifier", reason: `verifier: ${retrieval.message}` }] : [];
  }
  if (verdict.label === "supported") return [];
  return [{ by: "verifier", reason: `verifier: ${verdict.label}, ${verdictReason(verdict)}` }];
}

function judgeCharge({ judge, judgement }: JudgeResult): readonly Charge[] {
  if (judgement.kind === "unscored" || judgement.score >= VOTE_THRESHOLD) return [];
  const reason = `${judge}: ${scoreWords(judgement)}, ${judgementReason(judgement)}`;
  return [{ by: judge, reason }];
}

function stray({ judge, phrase, span, reason }: Flag): UnsupportedClaim {
  return {
    claimId: "",
    text: phrase,
    spans: span === undefined ? [] : [span],
    kind: "unsupported claim",
    detectedBy: [judge],
    evidence: [],
    reasons: [`${judge}: ${reason}`],
  };
}

/** Both claims are named: which of them is wrong the text itself cannot tell. */
function contradictionEntries(
  { claimIds, words }: Contradiction,
  claims: readonly ClaimResult[],
): readonly UnsupportedClaim[] {
  return claimIds.flatMap((id) => {
    const claim = claims.find((result) => result.claim.id === id)?.claim;
    if (claim === undefined) return [];
    return [{
      claimId: id,
      text: claim.text,
      spans: claim.spans,
      kind: "internal contradiction" as const,
      detectedBy: ["internal consistency"],
      evidence: [],
      reasons: [words],
    }];
  });
}
