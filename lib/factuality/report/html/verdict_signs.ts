import type { ClaimResult } from "../../evaluation/evaluation.ts";
import { standing, type VerdictCounts } from "../words.ts";

/** How a verdict is shown: a sign and a line beside its colour, for those who see no colours. */
export interface VerdictSign {
  /** Of the style sheet. */
  readonly className: string;
  readonly sign: string;
  readonly words: string;
  /** Where claims overlap the graver is shown. */
  readonly gravity: number;
}

/** In the order of the legend. */
export const VERDICT_SIGNS: Readonly<Record<keyof VerdictCounts, VerdictSign>> = {
  supported: { className: "supported", sign: "✓", words: "supported", gravity: 2 },
  refuted: { className: "refuted", sign: "✗", words: "refuted", gravity: 4 },
  "not enough info": { className: "unknown", sign: "?", words: "not enough info", gravity: 3 },
  unscored: { className: "unscored", sign: "–", words: "not scored", gravity: 1 },
  "not checkable": { className: "unscored", sign: "·", words: "not checkable", gravity: 0 },
};

/** The sign of a claim's verdict. */
export function signOf({ claim, verdict }: ClaimResult): VerdictSign {
  return VERDICT_SIGNS[standing(claim, verdict)];
}
