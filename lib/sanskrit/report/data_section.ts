import { markdownTable, tally } from "../../figures/markdown_table.ts";
import { PHENOMENA } from "../contrasts/candidate.ts";
import type { ContrastItem } from "../contrasts/dataset.ts";
import { type Evidence, figure, PHENOMENON_NAMES } from "./evidence.ts";

/** How many pairs of what, how they came about, and what was refused. */
export function datasetSection(evidence: Evidence): string {
  const { main, iStems, controls, bareForms } = evidence.sets;
  return [
    "### The pairs",
    "",
    `${main.length} pairs from the Bhagavad Gītā (\`data/sanskrit/morph_contrast_sets.jsonl\`, ` +
    "certificates in `certificates.csv`; notebook 22): a line of a verse as it stands, and the " +
    "same line with one noun in another case or number. Beside them stand a second set of " +
    `${iStems.length} pairs of i-stems by the same rules (\`i_stem_contrast_sets.jsonl\`), ` +
    `${controls.length} pairs of new sentences with the same nouns ` +
    `(\`control_sentences.jsonl\`) and ${bareForms.length} pairs of bare forms ` +
    "(`bare_forms.jsonl`).",
    "",
    countTable(evidence),
    "",
    `Marks: ${
      marksOf(main)
    }. \`vocative_homonym\` means that the variant is also the vocative of a ` +
    "thing, which nobody speaks to; `compound` that the noun is one; " +
    `\`metre_changed\` that the variant's line has another number ` +
    "of syllables, so that a reader who counts them can tell the members apart without grammar; `final_in_sandhi` that the variant ends in sandhi (-o for -aḥ), which " +
    "no good member does, for those stand free of it.",
    "",
    figure("pairs_by_cell", "Number of pairs by the correct case and number"),
    "",
    figure("rejections", "Reasons for which forms of the text make no pair"),
  ].join("\n");
}

function marksOf(items: readonly ContrastItem[]): string {
  const marks = tally(items.flatMap(({ certificate }) => certificate.marks));
  return marks.length === 0
    ? "none"
    : marks.map(([mark, count]) => `\`${mark}\` ${count}`).join(", ");
}

function countTable({ sets, rejections }: Evidence): string {
  const row = (name: string, items: readonly ContrastItem[], refused?: number) => {
    const distinct = (of: (item: ContrastItem) => string) => new Set(items.map(of)).size;
    return [
      name,
      items.length,
      distinct(({ certificate }) => certificate.lemma),
      distinct(({ certificate: { source } }) => `${source.chapter}.${source.sentence}`),
      items.filter(({ certificate }) => certificate.marks.includes("metre_changed")).length,
      refused,
    ];
  };
  const refused = rejections.filter(({ reason }) => reason !== "not_selected");
  return markdownTable(
    ["phenomenon", "pairs", "stems", "verses", "metre changed", "refused, both sets"],
    [
      ...PHENOMENA.map((phenomenon) =>
        row(
          PHENOMENON_NAMES[phenomenon],
          sets.main.filter(({ pair }) => pair.phenomenon === phenomenon),
          refused.filter((rejection) => rejection.phenomenon === phenomenon).length,
        )
      ),
      row("Second set, i-stems", sets.iStems),
    ],
  );
}

/** What readers found who saw both members without a key. */
export function reviewSection({ review, sets }: Pick<Evidence, "review" | "sets">): string {
  const heading = "### Blind review";
  if (review.length === 0) return `${heading}\n\nNo reader was asked.`;
  const ratings = new Map(review.map((row) => [row.pairId, row]));
  const row = (name: string, items: readonly ContrastItem[]) => {
    const own = items.flatMap(({ pair }) => ratings.get(pair.id) ?? []);
    const chosen = own.filter(({ choseGrammatical }) => choseGrammatical).length;
    const rated = [0, 1, 2, 3].map((rating) => own.filter((of) => of.rating === rating).length);
    return [name, items.length, own.length, chosen, ...rated];
  };
  return [
    heading,
    "",
    "Further readers, again language models instructed as Sanskritists, saw each pair as A and B " +
    "in random order, without certificate or key (`data/sanskrit/blind_review.csv`). A rating " +
    "counts for the pair as it was read. Doubtful means that the reader saw some reading of the " +
    "variant, improbable in its line rather than impossible. This describes the pairs and is no " +
    "independent test of them: a variant that a blind reader could read was entered among the " +
    "readings as acceptable and dropped.",
    "",
    markdownTable(
      ["phenomenon", "pairs", "read", "good one found", "variant clearly wrong", "doubtful"]
        .concat("acceptable", "line itself odd"),
      [
        ...PHENOMENA.map((name) =>
          row(PHENOMENON_NAMES[name], sets.main.filter(({ pair }) => pair.phenomenon === name))
        ),
        row("Second set, i-stems", sets.iStems),
      ],
    ),
  ].join("\n");
}

/** Who stands behind a pair, and what that is worth. */
export function certificateSection({ treebank, ratings }: Evidence): string {
  const rated = (name: string) => ratings.filter((rating) => rating === name).length;
  return [
    "### What a certificate is worth",
    "",
    `**Parsing.** The nouns that stand free of sandhi were parsed verse by verse by language ` +
    `models instructed as Sanskritists: ${treebank.nouns} nouns with their case, number and the ` +
    `words that fix them, ${treebank.doubtful} of them with a doubt, which are in no pair ` +
    "(`data/sanskrit/treebank.csv`). A rule-based extractor finds nouns by lexicon, paradigm and " +
    "a stop list without looking at those parses; only where both agree may a noun be changed. " +
    "The lexicon was made from the stems of these parses, so their agreement is measured on what " +
    "they were made from.",
    "",
    "**Rules.** What fixes the cell (an agreeing word, the verb, a governing word, a coordinated " +
    "noun) stands in the same line; the paradigm gives the new form; a form that any other cell " +
    "of the paradigm or the vocative of somebody who can be spoken to would license, one with which the head would agree, and one " +
    "that would change a neighbour's sandhi are refused.",
    "",
    `**Reading.** ${ratings.length} variants were then read in their verses by a second reader, ` +
    `again a language model: ${rated("wrong")} were called clearly wrong, ${rated("doubtful")} ` +
    `doubtful, ${rated("acceptable")} acceptable (\`data/sanskrit/variant_readings.csv\`). Only ` +
    "what was called clearly wrong makes a pair. The readers knew which form was the changed one, " +
    "so this is a check and no independent test. **No human expert has read parses or pairs.**",
  ].join("\n");
}
