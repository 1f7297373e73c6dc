import type { Panel } from "../../models/panel.ts";
import type { OrderDesign, OrderPlan } from "../order_plan.ts";
import type { MinimalPair } from "../pair.ts";
import { type ModelStanding, type PanelStanding, panelStanding } from "../panel_standing.ts";
import type { Response } from "../responses.ts";
import { readPanel } from "./read_panel.ts";
import type { PairStudy } from "../study.ts";

/** What a panel is called beside others. */
export type PanelTitle = "local" | "hosted";

/**
 * Designs of which figures are given. To ask a model of this machine in both orders costs nothing:
 * where it lacks an answer it is asked again, and no half of its answers takes the place of all.
 */
const ACCEPTED: Readonly<Record<PanelTitle, readonly OrderDesign[]>> = {
  local: ["both"],
  hosted: ["both", "counterbalanced"],
};

/**
 * Panels that are computed as a whole or not at all: the specification names the four hosted models.
 * Who adds a model of his own to the local panel loses no figure of the others while it is asked.
 */
const WHOLE: readonly PanelTitle[] = ["hosted"];

/** A panel of the study, and what there is of its answers. */
export interface StudyPanel {
  readonly title: PanelTitle;
  readonly panel: Panel;
  /** Those of its models that are asked to choose, without those left out. */
  readonly asked: readonly string[];
  readonly standing: PanelStanding;
  /** Models of no figure, for they lack answers; the others' figures do not wait for them. */
  readonly leftOut: readonly ModelStanding[];
}

/** A panel of which figures may be computed: every model here answered the same questions. */
export interface CompletePanel {
  readonly title: PanelTitle;
  readonly models: readonly string[];
  readonly asked: readonly string[];
  readonly design: OrderDesign;
  readonly orders: OrderPlan;
}

/** The panels of the study: what runs on this machine, and the specification's four hosted models. */
export function readStudyPanels(
  { panels, project }: Pick<PairStudy, "panels" | "project">,
): readonly Pick<StudyPanel, "title" | "panel">[] {
  return [
    { title: "local", panel: readPanel(panels.local, project) },
    { title: "hosted", panel: readPanel(panels.hosted, project) },
  ];
}

/**
 * Each panel with what may be computed of it.
 * @throws {RangeError} for a model of two panels, whose answers would count in both.
 */
export function studyPanels(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  responses: readonly Response[],
  panels: readonly Pick<StudyPanel, "title" | "panel">[] = readStudyPanels(study),
): readonly StudyPanel[] {
  const ids = panels.flatMap(({ panel }) => panel.models.map(({ id }) => id));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) {
    throw new RangeError(`Cannot set panels side by side: ${twice} stands in two of them.`);
  }
  return panels.map((panel) => studyPanel(study.orderSeed, pairs, responses, panel));
}

function studyPanel(
  seed: number,
  pairs: readonly MinimalPair[],
  responses: readonly Response[],
  { title, panel }: Pick<StudyPanel, "title" | "panel">,
): StudyPanel {
  const standingOf = (models: readonly string[]) =>
    panelStanding({ pairs, responses, models, seed, accepted: ACCEPTED[title] });
  const asked = panel.models.filter(({ roles }) => roles.includes("chat")).map(({ id }) => id);
  const standing = standingOf(asked);
  const lacking = standing.kind === "complete"
    ? []
    : standing.models.filter(({ lacks }) => lacks.both > 0);
  const isWhole = WHOLE.includes(title) || lacking.length === asked.length;
  if (isWhole || lacking.length === 0) return { title, panel, asked, standing, leftOut: [] };
  const finished = asked.filter((id) => lacking.every(({ model }) => model !== id));
  return { title, panel, asked: finished, standing: standingOf(finished), leftOut: lacking };
}

/**
 * The panels of which figures may be computed.
 * @throws {RangeError} where there is none, naming how many answers each model lacks.
 */
export function completePanels(
  { commands }: Pick<PairStudy, "commands">,
  panels: readonly StudyPanel[],
): readonly CompletePanel[] {
  const complete = panels.flatMap(({ title, panel, asked, standing, leftOut }) => {
    if (standing.kind === "incomplete") return [];
    const { design, orders } = standing;
    const models = panel.models.map(({ id }) => id)
      .filter((id) => leftOut.every(({ model }) => model !== id));
    return [{ title, models, asked, design, orders }];
  });
  if (complete.length > 0) return complete;
  const lacks = panels.flatMap(({ standing }) =>
    standing.kind === "complete" ? [] : standing.models.filter(({ lacks }) => lacks.both > 0)
      .map(({ model, lacks }) => `${model} lacks ${lacks.both}`)
  );
  throw new RangeError(
    `Cannot compute metrics: no panel is complete (${lacks.join(", ")}). Run ` +
      `\`${commands.evaluate} --panel local\`: it asks only what is missing.`,
  );
}

/** Answers that count: those to the questions of the complete panels' designs. */
export function countedResponses(
  responses: readonly Response[],
  panels: readonly CompletePanel[],
): readonly Response[] {
  const ordersOf = new Map(panels.flatMap(({ models, orders }) => models.map((m) => [m, orders])));
  return responses.filter(({ model, pairId, order }) =>
    ordersOf.get(model)?.(pairId).includes(order) ?? false
  );
}
