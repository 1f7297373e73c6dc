import { ORDERS } from "../../pairs/forced_choice.ts";
import type { MinimalPair } from "../../pairs/pair.ts";
import type { Response } from "../../pairs/responses.ts";
import { type Answers, readAnswersTo } from "../evaluation/answers.ts";
import { hostedEntries, type HostedEntry } from "../evaluation/hosted_access.ts";
import { completePanels, countedResponses, type StudyPanel, studyPanels } from "../study_panels.ts";
import type { Evidence, HostedStanding } from "./evidence.ts";

type PanelEvidence = Pick<
  Evidence,
  "panels" | "models" | "responses" | "likelihoods" | "hosted"
>;

/**
 * What the panels answered: of complete ones what counts, of hosted models how far they are.
 * @throws {RangeError} where no panel is complete; Error where the answers belong to other pairs.
 */
export function panelEvidence(
  pairs: readonly MinimalPair[],
  { responses, likelihoods }: Answers = readAnswersTo(pairs),
  all: readonly StudyPanel[] = studyPanels(pairs, responses),
): PanelEvidence {
  const panels = completePanels(all);
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
