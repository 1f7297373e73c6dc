import type { EvaluationRequest } from "../../evaluation/evaluation.ts";

/** Requests of one claim each, with sources long enough that a kill can cut a line. */
export function killedRequests(count: number): readonly EvaluationRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `r${index}`,
    source: `Elk number ${index} swims. ${"The fjord is deep and cold. ".repeat(20)}`,
    candidate: `Elk number ${index % 3 === 0 ? index : index + 1} swims.`,
    question: "",
  }));
}
