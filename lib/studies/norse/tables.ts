/** Every file of `data/norse`: those of answers and measures are described here, once. */
import { join } from "node:path";
import {
  type DataFile,
  fileEntry,
  flag,
  name,
  number,
  oneOf,
  table,
  wholeNumber,
} from "../../files/table.ts";
import { answerTables, likelihoodTable } from "../../pairs/answers.ts";
import { artefactsTable } from "../../pairs/artefacts.ts";
import { provenanceTable, reviewTable } from "../../pairs/review.ts";
import { statisticsTable } from "../../pairs/clustered.ts";
import { ORDERS } from "../../pairs/forced_choice.ts";
import { metricsTable } from "../../pairs/panels.ts";
import { DATA, DATASET, EXCLUSIONS, FURTHER, REVERSE, SENTENCES } from "./dataset.ts";
import { PHENOMENA, RULE_FILES } from "./rules.ts";
import { EDITION_STUDY, FURTHER_STUDY, NORSE_STUDY, REGION_STUDY, REVERSE_STUDY } from "./study.ts";

export { EXCLUSIONS, SENTENCES };

const inData = (file: string) => join(DATA, file);

const BLIND_REVIEW = reviewTable({
  path: inData("blind_review.csv"),
  about:
    "language-model readers, 21 and 22 November 2026: blind judgements of the pairs. Six Claude models, instructed as philologists of Old Norse, saw each pair as A and B in random order. Rules were corrected between rounds; new pairs were read in the next round",
  own: "saga",
});

/** Provenance of the annotated readings. */
export const PROVENANCE = provenanceTable(inData("reading_provenance.csv"), ["blind_review.csv"]);

const EVALUATION = "notebook 13 and `deno task evaluate`";
const { likelihoods: LIKELIHOODS, ...ANSWERS } = answerTables(NORSE_STUDY.files, {
  about: {
    responses: `${EVALUATION}: one row per answer`,
    asked: `${EVALUATION}: digests of prompt and settings of each answer`,
    invalid: `${EVALUATION}: text of every answer without a choice`,
    likelihoods: "notebook 13: log-probabilities of both sentences, one row per pair and model",
  },
});

const FURTHER_ANSWERS = answerTables(FURTHER_STUDY.files, {
  about: "notebook 13: the same for the further pairs",
});

const REVERSE_ANSWERS = answerTables(REVERSE_STUDY.files, {
  about: "notebook 13: the same for the reverse set",
});

const EDITION_LIKELIHOODS = likelihoodTable(EDITION_STUDY.files.likelihoods, {
  about: "notebook 13: log-probabilities of all three sets in the edition's spelling",
  pairs: "id of the pair in `minimal_pairs.csv`, `further_pairs.csv` or `reverse_pairs.csv`",
});

const REGION_LIKELIHOODS = likelihoodTable(REGION_STUDY.files.likelihoods, {
  about:
    "`deno task evaluate`: log-probabilities of parts of both sentences (lib/pairs/measures.ts)",
  pairs:
    "pair with a suffix for the scored part. `through`: up to and including the differing word; `alone`: the two words; `source`: the sentence with the edition's spelling of the word, and normalised",
});

const maker = "14_norse_metrics";

export const METRICS = metricsTable({
  path: inData("metrics.csv"),
  about: "notebook 14: forced-choice accuracy of models with complete answers",
  maker,
  sentences: {
    QUIRKY_CASE: "accuracy on quirky case, 0–1",
    ADJECTIVE: "accuracy on strong and weak adjectives, 0–1",
    UMLAUT: "accuracy on u-umlaut, 0–1",
    MIDDLE_VOICE: "accuracy on the middle voice, 0–1",
  },
}, PHENOMENA);

export const STATISTICS = statisticsTable({
  path: inData("statistics.csv"),
  about: "notebook 14: all measures with intervals",
  maker,
  phenomenon:
    "ALL, a phenomenon, or a part of the pairs. `reverse` and `both` (mean) name directions, " +
    "`UMLAUT.lost_u` and the like a class, `variant.` the variant as a word of the saga or not, " +
    "`edition.` the edition's spelling, `source.` the edition's against the normalised spelling " +
    "(lib/studies/norse/evidence.ts)",
});

