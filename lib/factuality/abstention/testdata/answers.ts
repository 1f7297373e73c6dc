import type { AbstentionAnswer } from "../answer.ts";

/** An answer that nobody has read, but for what is told otherwise. */
export function madeAnswer(told: Partial<AbstentionAnswer>): AbstentionAnswer {
  return {
    model: "made",
    instruction: "none",
    temperature: 0,
    seed: 1,
    query_id: "lake-real-1",
    model_sha256: "f00",
    prompt_sha256: "abc",
    answer: "It is blue.",
    tokens: 4,
    ended: "complete",
    label: "",
    probability: "",
    ...told,
  };
}
