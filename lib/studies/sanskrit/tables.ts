/** All files of `data/sanskrit` for the manifest, in the notebooks' order. */
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

const ASKED = "notebook 23 and `deno task evaluate --study sanskrit`";
const { likelihoods: LIKELIHOODS, ...ANSWERS } = answerTables(SANSKRIT_STUDY.files, {
  about: {
    responses: `${ASKED}: one row per answer`,
    asked: `${ASKED}: digests of prompt and settings of each answer`,
    invalid: `${ASKED}: text of every answer without a choice`,
    likelihoods: "notebook 23: log-probabilities of both sentences, one row per pair and model",
  },
});
const METRICS_NOTEBOOK = "24_sanskrit_metrics";
/** One line of every contrast set, in the specification's schema. */
const RECORD =
  "each line has id, phenomenon, grammatical, ungrammatical, stem, context and metadata (declension, gender, cells, endings, target and variant)";

const certificates = (path: string, about: string) =>
  certificatesTable({
    path,
    about,
    licence: OURS,
    sentences: {
      chapter: "chapter of the Gītā, 1–18",
      sentence: "number of the verse",
      rule: "identifier of the relation that fixes the cell, as in `rules/fixing_relations.csv`",
      lemma: "stem in IAST, with a hyphen between members of a compound; intervals cluster by it",
      construction: "relation and both cells",
      cell_from: "cell of the attested form with gender, for example `gen.sg.m`",
      cell_to: "cell of the variant",
      marks: "caveats: metre_changed, final_in_sandhi, vocative_homonym or compound; may be empty",
      source_spelling: "line of the text, as in `verses.csv`",
      proposed_by: "always `rules`",
      prompt_sha256: "always empty, since no model proposes Sanskrit pairs",
      sha256: "SHA-256 over phenomenon, both lines and rule",
    },
  });

const statistics = (path: string, about: string, phenomenon: string) =>
  statisticsTable({
    path,
    about,
    maker: METRICS_NOTEBOOK,
    model: "name of the model in the panel, or its kind",
    phenomenon,
    cluster: "stem",
  });

/** Provenance of everything that a language model read or parsed. */
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
  about: "notebook 22: rejected forms, with the reasons",
  licence: OURS,
  maker: "22_sanskrit_generation",
  sentences: {
    phenomenon: "phenomenon, as in the set",
    chapter: "chapter of the Gītā, 1–18",
    sentence: "number of the verse",
    candidate: "form, and the variant if one was made, separated by `>`",
    reason: "reason code of lib/studies/sanskrit/contrasts; `not_selected` marks certified surplus",
  },
});

export const STATISTICS = statistics(
  AT.statistics,
  "notebook 24: all measures with intervals",
  "ALL, case, number, or a part of the pairs: from_, to_, cells_, number_, form_, relation_, metre_, vocative_, variant. (a written word of the text or not), blind_ or balanced (lib/studies/sanskrit/metrics.ts)",
);

export const PROBE_STATISTICS = statistics(
  AT.probeStatistics,
  "notebook 24: likelihood measures of the pairs, the control sets and the bare forms",
  "set, each also as `.case` and `.number`: text, control, iast or bare (by attested form); `text-control` and the like are differences",
);

export const ARTEFACTS = artefactsTable({
  path: AT.artefacts,
  about: "notebook 24: grammar-free baselines on the same pairs",
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
  certificates(AT.certificates, "notebook 22: one certificate per pair"),
  REJECTIONS,
  fileEntry(
    AT.controls,
    "notebook 22: new sentences with the nouns and cells of the pairs, in the same format",
  ),
  fileEntry(
    AT.bareForms,
    "notebook 22: two forms of one noun without a line, in the specification's schema. Out of context both are words; models are scored by which form the text attests",
  ),
  reviewTable({
    path: AT.blindReview,
    about:
      "language-model readers, 22 November 2026: blind judgements of the pairs. Language models, instructed as Sanskritists, saw each pair as A and B in random order",
    own: "Gītā",
  }),
  PROVENANCE,
  GOLD_AGREEMENT,
  ...Object.values(ANSWERS),
  fileEntry(AT.settings, `${ASKED}: settings of the models by digest`),
  LIKELIHOODS,
  likelihoodTable(AT.probeLikelihoods, {
    about:
      "notebook 23: log-probabilities of control sentences, of the pairs in IAST and of bare forms",
    pairs:
      "id of a control sentence (control_) or bare form (bare_) in its file; `iast_0001` is `morph_0001` in IAST",
  }),
  METRICS,
  STATISTICS,
  PROBE_STATISTICS,
  ARTEFACTS,
];
