import { join } from "node:path";
import type { OpenTable, Table } from "../../../files/table.ts";
import { inFolder } from "../../../files/testdata/folder.ts";
import type { SampleOptions, SampleReply, SamplingModel } from "../../../models/model.ts";
import type { AbstentionAnswer, ResponseClaimRow, ResponseRow } from "../tables.ts";

/** What work on a table comes to that has these rows before, and what it holds then. */
export const kept = <Row, Outcome>(
  table: Table<Row>,
  rows: readonly Row[],
  work: (open: OpenTable<Row>) => Promise<Outcome>,
) =>
  inFolder(async (folder) => {
    const own = table.at(join(folder, "kept.csv"));
    own.write(rows);
    using open = own.open();
    const outcome = await work(open);
    return { outcome, rows: [...new Map(own.read().map((row) => [own.keyOf(row), row])).values()] };
  });

/** A model that replies as told, and gives each option minus its length; it keeps what it is asked. */
export function modelSaying(
  reply: SampleReply | ((seed: string) => SampleReply),
  more: Partial<SamplingModel> = {},
): SamplingModel & { readonly asked: [string, SampleOptions][] } {
  const asked: [string, SampleOptions][] = [];
  return {
    name: "gemma-3-270m",
    settings: { fileSha256: "f00" },
    asked,
    sample({ text }, options) {
      asked.push([text, options]);
      return Promise.resolve(typeof reply === "function" ? reply(`${options.seed}`) : reply);
    },
    continuations: (_prompt, texts) => Promise.resolve(texts.map(({ length }) => -length)),
    ...more,
  };
}

/** Said in two tokens of half a nat and one and a half, unless it is nothing. */
export const said = (text: string, ended: "complete" | "stopped" = "complete"): SampleReply => {
  const tokens = [0.5, 1.5].map((entropy) => ({ text: "x", logProbability: -0.5, entropy }));
  return { kind: "sample", text, tokens: text === "" ? [] : tokens, promptTokens: 9, ended };
};

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
