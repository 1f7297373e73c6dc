import { tally } from "../../figures/markdown_table.ts";
import { BOOTSTRAP_SEED, RESAMPLES } from "../study.ts";
import type { Evidence } from "./evidence.ts";
import { advantageSentence } from "./source_comparison_advantage.ts";
import { originOf } from "./source_comparison_diversity.ts";

/** Who thought of the pairs, once a model did: one that is ranked on them has an advantage. */
export function sourcesSection(evidence: Evidence): string | undefined {
  const { items, panels, responses } = evidence;
  const proposed = items.filter((item) => originOf(item) === "proposed");
  if (proposed.length === 0) return undefined;
  const settings = { seed: BOOTSTRAP_SEED, resamples: RESAMPLES };
  const paragraphs = tally(proposed.map(({ certificate }) => certificate.proposedBy)).map(
    ([proposer, count]) =>
      `${count} of the ${items.length} pairs were proposed by ${proposer} and confirmed by the ` +
      "rules, which alone decide what a pair is (notebook 12). " +
      (panels.some(({ asked }) => asked.includes(proposer))
        ? "The same model is ranked on them. " +
          advantageSentence({ items, responses, panels, settings, proposer })
        : "No panel whose figures stand here ranks that model."),
  );
  return ["### Who thought of the pairs", ...paragraphs].join("\n\n");
}
