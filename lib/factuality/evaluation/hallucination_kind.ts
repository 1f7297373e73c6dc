import type { ClaimKind } from "../claims/claim.ts";
import type { ScoredVerdict, Verdict } from "../verdicts/verdict.ts";
import type { HallucinationKind } from "./evaluation.ts";

/**
 * What kind of mistake a claim is that is not borne out. Of a refuted one the findings that speak
 * against it tell: a date, a quantity, or something else; a verifier without findings leaves only
 * the claim's own kind to go by. What is not refuted is unsupported.
 */
export function hallucinationKind(verdict: Verdict, kind: ClaimKind): HallucinationKind {
  if (verdict.kind === "unscored" || verdict.label !== "refuted") return "unsupported claim";
  return kindOfFindings(verdict) ?? KIND_OF_CLAIM[kind];
}

const KIND_OF_CLAIM: Readonly<Record<ClaimKind, HallucinationKind>> = {
  factual: "factual error",
  temporal: "temporal inconsistency",
  numerical: "numerical error",
};

/** Features are named `group.feature`; dates are a part of the quantities. */
function kindOfFindings({ findings }: ScoredVerdict): HallucinationKind | undefined {
  const against = findings.find(({ speaksFor }) => speaksFor === "refuted");
  if (against === undefined) return undefined;
  if (against.feature.startsWith("quantity.date")) return "temporal inconsistency";
  return against.feature.startsWith("quantity.") ? "numerical error" : "factual error";
}
