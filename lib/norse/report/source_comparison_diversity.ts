import { markdownTable } from "../../figures/markdown_table.ts";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import type { Certificate, Rejection } from "../../pairs/pair.ts";
import { PROPOSER } from "../proposals/settings.ts";
import { RULES_ALONE } from "../rule_book.ts";

/** Who thought of a pair: the rules alone, or a model whose proposal they confirmed. */
export const ORIGINS = ["rules", "proposed"] as const;
export type Origin = (typeof ORIGINS)[number];

/** Whose a pair is. */
export function originOf({ certificate }: Pick<DatasetItem, "certificate">): Origin {
  return certificate.proposedBy === RULES_ALONE.name ? "rules" : "proposed";
}

/** Whose a refused candidate is: the detail of a proposal's refusal begins with the model's name. */
export function originOfRefusal({ detail }: Pick<Rejection, "detail">): Origin {
  return detail === PROPOSER || detail.startsWith(`${PROPOSER}: `) ? "proposed" : "rules";
}

type Trait = (of: Pick<Certificate, "lemma" | "construction" | "source">) => string;

const TRAITS: readonly (readonly [name: string, of: Trait])[] = [
  ["lemmas", ({ lemma }) => lemma],
  ["constructions", ({ construction }) => construction],
  ["chapters", ({ source }) => String(source.chapter)],
];

/**
 * How many different values a random draw of `drawn` items without replacement would show, from how
 * often each value occurs (Hurlbert 1971): Σ 1 − C(N − nᵢ, m) / C(N, m). With unequal numbers of
 * pairs the values themselves must not be compared: the larger set has more of everything.
 * @throws {RangeError} for a draw larger than the set.
 */
export function expectedDistinct(occurrences: readonly number[], drawn: number): number {
  const total = occurrences.reduce((sum, n) => sum + n, 0);
  if (drawn > total) {
    throw new RangeError(`Cannot draw ${drawn} of ${total} items without replacement.`);
  }
  return occurrences.reduce((sum, n) => {
    let unseen = 1;
    for (let i = 0; i < drawn; i++) unseen *= Math.max(0, total - n - i) / (total - i);
    return sum + 1 - unseen;
  }, 0);
}

/** A set of pairs by name. */
export interface PairSet {
  readonly name: string;
  readonly certificates: readonly Pick<Certificate, "lemma" | "construction" | "source">[];
}

/** Different lemmas, constructions and chapters of each set, per pair and among equally many pairs. */
export function diversityTable(sets: readonly PairSet[]): string {
  const drawn = Math.min(...sets.map(({ certificates }) => certificates.length));
  return markdownTable(
    ["pairs", "n", "trait", "different", "per pair", `among ${drawn} pairs`],
    sets.flatMap(({ name, certificates }) =>
      TRAITS.map(([trait, of]) => {
        const occurrences = [...Map.groupBy(certificates, of).values()].map((same) => same.length);
        const n = certificates.length;
        return [
          ...[name, n, trait, occurrences.length],
          n === 0 ? undefined : (occurrences.length / n).toFixed(2),
          expectedDistinct(occurrences, drawn).toFixed(1),
        ];
      })
    ),
  );
}
