import { shown } from "../../stats/measure.ts";
import { markdownTable } from "../../figures/table.ts";
import {
  blankOr,
  decimalOrBlank,
  name,
  type RowOf,
  table,
  wholeNumber,
} from "../../files/table.ts";
import { isPseudoLikelihood, modelLabel } from "../../models/masked/pseudo_likelihood.ts";
import { likelihoodKey, type PairLikelihood } from "../../pairs/answers.ts";
import type { ReviewRow } from "../../pairs/review.ts";
import {
  ALL,
  clusteredStatistics,
  type CountStatistic,
  lookUp,
  type Statistic,
  type StatisticLookup,
  type Tally,
} from "../../pairs/clustered.ts";
import type { DatasetItem } from "../../pairs/dataset.ts";
import { clustersOf, type PairPart } from "../../pairs/groups.ts";
import { NORMALISATIONS } from "../../pairs/measures.ts";
import type { MinimalPair } from "../../pairs/pair.ts";
import type { StudyPanel } from "../../pairs/panels.ts";
import { countForms, foldOfSource, verseFolds } from "./baselines.ts";
import { PHENOMENA, type Phenomenon } from "./contrasts.ts";
import { FIXING_RULES } from "./fixing.ts";
import { cellsOfRecord, type ContrastItem } from "./records.ts";
import { CASES, NUMBERS } from "./rules.ts";
import { SANSKRIT_PATHS } from "./study.ts";
import type { Verse } from "./verses.ts";

/** Parts by how often the attested form stands in the text outside its fold: name, and from how often. */
const FORM_CLASSES = [["form_unseen", 0], ["form_rare", 1], ["form_frequent", 3]] as const;

/** Every part that pairs can belong to, in the order of the rows. */
const NAMES: readonly string[] = [
  ...CASES.map((name) => `from_${name}`),
  ...CASES.map((name) => `to_${name}`),
  ...CASES.flatMap((from) => CASES.map((to) => `cells_${from}_${to}`)),
  ...NUMBERS.flatMap((from) => NUMBERS.map((to) => `number_${from}_${to}`)),
  ...FORM_CLASSES.map(([name]) => name),
  ...[...FIXING_RULES.keys()].map((name) => `relation_${name}`),
  ...["metre_kept", "metre_changed", "vocative_excluded", "vocative_homonym"],
];

/**
 * The parts of a contrast set that have a pair: of case by the correct case, the one put in its place and
 * both, of number by both numbers, and of all by how often the form is written elsewhere, what fixes the
 * cell, whether the variant keeps the syllables and whether it is also the vocative of a thing.
 */
export function contrastParts(
  items: readonly ContrastItem[],
  verses: readonly Verse[],
): readonly PairPart<Phenomenon>[] {
  const foldOf = verseFolds(verses);
  const count = countForms(verses, foldOf);
  const countOf = ({ pair, certificate }: ContrastItem) =>
    count(pair.target, foldOfSource(certificate, foldOf));
  const namesOf = new Map(items.map((item) => [item.pair.id, partsOf(item, countOf(item))]));
  const used = new Set([...namesOf.values()].flat());
  return NAMES.filter((name) => used.has(name)).map((name) => ({
    name,
    has: ({ pair }) => namesOf.get(pair.id)?.includes(name) ?? false,
  }));
}

/** The parts of one pair whose form is written so many times elsewhere. */
export function partsOf({ record, certificate }: ContrastItem, count: number): readonly string[] {
  const found = cellsOfRecord(record);
  const cells = record.phenomenon === "case" && found
    ? [
      `from_${found.from.case}`,
      `to_${found.to.case}`,
      `cells_${found.from.case}_${found.to.case}`,
    ]
    : record.phenomenon === "number" && found
    ? [`number_${found.from.number}_${found.to.number}`]
    : [];
  const [form] = FORM_CLASSES.findLast(([, least]) => count >= least) ?? FORM_CLASSES[0];
  const [relation] = certificate.construction.split(" ");
  const metre = certificate.marks.includes("metre_changed") ? "metre_changed" : "metre_kept";
  const isVocative = certificate.marks.includes("vocative_homonym");
  const vocative = isVocative ? "vocative_homonym" : "vocative_excluded";
  return [...cells, form, `relation_${relation}`, metre, vocative];
}

