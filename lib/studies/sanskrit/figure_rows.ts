/** Data for figures, error tables and findings. */
import type { StackedBar } from "../../figures/bars.ts";
import type { MeasuredRow } from "../../figures/rows.ts";
import { type Measure, shown } from "../../stats/measure.ts";
import { markdownTable } from "../../figures/table.ts";
import { readBlindReview } from "../../pairs/review.ts";
import { lookUp, type StatisticLookup } from "../../pairs/clustered.ts";
import { emphasised, panelResults } from "../../pairs/figure_rows.ts";
import { preference } from "../../pairs/measures.ts";
import { modelLabel } from "../../models/masked/pseudo_likelihood.ts";
import { interleaved } from "../../pairs/select.ts";
import { labelledModels } from "../../pairs/tables.ts";
import { randomSource } from "../../stats/random.ts";
import { NOUN_PHENOMENA, PHENOMENA } from "./contrasts.ts";
import { maskedModels } from "./metrics.ts";
import { formatCell, type ParadigmCell } from "./paradigms.ts";
import { readContrastSets } from "./probes.ts";
import { cellsOfRecord, type ContrastItem } from "./records.ts";
import { CASES, NUMBERS } from "./rules.ts";
import { toIast } from "./sounds.ts";
import { SANSKRIT_PATHS, SANSKRIT_STUDY } from "./study.ts";
import { ARTEFACTS, PROBE_STATISTICS, REJECTIONS, STATISTICS } from "./tables.ts";

/** Names of phenomena in figures. */
export const PHENOMENON_NAMES = {
  case: "Case",
  number: "Number",
  verb_agreement: "Verb",
  adjective_agreement: "Gender",
  declension: "Declension",
} as const;

/** Reads the data for findings. Throws if a file is missing, damaged or of other pairs. */
export function readFigureData() {
  const sets = readContrastSets();
  const panels = panelResults(SANSKRIT_STUDY, sets.main.map(({ pair }) => pair));
  const statistics = STATISTICS.read();
  const measured = new Set(statistics.map(({ model }) => model));
  return {
    ...panels,
    sets,
    /** Judgements of blind readers on the unchanged pairs. */
    review: readBlindReview(SANSKRIT_PATHS.blindReview, sets.main),
    rejections: REJECTIONS.read(),
    /** Masked models with statistics; they belong to no panel. */
    masked: maskedModels(panels.likelihoods).filter((model) => measured.has(model)),
    statistics,
    probes: PROBE_STATISTICS.read(),
    artefacts: ARTEFACTS.read(),
  };
}

type FigureData = ReturnType<typeof readFigureData>;

interface Judge {
  readonly model: string;
  /** Label in tables and figures: model, panel if several, and scoring rule. */
  readonly label: string;
  readonly measure: "accuracy" | "likelihood_accuracy_total";
}

type Judged = Pick<FigureData, "panels" | "masked" | "statistics">;

/** Returns all models with each way of judging, masked models last. */
function judgesOf({ panels, masked, statistics }: Judged): readonly Judge[] {
  const lookup = lookUp(statistics);
  const byLikelihood = { measure: "likelihood_accuracy_total" } as const;
  return [
    ...labelledModels(panels).flatMap(({ model, label }): readonly Judge[] => [
      { model, label: `${label}, likelihood`, ...byLikelihood },
      { model, label: `${label}, choice`, measure: "accuracy" },
    ]),
    // The name contains the variant of pseudo-likelihood.
    ...masked.map((model): Judge => ({ model, label: model, ...byLikelihood })),
  ].filter(({ model, measure }) => lookup.measure(model, measure).kind !== "unavailable");
}

/**
 * Tests for masked models trained on the text. Like count-based baselines they serve as a
 * yardstick.
 */
const isTrainedHere = (model: string): boolean => model.startsWith("bidirectional_character:");

function ranked(judges: readonly Judge[], { statistics }: Pick<Judged, "statistics">) {
  const lookup = lookUp(statistics);
  const share = (drawn: Measure) => drawn.kind === "unavailable" ? -1 : drawn.estimate;
  return judges
    .map((judge) => ({ ...judge, overall: lookup.measure(judge.model, judge.measure) }))
    .toSorted((a, b) => share(b.overall) - share(a.overall));
}

/**
 * Returns the most accurate model and way, not trained on the text.
 * @throws {RangeError} if there is none.
 */
export function strongestJudge(evidence: Judged): Judge & { readonly overall: Measure } {
  const judges = judgesOf(evidence).filter(({ model }) => !isTrainedHere(model));
  const [best] = ranked(judges, evidence);
  if (best) return best;
  throw new RangeError("Cannot name the strongest model: none was measured.");
}

/**
 * Tests whether a judge was right on a pair; undefined if unscored.
 * In forced choice every answer must be right.
 */
function rightOn(
  { model, measure }: Judge,
  { responses, likelihoods }: Pick<FigureData, "responses" | "likelihoods">,
): (pairId: string) => boolean | undefined {
  if (measure === "accuracy") {
    const answered = responses.filter((row) => row.model === model);
    const answers = Map.groupBy(answered, ({ pairId }) => pairId);
    return (pairId) => answers.get(pairId)?.every(({ correct }) => correct);
  }
  const scored = likelihoods.filter((row) => row.model === model);
  const rows = new Map(
    scored.map((row) => [row.pairId, preference(row, "total") === "grammatical"]),
  );
  return (pairId) => rows.get(pairId);
}

