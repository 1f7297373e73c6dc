import { isPseudoLikelihood } from "../../models/masked/pseudo_likelihood.ts";
import { missingLikelihoods, type PairLikelihood } from "../../pairs/likelihood_rows.ts";
import type { MinimalPair } from "../../pairs/pair.ts";
import type { StudyPanel } from "../../pairs/panels/study_panels.ts";

/** A model that gives likelihoods, and how many pairs it still lacks. */
export interface ScoringStanding {
  readonly model: string;
  readonly missing: number;
}

/** Every model that is to give likelihoods: those of the panels, then masked ones that have begun. */
export function likelihoodModels(
  panels: readonly Pick<StudyPanel, "panel">[],
  likelihoods: readonly PairLikelihood[],
): readonly string[] {
  const causal = panels.flatMap(({ panel }) => panel.models)
    .filter(({ roles }) => roles.includes("likelihood")).map(({ id }) => id);
  return [...causal, ...maskedModels(likelihoods)];
}

/** Models that score by pseudo-likelihood, as their rows name them: `name:pll_original`. */
export function maskedModels(likelihoods: readonly PairLikelihood[]): readonly string[] {
  const names = likelihoods.map(({ model }) => model);
  return [...new Set(names)].filter(isPseudoLikelihood).sort();
}

/** Of each model, how many of the pairs it has not scored; figures are given of those that lack none. */
export function scoringStanding(
  models: readonly string[],
  pairs: readonly Pick<MinimalPair, "id">[],
  likelihoods: readonly PairLikelihood[],
): readonly ScoringStanding[] {
  return [...missingLikelihoods({ pairs, likelihoods, models })]
    .map(([model, missing]) => ({ model, missing }));
}

/** The models that have scored every pair. */
export function wholeModels(standings: readonly ScoringStanding[]): readonly string[] {
  return standings.flatMap(({ model, missing }) => missing === 0 ? [model] : []);
}
