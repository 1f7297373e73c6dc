import type { Bar } from "../../figures/bar_chart.ts";
import type { MeasuredRow } from "../../figures/measured_rows.ts";
import { tally } from "../../figures/markdown_table.ts";
import type { StackedBar } from "../../figures/stacked_bars.ts";
import { type DrawnMeasure, lookUp } from "../../pairs/statistic_lookup.ts";
import { CASES, formatCell, NUMBERS } from "../cell.ts";
import { PHENOMENA } from "../contrasts/candidate.ts";
import { cellsOfRecord } from "../contrasts/contrast_record.ts";
import type { ContrastItem } from "../contrasts/dataset.ts";
import { type Evidence, PHENOMENON_NAMES } from "./evidence.ts";
import {
  isTrainedHere,
  type Judge,
  judgesOf,
  oneJudgeEach,
  rightOn,
  strongestJudge,
} from "./judge.ts";

/** Cells of fewer pairs are left blank: their percentage would be read as if it meant something. */
export const FEWEST_PAIRS = 5;

/** What a heat map with groups of rows is drawn from. */
export interface GroupedCells {
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
export const SET_NAMES = {
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
export function probedModels(probes: Evidence["probes"]): readonly string[] {
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
export interface StemCount {
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
