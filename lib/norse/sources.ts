/** Rule-made pairs beside those that a model proposed: validity, diversity, difficulty, own advantage. */
import { tally } from "../figures/table.ts";
import type { Response } from "../pairs/answers.ts";
import {
  ALL,
  clusteredStatistics,
  type DrawnMeasure,
  type IntervalSettings,
  type Measure,
  type Statistic,
  type Tally,
} from "../pairs/clustered.ts";
import type { DatasetItem } from "../pairs/dataset.ts";
import { clustersOf } from "../pairs/groups.ts";
import { countAnswers, FORCED_CHOICE_MEASURES, share } from "../pairs/measures.ts";
import type { Certificate } from "../pairs/pair.ts";
import type { CompletePanel } from "../pairs/panels.ts";
import { unavailable } from "../stats/agreement.ts";
import { wilsonInterval } from "../stats/intervals.ts";
import { RULES_ALONE } from "./candidates.ts";
import type { Verdict } from "./proposals.ts";
import { PHENOMENA, type Phenomenon } from "./rules.ts";

/** Who thought of a pair: the rules alone, or a model whose proposal they confirmed. */
const ORIGINS = ["rules", "proposed"] as const;
type Origin = (typeof ORIGINS)[number];

/** Whose a pair is. */
export function originOf({ certificate }: Pick<DatasetItem, "certificate">): Origin {
  return certificate.proposedBy === RULES_ALONE.proposedBy ? "rules" : "proposed";
}

/** How many proposals the rules confirm, with a Wilson interval: of all, then by phenomenon. */
export function validityOf(verdicts: readonly Verdict[]) {
  return [ALL, ...PHENOMENA].map((phenomenon) => {
    const own = verdicts.filter(({ record }) =>
      phenomenon === ALL || record.phenomenon === phenomenon
    );
    const confirmed = own.filter(({ kind }) => kind === "confirmed").length;
    const proposed = own.filter((verdict) => verdict.proposed).length;
    const share = wilsonInterval(confirmed, proposed, 0.95);
    return { phenomenon, answers: own.length, proposed, confirmed, share };
  });
}

/** Reasons of which the words are worth reading: what the tables lack. */
const LACKING = /^(?:unknown_to_the_tables|verb_not_in_table|stem_not_in_table)$/;

/** The words that proposals name and the tables lack, with the reason, most frequent first. */
export function lackingWords(
  verdicts: readonly Verdict[],
): readonly (readonly [word: string, reason: string, count: number])[] {
  const named = verdicts.flatMap((verdict) => {
    if (verdict.kind !== "rejected" || !LACKING.test(verdict.rejection.reason)) return [];
    return [`${verdict.rejection.candidate.toLowerCase()} ${verdict.rejection.reason}`];
  });
  return tally(named).map(([name, count]) => {
    const [word = "", reason = ""] = name.split(" ");
    return [word, reason, count];
  });
}

type Traits = Pick<Certificate, "lemma" | "construction" | "source">;

const TRAITS: Readonly<Record<string, (certificate: Traits) => string>> = {
  lemmas: ({ lemma }) => lemma,
  constructions: ({ construction }) => construction,
  chapters: ({ source }) => String(source.chapter),
};

/** Different lemmas, constructions and chapters of each named set, and among equally many pairs. */
export function diversityOf(sets: Readonly<Record<string, readonly Traits[]>>) {
  const drawn = Math.min(...Object.values(sets).map(({ length }) => length));
  return Object.entries(sets).flatMap(([name, certificates]) =>
    Object.entries(TRAITS).map(([trait, of]) => {
      const groups = [...Map.groupBy(certificates, of).values()].map(({ length }) => length);
      const amongDrawn = expectedDistinct(groups, drawn);
      return { name, n: certificates.length, trait, different: groups.length, drawn, amongDrawn };
    })
  );
}

/**
 * How many different values a random draw of `drawn` items without replacement would show, from how
 * often each value occurs (Hurlbert 1971): Σ 1 − C(N − nᵢ, m) / C(N, m). With unequal numbers of
 * pairs the values themselves must not be compared: the larger set has more of everything.
 */
function expectedDistinct(occurrences: readonly number[], drawn: number): number {
  const total = occurrences.reduce((sum, n) => sum + n, 0);
  return occurrences.reduce((sum, n) => {
    let unseen = 1;
    for (let i = 0; i < drawn; i++) unseen *= Math.max(0, total - n - i) / (total - i);
    return sum + 1 - unseen;
  }, 0);
}

/** Pairs of both origins and what panels answered about them. */
interface OriginsInput {
  readonly items: readonly DatasetItem<Phenomenon>[];
  /** Of those to the questions that count for the panels. */
  readonly responses: readonly Response[];
  readonly panels: readonly Pick<CompletePanel, "asked">[];
  readonly settings: IntervalSettings;
}

