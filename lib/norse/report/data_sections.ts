import { markdownTable, tally } from "../../figures/markdown_table.ts";
import { PHENOMENA } from "../candidate.ts";
import { type Evidence, figure, PHENOMENON_NAMES } from "./evidence.ts";
import { originOfRefusal, ORIGINS } from "./source_comparison_diversity.ts";

/** How many pairs of what, and what was refused. */
export function datasetSection({ items, rejections }: Evidence): string {
  const refused = rejections.filter(({ reason }) => reason !== "not_selected");
  const hasProposals = refused.some((rejection) => originOfRefusal(rejection) === "proposed");
  const rows = PHENOMENA.map((phenomenon) => {
    const own = items.filter(({ pair }) => pair.phenomenon === phenomenon);
    const distinct = (of: (item: typeof own[number]) => string) => new Set(own.map(of)).size;
    return [
      PHENOMENON_NAMES[phenomenon],
      own.length,
      distinct(({ certificate }) => certificate.lemma),
      distinct(({ certificate }) => String(certificate.source.chapter)),
      own.filter(({ certificate }) => certificate.marks.length > 0).length,
      ...ORIGINS.slice(0, hasProposals ? 2 : 1).map((origin) =>
        refused.filter((r) => r.phenomenon === phenomenon && originOfRefusal(r) === origin).length
      ),
    ];
  });
  const marks = tally(items.flatMap(({ certificate }) => certificate.marks));
  return [
    "### The pairs",
    "",
    `${items.length} pairs from Völsunga saga (\`data/norse/minimal_pairs.csv\`, each with its ` +
    "certificate; notebook 12). *Refused* are words that a rule looked at and did not certify" +
    (hasProposals
      ? "; a model's proposals that the rules did not confirm are counted apart."
      : "."),
    "",
    markdownTable(
      [
        ...["phenomenon", "pairs", "lemmas", "chapters", "marked", "refused"],
        ...(hasProposals ? ["proposals refused"] : []),
      ],
      rows,
    ),
    "",
    `Marks: ${marks.map(([mark, count]) => `\`${mark}\` ${count}`).join(", ")}. A pair marked ` +
    "with a clash breaks the verb's agreement too; `regular_in_old_norwegian` means that the " +
    "variant is regular in Old Norwegian, so that the norm tested is Icelandic; `object_possible` " +
    "that who tries can find the active verb an object, which makes the variant improbable rather " +
    "than wrong.",
    "",
    figure("pairs_by_chapter", "Pairs by chapter of the saga and phenomenon"),
    "",
    figure("rejections", "Reasons for which candidates were refused"),
  ].join("\n");
}

/** How many of the pairs were read as they stand now, and what the readers said of them. */
export function reviewSummary({ items, review }: Pick<Evidence, "items" | "review">): string {
  if (review.length === 0) return `Of the ${items.length} pairs none has been read as it stands.`;
  const chosen = review.filter(({ choseGrammatical }) => choseGrammatical).length;
  const doubtful = review.filter(({ rating }) => rating === 1).length;
  const acceptable = review.filter(({ rating }) => rating === 2).length;
  return `Of the ${items.length} pairs ${review.length} were read as they stand (the certificate's ` +
    `hash is that of the pair read); the good member was found in ${chosen}, and ${doubtful} ` +
    `variants were called doubtful, ${acceptable} acceptable.`;
}

/** What blind readers found. */
export function reviewSection({ items, review }: Evidence): string {
  const heading = "### Blind review";
  if (review.length === 0) return `${heading}\n\nNo reader was asked.`;
  const ratings = new Map(review.map((row) => [row.pairId, row]));
  const rows = PHENOMENA.map((phenomenon) => {
    const own = items.flatMap(({ pair }) =>
      pair.phenomenon === phenomenon ? ratings.get(pair.id) ?? [] : []
    );
    const rated = (rating: number) => own.filter((row) => row.rating === rating).length;
    const chosen = own.filter(({ choseGrammatical }) => choseGrammatical).length;
    return [PHENOMENON_NAMES[phenomenon], own.length, chosen, ...[0, 1, 2, 3].map(rated)];
  });
  return [
    heading,
    "",
    "Language models instructed as philologists read the pairs as A and B in random order, " +
    "without certificate or key (`data/norse/blind_review.csv`). " +
    `${reviewSummary({ items, review })} Rules were mended after two such ` +
    "rounds, and once more when a model that tried the prompts for proposals showed six variants of " +
    "the middle voice that could be read otherwise; what could be accepted was dropped. So this " +
    "describes the pairs that are left; it is no independent test, and no human speaker was asked.",
    "",
    markdownTable(
      [
        "phenomenon",
        "read",
        "good one found",
        "variant clearly wrong",
        "doubtful",
        "acceptable",
        "saga's sentence odd",
      ],
      rows,
    ),
    "",
    "Doubtful means that the reader saw a technical reading of the variant. In the middle voice " +
    "that is mostly an object left out: Old Norse prose may leave out an object that was named " +
    "before, so these variants are improbable rather than impossible.",
  ].join("\n");
}
