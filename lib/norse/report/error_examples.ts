import { markdownTable } from "../../figures/markdown_table.ts";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import { emphasised, errorsOf } from "../../pairs/report/model_errors.ts";
import { variantForm } from "../../pairs/sentence_difference.ts";
import { randomSource } from "../../stats/random.ts";
import { PHENOMENA, type Phenomenon } from "../candidate.ts";
import type { Evidence } from "./evidence.ts";

/** Errors a reader can follow: a long sentence hides the word that matters. */
const LONGEST_EXAMPLE = 180;

/**
 * Errors spread over the phenomena, drawn with the seed from the pairs that most models miss.
 * Fewer than asked for only where there are fewer errors.
 */
export function errorExamples(
  evidence: Evidence,
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly { readonly item: DatasetItem<Phenomenon>; readonly errors: readonly string[] }[] {
  const random = randomSource(seed);
  const pools = PHENOMENA.map((phenomenon) =>
    random.shuffle(
      evidence.items
        .filter(({ pair }) =>
          pair.phenomenon === phenomenon && pair.grammatical.length <= LONGEST_EXAMPLE
        )
        .map((item) => ({ item, errors: errorsOf(evidence, item.pair.id) }))
        .filter(({ errors }) => errors.length > 0),
    ).toSorted((a, b) => b.errors.length - a.errors.length)
  );
  const examples = [];
  for (let turn = 0; examples.length < count && pools.some((pool) => turn < pool.length); turn++) {
    for (const pool of pools) {
      const next = pool[turn];
      if (next !== undefined && examples.length < count) examples.push(next);
    }
  }
  return examples;
}

/** The examples as a table, each with its certificate's explanation. */
export function errorSection(evidence: Evidence, seed: number): string {
  const examples = errorExamples(evidence, { count: 10, seed });
  return [
    "### Ten errors",
    "",
    "Drawn by seed, turn by turn from the four phenomena, from the pairs with most errors by any " +
    `model and way of asking (sentences of at most ${LONGEST_EXAMPLE} characters). The explanation is the certificate's.`,
    "",
    markdownTable(
      ["pair", "sentence", "variant", "why that is wrong", "who erred"],
      examples.map(({ item: { pair, certificate }, errors }) => [
        pair.id,
        emphasised(pair),
        `*${variantForm(pair)}*`,
        certificate.explanation,
        errors.join(". "),
      ]),
    ),
  ].join("\n");
}
