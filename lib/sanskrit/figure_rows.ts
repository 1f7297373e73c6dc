import type { Bar, StackedBar } from "../figures/bars.ts";
import type { MeasuredRow } from "../figures/rows.ts";
import { tally } from "../figures/table.ts";
import type { PairLikelihood, Response } from "../pairs/answers.ts";
import { type Artefact, artefactsTable } from "../pairs/artefacts.ts";
import { readBlindReview, type ReviewRow } from "../pairs/blind_review.ts";
import { type DrawnMeasure, lookUp, type Statistic, statisticsTable } from "../pairs/clustered.ts";
import { type PanelEvidence, panelEvidence } from "../pairs/evidence.ts";
import { preference } from "../pairs/measures.ts";
import type { Rejection } from "../pairs/pair.ts";
import { labelledModels } from "../pairs/tables.ts";
import { PHENOMENA } from "./contrasts.ts";
import { readRejections } from "./generate.ts";
import { cellsOfRecord, type ContrastItem } from "./records.ts";
import { maskedModels } from "./metrics.ts";
import { formatCell } from "./paradigms.ts";
import { type ContrastSets, readContrastSets } from "./probes.ts";
import { CASES, NUMBERS } from "./rules.ts";
import { SANSKRIT_PATHS, SANSKRIT_STUDY } from "./study.ts";

/** Everything that figures, errors and findings are made from. */
export interface Evidence extends PanelEvidence {
  readonly sets: ContrastSets;
  /** What readers without a key said of the pairs of both sets as they stand. */
  readonly review: readonly ReviewRow[];
  readonly rejections: readonly Rejection[];
  /** Masked models of which there are figures; they are of no panel. */
  readonly masked: readonly string[];
  /** Rows of `statistics.csv`. */
  readonly statistics: readonly Statistic[];
  /** Rows of `probe_statistics.csv`: the pairs beside control sentences, bare forms, IAST, i-stems. */
  readonly probes: readonly Statistic[];
  readonly artefacts: readonly Artefact[];
}

/** All pairs and each phenomenon, as tables and figures head them. */
export const GROUP_NAMES = { ALL: "All", case: "Case", number: "Number" } as const;

/** The same without all of them. */
export const PHENOMENON_NAMES = { case: GROUP_NAMES.case, number: GROUP_NAMES.number } as const;

/** What writes the tables of metrics. */
const MAKER = "24_sanskrit_metrics";

/**
 * Everything in data/sanskrit that the findings are written from; throws where a file is missing or
 * damaged, where answers belong to other pairs, and where no panel is complete.
 */
export function readEvidence(): Evidence {
  const sets = readContrastSets();
  const panels = panelEvidence(SANSKRIT_STUDY, sets.main.map(({ pair }) => pair));
  const statistics = readStatistics(SANSKRIT_PATHS.statistics);
  const measured = new Set(statistics.map(({ model }) => model));
  return {
    ...panels,
    sets,
    review: readBlindReview(SANSKRIT_PATHS.blindReview, [...sets.main, ...sets.iStems]),
    rejections: readRejections(SANSKRIT_PATHS.rejections),
    masked: maskedModels(panels.likelihoods).filter((model) => measured.has(model)),
    statistics,
    probes: readStatistics(SANSKRIT_PATHS.probeStatistics),
    artefacts: artefactsTable({ path: SANSKRIT_PATHS.artefacts, maker: MAKER }).read(),
  };
}

function readStatistics(path: string): readonly Statistic[] {
  return statisticsTable({ path, maker: MAKER }).read();
}

/** A model in one way of judging it. */
export interface Judge {
  readonly model: string;
  /** For tables and figures: the model, with its panel where there are several, and the way. */
  readonly label: string;
  /** Its accuracy in `statistics.csv`. */
  readonly measure: "accuracy" | "likelihood_accuracy_total";
}

/** Every model in every way that was measured, panel by panel, masked models last. */
export function judgesOf(
  { panels, masked, statistics }: Pick<Evidence, "panels" | "masked" | "statistics">,
): readonly Judge[] {
  const found = lookUp(statistics);
  const all = [
    ...labelledModels(panels).flatMap(({ model, label }): readonly Judge[] => [
      { model, label: `${label}, likelihood`, measure: "likelihood_accuracy_total" },
      { model, label: `${label}, choice`, measure: "accuracy" },
    ]),
    ...masked.map((model): Judge => ({
      model,
      // The name says that it is scored by pseudo-likelihood, and in which variant.
      label: model,
      measure: "likelihood_accuracy_total",
    })),
  ];
  return all.filter(({ model, measure }) => found.measure(model, measure).kind !== "unavailable");
}

