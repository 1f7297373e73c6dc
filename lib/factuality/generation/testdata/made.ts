import type { AbstentionAnswer, ResponseClaimRow, ResponseRow } from "../tables.ts";

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

export function responseRow(given: Partial<ResponseRow> = {}): ResponseRow {
  return {
    system: "S",
    question_id: "ke",
    seed: 0,
    temperature: 0,
    response: "Kenya exports tea.",
    tokens: 5,
    ended: "complete",
    mean_token_entropy: 1,
    mean_log_probability: -1,
    settings_sha256: "h",
    ...given,
  };
}

export function claimRow(given: Partial<ResponseClaimRow> = {}): ResponseClaimRow {
  return {
    system: "S",
    question_id: "ke",
    country: "Kenya",
    claim_id: "c1",
    claim: "Kenya exports tea.",
    kind: "factual",
    status: "scored",
    label: "supported",
    p_supported: 0.8,
    p_refuted: 0.1,
    p_not_enough_info: 0.1,
    evidence_passage: "ke/Exports",
    evidence: "tea",
    settings_sha256: "h",
    ...given,
  };
}
