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
import { type MinimalPair, variantForm } from "../../pairs/pair.ts";
import type { StudyPanel } from "../../pairs/panels.ts";
import { countForms, foldOfSource, verseFolds } from "./baselines.ts";
import { PHENOMENA, type Phenomenon } from "./contrasts.ts";
import { FIXING_RULES } from "./fixing.ts";
import { cellsOfRecord, type ContrastItem } from "./records.ts";
import { CASES, NUMBERS } from "./rules.ts";
import { SANSKRIT_PATHS } from "./study.ts";
import type { Verse } from "./verses.ts";

/** Groups by the attested form's frequency outside its fold: name and minimum. */
const FORM_CLASSES = [["form_unseen", 0], ["form_rare", 1], ["form_frequent", 3]] as const;

/** Groups by whether the variant is a written word outside its fold. */
export const VARIANTS = {
  "variant.in_text": "variant in the text",
  "variant.not_in_text": "variant not in it",
} as const;

/** All possible groups of pairs, in the order of the rows. */
const NAMES: readonly string[] = [
  ...CASES.map((name) => `from_${name}`),
  ...CASES.map((name) => `to_${name}`),
  ...CASES.flatMap((from) => CASES.map((to) => `cells_${from}_${to}`)),
  ...NUMBERS.flatMap((from) => NUMBERS.map((to) => `number_${from}_${to}`)),
  ...FORM_CLASSES.map(([name]) => name),
  ...[...FIXING_RULES.keys()].map((name) => `relation_${name}`),
  ...["metre_kept", "metre_changed", "vocative_excluded", "vocative_homonym"],
  ...Object.keys(VARIANTS),
];

/**
 * Returns the non-empty groups of a contrast set.
 * - case pairs by correct case, wrong case and both;
 * - number pairs by both numbers;
 * - all pairs by the form's frequency elsewhere, by the fixing relation, by a changed number of
 * syllables, by whether the variant is also the vocative of a thing, and by whether it is written
 * elsewhere.
 */
export function contrastParts(
  items: readonly ContrastItem[],
  verses: readonly Verse[],
): readonly PairPart<Phenomenon>[] {
  const foldOf = verseFolds(verses);
  const count = countForms(verses, foldOf);
  const countOf = (form: string, { certificate }: ContrastItem) =>
    count(form, foldOfSource(certificate, foldOf));
  const namesOf = new Map(items.map((item) => {
    const { id, target } = item.pair;
    return [id, partsOf(item, countOf(target, item), countOf(variantForm(item.pair), item))];
  }));
  const used = new Set([...namesOf.values()].flat());
  return NAMES.filter((name) => used.has(name)).map((name) => ({
    name,
    has: ({ pair }) => namesOf.get(pair.id)?.includes(name) ?? false,
    accuraciesOnly: Object.hasOwn(VARIANTS, name),
  }));
}

/** Returns a pair's groups, given both forms' frequencies elsewhere. */
export function partsOf(
  { record, certificate }: ContrastItem,
  count: number,
  variantCount: number,
): readonly string[] {
  const changed = cellsOfRecord(record);
  const cells = record.phenomenon === "case" && changed
    ? [
      `from_${changed.from.case}`,
      `to_${changed.to.case}`,
      `cells_${changed.from.case}_${changed.to.case}`,
    ]
    : record.phenomenon === "number" && changed
    ? [`number_${changed.from.number}_${changed.to.number}`]
    : [];
  const [form] = FORM_CLASSES.findLast(([, least]) => count >= least) ?? FORM_CLASSES[0];
  const [relation] = certificate.construction.split(" ");
  const metre = certificate.marks.includes("metre_changed") ? "metre_changed" : "metre_kept";
  const isVocative = certificate.marks.includes("vocative_homonym");
  const vocative = isVocative ? "vocative_homonym" : "vocative_excluded";
  const variant = variantCount > 0 ? "variant.in_text" : "variant.not_in_text";
  return [...cells, form, `relation_${relation}`, metre, vocative, variant];
}

export function listedPart(name: string, ids: readonly string[]): PairPart<Phenomenon> {
  const listed = new Set(ids);
  return { name, has: ({ pair }) => listed.has(pair.id) };
}

/**
 * Returns the groups of pairs by a blind reader's judgement of the variant. They are clearly wrong,
 * and doubtful.
 */
export function reviewParts(review: readonly ReviewRow[]): readonly PairPart<Phenomenon>[] {
  return ["blind_wrong", "blind_doubtful"].flatMap((name, rating) => {
    const ids = review.filter((row) => row.rating === rating).map(({ pairId }) => pairId);
    return ids.length > 0 ? [listedPart(name, ids)] : [];
  });
}

/** Column headings of all pairs and the phenomena. */
export const GROUP_NAMES: Readonly<Record<string, string>> = {
  ALL: "All",
  ...Object.fromEntries(PHENOMENA.map((name) => [name, name.replace("_", " ")])),
};

/** Returns the groups with a prefix, headed by the rest of their name: `from_` → nominative … */
export function partNames(
  parts: readonly { readonly name: string }[],
  prefix: string,
): Readonly<Record<string, string>> {
  const selected = parts.filter(({ name }) => name.startsWith(prefix));
  return Object.fromEntries(
    selected.map(({ name }) => [name, name.slice(prefix.length).replace("_", " → ")]),
  );
}

