import {
  type ControlKind,
  isPerturbation,
  type PerturbationKind,
  type VariantKind,
} from "./variant.ts";

/** Whether the trained verifier has met a kind of change among the claims it was trained on. */
export type SeenInTraining = "yes" | "partly" | "no";

/**
 * `lib/factuality/training` moves years and months, exchanges digits, swaps names and denies; of
 * quantifiers and roles it knows some words, of synonyms and formats some pairs. Units, other spellings
 * and another voice it has never seen.
 */
export const SEEN_IN_TRAINING: Readonly<Record<VariantKind, SeenInTraining>> = {
  ...{ date: "yes", place: "yes", number: "yes", digits: "yes", name: "yes", negation: "yes" },
  ...{ quantifier: "partly", roles: "partly", unit: "no" },
  ...{ paraphrase: "partly", synonym: "partly", order: "partly", "number format": "partly" },
  ...{ "date format": "yes", "unit converted": "no", spelling: "no" },
};

/** For each perturbation the control that changes the same part of a text and keeps it true. */
export const MATCHED_CONTROL: Readonly<Record<PerturbationKind, ControlKind>> = {
  ...{ date: "date format", number: "number format", digits: "number format" },
  ...{ unit: "unit converted", roles: "paraphrase", name: "order", place: "order" },
  ...{ negation: "synonym", quantifier: "synonym" },
};

/** A perturbed text is not borne out, a control is. */
export function labelOf(kind: VariantKind): "supported" | "not supported" {
  return isPerturbation(kind) ? "not supported" : "supported";
}
