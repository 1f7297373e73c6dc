import type { ManifestEntry } from "./entries.ts";

const MODEL = "model, as named in the panel";

/** Columns of tables that every study of minimal pairs has; `pairs` is the file that names the pairs. */
export function answerColumns(pairs: string): Readonly<
  Record<"evaluation" | "invalid" | "likelihoods" | "artefacts", ManifestEntry["columns"]>
> {
  const PAIR = `pair, as in \`${pairs}\``;
  return {
    evaluation: {
      model: MODEL,
      pair_id: PAIR,
      order: "A_gram or B_gram: where the grammatical sentence stood",
      response: "A, B or INVALID",
      correct: "True or False",
    },
    invalid: {
      model: MODEL,
      pair_id: PAIR,
      order: "A_gram or B_gram",
      reason: "empty, refusal, both_letters or no_letter",
      raw_json: "the answer, as a JSON string",
    },
    likelihoods: {
      model: MODEL,
      pair_id: PAIR,
      grammatical_logprob: "log-probability of the grammatical sentence, nats, 6 decimals",
      ungrammatical_logprob: "the same of the variant",
      grammatical_tokens: "tokens scored, the start token not among them",
      ungrammatical_tokens: "the same of the variant",
      grammatical_bytes: "UTF-8 bytes",
      ungrammatical_bytes: "the same of the variant",
    },
    artefacts: {
      baseline: "name of the rule",
      phenomenon: "a phenomenon or ALL",
      n: "pairs",
      correct: "pairs on which it prefers the grammatical sentence",
      ties: "pairs on which it prefers neither",
      accuracy: "(correct + ties / 2) / n",
      low: "lower end of the 95 % interval by lemma",
      high: "upper end",
    },
  };
}