/** Accuracies of one model by scoring rule. Missing values are empty, never 0. */
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

/** Scoring rules: the name here, and the names of accuracy and ties in `statistics.csv`. */
const MEASURES = [
  { measure: "forced_choice", accuracy: "accuracy", ties: undefined },
  ...NORMALISATIONS.map((name) => ({
    measure: `likelihood_${name}`,
    accuracy: `likelihood_accuracy_${name}`,
    ties: `likelihood_ties_${name}`,
  })),
];

/** Returns the rows of `metrics.csv` from `statistics.csv`; unmeasured rules have none. */
export function metricRows(
  statistics: readonly Statistic[],
  models: readonly string[],
): readonly MetricRow[] {
  const lookup = lookUp(statistics);
  return models.flatMap((model) =>
    MEASURES.flatMap(({ measure, accuracy, ties }) => {
      const estimate = (name: string, group: string) => {
        const value = lookup.measure(model, name, group);
        return value.kind === "unavailable" ? "" : value.estimate;
      };
      const overall_accuracy = estimate(accuracy, ALL);
      if (overall_accuracy === "") return [];
      const { n } = lookup.row(model, accuracy);
      const byPhenomenon = Object.fromEntries(
        PHENOMENA.map((name) => [`${name}_accuracy`, estimate(accuracy, name)]),
      ) as Record<`${Phenomenon}_accuracy`, number | "">;
      const tied = ties === undefined ? "" : estimate(ties, ALL);
      return [{
        ...{ model, measure, n, overall_accuracy },
        ...byPhenomenon,
        // A share of n is a whole number of pairs; rounding undoes the division.
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
 * Returns each model's perplexity per token on both kinds of member.
 * Perplexities are given over all pairs and by phenomenon, with intervals by stem and verse. They
 * show the distance between the members, not the accuracy. For masked models it is
 * pseudo-perplexity (Salazar et al. 2020). Tokens depend on the model, so that models cannot be
 * compared.
 */
export function perplexityStatistics(
  items: readonly DatasetItem[],
  likelihoods: readonly PairLikelihood[],
  models: readonly string[],
): readonly Statistic[] {
  return models.flatMap((model) => {
    const scored = likelihoods.filter((row) => row.model === model);
    const rows = new Map(scored.map((row) => [row.pairId, row]));
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

/** Returns all models that score likelihoods: the panels', then masked ones with scores. */
export function likelihoodModels(
  panels: readonly Pick<StudyPanel, "panel">[],
  likelihoods: readonly PairLikelihood[],
): readonly string[] {
  const causal = panels.flatMap(({ panel }) => panel.models)
    .filter(({ roles }) => roles.includes("likelihood")).map(({ id }) => id);
  return [...causal, ...maskedModels(likelihoods)];
}

/** Returns models scored by pseudo-likelihood, named like `name:pll_original`. */
export function maskedModels(likelihoods: readonly PairLikelihood[]): readonly string[] {
  const names = likelihoods.map(({ model }) => model);
  return [...new Set(names)].filter(isPseudoLikelihood).sort();
}

/** Counts each model's unscored pairs; statistics are given only for complete models. */
export function scoringStanding(
  models: readonly string[],
  pairs: readonly Pick<MinimalPair, "id">[],
  likelihoods: readonly PairLikelihood[],
) {
  const scored = new Set(likelihoods.map(likelihoodKey));
  const isMissing = (model: string) => ({ id: pairId }: Pick<MinimalPair, "id">) =>
    !scored.has(likelihoodKey({ model, pairId }));
  return models.map((model) => ({ model, missing: pairs.filter(isMissing(model)).length }));
}

type ScoringStanding = ReturnType<typeof scoringStanding>[number];

export function wholeModels(standings: readonly ScoringStanding[]): readonly string[] {
  return standings.flatMap(({ model, missing }) => missing === 0 ? [model] : []);
}

/** Formats a table of measures other than shares, one row per model. */
export function measureTable(
  columns: readonly {
    readonly heading: string;
    readonly measure: string;
    readonly phenomenon?: string;
    readonly digits?: number;
  }[],
  models: readonly string[],
  lookup: StatisticLookup,
): string {
  return markdownTable(
    ["model", ...columns.map(({ heading }) => heading)],
    models.map((model) => [
      modelLabel(model),
      ...columns.map(({ measure, phenomenon, digits }) =>
        shown(lookup.measure(model, measure, phenomenon), digits)
      ),
    ]),
  );
}

/** Formats groups as rows with n and models as columns, in per cent. */
export function partTable(
  heading: string,
  measure: string,
  partNames: Readonly<Record<string, string>>,
  models: readonly string[],
  lookup: StatisticLookup,
): string {
  return markdownTable(
    [heading, "n", ...models.map(modelLabel)],
    Object.entries(partNames).map(([part, name]) => {
      const drawn = models.map((model) => lookup.measure(model, measure, part));
      // A group's n is the same for all models measured alike.
      const model = models[drawn.findIndex(({ kind }) => kind !== "unavailable")];
      const n = model === undefined ? undefined : lookup.row(model, measure, part).n;
      return [name, n, ...drawn.map((one) => shown(one, "percent"))];
    }),
  );
}

/** Formats the numbers of pairs and probes still to be scored, by model. */
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
