/** What a study's figures are drawn from. */
import type { MeasuredRow } from "../figures/rows.ts";
import { tally } from "../figures/table.ts";

import { hostedEntries } from "../models/panel.ts";
import { type Answers, readAnswers, type Response } from "./answers.ts";
import { type Artefact, artefactMeasure } from "./artefacts.ts";
import { RANDOM } from "../models/baselines.ts";
import { ALL, isConstructed, lookUp, type Statistic } from "./clustered.ts";
import { ORDERS } from "./forced_choice.ts";
import { preference } from "./measures.ts";
import { aroundChange, type MinimalPair, type Rejection } from "./pair.ts";
import { type CompletePanel, completePanels, countedResponses, studyPanels } from "./panels.ts";
import type { PairStudy } from "./study.ts";
import { DESIGN_WORDS, type GroupNames, labelledModels } from "./tables.ts";

/**
 * What the panels answered: of complete ones what counts, of hosted models how far they are.
 * @throws {RangeError} where no panel is complete; Error where the answers belong to other pairs.
 */
export function panelResults(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  { responses, likelihoods }: Answers = readAnswers(study, pairs),
) {
  const all = studyPanels(study, pairs, responses);
  const panels = completePanels(study, all);
  return {
    /** Those of which figures were computed, side by side. */
    panels,
    models: panels.flatMap(({ models }) => models) as readonly string[],
    responses: countedResponses(responses, panels),
    likelihoods,
    /** How far the hosted models are: their answers, of questions of all pairs in both orders. */
    hosted: hostedEntries(all.flatMap(({ panel }) => panel.models)).map((entry) => {
      const answered = responses.filter(({ model }) => model === entry.id).length;
      return { entry, answered, questions: ORDERS.length * pairs.length };
    }),
  };
}

type PanelResults = ReturnType<typeof panelResults>;

/** Models that give likelihoods: a host that gives none has no row of dashes. */
export function scoredModels(
  { models, likelihoods }: Pick<PanelResults, "models" | "likelihoods">,
): readonly string[] {
  return models.filter((name) => likelihoods.some(({ model }) => model === name));
}

/** How a log-probability is read, as figures name it, with the accuracy that it gives. */
export const READOUTS: Readonly<Record<string, string>> = {
  total: "likelihood_accuracy_total",
  "per token": "likelihood_accuracy_per_token",
  "per byte": "likelihood_accuracy_per_byte",
};

interface AccuracySources {
  readonly panels: readonly CompletePanel[];
  readonly statistics: readonly Statistic[];
  /** Models of no panel, which are scored by pseudo-likelihood and asked nothing; none unless told. */
  readonly masked?: readonly string[];
  /** Those of {@link READOUTS} unless told. */
  readonly readouts?: Readonly<Record<string, string>>;
}

/** A row of a figure of accuracies, with the number of answers or pairs behind it. */
interface AccuracyRow extends MeasuredRow {
  readonly group: string;
  readonly n: number;
}

const BY_RULE = "Rules without grammar";

/**
 * Accuracy of every model, by choice and in every reading of its likelihoods, then the rules without
 * grammar, muted, on one group of pairs. What is the same on all pairs whatever they are, as of who
 * always says one letter, has no row unless `constant` asks for it, and a coin has none.
 */
export function accuracyRows(
  { statistics, panels, artefacts, masked = [], readouts = READOUTS, of = ALL, constant = false }:
    & AccuracySources
    & {
      readonly artefacts: readonly Artefact[];
      /** Name of the group; all pairs unless told. */
      readonly of?: string;
      /** Rows of what is the same on all pairs, too. */
      readonly constant?: boolean;
    },
): readonly AccuracyRow[] {
  const found = lookUp(statistics);
  const models = [
    ...labelledModels(panels).map(({ panel: { design }, ...named }) => {
      const choice = design === "both" ? "forced choice" : `choice, ${DESIGN_WORDS[design]}`;
      return { ...named, ways: { [choice]: "accuracy", ...readouts } };
    }),
    ...masked.map((model) => ({ model, label: model, ways: readouts })),
  ];
  const judged = models.flatMap(({ model, label: group, ways }) =>
    Object.entries(ways).flatMap(([label, name]): readonly AccuracyRow[] => {
      const measure = found.measure(model, name, of);
      if (measure.kind === "unavailable") return [];
      return [{ group, label, measure, n: found.row(model, name, of).n }];
    })
  );
  const rules = artefacts.filter(({ phenomenon, baseline }) =>
    phenomenon === of && baseline !== RANDOM
  ).map(({ baseline, n }) => ({
    group: BY_RULE,
    label: baseline.replaceAll("_", " "),
    n,
    muted: true,
    measure: artefactMeasure(artefacts, baseline, of),
  }));
  return [...judged, ...rules].filter(({ measure }) => constant || !isConstructed(measure));
}

