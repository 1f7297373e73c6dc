import { type Drawable, writeEstimate } from "../../../figures/measure.ts";
import type { AbstentionRate } from "../../abstention/rates.ts";
import type { HallucinationProfile } from "../../profile/hallucination_profile.ts";
import type { UncertaintySummary } from "../uncertainty/uncertainty_summary.ts";
import { figureMeasure } from "./abstention_views.ts";

const written = (measure: Drawable) => writeEstimate(measure, "decimal");

/** How many systems are of high risk, and what it is that flags them. */
export function riskSentence(profiles: readonly HallucinationProfile[]): string {
  const flagged = profiles.filter(({ risk }) => risk.high);
  const reasons = flagged.map(({ model, risk }) =>
    `${model}: ${risk.reasons.map(({ words }) => words).join("; ")}`
  );
  return `Of ${profiles.length} systems ${flagged.length} are of high risk` +
    (reasons.length === 0 ? "." : ` (${reasons.join(" · ")}).`);
}

const TOTAL = "total, by entropy";

/** Whether uncertainty tells wrong answers from right ones, model by model. */
export function uncertaintySentence(summaries: readonly UncertaintySummary[]): string {
  const parts = summaries.map(({ model, questions, measures }) => {
    const area = measures.find(({ name }) => name === TOTAL)?.area;
    if (area === undefined || area.kind === "unavailable") return `${model}: not known`;
    const tells = area.low > 0.5 ? "tells something" : "not shown to differ from chance";
    return `${model} ${written(area)} (${questions} questions): ${tells}`;
  });
  return "How often a wrong answer is more uncertain than a right one, by total entropy, 0.5 as by " +
    `chance: ${parts.join("; ")}.`;
}

/** False acceptance of each model, as the reader's labels have it, with and without leave to decline. */
export function abstentionSentence(rates: readonly AbstentionRate[]): string {
  const own = rates.filter((row) =>
    row.kind === "all" && row.read_by === "hand" && row.rate === "false acceptance" &&
    row.temperature === 0
  );
  const partsOf = (instruction: AbstentionRate["instruction"]) =>
    own.filter((row) => row.instruction === instruction).map((row) => {
      const measure = figureMeasure(row);
      return measure.kind === "unavailable"
        ? `${row.model} not known (${measure.reason})`
        : `${row.model} ${written(measure)} of ${row.n}`;
    }).join("; ");
  return "Share of questions about invented things that were answered as if these existed, asked " +
    `without a word of declining: ${partsOf("none")}; told that it may decline: ${
      partsOf("may decline")
    }.`;
}
