import { answerColumns } from "./answer_columns.ts";
import { FACTUALITY_MANIFEST } from "./factuality_entries.ts";
import { SANSKRIT_MANIFEST } from "./sanskrit_entries.ts";
import { TRANSLATION_MANIFEST } from "./translation_entries.ts";

/** What data/README.md says of one file: where it comes from, and what each column holds. */
export interface ManifestEntry {
  /** Relative to `data/`. */
  readonly file: string;
  readonly source: string;
  readonly licence: string;
  /** In the order of the file; none for a file that is no table. */
  readonly columns: Readonly<Record<string, string>>;
  /** Why it may not be there; no line is written then. */
  readonly whenMissing?: string;
}

const SAGA = "Völsunga saga, public domain; edition from norsecorpus 1.0.2 (MIT)";
const OURS = "MIT; sentences of the saga in the public domain";
const MODEL = "model, as named in the panel";
const PAIR = "pair, as in `minimal_pairs.csv`";
const NORSE_ANSWERS = answerColumns("minimal_pairs.csv");

const PROMPTS: readonly ManifestEntry[] = ["quirky_case", "adjective", "umlaut", "middle_voice"]
  .map(
    (name) => ({
      file: `norse/prompts/${name}.md`,
      source: "written by hand: how a model is asked for a proposal",
      licence: "MIT",
      columns: {},
    }),
  );

