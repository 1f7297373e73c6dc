import type { Unscored, UnscoredReason } from "../verdicts/verdict.ts";

/** What takes the place of a verdict or judgement that there is none of. */
export function unscored(producedBy: string, reason: UnscoredReason, message: string): Unscored {
  return {
    kind: "unscored",
    reason,
    message,
    partialText: undefined,
    provenance: { producedBy, modelSha256: undefined, promptSha256: undefined },
  };
}
