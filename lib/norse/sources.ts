/** Rule-made pairs beside those that a model proposed: validity, diversity, difficulty, own advantage. */
import { tally } from "../figures/table.ts";
import type { Response } from "../pairs/answers.ts";
import {
  ALL,
  clusteredStatistics,
  type DrawnMeasure,
  type IntervalSettings,
  lookUp,
  type Measure,
  type Statistic,
  type Tally,
} from "../pairs/clustered.ts";
import type { DatasetItem } from "../pairs/dataset.ts";
import { countAnswers, FORCED_CHOICE_MEASURES, share } from "../pairs/measures.ts";
import type { Certificate, Rejection } from "../pairs/pair.ts";
import type { CompletePanel } from "../pairs/panels.ts";
import { type Unavailable, unavailable } from "../stats/agreement.ts";
import { type Interval, wilsonInterval } from "../stats/intervals.ts";
import { RULES_ALONE } from "./candidates.ts";
import type { Verdict } from "./proposals.ts";
import { PHENOMENA, type Phenomenon } from "./rules.ts";

/** Who thought of a pair: the rules alone, or a model whose proposal they confirmed. */
const ORIGINS = ["rules", "proposed"] as const;
type Origin = (typeof ORIGINS)[number];

/** Whose a pair is. */
export function originOf({ certificate }: Pick<DatasetItem, "certificate">): Origin {
  return certificate.proposedBy === RULES_ALONE.name ? "rules" : "proposed";
}

/** Whose a refused candidate is: the detail of a proposal's refusal begins with the model's name. */
export function originOfRefusal({ detail }: Pick<Rejection, "detail">, proposer: string): Origin {
  return detail === proposer || detail.startsWith(`${proposer}: `) ? "proposed" : "rules";
}

/** How many of a model's proposals the rules confirm. */
interface Validity {
  /** A phenomenon or ALL. */
  readonly phenomenon: string;
  /** Questions answered, `none` among them. */
  readonly answers: number;
  /** Answers that proposed a change. */
  readonly proposed: number;
  readonly confirmed: number;
  /** Confirmed / proposed with its Wilson interval at 95 %; proposals taken as independent. */
  readonly share: Interval | Unavailable;
}

/** Over all proposals, then by phenomenon. */
export function validityOf(verdicts: readonly Verdict[]): readonly Validity[] {
  return [ALL, ...PHENOMENA].map((phenomenon) => {
    const own = verdicts.filter(({ record }) =>
      phenomenon === ALL || record.phenomenon === phenomenon
    );
    const confirmed = own.filter(({ kind }) => kind === "confirmed").length;
    const proposed = own.filter((verdict) =>
      verdict.kind === "confirmed" || verdict.proposed
    ).length;
    return {
      phenomenon,
      answers: own.length,
      proposed,
      confirmed,
      share: wilsonInterval(confirmed, proposed, 0.95),
    };
  });
}

/** Reasons of which the words are worth reading: what the tables lack. */
const LACKING = /_unknown_to_the_lexicon$|^verb_not_in_table$|^stem_not_in_table$/;

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

/**
 * How many different values a random draw of `drawn` items without replacement would show, from how
 * often each value occurs (Hurlbert 1971): Σ 1 − C(N − nᵢ, m) / C(N, m). With unequal numbers of
 * pairs the values themselves must not be compared: the larger set has more of everything.
 * @throws {RangeError} for a draw larger than the set.
 */
export function expectedDistinct(occurrences: readonly number[], drawn: number): number {
  const total = occurrences.reduce((sum, n) => sum + n, 0);
  if (drawn > total) {
    throw new RangeError(`Cannot draw ${drawn} of ${total} items without replacement.`);
  }
  return occurrences.reduce((sum, n) => {
    let unseen = 1;
    for (let i = 0; i < drawn; i++) unseen *= Math.max(0, total - n - i) / (total - i);
    return sum + 1 - unseen;
  }, 0);
}

type Traits = Pick<Certificate, "lemma" | "construction" | "source">;

const TRAITS: readonly (readonly [name: string, of: (certificate: Traits) => string])[] = [
  ["lemmas", ({ lemma }) => lemma],
  ["constructions", ({ construction }) => construction],
  ["chapters", ({ source }) => String(source.chapter)],
];

/** Different lemmas, constructions and chapters of each named set, and among equally many pairs. */
export function diversityOf(sets: Readonly<Record<string, readonly Traits[]>>) {
  const drawn = Math.min(...Object.values(sets).map((certificates) => certificates.length));
  return Object.entries(sets).flatMap(([name, certificates]) =>
    TRAITS.map(([trait, of]) => {
      const occurrences = [...Map.groupBy(certificates, of).values()].map((same) => same.length);
      return {
        name,
        n: certificates.length,
        trait,
        different: occurrences.length,
        drawn,
        amongDrawn: expectedDistinct(occurrences, drawn),
      };
    })
  );
}

/** Pairs of both origins and what panels answered about them. */
interface OriginsInput {
  readonly items: readonly DatasetItem<Phenomenon>[];
  /** Of those to the questions that count for the panels. */
  readonly responses: readonly Response[];
  readonly panels: readonly Pick<CompletePanel, "asked">[];
  readonly settings: IntervalSettings;
}

/** What stands as a statistic's phenomenon: a phenomenon with the origin of its pairs. */
const originGroup = (phenomenon: Phenomenon, origin: Origin) => `${phenomenon} ${origin}`;

