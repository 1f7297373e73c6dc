import { ORDERS } from "../forced_choice.ts";
import type { MinimalPair } from "../pair.ts";
import type { Response } from "../responses.ts";
import { type Answers, readAnswersTo } from "../panels/answers.ts";
import { hostedEntries, type HostedEntry } from "../panels/hosted_access.ts";
import {
  completePanels,
  countedResponses,
  type StudyPanel,
  studyPanels,
} from "../panels/study_panels.ts";
import type { PairStudy } from "../study.ts";
import type { PairLikelihood } from "../likelihood_rows.ts";
import type { CompletePanel } from "../panels/study_panels.ts";

/** What the panels of a study answered, as its findings are written from it. */
export interface PanelEvidence {
  /** The panels of which figures were computed, side by side. */
  readonly panels: readonly CompletePanel[];
  /** Their models, panel by panel. */
  readonly models: readonly string[];
  /** Their answers, of those to the questions that count. */
  readonly responses: readonly Response[];
  readonly likelihoods: readonly PairLikelihood[];
  /** How far the hosted models are. */
  readonly hosted: readonly HostedStanding[];
}

/** What there is of a hosted model's answers. */
export interface HostedStanding {
  readonly entry: HostedEntry;
  readonly answered: number;
  readonly invalid: number;
  /** Questions of all pairs in both orders. */
  readonly questions: number;
}

/**
 * What the panels answered: of complete ones what counts, of hosted models how far they are.
 * @throws {RangeError} where no panel is complete; Error where the answers belong to other pairs.
 */
export function panelEvidence(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  { responses, likelihoods }: Answers = readAnswersTo(study, pairs),
  all: readonly StudyPanel[] = studyPanels(study, pairs, responses),
): PanelEvidence {
  const panels = completePanels(study, all);
  const entries = hostedEntries(all.flatMap(({ panel }) => panel.models));
  return {
    panels,
    models: panels.flatMap(({ models }) => models),
    responses: countedResponses(responses, panels),
    likelihoods,
    hosted: entries.map((entry) => standingOf(entry, responses, ORDERS.length * pairs.length)),
  };
}

function standingOf(
  entry: HostedEntry,
  responses: readonly Response[],
  questions: number,
): HostedStanding {
  const own = responses.filter(({ model }) => model === entry.id);
  const invalid = own.filter(({ response }) => response === "INVALID").length;
  return { entry, answered: own.length, invalid, questions };
}

/** Models that give likelihoods: a host that gives none has no row of dashes. */
export function scoredModels(
  { models, likelihoods }: Pick<PanelEvidence, "models" | "likelihoods">,
): readonly string[] {
  return models.filter((name) => likelihoods.some(({ model }) => model === name));
}
