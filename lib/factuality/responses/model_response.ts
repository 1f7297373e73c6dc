import type { SampleReply } from "../../models/sampling_model.ts";
import { inertText } from "../../files/inert_text.ts";
import type { ResponseRow } from "./response_tables.ts";
import { type RespondingSystem, RESPONSE_SAMPLING } from "./systems.ts";
import { wholeSentences } from "./whole_sentences.ts";

function mean(values: readonly number[]): number | "" {
  if (values.length === 0) return "";
  return Number((values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(6));
}

/**
 * A reply as a row. Means are over all tokens that were drawn, those of a sentence that was cut off
 * among them; empty for a reply without a token.
 */
export function responseRow(
  { name }: Pick<RespondingSystem, "name">,
  questionId: string,
  reply: Extract<SampleReply, { readonly kind: "sample" }>,
  settingsSha256: string,
): ResponseRow {
  const { seed, temperature } = RESPONSE_SAMPLING;
  return {
    ...{ system: name, question_id: questionId, seed, temperature },
    response: inertText(wholeSentences(reply.text)),
    ...{ tokens: reply.tokens.length, ended: reply.ended },
    mean_token_entropy: mean(reply.tokens.map(({ entropy }) => entropy)),
    mean_log_probability: mean(reply.tokens.map(({ logProbability }) => logProbability)),
    settings_sha256: settingsSha256,
  };
}