/** One way a model: by likelihood where that was measured, else by choice. */
export function oneJudgeEach(judges: readonly Judge[]): readonly Judge[] {
  return [...Map.groupBy(judges, ({ model }) => model).values()].flatMap(([first]) => first ?? []);
}

/** Masked models that were trained on the text itself: a yardstick, as the counting rules are. */
const isTrainedHere = (model: string): boolean => model.startsWith("bidirectional_character:");

/**
 * The model and way with the highest accuracy over all pairs, of the models that were not trained
 * here; of several the first.
 * @throws {RangeError} where no model was measured.
 */
export function strongestJudge(
  evidence: Pick<Evidence, "panels" | "masked" | "statistics">,
): Judge & { readonly overall: DrawnMeasure } {
  const found = lookUp(evidence.statistics);
  const estimate = (drawn: DrawnMeasure) => drawn.kind === "unavailable" ? -1 : drawn.estimate;
  const [best] = judgesOf(evidence).filter(({ model }) => !isTrainedHere(model))
    .map((judge) => ({ ...judge, overall: found.measure(judge.model, judge.measure) }))
    .toSorted((a, b) => estimate(b.overall) - estimate(a.overall));
  if (best) return best;
  throw new RangeError("Cannot name the strongest model: none was measured.");
}

/** Whether a judge was right on a pair; undefined where it gave nothing. */
type RightOn = (pairId: string) => boolean | undefined;

/** How a judge did on single pairs: asked to choose, it is right where every answer is. */
export function rightOn(
  { model, measure }: Judge,
  { responses, likelihoods }: {
    readonly responses: readonly Response[];
    readonly likelihoods: readonly PairLikelihood[];
  },
): RightOn {
  if (measure === "accuracy") {
    const own = Map.groupBy(
      responses.filter((row) => row.model === model),
      ({ pairId }) => pairId,
    );
    return (pairId) => own.get(pairId)?.every(({ correct }) => correct);
  }
  const own = likelihoods.filter((row) => row.model === model);
  const rows = new Map(own.map((row) => [row.pairId, preference(row, "total") === "grammatical"]));
  return (pairId) => rows.get(pairId);
}

/** Cells of fewer pairs are left blank: their percentage would be read as if it meant something. */
export const FEWEST_PAIRS = 5;

/** What a heat map with groups of rows is drawn from. */
interface GroupedCells {
  readonly rows: readonly string[];
  readonly groups: readonly string[];
  readonly columns: readonly string[];
  readonly cells: readonly (readonly DrawnMeasure[])[];
}

/**
 * Correct case × case put in its place, for each model of a panel that was scored, the strongest one,
 * and the best of those trained here. A case of which no combination has pairs enough has no row.
 */
export function confusionCells(evidence: Evidence): GroupedCells {
  const found = lookUp(evidence.statistics);
  const pairs = evidence.sets.main.filter(({ pair }) => pair.phenomenon === "case")
    .map(({ record }) => cellsOfRecord(record));
  const isEnough = (from: string, to: string) =>
    pairs.filter((pair) => pair.from.case === from && pair.to.case === to).length >= FEWEST_PAIRS;
  const correct = CASES.filter((from) => CASES.some((to) => isEnough(from, to)));
  const substituted = CASES.filter((to) => CASES.some((from) => isEnough(from, to)));
  const rows = confusionJudges(evidence).flatMap(({ model, label: group, measure }) =>
    correct.map((from) => ({
      from,
      group,
      cells: substituted.map((to): DrawnMeasure =>
        isEnough(from, to)
          ? found.measure(model, measure, `cells_${from}_${to}`)
          : { kind: "unavailable", reason: "too few pairs" }
      ),
    }))
  );
  return {
    rows: rows.map(({ from }) => from),
    groups: rows.map(({ group }) => group),
    columns: substituted.map(shortName),
    cells: rows.map(({ cells }) => cells),
  };
}

/** Models of panels by likelihood, the strongest in its way, the best of those trained here. */
function confusionJudges(evidence: Evidence): readonly Judge[] {
  const found = lookUp(evidence.statistics);
  const share = ({ model, measure }: Judge) => {
    const drawn = found.measure(model, measure);
    return drawn.kind === "unavailable" ? -1 : drawn.estimate;
  };
  const judges = judgesOf(evidence);
  const best = strongestJudge(evidence);
  const trained = judges.filter(({ model }) => isTrainedHere(model))
    .toSorted((a, b) => share(b) - share(a)).slice(0, 1);
  const shown = judges.filter(({ model, measure }) =>
    measure === "likelihood_accuracy_total" && !evidence.masked.includes(model) ||
    model === best.model && measure === best.measure
  );
  return [...shown, ...trained];
}

