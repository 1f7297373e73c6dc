import type { DatasetItem } from "../../pairs/number_pairs.ts";
import { type Cell, formatCell } from "../cell.ts";
import { DECLENSIONS } from "../declension.ts";
import { fromIast } from "../devanagari.ts";
import { decline } from "../paradigms.ts";
import type { Phenomenon } from "../contrasts/candidate.ts";
import { paradigmCells } from "../contrasts/dataset.ts";
import {
  type Contrast,
  type ContrastRecord,
  contrastRecord,
} from "../contrasts/contrast_record.ts";
import { templateOf, UNTESTABLE } from "./control_templates.ts";

type Plan = Pick<Contrast, "phenomenon" | "stem" | "declension" | "from" | "to">;

/**
 * New simple sentences with the nouns of a contrast set: no model can have them by heart. In contrasts
 * of case the correct cell and the wrong one are those of the pair; where the frame would allow the
 * wrong case, the first that breaks it is taken. Contrasts of number are all of one kind, a singular
 * subject of a plural verb with “some” in the plural beside it, masculine or feminine: of no other
 * cell is a wrong number beyond doubt. Each contrast occurs once.
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
  if (UNTESTABLE.has(plan.stem)) return undefined;
  if (plan.phenomenon === "number") {
    // A neuter singular may be an adverb (“some shine pleasantly”), or a predicate of whatever number.
    const isNeuter = DECLENSIONS[plan.declension].gender === "neuter";
    return isNeuter ? undefined : { ...plan, from: SUBJECTS, to: SUBJECT };
  }
  const { breaks } = templateOf(plan.from);
  const paradigm = decline(plan.stem, plan.declension);
  const cases = breaks.includes(plan.to.case) ? [plan.to.case, ...breaks] : breaks;
  const fitting = cases.map((name): Cell => ({ case: name, number: plan.to.number })).find((to) => {
    const readings = paradigm.cellsOf(paradigm.forms(to)[0]!);
    return readings.every((cell) => breaks.includes(cell.case));
  });
  return fitting && { ...plan, to: fitting };
}

const SUBJECTS: Cell = { case: "nominative", number: "plural" };
const SUBJECT: Cell = { case: "nominative", number: "singular" };

function contrastOf(plan: Plan, n: number): Contrast {
  const { stem, declension, from, to } = plan;
  const paradigm = decline(stem, declension);
  const { gender } = DECLENSIONS[declension];
  const rest = templateOf(from).rest({ gender, number: from.number });
  const [target, variant] = [from, to].map((cell) => beforeVoiceless(paradigm.forms(cell)[0]!));
  const sentence = (form: string | undefined) => fromIast(`${form} ${rest}`);
  return {
    ...plan,
    id: `control_${String(n).padStart(4, "0")}`,
    grammatical: sentence(target),
    ungrammatical: sentence(variant),
    context: "",
    target: fromIast(target!),
    variant: fromIast(variant!),
  };
}

/** Before k, p and s only -m is written otherwise than in pausa. */
const beforeVoiceless = (form: string) => form.replace(/m$/u, "ṃ");
