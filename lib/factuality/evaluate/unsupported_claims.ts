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

/** What judges flagged when they were asked about the factual accuracy of the whole text. */
function accuracyFlags(criteria: readonly CriterionResult[]): readonly Flag[] {
  const judges = criteria.find(({ criterion }) => criterion === FACTUAL_ACCURACY)?.judges ?? [];
  return judges.flatMap(({ judge, judgement }) =>
    judgement.kind === "scored" ? judgement.flagged.map((flag) => ({ ...flag, judge })) : []
  );
}

const flagWords = ({ phrase, reason }: FlaggedPhrase) => `"${phrase}": ${reason}`;

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
  const flags = accuracyFlags(criteria);
  const charged = claims.flatMap((result): readonly UnsupportedClaim[] => {
    const { claim, verdict } = result;
    const charges = [
      ...chargesOf(result),
      ...flags.filter((flag) => concerns(flag, result))
        .map((flag) => ({ by: flag.judge, words: flagWords(flag) })),
    ];
    const isCharged = charges.some(({ by }) => !weightless.has(by));
    if (claim.notCheckable !== undefined || !isCharged) return [];
    return [{
      claimId: claim.id,
      text: claim.text,
      spans: claim.spans,
      kind: hallucinationKind(verdict, claim.kind),
      detectedBy: [...new Set(charges.map(({ by }) => by))],
      evidence: verdict.kind === "scored" ? verdict.evidence : [],
      reasons: charges.map(({ by, words }) => `${by}: ${words}`),
    }];
  });
  const strays = flags.filter((flag) =>
    !weightless.has(flag.judge) && !claims.some((result) => concerns(flag, result))
  ).map(({ judge, phrase, span, reason }): UnsupportedClaim => ({
    claimId: "",
    text: phrase,
    spans: span === undefined ? [] : [span],
    kind: "unsupported claim",
    detectedBy: [judge],
    evidence: [],
    reasons: [`${judge}: ${reason}`],
  }));
  // Both claims are named: which of them is wrong the text itself cannot tell.
  const contradicted = contradictions.flatMap(({ claimIds, words }) =>
    claimIds.flatMap((id) => claims.find(({ claim }) => claim.id === id)?.claim ?? [])
      .map(({ id, text, spans }): UnsupportedClaim => ({
        claimId: id,
        text,
        spans,
        kind: "internal contradiction",
        detectedBy: ["internal consistency"],
        evidence: [],
        reasons: [words],
      }))
  );
  return [...charged, ...strays, ...contradicted];
}

/** A phrase that stands nowhere in the text may still be quoted from the claim's wording. */
function concerns({ span, phrase }: Flag, { claim }: ClaimResult): boolean {
  return span === undefined
    ? phrase !== "" && claim.text.toLowerCase().includes(phrase.toLowerCase())
    : claim.spans.some((own) => overlaps(own, span));
}

/** What the verifier, and judges who were asked about it, hold against a claim. */
function chargesOf({ verdict, unverifiable, retrieval, judges }: ClaimResult) {
  const charges: { readonly by: string; readonly words: string }[] = [];
  if (verdict.kind === "scored" && verdict.label !== "supported") {
    charges.push({ by: "verifier", words: `${verdict.label}, ${verdictReason(verdict)}` });
  } else if (verdict.kind === "unscored" && unverifiable) {
    charges.push({ by: "verifier", words: retrieval.message });
  }
  for (const { judge, judgement } of judges) {
    if (judgement.kind === "unscored" || isVoteFor(judgement.score)) continue;
    charges.push({ by: judge, words: `${scoreWords(judgement)}, ${judgementReason(judgement)}` });
  }
  return charges;
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
  const byJudge = Map.groupBy(accuracyFlags(criteria), ({ judge }) => judge);
  return claims.flatMap(({ claim, verdict, judges }) => {
    if (verdict.kind === "unscored") return [];
    const accepted = verdict.label === "supported";
    const asked = judges.flatMap(({ judge, judgement }) => {
      if (judgement.kind === "unscored" || isVoteFor(judgement.score) === accepted) return [];
      return [[judge, `gives it ${scoreWords(judgement)} (${judgementReason(judgement)})`]];
    });
    const flagged = !accepted ? [] : [...byJudge].flatMap(([judge, flags]) => {
      const own = flags.filter(({ span }) =>
        span && claim.spans.some((one) => overlaps(one, span))
      );
      if (own.length === 0 || judges.some((other) => other.judge === judge)) return [];
      return [[judge, `flagged ${own.map(flagWords).join("; ")}`]];
    });
    return [...asked, ...flagged].map(([judge, what]) => ({
      claimId: claim.id,
      judge: judge!,
      words: `the verifier says ${verdict.label} (${verdictReason(verdict)}); ${judge} ${what}`,
    }));
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
  return reasoning || flagged.map(flagWords).join("; ") || "no reason given";
}
