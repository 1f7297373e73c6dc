import { clusteredStatistics, type Measure } from "../../pairs/clustered_statistic.ts";
import { share } from "../../pairs/forced_choice_measures.ts";
import { decimalWithInterval, type DrawnMeasure, lookUp } from "../../pairs/statistic_lookup.ts";
import { ALL } from "../../pairs/statistics_row.ts";
import type { Tally } from "../../pairs/tally.ts";
import { unavailable } from "../../stats/unavailable.ts";
import { PHENOMENA, type Phenomenon } from "../candidate.ts";
import { PHENOMENON_NAMES } from "./evidence.ts";
import type { DifficultyInput } from "./source_comparison_difficulty.ts";
import { type Origin, ORIGINS } from "./source_comparison_diversity.ts";
import { comparedItems, type Count, PARTIES, type Party } from "./source_comparison_parties.ts";

export type AdvantageInput = DifficultyInput & { readonly proposer: string };

/** How much better a proposing model is on its own pairs than their difficulty explains. */
export interface OwnAdvantage {
  /** 0 = none, 0.1 = ten points. */
  readonly measure: DrawnMeasure;
  /** Phenomena with pairs of both origins: of others nothing can be compared. */
  readonly phenomena: readonly Phenomenon[];
  /** Pairs compared, of those phenomena. */
  readonly pairs: Readonly<Record<Origin, number>>;
}

/**
 * A difference of differences: accuracy on proposed pairs minus that on the rules', of the proposer,
 * minus the same of the other models of its panel; taken within each phenomenon and averaged with
 * the proposed pairs as weights. Over all phenomena together it would show who is good at the
 * phenomena that are proposed most. Questions that every model of the panel answered; the interval
 * is a bootstrap over lemmas.
 */
export function ownAdvantage(input: AdvantageInput): OwnAdvantage {
  const none = (reason: string): OwnAdvantage => ({
    ...{ measure: unavailable(reason), phenomena: [], pairs: { rules: 0, proposed: 0 } },
  });
  const { panels, proposer, settings } = input;
  const panel = panels.find(({ asked }) => asked.includes(proposer));
  if (!panel) return none(`${proposer} is of no panel that is complete`);
  if (panel.asked.length === 1) return none("its panel has no other model");
  const compared = comparedItems(input, panel.asked);
  const has = (phenomenon: Phenomenon) =>
    ORIGINS.every((origin) =>
      compared.some((item) => item.phenomenon === phenomenon && item.origin === origin)
    );
  const phenomena = PHENOMENA.filter(has);
  const items = compared.filter(({ phenomenon }) => phenomena.includes(phenomenon));
  if (items.length === 0) return none("no phenomenon has pairs of both origins");
  const measure = advantageWithin(phenomena);
  const rows = clusteredStatistics(
    { model: proposer, phenomenon: ALL },
    items,
    [measure],
    settings,
  );
  const count = (wanted: Origin) => items.filter(({ origin }) => origin === wanted).length;
  return {
    measure: lookUp(rows).measure(proposer, measure.name),
    ...{ phenomena, pairs: { rules: count("rules"), proposed: count("proposed") } },
  };
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
        const [own, others] = PARTIES.map((party) => gapOf(counts, phenomenon, party));
        if (own === undefined || others === undefined) return undefined;
        sum += proposed * (own - others);
        weight += proposed;
      }
      return share(sum, weight);
    },
    n: (counts) => phenomena.reduce((sum, name) => sum + counts[`${name} own proposed asked`], 0),
  };
}

function gapOf(counts: Tally<Count>, phenomenon: Phenomenon, party: Party): number | undefined {
  const [rules, proposed] = ORIGINS.map((origin) =>
    share(
      counts[`${phenomenon} ${party} ${origin} right`],
      counts[`${phenomenon} ${party} ${origin} asked`],
    )
  );
  return rules === undefined || proposed === undefined ? undefined : proposed - rules;
}

/** The advantage in words, with what it does not show. */
export function advantageSentence(input: AdvantageInput): string {
  const { proposer } = input;
  const { measure, phenomena, pairs } = ownAdvantage(input);
  if (measure.kind === "unavailable") {
    return `The advantage of ${proposer} on its own pairs is unavailable: ${measure.reason}.`;
  }
  const names = phenomena.map((name) => PHENOMENON_NAMES[name]).join(", ");
  return `Advantage of ${proposer} on its own pairs over the other models of its panel: ` +
    `${decimalWithInterval(measure)} (difference in differences within phenomenon, weighted by ` +
    `proposed pairs; 0 = none; ${pairs.proposed} proposed and ${pairs.rules} rules' pairs of ` +
    `${names}). A proposed pair is one that the model got right when it proposed it, so an ` +
    "advantage there is to be expected and is no proof that it favours its own.";
}
