import type { Bar, StackedBar } from "../figures/bars.ts";
import type { MeasuredRow } from "../figures/rows.ts";
import { tally } from "../figures/table.ts";
import { artefactsTable } from "../pairs/artefacts.ts";
import { readBlindReview } from "../pairs/blind_review.ts";
import { type DrawnMeasure, lookUp, type Statistic, statisticsTable } from "../pairs/clustered.ts";
import { panelEvidence } from "../pairs/evidence.ts";
import { preference } from "../pairs/measures.ts";
import { labelledModels } from "../pairs/tables.ts";
import { NOUN_PHENOMENA, PHENOMENA } from "./contrasts.ts";
import { readRejections } from "./generate.ts";
import { cellsOfRecord } from "./records.ts";
import { FEWEST_PAIRS, maskedModels } from "./metrics.ts";
import { formatCell } from "./paradigms.ts";
import { readContrastSets } from "./probes.ts";
import { CASES, NUMBERS } from "./rules.ts";
import { SANSKRIT_PATHS, SANSKRIT_STUDY } from "./study.ts";

const NAMES = {
  case: "Case",
  number: "Number",
  verb_agreement: "Verb",
  adjective_agreement: "Gender",
  consonant_stem: "Other stems",
  dual: "Dual",
} as const;
export const GROUP_NAMES = { ALL: "All", ...NAMES } as const;

/** The same without all of them. */
export const PHENOMENON_NAMES = NAMES;

const MAKER = "24_sanskrit_metrics";

/** What the findings are written from; throws where it is missing, damaged or of other pairs. */
export function readEvidence() {
  const sets = readContrastSets();
  const panels = panelEvidence(SANSKRIT_STUDY, sets.main.map(({ pair }) => pair));
  const statistics = readStatistics(SANSKRIT_PATHS.statistics);
  const measured = new Set(statistics.map(({ model }) => model));
  return {
    ...panels,
    sets,
    /** What readers without a key said of the pairs of both sets as they stand. */
    review: readBlindReview(SANSKRIT_PATHS.blindReview, [...sets.main, ...sets.iStems]),
    rejections: readRejections(SANSKRIT_PATHS.rejections),
    /** Masked models of which there are figures; they are of no panel. */
    masked: maskedModels(panels.likelihoods).filter((model) => measured.has(model)),
    statistics,
    probes: readStatistics(SANSKRIT_PATHS.probeStatistics),
    artefacts: artefactsTable({ path: SANSKRIT_PATHS.artefacts, maker: MAKER }).read(),
  };
}

function readStatistics(path: string): readonly Statistic[] {
  return statisticsTable({ path, maker: MAKER }).read();
}

export type Evidence = ReturnType<typeof readEvidence>;

export interface Judge {
  readonly model: string;
  /** For tables and figures: the model, with its panel where there are several, and the way. */
  readonly label: string;
  readonly measure: "accuracy" | "likelihood_accuracy_total";
}

type Judged = Pick<Evidence, "panels" | "masked" | "statistics">;

/** Every model in every way that was measured, panel by panel, masked models last. */
export function judgesOf({ panels, masked, statistics }: Judged): readonly Judge[] {
  const found = lookUp(statistics);
  const byLikelihood = { measure: "likelihood_accuracy_total" } as const;
  return [
    ...labelledModels(panels).flatMap(({ model, label }): readonly Judge[] => [
      { model, label: `${label}, likelihood`, ...byLikelihood },
      { model, label: `${label}, choice`, measure: "accuracy" },
    ]),
    // The name says that it is scored by pseudo-likelihood, and in which variant.
    ...masked.map((model): Judge => ({ model, label: model, ...byLikelihood })),
  ].filter(({ model, measure }) => found.measure(model, measure).kind !== "unavailable");
}

/** One way a model: by likelihood where that was measured, else by choice. */
export function oneJudgeEach(judges: readonly Judge[]): readonly Judge[] {
  return [...Map.groupBy(judges, ({ model }) => model).values()].flatMap(([first]) => first ?? []);
}

/** Masked models that were trained on the text itself: a yardstick, as the counting rules are. */
const isTrainedHere = (model: string): boolean => model.startsWith("bidirectional_character:");

function ranked(judges: readonly Judge[], { statistics }: Pick<Judged, "statistics">) {
  const found = lookUp(statistics);
  const share = (drawn: DrawnMeasure) => drawn.kind === "unavailable" ? -1 : drawn.estimate;
  return judges
    .map((judge) => ({ ...judge, overall: found.measure(judge.model, judge.measure) }))
    .toSorted((a, b) => share(b.overall) - share(a.overall));
}

/** The model and way, not trained here, with the highest accuracy. @throws {RangeError} if none. */
export function strongestJudge(evidence: Judged): Judge & { readonly overall: DrawnMeasure } {
  const judges = judgesOf(evidence).filter(({ model }) => !isTrainedHere(model));
  const [best] = ranked(judges, evidence);
  if (best) return best;
  throw new RangeError("Cannot name the strongest model: none was measured.");
}