/** The best of the models' rows and the best of the rules', and what their intervals say of the two. */
export function bestBesideRule(rows: readonly AccuracyRow[]) {
  const [model, rule] = [false, true].map((isRule) =>
    rows.flatMap(({ measure, ...row }) => {
      if (measure.kind === "unavailable" || (row.muted ?? false) !== isRule) return [];
      return [{ ...row, low: 0, high: 1, ...measure }];
    }).toSorted((a, b) => b.estimate - a.estimate)[0]
  );
  if (model === undefined || rule === undefined) return undefined;
  const verdict = model.low > rule.high ? "better" : model.high < rule.low ? "worse" : "level";
  return { model, rule, verdict } as const;
}

/** Of every scored model a row for each group of pairs, with a measure for each of the readouts. */
export function groupRows(
  { panels, statistics, readouts = READOUTS }: AccuracySources,
  groupNames: GroupNames,
) {
  const found = lookUp(statistics);
  return labelledModels(panels).flatMap(({ model, label: group }) =>
    Object.entries(groupNames).flatMap(([name, words]) => {
      const rules = Object.values(readouts);
      const measures = rules.map((one) => found.measure(model, one, name));
      const known = rules.find((_, i) => measures[i]!.kind !== "unavailable");
      if (known === undefined) return [];
      const { n } = found.row(model, known, name);
      return [{ group, label: `${words} (${n})`, measures }];
    })
  );
}

/**
 * Cells of a heat map, model and scoring rule × group of pairs. A row without any measure is left out.
 * `readouts` maps the words of a scoring rule to its measure.
 */
export function accuracyCells(
  { panels, statistics, readouts = READOUTS }: AccuracySources,
  groupNames: GroupNames,
) {
  const found = lookUp(statistics);
  const names = Object.keys(groupNames);
  const rows = labelledModels(panels).flatMap(({ model, label }) =>
    Object.entries(readouts).flatMap(([words, measure]) => {
      const cells = names.map((name) => found.measure(model, measure, name));
      if (cells.every(({ kind }) => kind === "unavailable")) return [];
      return [{ label: `${label}, ${words}`, cells }];
    })
  );
  return {
    rows: rows.map(({ label }) => label),
    columns: Object.values(groupNames),
    cells: rows.map(({ cells }) => cells),
  };
}

/** Points of a scatter chart: a scoring rule's accuracy on two groups of pairs, one point a model. */
export function accuracyPoints(
  { panels, statistics, readouts = READOUTS }: AccuracySources,
  groups: Readonly<Record<"x" | "y", string>>,
) {
  const found = lookUp(statistics);
  return labelledModels(panels).flatMap(({ model, label: series }) =>
    Object.entries(readouts).flatMap(([label, measure]) => {
      const [x, y] = [groups.x, groups.y].map((group) => found.measure(model, measure, group));
      if (x!.kind === "unavailable" || y!.kind === "unavailable") return [];
      const place = { x: x!.estimate, y: y!.estimate, label, series };
      if (x!.kind !== "interval" || y!.kind !== "interval") return [place];
      return [{ ...place, intervals: { x: [x!.low, x!.high], y: [y!.low, y!.high] } as const }];
    })
  );
}

/** The commonest reasons of each phenomenon for which candidates were refused, of all that were. */
export function refusalRows(
  rejections: readonly Rejection[],
  phenomena: GroupNames,
  most: number,
) {
  // `a_form_is_another_word` is "a-form is another word": the form with a for ǫ.
  const inWords = (reason: string) => reason.replace(/^a_form/, "a-form").replaceAll("_", " ");
  const refused = rejections.filter(({ reason }) => reason !== "not_selected");
  return Object.entries(phenomena).flatMap(([phenomenon, group]) => {
    const own = refused.filter((rejection) => rejection.phenomenon === phenomenon);
    return tally(own.map(({ reason }) => inWords(reason))).slice(0, most)
      .map(([label, n]) => (
        { group, label, count: n, measure: { kind: "value" as const, estimate: n } }
      ));
  });
}

/** What each model did wrong with a pair, in words; nothing where none made an error. */
export function errorsOf(
  { models, responses, likelihoods }: Pick<PanelResults, "models" | "responses" | "likelihoods">,
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
