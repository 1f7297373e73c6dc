import { markdownTable } from "../../../figures/markdown_table.ts";
import { randomSource } from "../../../stats/random.ts";
import type { OwnVariant } from "../../robustness/own_text.ts";
import { makeVariant } from "../../robustness/make_variant.ts";
import {
  isPerturbation,
  type Variant,
  VARIANT_KINDS,
  type VariantTools,
} from "../../robustness/variant.ts";
import type { Verdict } from "../../verdicts/verdict.ts";

/** What the example is checked against; Kenya is no country that anything was trained on. */
export const EXAMPLE_SOURCE =
  "Kenya was a British colony until 12 December 1963, when it gained independence from the UK. " +
  "Founding president Jomo Kenyatta led Kenya from then until his death in 1978. The country joined " +
  "the UN in 1963. It has 58.2 million people, a coastline of 536 km on the Indian Ocean and a total " +
  "area of 580,367 sq km. The capital is Nairobi. Most of its people live in the southwest. The infant " +
  "mortality rate is 27.1 deaths per 1,000 live births.";

/** True of the source, sentence by sentence; every kind of change finds a place in one of them. */
export const EXAMPLE_TEXT: readonly string[] = [
  "On 12 December 1963, Kenya gained independence from the UK.",
  "Jomo Kenyatta led Kenya until 1978.",
  "Kenya's coastline is 536 km long.",
  "The capital of Kenya is Nairobi.",
  "Most of the people of Kenya live in the southwest.",
  "The infant mortality of Kenya is 27.1 deaths per 1,000 live births.",
  "Kenya joined the UN in 1963.",
  "Kenya has 58,200,000 people.",
];

/** The study's verifier and nothing else: no judge is asked about the example. In `.cache/…/`. */
export const VERIFIER_ALONE = `name: the verifier alone
retrieval: { kind: none }
verifier: { kind: trained, path: ../../data/factuality/verifier_weights.json }
judges: []
prompts: ../../data/factuality/prompts.yaml
`;

/** The first sentence that each kind finds a place in, changed. The same seed gives the same. */
export function exampleVariants(
  sentences: readonly string[],
  tools: VariantTools,
  seed: number | string,
): readonly Variant[] {
  return VARIANT_KINDS.flatMap((kind) => {
    const made = sentences.map((text) =>
      makeVariant(kind, text, tools, randomSource(`${seed}/${kind}`))
    );
    return made.find((variant) => variant !== undefined) ?? [];
  });
}

/** Kind, what stood there and stands there now, and how it reads; a space is shown where it counts. */
export function variantsTable(variants: readonly Variant[]): string {
  return markdownTable(
    ["kind", "role", "was", "is", "reads"],
    variants.map(({ kind, from, to, text }) => [kind, roleOf(kind), shown(from), shown(to), text]),
  );
}

const roleOf = (kind: Variant["kind"]) => isPerturbation(kind) ? "perturbation" : "control";
const shown = (text: string) => text === "" ? "(nothing)" : `“${text}”`;

/** A text's variants on which the verdict is not what it should be, or the reason that there are none. */
export function missedTable(variants: readonly OwnVariant[]): string {
  const missed = variants.filter(({ kind, after }) =>
    after.kind !== "scored" || isPerturbation(kind) === (after.label === "supported")
  );
  if (missed.length === 0) return "Every perturbation was flagged and every control accepted.";
  return markdownTable(
    ["kind", "role", "reads", "before", "after"],
    missed.map(({ kind, changed, before, after }) => [
      ...[kind, roleOf(kind), changed, verdictWords(before), verdictWords(after)],
    ]),
  );
}

function verdictWords(verdict: Verdict): string {
  if (verdict.kind !== "scored") return `– (${verdict.reason})`;
  return `${verdict.label}, P(supported) ${verdict.probabilities.supported.toFixed(2)}`;
}
