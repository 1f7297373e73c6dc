import { isVoteFor } from "../judges/ensemble.ts";
import {
  type ClaimKind,
  type ClaimResult,
  type Contradiction,
  type CriterionResult,
  type Evaluation,
  FACTUAL_ACCURACY,
  type FlaggedPhrase,
  type HallucinationKind,
  overlaps,
  type ScoredJudgement,
  type ScoredVerdict,
  type UnsupportedClaim,
  type Verdict,
} from "../types.ts";

type Flag = FlaggedPhrase & { readonly judge: string };

/**
 * One list of everything that the sources do not bear out: claims in the order of the text, each
 * with who detected it and why; then phrases that a judge flagged and that belong to no claim, with
 * an empty id; then claims that contradict one another. A judge that weighs nothing can second a
 * charge and bring none: what it says is among the judgements and disagreements.
 *
 * @param weightless Names of judges that weigh nothing: measured to be no better than chance.
 */
export function unsupportedClaims({ claims, criteria, contradictions, weightless }: {
  readonly claims: readonly ClaimResult[];
  readonly criteria: readonly CriterionResult[];
  readonly contradictions: readonly Contradiction[];
  readonly weightless: ReadonlySet<string>;
}): readonly UnsupportedClaim[] {
  const flags = accuracyJudges(criteria).flatMap(({ judge, judgement }): readonly Flag[] =>
    judgement.kind === "scored" ? judgement.flagged.map((flag) => ({ ...flag, judge })) : []
  );
  const strays = flags.filter((flag) =>
    !weightless.has(flag.judge) && !claims.some((result) => concerns(flag, result))
  );
  return [
    ...claims.flatMap((result) => entryOf(result, flags, weightless)),
    ...strays.map(({ judge, phrase, span, reason }): UnsupportedClaim => ({
      claimId: "",
      text: phrase,
      spans: span === undefined ? [] : [span],
      kind: "unsupported claim",
      detectedBy: [judge],
      evidence: [],
      reasons: [`${judge}: ${reason}`],
    })),
    ...contradictions.flatMap((contradiction) => contradicted(contradiction, claims)),
  ];
}

const accuracyJudges = (criteria: readonly CriterionResult[]) =>
  criteria.find(({ criterion }) => criterion === FACTUAL_ACCURACY)?.judges ?? [];

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
  const { claim, verdict } = result;
  if (claim.notCheckable !== undefined) return [];
  const charges = [
    ...chargesOf(result),
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

/** What the verifier, and judges who were asked about it, hold against a claim. */
function chargesOf({ verdict, unverifiable, retrieval, judges }: ClaimResult) {
  const charges: { readonly by: string; readonly reason: string }[] = [];
  const verifier = (words: string) =>
    charges.push({ by: "verifier", reason: `verifier: ${words}` });
  if (verdict.kind === "scored") {
    if (verdict.label !== "supported") verifier(`${verdict.label}, ${verdictReason(verdict)}`);
  } else if (unverifiable) {
    verifier(retrieval.message);
  }
  for (const { judge, judgement } of judges) {
    if (judgement.kind === "unscored" || isVoteFor(judgement.score)) continue;
    const reason = `${judge}: ${scoreWords(judgement)}, ${judgementReason(judgement)}`;
    charges.push({ by: judge, reason });
  }
  return charges;
}

/** Both claims are named: which of them is wrong the text itself cannot tell. */
function contradicted(
  { claimIds, words }: Contradiction,
  claims: readonly ClaimResult[],
): readonly UnsupportedClaim[] {
  return claimIds.flatMap((id) => {
    const claim = claims.find((result) => result.claim.id === id)?.claim;
    return claim === undefined ? [] : [{
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

const KIND_OF_CLAIM: Readonly<Record<ClaimKind, HallucinationKind>> = {
  factual: "factual error",
  temporal: "temporal inconsistency",
  numerical: "numerical error",
};

/**
 * What kind of mistake a claim is that is not borne out. Of a refuted one the findings that speak
 * against it tell: a date, a quantity, or something else; a verifier without findings leaves only
 * the claim's own kind to go by. What is not refuted is unsupported.
 */
export function hallucinationKind(verdict: Verdict, kind: ClaimKind): HallucinationKind {
  if (verdict.kind === "unscored" || verdict.label !== "refuted") return "unsupported claim";
  const against = verdict.findings.find(({ speaksFor }) => speaksFor === "refuted");
  if (against === undefined) return KIND_OF_CLAIM[kind];
  // Features are named `group.feature`; dates are a part of the quantities.
  if (against.feature.startsWith("quantity.date")) return "temporal inconsistency";
  return against.feature.startsWith("quantity.") ? "numerical error" : "factual error";
}

/**
 * Where a judge and the verifier are of different opinion about a claim, with both reasons. A judge
 * that was asked about the claim accepts it from 50 points on. A judge that flagged words of a claim
 * in the whole text, and was not asked about it alone, rejects it; one that flagged nothing has said
 * nothing.
 */
export function disagreements(
  claims: readonly ClaimResult[],
  criteria: readonly CriterionResult[],
): Evaluation["disagreements"] {
  return claims.flatMap(({ claim, verdict, judges }) => {
    if (verdict.kind === "unscored") return [];
    const accepted = verdict.label === "supported";
    const disagreement = (judge: string, what: string) => ({
      claimId: claim.id,
      judge,
      words: `the verifier says ${verdict.label} (${verdictReason(verdict)}); ${judge} ${what}`,
    });
    const asked = judges.flatMap(({ judge, judgement }) =>
      judgement.kind === "unscored" || isVoteFor(judgement.score) === accepted ? [] : [disagreement(
        judge,
        `gives it ${scoreWords(judgement)} (${judgementReason(judgement)})`,
      )]
    );
    if (!accepted) return asked;
    const flagged = accuracyJudges(criteria).flatMap(({ judge, judgement }) => {
      if (judgement.kind === "unscored" || judges.some((other) => other.judge === judge)) return [];
      const phrases = judgement.flagged
        .filter(({ span }) => span && claim.spans.some((own) => overlaps(own, span)))
        .map(({ phrase, reason }) => `"${phrase}": ${reason}`);
      return phrases.length === 0 ? [] : [disagreement(judge, `flagged ${phrases.join("; ")}`)];
    });
    return [...asked, ...flagged];
  });
}

/** Why a verifier says so: its reasoning, else what it saw that speaks for its label, else how sure it is. */
export function verdictReason(verdict: ScoredVerdict): string {
  if (verdict.reasoning !== "") return verdict.reasoning;
  const seen = verdict.findings.filter(({ speaksFor }) => speaksFor === verdict.label);
  if (seen.length > 0) return seen.map(({ words }) => words).join("; ");
  return `probability ${Math.round(100 * verdict.probabilities[verdict.label])} %`;
}

/** A judge's score as it stands in a sentence. */
const scoreWords = ({ score }: ScoredJudgement) => `${Math.round(10 * score) / 10} of 100`;

/** Why a judge gave its score: its reasoning, else the phrases it flagged. */
export function judgementReason({ reasoning, flagged }: ScoredJudgement): string {
  if (reasoning !== "") return reasoning;
  const phrases = flagged.map(({ phrase, reason }) => `"${phrase}": ${reason}`);
  return phrases.length > 0 ? phrases.join("; ") : "no reason given";
}
