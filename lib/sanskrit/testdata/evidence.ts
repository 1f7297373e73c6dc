import { auditArtefacts } from "../../pairs/artefacts.ts";
import type { Statistic } from "../../pairs/clustered.ts";
import { bothOrders, ORDERS } from "../../pairs/forced_choice.ts";
import { computeStatistics } from "../../pairs/statistics.ts";
import { responded } from "../../pairs/testdata/responses.ts";
import { PHENOMENA } from "../contrasts.ts";
import type { Evidence } from "../figure_rows.ts";
import { partsOf } from "../metrics.ts";
import { madeContrast, scored } from "./fixtures.ts";

const NUMBER = {
  ...{ phenomenon: "number", grammatical: "देवाः सर्वे", ungrammatical: "देवः सर्वे" } as const,
  ...{ target: "देवाः", cells: ["nom.pl", "nom.sg"], relation: "agreement" } as const,
};

/** Six pairs of case (genitive to dative) of deva, two of number of deva and one of putra. */
export const ITEMS = [
  ...[1, 2, 3, 4, 5, 6].map((n) => madeContrast({ id: `morph_000${n}` })),
  madeContrast({ ...NUMBER, id: "morph_0007", marks: ["metre_changed"] }),
  madeContrast({ ...NUMBER, id: "morph_0008" }),
  madeContrast({
    ...{ id: "morph_0009", stem: "putra", source: [1, 2], grammatical: "पुत्रस्य फलं" },
    ...{ ungrammatical: "पुत्राय फलं", target: "पुत्रस्य" },
  }),
];

export const MASKED = "bidirectional_character:pll_original";
const IDS = ITEMS.map(({ pair }) => pair.id);
const SETTINGS = { seed: 1, resamples: 100 };

/** `small` always says A and is right by likelihood on case alone; the masked model is always right. */
const LIKELIHOODS = ITEMS.flatMap(({ pair: { id, phenomenon } }) => [
  scored("small", id, phenomenon === "case" ? [-1, -2] : [-2, -1]),
  scored(MASKED, id, [-1, -2]),
]);

const RESPONSES = IDS.flatMap((id) => ORDERS.map((order) => responded("small", id, order, "A")));

const PANEL = {
  ...{ title: "local", design: "both", orders: bothOrders } as const,
  ...{ models: ["small"], asked: ["small"] },
};

/** A row of `probe_statistics.csv` with an interval of ± 0.1. */
export function probe(phenomenon: string, measure: string, estimate: number): Statistic {
  const value = {
    kind: "interval",
    estimate,
    low: estimate - 0.1,
    high: estimate + 0.1,
  } as const;
  return { model: "small", phenomenon, measure, value, n: 9, clusters: 2, method: "made" };
}

/** Evidence as it stands after a run of one model of the local panel and one masked model. */
export function madeEvidence(change: Partial<Evidence> = {}): Evidence {
  return {
    ...{ panels: [PANEL], models: ["small"], responses: RESPONSES, likelihoods: LIKELIHOODS },
    ...{ hosted: [], review: [], rejections: [], masked: [MASKED], probes: [] },
    sets: { main: ITEMS, iStems: [], controls: [], bareForms: [] },
    statistics: computeStatistics({
      ...{ ...SETTINGS, items: ITEMS, phenomena: PHENOMENA },
      ...{ responses: RESPONSES, likelihoods: LIKELIHOODS },
      panels: [PANEL, { models: [MASKED] }],
      parts: [...new Set(ITEMS.flatMap((item) => partsOf(item, 0)))].map((name) => ({
        name,
        has: ({ pair }) =>
          ITEMS.some((item) => item.pair.id === pair.id && partsOf(item, 0).includes(name)),
      })),
    }),
    artefacts: auditArtefacts(
      ITEMS,
      PHENOMENA,
      [{ name: "metre", choose: () => "grammatical" }],
      SETTINGS,
    ),
    ...change,
  };
}