export const ARTEFACTS = artefactsTable({
  path: inData("artefacts.csv"),
  about: "notebook 14: grammar-free baselines on the same pairs",
  maker,
});

const MODEL = name("name of the model in the panel");
const PAIR = name("id of the pair in `minimal_pairs.csv`");
const nats = (sentence: string) => number(sentence, { max: 0 });

export const PRECISION = table({
  path: inData("precision.csv"),
  about:
    "`deno task bench agreement --with shipped`: pairs scored with the quantised weights; pairs added later are not measured",
  maker: "`deno task bench agreement --with shipped`",
  columns: {
    model: MODEL,
    pair_id: PAIR,
    phenomenon: name("phenomenon of the pair"),
    f32_log_odds: number("log P(grammatical) − log P(ungrammatical) in nats with 32-bit weights"),
    shipped_log_odds: number("the same difference with quantised kernels"),
    flipped: flag("True where the two computations prefer different members"),
  },
  key: ["model", "pair_id"],
});

export const PYTORCH_AGREEMENT = table({
  path: inData("pytorch_agreement.csv"),
  about:
    "`deno task bench agreement`: 200 sentences per model, scored by llama.cpp and by PyTorch with the same weights",
  maker: "`deno task bench agreement`",
  columns: {
    model: MODEL,
    sentence_id: name("id of the sentence in `sentences.csv`"),
    tokens: wholeNumber("number of tokens scored", { min: 1 }),
    llama_logprob: nats("log-probability in nats from llama.cpp"),
    pytorch_logprob: nats("log-probability in nats from PyTorch"),
  },
  key: ["model", "sentence_id"],
});

export const SERVED = table({
  path: inData("served_agreement.csv"),
  about:
    "`deno task bench agreement --with server`: answers in process and from llama.cpp's server (xllamacpp 2026.10.11549), with the same 32-bit weights and 10 tokens per reply",
  maker: "`deno task bench agreement --with server`",
  columns: {
    model: MODEL,
    pair_id: PAIR,
    order: oneOf(ORDERS, "A_gram or B_gram: position of the grammatical sentence"),
    in_process: oneOf(["A", "B", "INVALID"], "parsed answer: A, B or INVALID"),
    served: oneOf(["A", "B", "INVALID"], "answer of the server: A, B or INVALID"),
    same_text: flag("True where both answers agree to the last character"),
  },
  key: ["model", "pair_id", "order"],
});

export const BALANCED = table({
  path: inData("balanced_subset.csv"),
  about:
    "notebook 14: largest set of pairs of both directions on which length, normalised spelling and word frequency do not help",
  maker,
  columns: { id: name("id of a pair of either direction") },
});

/** All files of `data/norse` for the manifest, in the notebooks' order. */
export const TABLES: readonly DataFile[] = [
  SENTENCES,
  EXCLUSIONS,
  fileEntry(
    inData("generation.json"),
    "`deno task generate`: source of the pairs (rules, a model's proposals or both) and seed of the selection",
  ),
  ...PHENOMENA.map((phenomenon) =>
    fileEntry(
      inData(`prompts/${phenomenon.toLowerCase()}.md`),
      "written by hand: prompt that asks a model for proposals",
    )
  ),
  fileEntry(
    inData("proposals.jsonl"),
    "`deno task generate`: answers of the proposing model, with prompt hash, sentence, phenomenon, token counts and settings",
    {
      licence: "terms of the proposing model; sentences of the saga in the public domain",
      whenMissing: "no model was asked",
    },
  ),
  ...RULE_FILES,
  ...Object.values(DATASET),
  ...Object.values(FURTHER),
  ...Object.values(REVERSE),
  BLIND_REVIEW,
  PROVENANCE,
  ...Object.values(ANSWERS),
  fileEntry(
    inData("evaluation_settings.json"),
    `${EVALUATION}: settings of the models by digest: file hashes, precision, threads; for hosted models the host's name, temperature, limit and reasoning effort`,
  ),
  LIKELIHOODS,
  ...Object.values(FURTHER_ANSWERS),
  ...Object.values(REVERSE_ANSWERS),
  EDITION_LIKELIHOODS,
  REGION_LIKELIHOODS,
  METRICS,
  STATISTICS,
  ARTEFACTS,
  BALANCED,
  PRECISION,
  PYTORCH_AGREEMENT,
  SERVED,
];
