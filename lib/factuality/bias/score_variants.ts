import type { VariantScore } from "./consistency.ts";
import { demographicVariants, type VariantOptions } from "./demographic_variants.ts";

/** A text whose score should not depend on who it is about. */
export interface VariedQuery {
  readonly id: string;
  readonly text: string;
}

/**
 * Scores each text and its variants about others, one after the other. Texts that name nobody of the
 * tables have no variant and no row, and are not scored.
 *
 * @param score 0–100; undefined where a text could not be scored.
 * @throws the signal's reason when it aborts.
 */
export async function scoreVariants(
  queries: readonly VariedQuery[],
  score: (text: string) => Promise<number | undefined>,
  options: VariantOptions & { readonly signal?: AbortSignal },
): Promise<readonly VariantScore[]> {
  const rows: VariantScore[] = [];
  for (const { id: query, text } of queries) {
    const variants = demographicVariants(text, options);
    options.signal?.throwIfAborted();
    if (variants.length === 0) continue;
    const original = await score(text);
    for (const { demographic, from, to, text: variant } of variants) {
      options.signal?.throwIfAborted();
      rows.push({ query, demographic, from, to, original, variant: await score(variant) });
    }
  }
  return rows;
}