/** Whether a judge was right on a pair: asked to choose, where every answer is; undefined where it gave nothing. */
export function rightOn(
  { model, measure }: Judge,
  { responses, likelihoods }: Pick<Evidence, "responses" | "likelihoods">,
): (pairId: string) => boolean | undefined {
  if (measure === "accuracy") {
    const own = responses.filter((row) => row.model === model);
    const answers = Map.groupBy(own, ({ pairId }) => pairId);
    return (pairId) => answers.get(pairId)?.every(({ correct }) => correct);
  }
  const own = likelihoods.filter((row) => row.model === model);
  const rows = new Map(own.map((row) => [row.pairId, preference(row, "total") === "grammatical"]));
  return (pairId) => rows.get(pairId);
}

/**
 * Correct case × case put in its place, for each model of a panel that was scored, the strongest one,
 * and the best of those trained here. A case of which no combination has pairs enough has no row.
 */
export function confusionCells(evidence: Evidence) {
  const found = lookUp(evidence.statistics);
  const pairs = evidence.sets.main.filter(({ pair }) => pair.phenomenon === "case")
    .flatMap(({ record }) => cellsOfRecord(record) ?? []);
  const isEnough = (from: string, to: string) =>
    pairs.filter((pair) => pair.from.case === from && pair.to.case === to).length >= FEWEST_PAIRS;
  const correct = CASES.filter((from) => CASES.some((to) => isEnough(from, to)));
  const substituted = CASES.filter((to) => CASES.some((from) => isEnough(from, to)));
  const judges = judgesOf(evidence);
  const best = strongestJudge(evidence);
  const shown = judges.filter(({ model, measure }) =>
    measure === "likelihood_accuracy_total" && !evidence.masked.includes(model) ||
    model === best.model && measure === best.measure
  );
  const [trained] = ranked(judges.filter(({ model }) => isTrainedHere(model)), evidence);
  const rows = [...shown, ...(trained ? [trained] : [])].flatMap((judge) =>
    correct.map((from) => ({ from, ...judge }))
  );
  return {
    rows: rows.map(({ from }) => from),
    groups: rows.map(({ label }) => label),
    columns: substituted.map(shortName),
    cells: rows.map(({ from, model, measure }) =>
      substituted.map((to): DrawnMeasure =>
        isEnough(from, to)
          ? found.measure(model, measure, `cells_${from}_${to}`)
          : { kind: "unavailable", reason: "too few pairs" }
      )
    ),
  };
}

const shortName = (name: typeof CASES[number]) =>
  `${formatCell({ case: name, number: "singular" }).slice(0, 3)}.`;

/** How often the attested form stands elsewhere in the text: part of `statistics.csv`, words. */
const FORM_CLASSES = {
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

const SET_NAMES = {
  text: "the Gītā's lines",
  control: "new sentences",
  iast: "the lines in IAST",
  istem: "i-stems",
} as const;

/** Accuracy by likelihood on the text and on what stands beside it, model by model. */
export function probeRows({ probes }: Pick<Evidence, "probes">): readonly MeasuredRow[] {
  const found = lookUp(probes);
  return [...new Set(probes.map(({ model }) => model))].flatMap((group) =>
    Object.entries(SET_NAMES).map(([set, label]) => {
      return { label, group, measure: found.measure(group, "likelihood_accuracy_total", set) };
    })
  );
}

/** Pairs by the correct cell: number by number, a bar a case, parted by what is changed. */
export function cellBars({ sets }: Pick<Evidence, "sets">): readonly StackedBar[] {
  const pairs = Map.groupBy(sets.main.map(({ record }) => record), (record) => {
    const cells = cellsOfRecord(record);
    return cells && formatCell(cells.from);
  });
  return NUMBERS.flatMap((number) =>
    CASES.flatMap((name) => {
      const own = pairs.get(formatCell({ case: name, number }));
      const amounts = NOUN_PHENOMENA.map((of) =>
        own?.filter(({ phenomenon }) => phenomenon === of).length ?? 0
      );
      return own ? [{ label: name, group: number, amounts }] : [];
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

/** Stems with most pairs first, counted for one judge; of equals in the order of the alphabet. */
export function stemCounts(evidence: Evidence, judge: Judge) {
  const isRight = rightOn(judge, evidence);
  const stems = Map.groupBy(evidence.sets.main, ({ certificate }) => certificate.lemma);
  return [...stems].map(([lemma, items]) => ({
    /** IAST, a hyphen before the last member of a compound. */
    lemma,
    /** In Devanagari. */
    stem: items[0]!.record.stem,
    pairs: items.length,
    right: items.filter(({ pair }) => isRight(pair.id) === true).length,
  }))
    .toSorted((a, b) => b.pairs - a.pairs || (a.lemma < b.lemma ? -1 : 1));
}

/** The stems with most pairs and the strongest model's share of right ones on each; no intervals. */
export function stemBars(evidence: Evidence, most: number): readonly Bar[] {
  const counts = stemCounts(evidence, strongestJudge(evidence)).slice(0, most);
  return counts.map(({ stem: label, right, pairs: n }) => {
    return { label, measure: { kind: "value", estimate: right / n }, n };
  });
}