/** Every file of `data/`, in the order in which notebooks write them. */
export const MANIFEST: readonly ManifestEntry[] = [
  {
    file: "panels/local.yaml",
    source: "written by hand: the models that run without a key; add your own here",
    licence: "MIT",
    columns: {},
  },
  {
    file: "panels/groq.yaml",
    source: "written by hand: the specification's four models, asked through Groq",
    licence: "MIT",
    columns: {},
  },
  {
    file: "norse/sentences.csv",
    source: "notebook 11, from the package norsecorpus 1.0.2",
    licence: SAGA,
    columns: {
      id: "`VS_{chapter}_{position}`",
      chapter: "1–42",
      position: "among all units of the chapter, those left out counted",
      source: "the edition's spelling, quotation marks removed",
      normalised: "classical normalisation (lib/norse/orthography.ts)",
    },
  },
  {
    file: "norse/exclusions.csv",
    source: "notebook 11: what of the edition is not among the sentences",
    licence: SAGA,
    columns: {
      chapter: "1–42",
      position: "among all units of the chapter",
      reason: "verse, speech_tag, fragment, editorial_mark or printing_error",
      detail: "one line more; for a misprint the reading meant",
      text: "the unit in the edition's spelling",
    },
  },
  {
    file: "norse/generation.json",
    source:
      "`deno task generate`: where the pairs come from (rules, a model's proposals or both), " +
      "with the seed of the selection",
    licence: "MIT",
    columns: {},
  },
  ...PROMPTS,
  {
    file: "norse/proposals.jsonl",
    source:
      "`deno task generate`: every answer of the proposing model, with prompt hash, sentence, " +
      "phenomenon, token counts and settings",
    licence: "terms of the proposing model; sentences of the saga in the public domain",
    columns: {},
    whenMissing: "no model was asked",
  },
  {
    file: "norse/minimal_pairs.csv",
    source: "notebook 12, from `sentences.csv` as `generation.json` says",
    licence: OURS,
    columns: {
      id: "`ON_{PHENOMENON}_{NNN}`",
      phenomenon: "QUIRKY_CASE, ADJECTIVE, UMLAUT or MIDDLE_VOICE",
      grammatical: "the saga's sentence, normalised",
      ungrammatical: "the same with one word changed",
      target: "the word that was changed, as it stands in the grammatical sentence",
      error_type:
        "dative_to_nominative, accusative_to_nominative, strong_to_weak, weak_to_strong, " +
        "umlaut_to_base_vowel or middle_to_active",
    },
  },
  {
    file: "norse/certificates.csv",
    source: "notebook 12, one a pair",
    licence: OURS,
    columns: {
      pair_id: PAIR,
      text: "title of the source",
      chapter: "chapter of the source",
      sentence: "position as in `sentences.csv`",
      rule: "identifier of the linguistic fact in lib/norse",
      lemma: "word tested; the cluster of every interval",
      construction: "frame in which it is tested",
      cell_from: "paradigm cell of the grammatical form",
      cell_to: "paradigm cell of the variant",
      checks: "checks that passed, in order, divided by `; `",
      marks: "what the variant breaks besides its phenomenon, or a caveat; may be empty",
      explanation: "why the variant is wrong, in English",
      source_spelling: "the sentence in the edition's spelling",
      proposed_by: "`rules`, or the model that proposed it",
      prompt_sha256: "of the template in `prompts/` the model was asked with; empty for rules",
      sha256: "over phenomenon, both sentences and rule",
    },
  },
  {
    file: "norse/rejections.csv",
    source: "notebook 12: words a rule looked at, and why they make no pair",
    licence: OURS,
    columns: {
      phenomenon: "whose rule looked at it",
      text: "title of the source",
      chapter: "chapter of the source",
      sentence: "position as in `sentences.csv`",
      candidate: "the word, and where one was made the variant: `hann>hann`",
      reason: "one of the reasons of lib/norse; `not_selected` is certified surplus",
      detail: "one line more; may be empty",
    },
  },
  {
    file: "norse/blind_review.csv",
    source:
      "made outside the notebooks on 21 and 22 November 2026: six readers (Claude models instructed " +
      "as philologists of Old Norse) saw each pair as A and B in random order, without key or " +
      "certificate; rules were mended between rounds, and pairs that came in were read in the next",
    licence: "MIT",
    columns: {
      pair_id: PAIR,
      sha256: "the pair's certificate hash when it was read",
      chose_grammatical: "True where the saga's sentence was taken for the good one",
      rating: "0 variant clearly wrong, 1 doubtful, 2 acceptable, 3 the saga's own sentence is odd",
      remark: "the reader's words; may be empty",
    },
  },
  {
    file: "norse/evaluation_results.csv",
    source: "notebook 13 and `deno task evaluate`: one row an answer",
    licence: "MIT",
    columns: NORSE_ANSWERS.evaluation,
  },
  {
    file: "norse/invalid_answers.csv",
    source: "notebook 13 and `deno task evaluate`: the text of every answer that chose nothing",
    licence: "MIT",
    columns: NORSE_ANSWERS.invalid,
  },
  {
    file: "norse/evaluation_settings.json",
    source: "notebook 13 and `deno task evaluate`: what the answers depend on (template and its " +
      "hash, hash of the pairs; file hashes, precision, threads; of hosted models the host's own " +
      "name, temperature, limit, reasoning effort)",
    licence: "MIT",
    columns: {},
  },
  {
    file: "norse/likelihoods.csv",
    source: "notebook 13: one row a pair and model",
    licence: "MIT",
    columns: NORSE_ANSWERS.likelihoods,
  },
  {
    file: "norse/likelihood_settings.json",
    source: "notebook 13: what the likelihoods depend on",
    licence: "MIT",
    columns: {},
  },
  {
    file: "norse/metrics.csv",
    source: "notebook 14: correct answers / answers, 0 … 1; only models of complete panels",
    licence: "MIT",
    columns: {
      model: MODEL,
      overall_accuracy: "all pairs",
      quirky_case_accuracy: "pairs of quirky case",
      adjective_accuracy: "pairs of strong and weak adjectives",
      umlaut_accuracy: "pairs of u-umlaut",
      middle_voice_accuracy: "pairs of the middle voice",
    },
  },
  {
    file: "norse/statistics.csv",
    source: "notebook 14",
    licence: "MIT",
    columns: {
      model: "model, `first vs second`, or `(design)` for what depends on the pairs alone",
      phenomenon: "a phenomenon or ALL",
      measure: "what was measured",
      estimate: "empty where the data give none",
      low: "lower end of the 95 % interval (cluster bootstrap by lemma); may be empty",
      high: "upper end; may be empty",
      n: "what the estimate is a share or mean of",
      clusters: "different lemmas among them",
      method: "how it was computed, or why it could not be",
    },
  },
  {
    file: "norse/artefacts.csv",
    source: "notebook 14: rules that know no grammar, on the same pairs",
    licence: "MIT",
    columns: NORSE_ANSWERS.artefacts,
  },
  {
    file: "norse/balanced_subset.csv",
    source: "notebook 14: the most pairs on which length and word frequency give no help",
    licence: "MIT",
    columns: { id: PAIR },
  },
  {
    file: "norse/precision.csv",
    source: "`deno task bench precision`: every pair on the weights as shipped",
    licence: "MIT",
    columns: {
      model: MODEL,
      pair_id: PAIR,
      phenomenon: "phenomenon of the pair",
      f32_log_odds: "log P(grammatical) − log P(ungrammatical) in nats, 32-bit weights",
      shipped_log_odds: "the same, quantised kernels",
      flipped: "True where the two prefer different members",
    },
  },
  {
    file: "norse/pytorch_agreement.csv",
    source: "`deno task bench agreement`: 200 sentences a model, PyTorch on the same weights",
    licence: "MIT",
    columns: {
      model: MODEL,
      sentence_id: "as in `sentences.csv`",
      tokens: "tokens scored",
      llama_logprob: "log-probability in nats by llama.cpp",
      pytorch_logprob: "the same by PyTorch",
    },
  },
  {
    file: "norse/served_agreement.csv",
    source: "`deno task served`: 40 pairs asked in process and through llama.cpp's own server " +
      "(xllamacpp 2026.10.11549), the same 32-bit weights, 10 tokens a reply",
    licence: "MIT",
    columns: {
      model: MODEL,
      pair_id: PAIR,
      order: "A_gram or B_gram",
      in_process: "A, B or INVALID",
      served: "the same of the server's answer",
      same_text: "True where the two answers are the same to the last character",
    },
  },
  ...SANSKRIT_MANIFEST,
  ...TRANSLATION_MANIFEST,
  ...FACTUALITY_MANIFEST,
];
