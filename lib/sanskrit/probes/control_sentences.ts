import type { DatasetItem } from "../../pairs/number_pairs.ts";
import { type Cell, formatCell } from "../cell.ts";
import { DECLENSIONS } from "../declension.ts";
import { fromIast } from "../devanagari.ts";
import { decline, declineAdjective } from "../paradigms.ts";
import type { Phenomenon } from "../contrasts/candidate.ts";
import { paradigmCells } from "../contrasts/dataset.ts";
import {
  type Contrast,
  type ContrastRecord,
  contrastRecord,
} from "../contrasts/contrast_record.ts";
import { templateOf } from "./control_templates.ts";

type Plan = Pick<Contrast, "phenomenon" | "stem" | "declension" | "from" | "to">;

/**
 * New simple sentences with the nouns and cells of a contrast set: no model can have them by heart.
 * The noun, its correct cell and the wrong one are those of the pair; where the frame would allow the
 * wrong case, the first that breaks it is taken. Contrasts of number have सर्व “all” beside the noun,
 * which agrees with it in its correct cell. Each contrast occurs once.
 */
export function controlContrasts(
  items: readonly DatasetItem<Phenomenon>[],
): readonly ContrastRecord[] {
  const plans = new Map<string, Plan>();
  for (const { pair: { phenomenon }, certificate } of items) {
    const cells = paradigmCells(certificate);
    const plan = planOf({ phenomenon, stem: certificate.lemma, ...cells });
    if (plan === undefined) continue;
    const key = [plan.stem, plan.declension, formatCell(plan.from), formatCell(plan.to)].join("|");
    if (!plans.has(key)) plans.set(key, plan);
  }
  return [...plans.values()].map((plan, index) => contrastOf(plan, index + 1)).map(contrastRecord);
}

/**
 * The contrast that the frame can bear; nothing where every form that breaks it can also be read in
 * a case that does not, or as a vocative: “O gods, Sītā sees” is a sentence.
 */
function planOf(plan: Plan): Plan | undefined {
  if (plan.phenomenon === "number") return plan;
  const { breaks } = templateOf(plan.from);
  const paradigm = decline(plan.stem, plan.declension);
  const cases = breaks.includes(plan.to.case) ? [plan.to.case, ...breaks] : breaks;
  const fitting = cases.map((name): Cell => ({ case: name, number: plan.to.number })).find((to) => {
    const readings = paradigm.cellsOf(paradigm.forms(to)[0]!);
    return readings.every((cell) => breaks.includes(cell.case));
  });
  return fitting && { ...plan, to: fitting };
}

function contrastOf(plan: Plan, n: number): Contrast {
  const { stem, declension, from, to, phenomenon } = plan;
  const paradigm = decline(stem, declension);
  const { gender } = DECLENSIONS[declension];
  const all = declineAdjective("sarva", "pronominal")[gender].forms(from)[0]!;
  const rest = templateOf(from).rest[from.number];
  const sentence = (form: string) =>
    [form, ...(phenomenon === "number" ? [all] : [])].map(beforeVoiceless).concat(rest).join(" ");
  const written = (cell: Cell) => beforeVoiceless(paradigm.forms(cell)[0]!);
  return {
    ...plan,
    id: `control_${String(n).padStart(4, "0")}`,
    grammatical: fromIast(sentence(paradigm.forms(from)[0]!)),
    ungrammatical: fromIast(sentence(paradigm.forms(to)[0]!)),
    context: "",
    target: fromIast(written(from)),
    variant: fromIast(written(to)),
  };
}

/** Before k, p and s only -m is written otherwise than in pausa. */
const beforeVoiceless = (form: string) => form.replace(/m$/u, "ṃ");
