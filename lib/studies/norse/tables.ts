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
  whole,
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
    "made outside the notebooks on 21 and 22 November 2026: six readers (Claude models instructed " +
    "as philologists of Old Norse) saw each pair as A and B in random order, without key or " +
    "certificate; rules were mended between rounds, and pairs that came in were read in the next",
  own: "saga",
});

/** Provenance of the annotated readings. */
export const PROVENANCE = provenanceTable(inData("reading_provenance.csv"), ["blind_review.csv"]);

const EVALUATION = "notebook 13 and `deno task evaluate`";
const { likelihoods: LIKELIHOODS, ...ANSWERS } = answerTables(NORSE_STUDY.files, {
  about: {
    responses: `${EVALUATION}: one row an answer`,
    asked: `${EVALUATION}: what each answer answers`,
    invalid: `${EVALUATION}: the text of every answer that chose nothing`,
    likelihoods: "notebook 13: one row a pair and model",
  },
});

const FURTHER_ANSWERS = answerTables(FURTHER_STUDY.files, {
  about: "notebook 13: the same of the further pairs",
  pairs: "further_pairs.csv",
});

const REVERSE_ANSWERS = answerTables(REVERSE_STUDY.files, {
  about: "notebook 13: the same of the reverse set",
  pairs: "reverse_pairs.csv",
});

const EDITION_LIKELIHOODS = likelihoodTable(EDITION_STUDY.files.likelihoods, {
  about: "notebook 13: the same of both sets in the edition's own spelling",
  pairs: "minimal_pairs.csv`, `further_pairs.csv` or `reverse_pairs.csv",
});

const REGION_LIKELIHOODS = likelihoodTable(REGION_STUDY.files.likelihoods, {
  about: "`deno task evaluate`: the same of parts of both members (lib/pairs/measures.ts)",
  pairs:
    "a pair of any set with `through` (both members as far as the word that differs, its end " +
    "included), `alone` (the two words, their ends included) or `source` (the sentence with its word in the edition's spelling, " +
    "and normalised)",
});

const maker = "14_norse_metrics";

export const METRICS = metricsTable({
  path: inData("metrics.csv"),
  about: "notebook 14: correct answers / answers, 0 … 1; only models of complete panels",
  maker,
  sentences: {
    QUIRKY_CASE: "pairs of quirky case",
    ADJECTIVE: "pairs of strong and weak adjectives",
    UMLAUT: "pairs of u-umlaut",
    MIDDLE_VOICE: "pairs of the middle voice",
  },
}, PHENOMENA);

export const STATISTICS = statisticsTable({
  path: inData("statistics.csv"),
  about: "notebook 14",
  maker,
  phenomenon:
    "ALL or a phenomenon of the data set; a part of both directions: `reverse`, `both` (mean), " +
    "`UMLAUT.reverse` …, a class such as `UMLAUT.lost_u`, construction., characters., tokens., " +
    "balanced (lib/studies/norse/evidence.ts); `edition.` before one: in the edition's spelling; `source.`: " +
    "the edition's spelling of a word against the normalised",
});

export const ARTEFACTS = artefactsTable({
  path: inData("artefacts.csv"),
  about: "notebook 14: rules that know no grammar, on the same pairs",
  maker,
});

const MODEL = name("model, as named in the panel");
const PAIR = name("pair, as in `minimal_pairs.csv`");
const nats = (sentence: string) => number(sentence, { max: 0 });

export const PRECISION = table({
  path: inData("precision.csv"),
  about:
    "`deno task bench agreement --with shipped`: pairs on the weights as shipped; those that came in since are not measured yet",
  maker: "`deno task bench agreement --with shipped`",
  columns: {
    model: MODEL,
    pair_id: PAIR,
    phenomenon: name("phenomenon of the pair"),
    f32_log_odds: number("log P(grammatical) − log P(ungrammatical) in nats, 32-bit weights"),
    shipped_log_odds: number("the same, quantised kernels"),
    flipped: flag("True where the two prefer different members"),
  },
  key: ["model", "pair_id"],
});

export const PYTORCH_AGREEMENT = table({
  path: inData("pytorch_agreement.csv"),
  about: "`deno task bench agreement`: 200 sentences a model, PyTorch on the same weights",
  maker: "`deno task bench agreement`",
  columns: {
    model: MODEL,
    sentence_id: name("as in `sentences.csv`"),
    tokens: whole("tokens scored", { min: 1 }),
    llama_logprob: nats("log-probability in nats by llama.cpp"),
    pytorch_logprob: nats("the same by PyTorch"),
  },
  key: ["model", "sentence_id"],
});

export const SERVED = table({
  path: inData("served_agreement.csv"),
  about:
    "`deno task bench agreement --with server`: pairs asked in process and through llama.cpp's own server " +
    "(xllamacpp 2026.10.11549), the same 32-bit weights, 10 tokens a reply",
  maker: "`deno task bench agreement --with server`",
  columns: {
    model: MODEL,
    pair_id: PAIR,
    order: oneOf(ORDERS, "A_gram or B_gram"),
    in_process: oneOf(["A", "B", "INVALID"], "A, B or INVALID"),
    served: oneOf(["A", "B", "INVALID"], "the same of the server's answer"),
    same_text: flag("True where the two answers are the same to the last character"),
  },
  key: ["model", "pair_id", "order"],
});

export const BALANCED = table({
  path: inData("balanced_subset.csv"),
  about:
    "notebook 14: the most pairs of both directions on which length, normalised spelling and word " +
    "frequency give no help",
  maker,
  columns: { id: name("pair of either direction") },
});

/** All files of `data/norse` for the manifest, in the order in which notebooks write them. */
export const TABLES: readonly DataFile[] = [
  SENTENCES,
  EXCLUSIONS,
  fileEntry(
    inData("generation.json"),
    "`deno task generate`: where the pairs come from (rules, a model's proposals or both), " +
      "with the seed of the selection",
  ),
  ...PHENOMENA.map((phenomenon) =>
    fileEntry(
      inData(`prompts/${phenomenon.toLowerCase()}.md`),
      "written by hand: how a model is asked for a proposal",
    )
  ),
  fileEntry(
    inData("proposals.jsonl"),
    "`deno task generate`: every answer of the proposing model, with prompt hash, sentence, " +
      "phenomenon, token counts and settings",
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
    `${EVALUATION}: the models' settings, each under its digest (file ` +
      "hashes, precision, threads; of hosted models the host's own name, temperature, limit, " +
      "reasoning effort)",
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
