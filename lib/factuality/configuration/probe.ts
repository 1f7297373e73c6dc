import { FACTUAL_ACCURACY } from "../evaluation/components.ts";
import type { Judge, Judgement } from "../judges/judgement.ts";
import { sourcePassage } from "../retrieval/passage.ts";
import { VERDICT_LABELS } from "../verdicts/verdict.ts";
import type { Verifier } from "../verifiers/verifier.ts";

const SOURCE =
  "The library of Harrow opened in 1911. It holds 84,000 volumes and closes on Mondays.";
const CLAIMS = [
  "The library of Harrow opened in 1911.",
  "The library of Harrow holds 12,000 volumes.",
] as const;

/** Rounding of float32 sums. */
const SUM_WITHIN = 1e-4;

/**
 * Asks a verifier about two claims of which its passage bears out one.
 *
 * @throws {TypeError} where a verdict is missing or its probabilities are none; whether they are right
 * is for measuring.
 */
export async function probeVerifier(verifier: Verifier): Promise<void> {
  const verdicts = await verifier.verify(CLAIMS, [sourcePassage(SOURCE)]);
  if (verdicts.length !== CLAIMS.length) {
    throw new TypeError(`it gave ${verdicts.length} verdicts on ${CLAIMS.length} claims`);
  }
  for (const verdict of verdicts) {
    if (verdict.kind === "unscored") {
      throw new TypeError(`it gave no verdict on a plain claim: ${verdict.message}`);
    }
    const values = VERDICT_LABELS.map((label) => verdict.probabilities[label]);
    const total = values.reduce((sum, value) => sum + value, 0);
    if (values.every((value) => value >= 0 && value <= 1) && Math.abs(total - 1) < SUM_WITHIN) {
      continue;
    }
    throw new TypeError(`its probabilities for a plain claim are ${values.join(", ")}`);
  }
}

/** What a judge made of a small task. A model that answers badly can be asked; one that fails cannot. */
export type JudgeProbe =
  | { readonly kind: "ready" }
  | { readonly kind: "ready with a problem"; readonly message: string }
  | { readonly kind: "not ready"; readonly message: string };

function probeOf(judgement: Judgement): JudgeProbe {
  if (judgement.kind === "scored") return { kind: "ready" };
  const message = `it gave no score on a small task: ${judgement.message}`;
  return judgement.reason === "malformed answer"
    ? { kind: "ready with a problem", message }
    : { kind: "not ready", message };
}

/** Asks a judge for the factual accuracy of one sentence. */
export async function probeJudge(judge: Judge): Promise<JudgeProbe> {
  const candidate = CLAIMS[0];
  const values = { source: SOURCE, question: "", candidate, verdicts: "" };
  return probeOf(await judge.judge({ template: FACTUAL_ACCURACY, values, judgedText: candidate }));
}