export function listedPart(name: string, ids: readonly string[]): PairPart<Phenomenon> {
  const listed = new Set(ids);
  return { name, has: ({ pair }) => listed.has(pair.id) };
}

/** Pairs whose variant a blind reader found clearly wrong, and doubtful ones. */
export function reviewParts(review: readonly ReviewRow[]): readonly PairPart<Phenomenon>[] {
  return ["blind_wrong", "blind_doubtful"].flatMap((name, rating) => {
    const ids = review.filter((row) => row.rating === rating).map(({ pairId }) => pairId);
    return ids.length > 0 ? [listedPart(name, ids)] : [];
  });
}

/** All pairs and the phenomena, as tables head their columns. */
export const GROUP_NAMES: Readonly<Record<string, string>> = {
  ALL: "All",
  ...Object.fromEntries(PHENOMENA.map((name) => [name, name.replace("_", " ")])),
};

/** The parts whose names begin so, with what follows as their heading: `from_` → nominative … */
export function partNames(
  parts: readonly { readonly name: string }[],
  prefix: string,
): Readonly<Record<string, string>> {
  const own = parts.filter(({ name }) => name.startsWith(prefix));
  return Object.fromEntries(
    own.map(({ name }) => [name, name.slice(prefix.length).replace("_", " → ")]),
  );
}

/** How often one model is right, judged in one way; what is not there is an empty field, never 0. */
export const METRICS = table({
  path: SANSKRIT_PATHS.metrics,
  about: "notebook 24: accuracy by model, measure and phenomenon",
  maker: "24_sanskrit_metrics",
  columns: {
    model: name("name of the model in the panel, or its kind"),
    measure: name("forced_choice, or the log-probability by which members are compared"),
    n: wholeNumber("number of answers for a forced choice, otherwise of pairs"),
    overall_accuracy: decimalOrBlank("accuracy over all pairs, 0–1"),
    case_accuracy: decimalOrBlank("accuracy on case, 0–1"),
    number_accuracy: decimalOrBlank("accuracy on number, 0–1"),
    verb_agreement_accuracy: decimalOrBlank("accuracy on verb agreement, 0–1"),
    adjective_agreement_accuracy: decimalOrBlank("accuracy on adjective agreement, 0–1"),
    declension_accuracy: decimalOrBlank("accuracy on declension patterns, 0–1"),
    ties: blankOr(wholeNumber("number of pairs with equally probable members; empty for a choice")),
  },
  key: ["model", "measure"],
});

type MetricRow = RowOf<typeof METRICS>;

/** The ways of judging: the name here, and those of accuracy and ties in `statistics.csv`. */
const MEASURES = [
  { measure: "forced_choice", accuracy: "accuracy", ties: undefined },
  ...NORMALISATIONS.map((name) => ({
    measure: `likelihood_${name}`,
    accuracy: `likelihood_accuracy_${name}`,
    ties: `likelihood_ties_${name}`,
  })),
];

/** The rows of `metrics.csv` out of those of `statistics.csv`: a model has none of a way it was not judged in. */
export function metricRows(
  statistics: readonly Statistic[],
  models: readonly string[],
): readonly MetricRow[] {
  const found = lookUp(statistics);
  return models.flatMap((model) =>
    MEASURES.flatMap(({ measure, accuracy, ties }) => {
      const estimate = (name: string, group: string) => {
        const value = found.measure(model, name, group);
        return value.kind === "unavailable" ? "" : value.estimate;
      };
      const overall_accuracy = estimate(accuracy, ALL);
      if (overall_accuracy === "") return [];
      const { n } = found.row(model, accuracy);
      const byPhenomenon = Object.fromEntries(
        PHENOMENA.map((name) => [`${name}_accuracy`, estimate(accuracy, name)]),
      ) as Record<`${Phenomenon}_accuracy`, number | "">;
      const tied = ties === undefined ? "" : estimate(ties, ALL);
      return [{
        ...{ model, measure, n, overall_accuracy },
        ...byPhenomenon,
        // A share of n is a whole number of pairs; only the division was inexact.
        ties: tied === "" ? "" : Math.round(tied * n),
      }];
    })
  );
}

const MEMBERS = ["grammatical", "ungrammatical"] as const;
type Member = (typeof MEMBERS)[number];
type PerplexityCounts = Tally<"pairs" | `${Member}_${"nats" | "tokens"}`>;

