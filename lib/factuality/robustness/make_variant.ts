import type { RandomSource } from "../../stats/random.ts";
import { reformatDate } from "./controls/date_format.ts";
import { reformatNumber } from "./controls/number_format.ts";
import { paraphrase } from "./controls/paraphrase.ts";
import { reorder } from "./controls/reorder.ts";
import { respell } from "./controls/spelling.ts";
import { useSynonym } from "./controls/synonym.ts";
import { convertUnit } from "./controls/unit_conversion.ts";
import { shiftDate } from "./perturbations/date_shift.ts";
import { swapName } from "./perturbations/name_swap.ts";
import { flipNegation } from "./perturbations/negation_flip.ts";
import { exchangeDigits, shiftNumber } from "./perturbations/number_shift.ts";
import { swapPlace } from "./perturbations/place_swap.ts";
import { swapQuantifier } from "./perturbations/quantifier_swap.ts";
import { swapRoles } from "./perturbations/role_swap.ts";
import { swapUnit } from "./perturbations/unit_swap.ts";
import {
  changed,
  type Variant,
  type VariantKind,
  type VariantRule,
  type VariantTools,
} from "./variant.ts";

const RULES: Readonly<Record<VariantKind, VariantRule>> = {
  date: shiftDate,
  place: swapPlace,
  number: shiftNumber,
  digits: exchangeDigits,
  name: swapName,
  negation: flipNegation,
  quantifier: swapQuantifier,
  roles: swapRoles,
  unit: swapUnit,
  paraphrase,
  synonym: useSynonym,
  order: reorder,
  "number format": reformatNumber,
  "date format": reformatDate,
  "unit converted": convertUnit,
  spelling: respell,
};

/**
 * The text with one thing of the kind changed; undefined where nothing of the kind stands in it. The
 * same text, tools and random source give the same variant.
 */
export function makeVariant(
  kind: VariantKind,
  text: string,
  tools: VariantTools,
  random: RandomSource,
): Variant | undefined {
  const change = RULES[kind](text, tools, random);
  if (change === undefined) return undefined;
  const { start, end, to } = change;
  const from = text.slice(start, end);
  return from === to
    ? undefined
    : { kind, text: changed(text, change), span: { start, end }, from, to };
}