const shortName = (name: typeof CASES[number]) =>
  `${formatCell({ case: name, number: "singular" }).slice(0, 3)}.`;

/** How often the attested form stands elsewhere in the text: part of `statistics.csv`, words. */
export const FORM_CLASSES = {
  form_unseen: "nowhere else",
  form_rare: "1 or 2 times",
  form_frequent: "3 times or more",
} as const;

/** Accuracy by how often the attested form stands elsewhere, one group of bars a model. */
export function frequencyBars(evidence: Evidence): readonly Bar[] {
  const found = lookUp(evidence.statistics);
  return oneJudgeEach(judgesOf(evidence)).flatMap(({ model, label: group, measure: name }) =>
    Object.entries(FORM_CLASSES).flatMap(([part, label]): readonly Bar[] => {
      const measure = found.measure(model, name, part);
      if (measure.kind === "unavailable") return [];
      return [{ label, group, measure, n: found.row(model, name, part).n }];
    })
  );
}

/** The sets of `probe_statistics.csv` in words. */
const SET_NAMES = {
  text: "the Gītā's lines",
  control: "new sentences",
  bare: "bare forms",
  iast: "the lines in IAST",
  istem: "i-stems",
} as const;

/** Accuracy by likelihood on the text and on what stands beside it, model by model. */
export function probeRows({ probes }: Pick<Evidence, "probes">): readonly MeasuredRow[] {
  const found = lookUp(probes);
  return probedModels(probes).flatMap((group) =>
    Object.entries(SET_NAMES).map(([set, label]) => ({
      label,
      group,
      measure: found.measure(group, "likelihood_accuracy_total", set),
    }))
  );
}

/** The models of `probe_statistics.csv`, in the order of its rows. */
function probedModels(probes: Evidence["probes"]): readonly string[] {
  return [...new Set(probes.map(({ model }) => model))];
}

/** Pairs by the correct cell: number by number, a bar a case, parted by what is changed. */
export function cellBars({ sets }: Pick<Evidence, "sets">): readonly StackedBar[] {
  const pairs = sets.main.map(({ record }) => ({
    phenomenon: record.phenomenon,
    ...cellsOfRecord(record).from,
  }));
  return NUMBERS.flatMap((number) =>
    CASES.flatMap((name) => {
      const own = pairs.filter((pair) => pair.number === number && pair.case === name);
      if (own.length === 0) return [];
      const amounts = PHENOMENA.map((of) =>
        own.filter(({ phenomenon }) => phenomenon === of).length
      );
      return [{ label: name, group: number, amounts }];
    })
  );
}

/** The commonest reasons for which a form of the text makes no pair, by phenomenon. */
export function refusalBars({ rejections }: Pick<Evidence, "rejections">, most: number) {
  return PHENOMENA.flatMap((phenomenon): readonly Bar[] => {
    const own = rejections.filter((rejection) => rejection.phenomenon === phenomenon)
      .filter(({ reason }) => reason !== "not_selected");
    return tally(own.map(({ reason }) => reason.replaceAll("_", " "))).slice(0, most).map(
      ([label, estimate]) => ({
        label,
        group: PHENOMENON_NAMES[phenomenon],
        measure: { kind: "value", estimate },
      }),
    );
  });
}

/** A stem of the pairs, and on how many of its pairs a judge was right. */
interface StemCount {
  /** IAST, a hyphen before the last member of a compound. */
  readonly lemma: string;
  /** In Devanagari. */
  readonly stem: string;
  readonly pairs: number;
  readonly right: number;
}

/** Stems with most pairs first, counted for one judge; of equals in the order of the alphabet. */
export function stemCounts(evidence: Evidence, judge: Judge): readonly StemCount[] {
  const isRight = rightOn(judge, evidence);
  const stems = Map.groupBy(evidence.sets.main, ({ certificate }) => certificate.lemma);
  const countOf = (lemma: string, items: readonly ContrastItem[]): StemCount => ({
    lemma,
    stem: items[0]!.record.stem,
    pairs: items.length,
    right: items.filter(({ pair }) => isRight(pair.id) === true).length,
  });
  return [...stems].map(([lemma, items]) => countOf(lemma, items))
    .toSorted((a, b) => b.pairs - a.pairs || (a.lemma < b.lemma ? -1 : 1));
}

/** The stems with most pairs and the strongest model's share of right ones on each; no intervals. */
export function stemBars(evidence: Evidence, most: number): readonly Bar[] {
  return stemCounts(evidence, strongestJudge(evidence)).slice(0, most).map((count) => ({
    label: count.stem,
    measure: { kind: "value", estimate: count.right / count.pairs },
    n: count.pairs,
  }));
}
