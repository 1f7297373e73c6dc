/** What a study's figures are drawn from. */
import type { Bar } from "../figures/bars.ts";
import type { ScatterPoint } from "../figures/scatter.ts";
import { hostedEntries } from "../models/panel.ts";
import { type Answers, readAnswers, type Response } from "./answers.ts";
import { type Artefact, artefactMeasure } from "./artefacts.ts";
import { ALL, type DrawnMeasure, lookUp, type Statistic } from "./clustered.ts";
import { ORDERS } from "./forced_choice.ts";
import { preference } from "./measures.ts";
import { aroundChange, type MinimalPair } from "./pair.ts";
import {
  type CompletePanel,
  completePanels,
  countedResponses,
  type StudyPanel,
  studyPanels,
} from "./panels.ts";
import type { PairStudy } from "./study.ts";
import { DESIGN_WORDS, type GroupNames, labelledModels, type Way } from "./tables.ts";

/**
 * What the panels answered: of complete ones what counts, of hosted models how far they are.
 * @throws {RangeError} where no panel is complete; Error where the answers belong to other pairs.
 */
export function panelEvidence(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  { responses, likelihoods }: Answers = readAnswers(study, pairs),
  all: readonly StudyPanel[] = studyPanels(study, pairs, responses),
) {
  const panels = completePanels(study, all);
  return {
    /** Those of which figures were computed, side by side. */
    panels,
    models: panels.flatMap(({ models }) => models) as readonly string[],
    responses: countedResponses(responses, panels),
    likelihoods,
    /** How far the hosted models are: their answers, of questions of all pairs in both orders. */
    hosted: hostedEntries(all.flatMap(({ panel }) => panel.models)).map((entry) => {
      const own = responses.filter(({ model }) => model === entry.id);
      const invalid = own.filter(({ response }) => response === "INVALID").length;
      return { entry, answered: own.length, invalid, questions: ORDERS.length * pairs.length };
    }),
  };
}

type PanelEvidence = ReturnType<typeof panelEvidence>;

/** Models that give likelihoods: a host that gives none has no row of dashes. */
export function scoredModels(
  { models, likelihoods }: Pick<PanelEvidence, "models" | "likelihoods">,
): readonly string[] {
  return models.filter((name) => likelihoods.some(({ model }) => model === name));
}

interface AccuracyEvidence {
  readonly panels: readonly CompletePanel[];
  readonly statistics: readonly Statistic[];
  /** Models of no panel, which are scored by pseudo-likelihood and asked nothing; none unless told. */
  readonly masked?: readonly string[];
  /** How models are judged, choice first; by choice and by total log-probability unless told. */
  readonly ways?: readonly Way[];
}

const WAYS: readonly Way[] = [
  { way: "choice", measure: "accuracy" },
  { way: "likelihood", measure: "likelihood_accuracy_total" },
];

const MASKED = { way: "pseudo-likelihood", measure: "likelihood_accuracy_total" } as const;

/** Accuracy of every model in every way on one group of pairs, then the rules without grammar, muted. */
export function accuracyBars(
  { statistics, panels, artefacts, masked = [], ways: judged = WAYS, of = ALL }:
    & AccuracyEvidence
    & {
      readonly artefacts: readonly Artefact[];
      /** Name of the group; all pairs unless told. */
      readonly of?: string;
    },
): readonly Bar[] {
  const found = lookUp(statistics);
  const barsOf = (models: readonly string[], name: string, group: string): readonly Bar[] =>
    models.filter((model) => found.measure(model, name, of).kind !== "unavailable")
      .map((label) => {
        const measure = found.measure(label, name, of);
        return { label, group, measure, n: found.row(label, name, of).n };
      });
  const ways = judged.flatMap(({ way, measure }) =>
    panels.flatMap(({ models, title, design }) => {
      const words = way === "choice"
        ? `Forced choice, ${DESIGN_WORDS[design]}`
        : way[0]!.toUpperCase() + way.slice(1);
      return barsOf(models, measure, panels.length === 1 ? words : `${words} (${title})`);
    })
  );
  const baselines = new Set(artefacts.map(({ baseline }) => baseline));
  return [
    ...ways,
    ...barsOf(masked, MASKED.measure, "Pseudo-likelihood"),
    ...[...baselines].map((label) => ({
      label: label.replaceAll("_", " "),
      group: "Rules without grammar",
      measure: artefactMeasure(artefacts, label, of),
      muted: true,
    })),
  ];
}

/** A row for every model and way that was measured, a column for every group of pairs. */
export function accuracyCells(
  { panels, statistics, masked = [], ways = WAYS }: AccuracyEvidence,
  groups: readonly string[],
): { readonly rows: readonly string[]; readonly cells: readonly (readonly DrawnMeasure[])[] } {
  const found = lookUp(statistics);
  const rows = [
    ...labelledModels(panels).flatMap((named) => ways.map((way) => ({ ...named, ...way }))),
    ...masked.map((model) => ({ model, label: model, ...MASKED })),
  ].filter(({ model, measure }) => found.measure(model, measure).kind !== "unavailable");
  return {
    rows: rows.map(({ label, way }) => `${label}, ${way}`),
    cells: rows.map(({ model, measure }) =>
      groups.map((group) => found.measure(model, measure, group))
    ),
  };
}

/** One point a model and group of pairs: likelihood to the right, choice upwards. */
export function agreementPoints(
  { panels, statistics, ways = WAYS }: AccuracyEvidence,
  groupNames: GroupNames,
): readonly ScatterPoint[] {
  const found = lookUp(statistics);
  return labelledModels(panels).flatMap(({ model, label: series }) =>
    Object.entries(groupNames).flatMap(([group, label]) => {
      const [y, x] = ways.map(({ measure }) => found.measure(model, measure, group));
      if (!x || !y || x.kind === "unavailable" || y.kind === "unavailable") return [];
      return [{ series, x: x.estimate, y: y.estimate, label }];
    })
  );
}

/** What each model did wrong with a pair, in words; nothing where none made an error. */
export function errorsOf(
  { models, responses, likelihoods }: Pick<PanelEvidence, "models" | "responses" | "likelihoods">,
  pairId: string,
): readonly string[] {
  return models.flatMap((model) => {
    const answers = responses.filter((own) => own.model === model && own.pairId === pairId);
    const row = likelihoods.find((own) => own.model === model && own.pairId === pairId);
    // Who chose nothing did not choose the wrong sentence.
    const isWrong = ({ correct, response }: Response) => !correct && response !== "INVALID";
    const orders = answers.length === 1 ? "the one order asked" : "every order";
    const chose = answers.length > 0 && answers.every(isWrong);
    const prefers = row && preference(row, "total") === "ungrammatical";
    return [
      ...(chose ? [`${model} chose wrongly in ${orders}`] : []),
      ...(prefers ? [`${model} finds the variant more probable`] : []),
    ];
  });
}

/** The grammatical sentence with the changed word, which may stand in it twice, in bold. */
export function emphasised(pair: MinimalPair): string {
  const { before, from, after } = aroundChange(pair);
  return `${before}**${from}**${after}`;
}
