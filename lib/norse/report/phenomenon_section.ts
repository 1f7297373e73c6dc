import { ORDER_DESIGNS, type OrderDesign } from "../../pairs/order_plan.ts";
import { percentWithInterval, type StatisticLookup } from "../../pairs/statistic_lookup.ts";
import { DESIGN } from "../../pairs/statistics_row.ts";
import { PHENOMENA, type Phenomenon } from "../candidate.ts";
import { against } from "../../pairs/report/model_sentences.ts";
import { type Evidence, PHENOMENON_NAMES } from "./evidence.ts";

/** Phenomenon by phenomenon, in words. */
export function phenomenonSection(evidence: Evidence, found: StatisticLookup): string {
  const paragraphs = PHENOMENA.map((phenomenon) => {
    const n = evidence.items.filter(({ pair }) => pair.phenomenon === phenomenon).length;
    const verdicts = evidence.models.map((model) => verdict(model, phenomenon, found));
    const needed = found.measure(DESIGN, "minimum_detectable_accuracy", phenomenon);
    const strict = found.measure(DESIGN, "minimum_detectable_accuracy_by_lemma", phenomenon);
    return `**${PHENOMENON_NAMES[phenomenon]}** (${n} pairs). ${verdicts.join("; ")}. With one ` +
      `judgement per pair, ${percentWithInterval(needed)} % right (pairs independent) or ` +
      `${percentWithInterval(strict)} % (lemmas independent) could be told from guessing with a ` +
      "power of 80 %.";
  });
  return [
    "### Phenomenon by phenomenon",
    "",
    paragraphs.join("\n\n"),
    "",
    ...letterWords(evidence),
  ].join("\n");
}

/** What keeping to one letter does to accuracy, in each design of the panels shown. */
function letterWords({ panels }: Evidence): readonly string[] {
  const words: Readonly<Record<OrderDesign, string>> = {
    both:
      "Where both orders are asked, a model that keeps to one letter is right exactly once on " +
      "each pair, so that its accuracy lies near 50 % with a narrow interval: a small difference " +
      "from chance there is a difference in few pairs.",
    counterbalanced:
      "Where one order a pair is asked, such a model is right on about half of the " +
      "pairs, and the interval has the full width of a guess on each.",
  };
  const designs = new Set(panels.map(({ design }) => design));
  return ORDER_DESIGNS.filter((design) => designs.has(design)).map((design) => words[design]);
}

/** How a model did on a phenomenon, in the ways it was asked. */
function verdict(model: string, phenomenon: Phenomenon, found: StatisticLookup): string {
  const ways = [
    { begin: "chooses", end: " right", measure: "accuracy" },
    { begin: "by likelihood", end: "", measure: "likelihood_accuracy_total" },
  ].flatMap(({ begin, end, measure }) => {
    const value = found.measure(model, measure, phenomenon);
    if (value.kind === "unavailable") return [];
    return [`${begin} ${percentWithInterval(value)} %${end} (${against(value, 0.5)})`];
  });
  return `${model} ${ways.length > 0 ? ways.join(" and ") : "was not measured"}`;
}
