import { TimeLimitError } from "../../models/in_flight.ts";
import { fourDecimals, shownLabel, unscored } from "../decision.ts";
import type { Claim, ClaimResult, Evaluation, Passage, ScoredVerdict } from "../types.ts";
import type { Verdict, Verifier } from "../types.ts";
import { VERDICT_LABELS, type VerdictLabel } from "../types.ts";
import { type LookedUpClaim, NOT_CHECKABLE_WORDS, passagesForClaim } from "./retrieve.ts";
import {
  type EvaluationRun,
  isMemoryError,
  recordFailure,
  withinTimeLimit,
  yieldToEventLoop,
} from "./stage.ts";

/** A claim with its verdict. */
export type VerifiedClaim = Omit<ClaimResult, "judges">;

/** Verifies claims in order; claims with the same passages are verified together. */
export async function verify(
  run: EvaluationRun,
  claims: readonly LookedUpClaim[],
): Promise<readonly VerifiedClaim[]> {
  const { components: { verifier, splitter }, request, advance } = run;
  const groups = new Map<string, { passages: readonly Passage[]; claims: Claim[] }>();
  const verdicts = new Map<Claim, Verdict>();
  for (const lookedUp of claims) {
    const { claim, retrieval } = lookedUp;
    const passages = passagesForClaim(request.source, lookedUp);
    if (claim.notCheckable !== undefined) {
      const what = NOT_CHECKABLE_WORDS[claim.notCheckable];
      const message = `The statement is ${what}: no source decides it.`;
      verdicts.set(claim, unscored(splitter.name, "not checkable", message));
    } else if (passages.length === 0) {
      const message =
        `There is nothing to check it against: no source text, and ${retrieval.message}.`;
      verdicts.set(claim, unscored(verifier.name, "no evidence", message));
    } else {
      const key = JSON.stringify(passages.map(({ collection, id }) => [collection, id]));
      groups.getOrInsert(key, { passages, claims: [] }).claims.push(claim);
    }
  }
  const asked = claims.length - verdicts.size;
  let done = 0;
  for (const group of groups.values()) {
    const advanceGroup = (more: number) => advance(done + more, asked);
    const groupVerdicts = await verifyTogether(
      { ...run, advance: advanceGroup },
      group.claims,
      group.passages,
    );
    for (const [claim, verdict] of groupVerdicts) verdicts.set(claim, verdict);
    done += group.claims.length;
  }
  return claims.map((lookedUp) => {
    const verdict = verdicts.get(lookedUp.claim)!;
    // Retrieval found nothing, and the source text does not decide it either.
    const isVain = /^(?:nothing found|not looked up)$/.test(lookedUp.retrieval.status);
    return { ...lookedUp, verdict, unverifiable: isVain && isUndecided(verdict) };
  });
}

/** Tests whether the sources leave a claim open. */
export const isUndecided = (verdict: Verdict): boolean =>
  verdict.kind === "scored"
    ? verdict.label === "not enough info"
    : verdict.reason === "no evidence";

/**
 * Verifies claims together. Where memory is insufficient, caches are cleared and the batch is
 * halved, down to a single claim, which is tried once more. A batch that fails otherwise is given
 * up, and the others continue.
 */
export async function verifyTogether(
  run: EvaluationRun,
  claims: readonly Claim[],
  passages: readonly Passage[],
): Promise<ReadonlyMap<Claim, Verdict>> {
  const { components, problems, signal, advance } = run;
  const { verifier, batchSize, clearCaches, timeLimits } = components;
  const who = `The verifier ${verifier.name}`;
  const verdicts = new Map<Claim, Verdict>();
  let atOnce = batchSize;
  /** A claim that failed for lack of memory even alone. */
  let alone: Claim | undefined;
  for (let at = 0; at < claims.length;) {
    const part = claims.slice(at, at + atOnce);
    await yieldToEventLoop(signal);
    try {
      const texts = part.map(({ text }) => text);
      const seconds = timeLimits?.verifier && timeLimits.verifier * part.length;
      const ask = (signal?: AbortSignal) => verifier.verify(texts, passages, { signal });
      const answers = await withinTimeLimit(run, seconds, ask);
      if (answers.length !== part.length) {
        throw new Error(`${answers.length} answers came for ${part.length} items`);
      }
      for (const [index, claim] of part.entries()) verdicts.set(claim, answers[index]!);
    } catch (error) {
      if (isMemoryError(error) && (part.length > 1 || part[0] !== alone)) {
        await clearCaches?.();
        if (part.length === 1) alone = part[0];
        atOnce = Math.ceil(part.length / 2);
        problems.add(`${who} ran out of memory; tried again ${atOnce} at a time.`);
        continue;
      }
      const message = recordFailure(run, who, error);
      const reason = error instanceof TimeLimitError ? "time-out" : "failure";
      for (const claim of part) verdicts.set(claim, unscored(verifier.name, reason, message));
    }
    at += part.length;
    advance(at, claims.length);
  }
  return verdicts;
}

/**
 * Reason for a verdict: the verifier's reasoning, else findings for its label, else its confidence.
 */
export function verdictReason(verdict: ScoredVerdict): string {
  if (verdict.reasoning !== "") return verdict.reasoning;
  const seen = verdict.findings.filter(({ speaksFor }) => speaksFor === verdict.label);
  if (seen.length > 0) return seen.map(({ words }) => words).join("; ");
  const percent = (label: VerdictLabel) => `${Math.round(100 * verdict.probabilities[label])} %`;
  if (shownLabel(verdict) === "disputed") {
    return VERDICT_LABELS.map((label) => `${label} ${percent(label)}`).join(", ");
  }
  return `probability ${percent(verdict.label)}`;
}

/**
 * Expected share of correct verdicts at this confidence, on claims outside the fit. Undefined where
 * it was not measured.
 */
export function expectedTrust(
  claims: readonly Pick<ClaimResult, "verdict">[],
  trust: Verifier["trust"],
): Evaluation["trust"] {
  const right = claims.flatMap(({ verdict }) => {
    if (verdict.kind !== "scored") return [];
    const sure = verdict.probabilities[verdict.label];
    const band = trust?.bands.findLast(({ from }) => from <= sure);
    return band?.right ?? [];
  });
  if (trust === undefined || right.length === 0) return undefined;
  const mean = right.reduce((sum, one) => sum + one, 0) / right.length;
  return { right: fourDecimals(mean), verdicts: right.length, sources: trust.sources };
}
