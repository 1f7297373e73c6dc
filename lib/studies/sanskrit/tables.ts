/** Every file of `data/sanskrit`, in the order in which notebooks write them, for the manifest. */
import { type DataFile, fileEntry } from "../../files/table.ts";
import { answerTables, likelihoodTable } from "../../pairs/answers.ts";
import { artefactsTable } from "../../pairs/artefacts.ts";
import { provenanceTable, reviewTable } from "../../pairs/review.ts";
import { statisticsTable } from "../../pairs/clustered.ts";
import { certificatesTable, rejectionsTable } from "../../pairs/dataset.ts";
import { MODIFIER_TREEBANK } from "./agreement.ts";
import { VARIANT_READINGS } from "./contrasts.ts";
import { GOLD_AGREEMENT } from "./gold.ts";
import { METRICS } from "./metrics.ts";
import { NOUN_TOKENS, NOUNS } from "./nouns.ts";
import { RULE_TABLES } from "./rules.ts";
import { OURS, SANSKRIT_PATHS as AT, SANSKRIT_STUDY } from "./study.ts";
import { TREEBANK } from "./treebank.ts";
import { VERB_TREEBANK } from "./verbs.ts";
import { CLEANING, VERSES } from "./verses.ts";

const PAIR = "pair, as in the set's own JSONL file";
const ASKED = "notebook 23 and `deno task evaluate --study sanskrit`";
const { likelihoods: LIKELIHOODS, ...ANSWERS } = answerTables(SANSKRIT_STUDY.files, {
  about: {
    responses: `${ASKED}: one row an answer`,
    asked: `${ASKED}: what each answer answers`,
    invalid: `${ASKED}: answers that chose nothing`,
    likelihoods: "notebook 23: one row a pair and model",
  },
  pairs: "morph_contrast_sets.jsonl",
});
const METRICS_NOTEBOOK = "24_sanskrit_metrics";
/** One line of every contrast set, in the specification's shape. */
const RECORD = "each line has id, phenomenon, grammatical, ungrammatical, stem, context and " +
  "metadata (declension, gender, both cells, both endings, target and variant)";

const certificates = (path: string, about: string) =>
  certificatesTable({
    path,
    about,
    licence: OURS,
    sentences: {
      pair_id: PAIR,
      chapter: "1–18",
      sentence: "verse",
      rule: "identifier of the relation that fixes the cell, in `rules/fixing_relations.csv`",
      lemma: "stem in IAST, a hyphen between members of a compound; the cluster of every interval",
      construction: "the relation and both cells",
      cell_from: "cell of the attested form with gender, `gen.sg.m`",
      cell_to: "cell of the variant",
      marks: "metre_changed, final_in_sandhi, vocative_homonym, compound; may be empty",
      source_spelling: "the line as in `verses.csv`",
      proposed_by: "`rules`",
      prompt_sha256: "empty: no model proposes",
      sha256: "over phenomenon, both lines and rule",
    },
  });

const statistics = (path: string, about: string, phenomenon: string) =>
  statisticsTable({
    path,
    about,
    maker: METRICS_NOTEBOOK,
    model: "model, as named in the panel or by its kind",
    phenomenon,
    cluster: "stem",
  });

/** Of everything that a language model read or parsed. */
export const PROVENANCE = provenanceTable(
  AT.blindReview.replace("blind_review", "reading_provenance"),
  [
    "treebank.csv",
    "verb_treebank.csv",
    "modifier_treebank.csv",
    "variant_readings.csv",
    "blind_review.csv",
  ],
);

export const REJECTIONS = rejectionsTable({
  path: AT.rejections,
  about: "notebook 22: forms that make no pair, and why",
  licence: OURS,
  maker: "22_sanskrit_generation",
  sentences: {
    phenomenon: "as in the set",
    chapter: "1–18",
    sentence: "verse",
    candidate: "the form, and where one was made the variant, divided by `>`",
    reason:
      "one of the reasons of lib/studies/sanskrit/contrasts; `not_selected` is certified surplus",
  },
});

export const STATISTICS = statistics(
  AT.statistics,
  "notebook 24",
  "ALL, case, number, or a part of the pairs: from_, to_, cells_, number_, " +
    "form_, relation_, metre_, vocative_, blind_ or balanced (lib/studies/sanskrit/metrics.ts)",
);

export const PROBE_STATISTICS = statistics(
  AT.probeStatistics,
  "notebook 24: the pairs beside the other sets, and bare forms, by likelihood",
  "text, control or iast, each also as `.case` and `.number`; " +
    "`text-control` and the like for differences; bare, bare.case and bare.number by attested form",
);

export const ARTEFACTS = artefactsTable({
  path: AT.artefacts,
  about: "notebook 24: rules that know no grammar, on the same pairs",
  maker: METRICS_NOTEBOOK,
});

export const TABLES: readonly DataFile[] = [
  ...RULE_TABLES,
  VERSES,
  CLEANING,
  TREEBANK,
  VARIANT_READINGS,
  VERB_TREEBANK,
  MODIFIER_TREEBANK,
  NOUNS,
  NOUN_TOKENS,
  fileEntry(AT.pairs, `notebook 22: the pairs; ${RECORD}`, { licence: OURS }),
  certificates(AT.certificates, "notebook 22, one a pair"),
  REJECTIONS,
  fileEntry(
    AT.controls,
    "notebook 22: new sentences with the pairs' nouns and cells, in the same shape",
  ),
  fileEntry(
    AT.bareForms,
    "notebook 22: two forms of one noun without a line, in the specification's schema; out of context both " +
      "are words, so models are scored by which of them the text has",
  ),
  reviewTable({
    path: AT.blindReview,
    about: "made outside the notebooks on 22 November 2026: readers (language models instructed " +
      "as Sanskritists) saw each pair as A and B in random order, without key or certificate",
    own: "Gītā",
  }),
  PROVENANCE,
  GOLD_AGREEMENT,
  ...Object.values(ANSWERS),
  fileEntry(AT.settings, `${ASKED}: the models' settings, each under its digest`),
  LIKELIHOODS,
  likelihoodTable(AT.probeLikelihoods, {
    about: "notebook 23: the same of control sentences, the pairs in IAST and bare forms",
    pairs: "control_, bare_ as in their own files; `iast_0001` is `morph_0001` in IAST",
  }),
  METRICS,
  STATISTICS,
  PROBE_STATISTICS,
  ARTEFACTS,
];