/** Names in figures of the differences between the text and the other sets. */
const DIFFERENCES = {
  "text-control": "less new sentences",
  "text-iast": "less the lines in IAST",
} as const;

/**
 * Returns differences in accuracy between the text and each other set.
 * They are computed on matched pairs, by model.
 */
export function probeRows({ probes }: Pick<FigureData, "probes">): readonly MeasuredRow[] {
  const lookup = lookUp(probes);
  return [...new Set(probes.map(({ model }) => model))].flatMap((model) =>
    Object.entries(DIFFERENCES).flatMap(([sets, label]) => {
      const measure = lookup.measure(model, "accuracy_difference", sets);
      return measure.kind === "unavailable" ? [] : [{ label, group: modelLabel(model), measure }];
    })
  );
}

/** Names in figures of the reasons for refusal. */
export const REASON_WORDS: Readonly<Record<string, string>> = {
  relation_leaves_it_open: "the line does not fix the form",
  reader_in_doubt_of_variant: "a reader doubted the variant",
  vocative_reading: "the variant may be a vocative",
  another_subject: "another subject is possible",
  another_noun: "another noun is possible",
  stands_alone: "the modifier stands alone",
  attested_gender: "the noun has that gender, too",
  no_other_declension: "no other declension to take",
};

/**
 * Counts pairs by correct cell.
 * There is a bar per case within each number, divided by the changed feature.
 */
export function cellBars({ sets }: Pick<FigureData, "sets">): readonly StackedBar[] {
  const pairs = Map.groupBy(sets.main.map(({ record }) => record), (record) => {
    const cells = cellsOfRecord(record);
    return cells && formatCell(cells.from);
  });
  return NUMBERS.flatMap((number) =>
    CASES.flatMap((name) => {
      const inCell = pairs.get(formatCell({ case: name, number }));
      const amounts = NOUN_PHENOMENA.map((of) =>
        inCell?.filter(({ phenomenon }) => phenomenon === of).length ?? 0
      );
      return amounts.some((n) => n > 0) ? [{ label: name, group: number, amounts }] : [];
    })
  );
}

/** Minimum number of pairs for a percentage. */
const FEWEST_PAIRS = 5;

/** Maximum number of errors and of table rows shown. */
const SHOWN = 10;

export function changeTable({ sets }: FigureData, judge: Judge, lookup: StatisticLookup): string {
  const cells = sets.main.map(({ record }) => ({ record, ...cellsOfRecord(record) }));
  const changes = [
    ...CASES.flatMap((from) =>
      CASES.map((to) => ({ from, to, of: "case", part: "cells" } as const))
    ),
    ...NUMBERS.flatMap((from) =>
      NUMBERS.map((to) => ({ from, to, of: "number", part: "number" } as const))
    ),
  ];
  const rows = changes.flatMap(({ from, to, of, part }) => {
    const pairs = cells.filter((cell) =>
      cell.record.phenomenon === of && cell.from?.[of] === from && cell.to?.[of] === to
    ).length;
    const drawn = lookup.measure(judge.model, judge.measure, `${part}_${from}_${to}`);
    if (pairs < FEWEST_PAIRS || drawn.kind === "unavailable") {
      return [];
    }
    return [{ estimate: drawn.estimate, cells: [from, to, pairs, shown(drawn, "percent")] }];
  });
  return markdownTable(
    ["the line wants", "put in its place", "pairs", "right, %"],
    rows.toSorted((a, b) => a.estimate - b.estimate).slice(0, SHOWN).map(({ cells }) => cells),
  );
}

/** Returns pairs on which a judge was wrong, alternating phenomena, each stem once. */
export function errorExamples(
  evidence: FigureData,
  judge: Judge,
  seed: number,
): readonly ContrastItem[] {
  const isRight = rightOn(judge, evidence);
  const random = randomSource(seed);
  const pools = PHENOMENA.map((phenomenon) =>
    random.shuffle(
      evidence.sets.main.filter(({ pair }) =>
        pair.phenomenon === phenomenon && isRight(pair.id) === false
      ),
    )
  );
  const used = new Set<string>();
  return interleaved(pools).filter(({ certificate: { lemma } }) =>
    !used.has(lemma) && used.add(lemma)
  )
    .slice(0, SHOWN);
}

export function exampleTable(examples: readonly ContrastItem[]): string {
  if (examples.length === 0) return "It made none.";
  return markdownTable(
    ["pair", "verse", "line", "form → variant", "cells", "why that is wrong"],
    examples.map(({ pair, record, certificate }) => {
      const { target, variant } = record.metadata;
      const { source: { chapter, sentence }, explanation } = certificate;
      const change = `*${toIast(target)}* → *${toIast(variant)}*`;
      const changed = cellsOfRecord(record);
      const cells = changed
        ? `${cellInWords(changed.from)} → ${cellInWords(changed.to)}`
        : pair.errorType;
      return [pair.id, `${chapter}.${sentence}`, emphasised(pair), change, cells, explanation];
    }),
  );
}

const cellInWords = ({ case: name, number }: ParadigmCell) => `${name} ${number}`;