/**
 * Accuracy of each model on the pairs of each origin, apart for each phenomenon: over all of them the
 * origins would differ by their mix of easy and hard phenomena.
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
          return [{ lemma: item.certificate.lemma, counts: countAnswers(given) }];
        });
        const place = { model, phenomenon: originGroup(phenomenon, origin) };
        return clusteredStatistics(place, counted, measures, settings);
      })
    );
  });
}

/** How much better a proposing model is on its own pairs than their difficulty explains. */
interface OwnAdvantage {
  /** 0 = none, 0.1 = ten points. */
  readonly measure: DrawnMeasure;
  /** Phenomena with pairs of both origins: of others nothing can be compared. */
  readonly phenomena: readonly Phenomenon[];
  /** Pairs compared, of those phenomena. */
  readonly pairs: Readonly<Record<Origin, number>>;
}

/** The proposing model, and the others of its panel. */
const PARTIES = ["own", "others"] as const;
/** Questions right and asked, by phenomenon, party and origin. */
type Count = `${Phenomenon} ${(typeof PARTIES)[number]} ${Origin} ${"right" | "asked"}`;

/**
 * A difference of differences: accuracy on proposed pairs minus that on the rules', of the proposer,
 * minus the same of the other models of its panel; taken within each phenomenon and averaged with
 * the proposed pairs as weights. Over all phenomena together it would show who is good at the
 * phenomena that are proposed most. Questions that every model of the panel answered; the interval
 * is a bootstrap over lemmas.
 */
export function ownAdvantage(
  input: OriginsInput & { readonly proposer: string },
): OwnAdvantage {
  const { panels, proposer, settings } = input;
  const none = (reason: string): OwnAdvantage => {
    return { measure: unavailable(reason), phenomena: [], pairs: { rules: 0, proposed: 0 } };
  };
  const panel = panels.find(({ asked }) => asked.includes(proposer));
  if (!panel) return none(`${proposer} is of no panel that is complete`);
  if (panel.asked.length === 1) return none("its panel has no other model");
  const compared = comparedItems(input, panel.asked);
  const phenomena = PHENOMENA.filter((phenomenon) =>
    ORIGINS.every((origin) =>
      compared.some((item) => item.phenomenon === phenomenon && item.origin === origin)
    )
  );
  const items = compared.filter(({ phenomenon }) => phenomena.includes(phenomenon));
  if (items.length === 0) return none("no phenomenon has pairs of both origins");
  const place = { model: proposer, phenomenon: ALL };
  const rows = clusteredStatistics(place, items, [advantageWithin(phenomena)], settings);
  const count = (wanted: Origin) => items.filter(({ origin }) => origin === wanted).length;
  return {
    measure: lookUp(rows).measure(proposer, "own_advantage"),
    phenomena,
    pairs: { rules: count("rules"), proposed: count("proposed") },
  };
}

/** The pairs with the questions that every model answered; asked differently they are not alike. */
function comparedItems(
  { items, responses, proposer }: OriginsInput & { readonly proposer: string },
  models: readonly string[],
) {
  const byQuestion = Map.groupBy(
    responses.filter(({ model }) => models.includes(model)),
    ({ pairId, order }) => `${pairId} ${order}`,
  );
  const complete = [...byQuestion.values()].filter((rows) => rows.length === models.length).flat();
  const byPair = Map.groupBy(complete, ({ pairId }) => pairId);
  return items.flatMap((item) => {
    const rows = byPair.get(item.pair.id);
    if (!rows) return [];
    const { phenomenon } = item.pair;
    const origin = originOf(item);
    const counts = Object.fromEntries(
      PHENOMENA.flatMap((name) =>
        PARTIES.flatMap((party) =>
          ORIGINS.flatMap((of): [Count, number][] => {
            const own = name !== phenomenon || of !== origin
              ? []
              : rows.filter(({ model }) => (model === proposer) === (party === "own"));
            const right = own.filter(({ correct }) => correct).length;
            return [
              [`${name} ${party} ${of} right`, right],
              [`${name} ${party} ${of} asked`, own.length],
            ];
          })
        )
      ),
    ) as Tally<Count>;
    return [{ lemma: item.certificate.lemma, counts, phenomenon, origin }];
  });
}

/** What is measured in each resample; nothing where it has no rules' pair to compare with. */
function advantageWithin(phenomena: readonly Phenomenon[]): Measure<Tally<Count>> {
  return {
    name: "own_advantage",
    method: "(accuracy on proposed − on rules' pairs) of the proposer, minus the same of the " +
      "others; within phenomenon, weighted by proposed pairs",
    of: (counts) => {
      let [sum, weight] = [0, 0];
      for (const phenomenon of phenomena) {
        const proposed = counts[`${phenomenon} own proposed asked`];
        if (proposed === 0) continue;
        const [own, others] = PARTIES.map((party) => {
          const [rules, proposed] = ORIGINS.map((origin) => {
            const of = `${phenomenon} ${party} ${origin}` as const;
            return share(counts[`${of} right`], counts[`${of} asked`]);
          });
          return rules === undefined || proposed === undefined ? undefined : proposed - rules;
        });
        if (own === undefined || others === undefined) return undefined;
        sum += proposed * (own - others);
        weight += proposed;
      }
      return share(sum, weight);
    },
    n: (counts) => phenomena.reduce((sum, name) => sum + counts[`${name} own proposed asked`], 0),
  };
}
