import type { Evaluation } from "../evaluation/evaluation.ts";
import type { Unscored } from "../verdicts/verdict.ts";

/** Something that has no score, and why. */
export interface Gap {
  /** `claim c2`, `style by the judge x`. */
  readonly what: string;
  readonly reason: string;
  readonly message: string;
  /** What had come back; undefined where nothing had. */
  readonly partialText: string | undefined;
}

/** Everything that was to be scored and was not, in the order of the report. */
export function gapsOf({ claims, criteria }: Evaluation): readonly Gap[] {
  return [
    ...claims.flatMap(({ claim, verdict, judges }) => [
      ...verdict.kind === "unscored" ? [gap(`claim ${claim.id}`, verdict)] : [],
      ...judges.flatMap(({ judge, judgement }) =>
        judgement.kind === "unscored" ? [gap(`claim ${claim.id} by ${judge}`, judgement)] : []
      ),
    ]),
    ...criteria.flatMap(({ criterion, judges }) =>
      judges.flatMap(({ judge, judgement }) =>
        judgement.kind === "unscored" ? [gap(`${criterion} by ${judge}`, judgement)] : []
      )
    ),
  ];
}

function gap(what: string, { reason, message, partialText }: Unscored): Gap {
  return { what, reason, message, partialText };
}