/**
 * Accuracy of each model on the pairs of each origin, apart for each phenomenon: over all of them the
 * origins would differ by their mix of easy and hard phenomena. A row's phenomenon is such as
 * `UMLAUT proposed`.
 */
export function accuracyByOrigin(input: OriginsInput): readonly Statistic[] {
  const { items, panels, responses, settings } = input;
  const measures = FORCED_CHOICE_MEASURES.filter(({ name }) => name === "accuracy");
  return panels.flatMap(({ asked }) => asked).flatMap((model) => {
    const own = responses.filter((row) => row.model === model);
    const answers = Map.groupBy(own, ({ pairId }) => pairId);
    return PHENOMENA.flatMap((phenomenon) =>
      ORIGINS.flatMap((origin) => {
        const counted = items.flatMap((item) => {
          const given = answers.get(item.pair.id);
          if (!given || item.pair.phenomenon !== phenomenon || originOf(item) !== origin) return [];
          return [{ ...clustersOf(item), counts: countAnswers(given) }];
        });
        const place = { model, phenomenon: `${phenomenon} ${origin}` };
        return clusteredStatistics(place, counted, measures, settings);
      })
    );
  });
}

/**
 * How much better a proposing model is on its own pairs than their difficulty explains (0 = none,
 * 0.1 = ten points). A difference of differences: accuracy on proposed pairs minus that on the rules',
 * of the proposer, minus the same of the other models of its panel; taken within each phenomenon that
 * has pairs of both origins and averaged with the proposed pairs as weights. Over all phenomena
 * together it would show who is good at the phenomena that are proposed most. Questions that every
 * model of the panel answered; the interval is clustered as all are.
 */
export function ownAdvantage(
  { items, responses, panels, proposer, settings }: OriginsInput & { readonly proposer: string },
): { readonly measure: DrawnMeasure } {
  const models = panels.find(({ asked }) => asked.includes(proposer))?.asked ?? [];
  if (models.length < 2) {
    return { measure: unavailable(`${proposer} is of no complete panel with other models`) };
  }
  const own = responses.filter(({ model }) => models.includes(model));
  const questions = Map.groupBy(own, ({ pairId, order }) => `${pairId} ${order}`);
  const complete = [...questions.values()].filter(({ length }) => length === models.length).flat();
  const answers = Map.groupBy(complete, ({ pairId }) => pairId);
  const compared = items.filter(({ pair }) => answers.has(pair.id));
  const phenomena = PHENOMENA.filter((phenomenon) => {
    const own = compared.filter(({ pair }) => pair.phenomenon === phenomenon);
    return new Set(own.map(originOf)).size === ORIGINS.length;
  });
  if (phenomena.length === 0) {
    return { measure: unavailable("no phenomenon has pairs of both origins") };
  }
  const rightIn = (rows: readonly Response[]) => rows.filter(({ correct }) => correct).length;
  const sums = phenomena.flatMap((phenomenon) =>
    ORIGINS.flatMap((origin) =>
      (["asked", "lead"] as const).map((of) => [`${phenomenon} ${origin} ${of}`, 0] as const)
    )
  );
  const ofPhenomena = compared.filter(({ pair }) => phenomena.includes(pair.phenomenon));
  const counted = ofPhenomena.map(({ pair, certificate }) => {
    const given = answers.get(pair.id)!;
    const own = given.filter(({ model }) => model === proposer);
    // By how much the proposer is better than the others' mean, summed over its questions.
    const lead = rightIn(own) - (rightIn(given) - rightIn(own)) / (models.length - 1);
    const part = `${pair.phenomenon} ${originOf({ certificate })}`;
    const counts = { [`${part} asked`]: own.length, [`${part} lead`]: lead };
    return {
      ...clustersOf({ pair, certificate }),
      counts: { ...Object.fromEntries(sums), ...counts },
    };
  });
  const asked = (counts: Tally<string>, phenomenon: Phenomenon) =>
    counts[`${phenomenon} proposed asked`]!;
  const total = (counts: Tally<string>) =>
    phenomena.reduce((sum, phenomenon) => sum + asked(counts, phenomenon), 0);
  const advantage: Measure<Tally<string>> = {
    name: "own_advantage",
    method: "difference of differences, phenomena weighted by proposed pairs",
    of(counts) {
      const weighted = phenomena.map((phenomenon) => {
        const [rules, proposed] = ORIGINS.map((origin) =>
          counts[`${phenomenon} ${origin} lead`]! / counts[`${phenomenon} ${origin} asked`]!
        );
        const n = asked(counts, phenomenon);
        return n && n * (proposed! - rules!);
      }).reduce((sum, value) => sum + value, 0);
      // Where a resample has no pair of the rules to compare with.
      return Number.isFinite(weighted) ? share(weighted, total(counts)) : undefined;
    },
    n: total,
  };
  const place = { model: proposer, phenomenon: ALL };
  const [row] = clusteredStatistics(place, counted, [advantage], settings);
  return { measure: row!.value };
}
