import type { MinimalPair } from "../../pairs/pair.ts";
import { toIast } from "../devanagari.ts";

/** The same pairs in IAST, as `iast_0001` for `morph_0001`: the script changes and nothing else. */
export function transliterated<Phenomenon extends string>(
  pairs: readonly MinimalPair<Phenomenon>[],
): readonly MinimalPair<Phenomenon>[] {
  return pairs.map((pair) => ({
    ...pair,
    id: pair.id.replace(/^[a-z_]+?(?=_\d+$)/, "iast"),
    grammatical: toIast(pair.grammatical),
    ungrammatical: toIast(pair.ungrammatical),
    target: toIast(pair.target),
    ...(pair.context === undefined ? {} : { context: toIast(pair.context) }),
  }));
}