const PERPLEXITIES = MEMBERS.map((member): CountStatistic<PerplexityCounts> => ({
  name: `perplexity_${member}`,
  method: `exp(-sum of log-probabilities / sum of tokens) over the ${member} members`,
  of: (counts) => {
    const tokens = counts[`${member}_tokens`];
    return tokens === 0 ? undefined : Math.exp(-counts[`${member}_nats`] / tokens);
  },
  n: ({ pairs }) => pairs,
}));

/**
 * The perplexity per token of each model on the grammatical members and on the ungrammatical ones, over all
 * pairs and by phenomenon, with intervals by stem and verse: how far apart the members lie, not how often. Of masked
 * models it is the pseudo-perplexity (Salazar et al. 2020). Tokens are the model's own: two models are
 * not compared by it.
 */
export function perplexityStatistics(
  items: readonly DatasetItem[],
  likelihoods: readonly PairLikelihood[],
  models: readonly string[],
): readonly Statistic[] {
  return models.flatMap((model) => {
    const own = likelihoods.filter((row) => row.model === model);
    const rows = new Map(own.map((row) => [row.pairId, row]));
    return [ALL, ...PHENOMENA].flatMap((phenomenon) => {
      const counted = items
        .filter(({ pair }) => phenomenon === ALL || pair.phenomenon === phenomenon)
        .flatMap((item) => {
          const row = rows.get(item.pair.id);
          return row ? [{ ...clustersOf(item), counts: countTokens(row) }] : [];
        });
      return clusteredStatistics({ model, phenomenon }, counted, PERPLEXITIES);
    });
  });
}

const countTokens = ({ grammatical, ungrammatical }: PairLikelihood): PerplexityCounts => ({
  pairs: 1,
  grammatical_nats: grammatical.logProbability,
  grammatical_tokens: grammatical.tokens,
  ungrammatical_nats: ungrammatical.logProbability,
  ungrammatical_tokens: ungrammatical.tokens,
});

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
) {
  const there = new Set(likelihoods.map(likelihoodKey));
  const isMissing = (model: string) => ({ id: pairId }: Pick<MinimalPair, "id">) =>
    !there.has(likelihoodKey({ model, pairId }));
  return models.map((model) => ({ model, missing: pairs.filter(isMissing(model)).length }));
}

type ScoringStanding = ReturnType<typeof scoringStanding>[number];

export function wholeModels(standings: readonly ScoringStanding[]): readonly string[] {
  return standings.flatMap(({ model, missing }) => missing === 0 ? [model] : []);
}

/** Models as rows, measures that are no shares as columns. */
export function measureTable(
  columns: readonly {
    readonly heading: string;
    readonly measure: string;
    readonly phenomenon?: string;
    readonly digits?: number;
  }[],
  models: readonly string[],
  found: StatisticLookup,
): string {
  return markdownTable(
    ["model", ...columns.map(({ heading }) => heading)],
    models.map((model) => [
      modelLabel(model),
      ...columns.map(({ measure, phenomenon, digits }) =>
        shown(found.measure(model, measure, phenomenon), digits)
      ),
    ]),
  );
}

/** Parts as rows with their number of pairs, models as columns, in per cent. */
export function partTable(
  heading: string,
  measure: string,
  partNames: Readonly<Record<string, string>>,
  models: readonly string[],
  found: StatisticLookup,
): string {
  return markdownTable(
    [heading, "n", ...models.map(modelLabel)],
    Object.entries(partNames).map(([part, name]) => {
      const drawn = models.map((model) => found.measure(model, measure, part));
      // The n of a part is the same for all models asked alike.
      const model = models[drawn.findIndex(({ kind }) => kind !== "unavailable")];
      const n = model === undefined ? undefined : found.row(model, measure, part).n;
      return [name, n, ...drawn.map((one) => shown(one, "percent"))];
    }),
  );
}

/** What models that give likelihoods have still to score, of the pairs and of the probes. */
export function scoringTable(
  pairs: readonly ScoringStanding[],
  probes: readonly ScoringStanding[],
): string {
  return markdownTable(
    ["model", "pairs missing", "probes missing", "in the figures"],
    pairs.map(({ model, missing }) => {
      const ofProbes = probes.find((row) => row.model === model)?.missing;
      return [
        modelLabel(model),
        missing,
        ofProbes,
        missing > 0 ? "refused" : ofProbes ? "pairs only" : "yes",
      ];
    }),
  );
}
