import { shownLabel } from "../decision.ts";
import { isTrusted, isVoteFor } from "../judges/ensemble.ts";
import {
  type Claim,
  type ClaimKind,
  type ClaimResult,
  type Contradiction,
  type CriterionResult,
  type Evaluation,
  FACTUAL_ACCURACY,
  type FlaggedPhrase,
  type HallucinationKind,
  type Judge,
  overlaps,
  type ScoredJudgement,
  type UnsupportedClaim,
  type Verdict,
} from "../types.ts";
import type { JudgedEvaluation } from "./judge.ts";
import { verdictReason } from "./verify.ts";

type Flag = FlaggedPhrase & { readonly judge: string };

/** Phrases flagged by judges of the whole text's factual accuracy. */
function accuracyFlags(criteria: readonly CriterionResult[]): readonly Flag[] {
  const judges = criteria.find(({ criterion }) => criterion === FACTUAL_ACCURACY)?.judges ?? [];
  return judges.flatMap(({ judge, judgement }) =>
    judgement.kind === "scored" ? judgement.flagged.map((flag) => ({ ...flag, judge })) : []
  );
}

/**
 * Lists everything unsupported: claims in order, flagged phrases outside any claim (with an empty
 * id), and contradictory claims. An untrusted judge can confirm another's entry but not add one.
 */
export function unsupportedClaims(
  { claims, criteria }: JudgedEvaluation,
  contradictions: readonly Contradiction[],
  judges: readonly Judge[],
): readonly UnsupportedClaim[] {
  const untrusted = new Set(judges.filter((judge) => !isTrusted(judge)).map(({ name }) => name));
  const flags = accuracyFlags(criteria);
  const entry = (
    { id, text, spans }: Pick<Claim, "id" | "text" | "spans">,
    kind: HallucinationKind,
    detectedBy: readonly string[],
    reasons: readonly string[],
    evidence: UnsupportedClaim["evidence"] = [],
  ): UnsupportedClaim => ({ claimId: id, text, spans, kind, detectedBy, evidence, reasons });
  const charged = claims.flatMap((result) => {
    const { claim, verdict } = result;
    const flagged = flags.filter((flag) => concerns(flag, result))
      .map((flag) => ({ by: flag.judge, words: flagWords(flag) }));
    const charges = [...chargesOf(result), ...flagged];
    const isCharged = charges.some(({ by }) => !untrusted.has(by));
    if (claim.notCheckable !== undefined || !isCharged) return [];
    const detectedBy = [...new Set(charges.map(({ by }) => by))];
    const reasons = charges.map(({ by, words }) => `${by}: ${words}`);
    const evidence = verdict.kind === "scored" ? verdict.evidence : [];
    return [entry(claim, hallucinationKind(verdict, claim.kind), detectedBy, reasons, evidence)];
  });
  const strays = flags.filter((flag) =>
    !untrusted.has(flag.judge) &&
    !claims.some((result) => result.claim.notCheckable === undefined && concerns(flag, result))
  ).map(({ judge, phrase: text, span, reason }) => {
    const phrase = { id: "", text, spans: span === undefined ? [] : [span] };
    return entry(phrase, "unsupported claim", [judge], [`${judge}: ${reason}`]);
  });
  // Both claims are named: the text cannot show which of them is wrong.
  const contradicted = contradictions.flatMap(({ claimIds, words }) =>
    claimIds.flatMap((id) => claims.find(({ claim }) => claim.id === id)?.claim ?? [])
      .map((claim) => entry(claim, "internal contradiction", ["internal consistency"], [words]))
  );
  return [...charged, ...strays, ...contradicted];
}

/**
 * Tests whether a flag concerns a claim. A phrase absent from the text may quote the claim's
 * wording.
 */
function concerns({ span, phrase }: Flag, { claim }: ClaimResult): boolean {
  return span === undefined
    ? phrase !== "" && claim.text.toLowerCase().includes(phrase.toLowerCase())
    : claim.spans.some((claimSpan) => overlaps(claimSpan, span));
}

/** Charges of the verifier, and of judges asked about the claim. */
function chargesOf({ verdict, unverifiable, retrieval, judges }: ClaimResult) {
  const charges = judges.flatMap(({ judge: by, judgement }) =>
    judgement.kind === "unscored" || isVoteFor(judgement.score)
      ? []
      : [{ by, words: `${scoreWords(judgement)}, ${judgementReason(judgement)}` }]
  );
  if (verdict.kind === "scored" && verdict.label !== "supported") {
    charges.unshift({ by: "verifier", words: `${shownLabel(verdict)}, ${verdictReason(verdict)}` });
  } else if (verdict.kind === "unscored" && unverifiable) {
    charges.unshift({ by: "verifier", words: retrieval.message });
  }
  return charges;
}

const KIND_OF_CLAIM: Readonly<Record<ClaimKind, HallucinationKind>> = {
  factual: "factual error",
  temporal: "temporal inconsistency",
  numerical: "numerical error",
};

/**
 * Kind of error of an unsupported claim. A refuted claim's findings tell a date error, a quantity
 * error or another; without findings the claim's kind does. A claim that is not refuted is an
 * "unsupported claim".
 */
export function hallucinationKind(verdict: Verdict, kind: ClaimKind): HallucinationKind {
  if (verdict.kind === "unscored" || shownLabel(verdict) !== "refuted") return "unsupported claim";
  const against = verdict.findings.find(({ speaksFor }) => speaksFor === "refuted");
  if (against === undefined) return KIND_OF_CLAIM[kind];
  // Features are named `group.feature`; dates belong to the quantities.
  if (against.feature.startsWith("quantity.date")) return "temporal inconsistency";
  return against.feature.startsWith("quantity.") ? "numerical error" : "factual error";
}

/**
 * Claims on which a judge and the verifier disagree. A judge who flags words of a claim rejects it.
 */
export function disagreements({ claims, criteria }: JudgedEvaluation): Evaluation["disagreements"] {
  const byJudge = Map.groupBy(accuracyFlags(criteria), ({ judge }) => judge);
  return claims.flatMap(({ claim, verdict, judges }) => {
    if (verdict.kind === "unscored") return [];
    const accepted = verdict.label === "supported";
    const asked = judges.flatMap(({ judge, judgement }) => {
      if (judgement.kind === "unscored" || isVoteFor(judgement.score) === accepted) return [];
      return [[judge, `gives it ${scoreWords(judgement)} (${judgementReason(judgement)})`]];
    });
    const flagged = !accepted ? [] : [...byJudge].flatMap(([judge, flags]) => {
      const claimFlags = flags.filter(({ span }) =>
        span && claim.spans.some((one) => overlaps(one, span))
      );
      if (claimFlags.length === 0 || judges.some((other) => other.judge === judge)) return [];
      return [[judge, `flagged ${claimFlags.map(flagWords).join("; ")}`]];
    });
    return [...asked, ...flagged].map(([judge, what]) => ({
      claimId: claim.id,
      judge: judge!,
      words: `the verifier says ${shownLabel(verdict)} (${
        verdictReason(verdict)
      }); ${judge} ${what}`,
    }));
  });
}

/** Formats a judge's score within a sentence. */
const scoreWords = ({ score }: ScoredJudgement) => `${Math.round(10 * score) / 10} of 100`;

const flagWords = ({ phrase, reason }: FlaggedPhrase) => `"${phrase}": ${reason}`;

/** Reason for a judge's score: its reasoning, else the phrases it flagged. */
export function judgementReason({ reasoning, flagged }: ScoredJudgement): string {
  return reasoning || flagged.map(flagWords).join("; ") || "no reason given";
}
