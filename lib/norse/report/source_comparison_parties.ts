import { ORDERS } from "../../pairs/forced_choice.ts";
import { questionKey, type Response } from "../../pairs/responses.ts";
import type { Counted, Tally } from "../../pairs/tally.ts";
import { PHENOMENA, type Phenomenon } from "../candidate.ts";
import type { DifficultyInput } from "./source_comparison_difficulty.ts";
import { type Origin, originOf, ORIGINS } from "./source_comparison_diversity.ts";

/** The proposing model, and the others of its panel. */
export const PARTIES = ["own", "others"] as const;
export type Party = (typeof PARTIES)[number];
/** Questions right and asked, by phenomenon, party and origin. */
export type Count = `${Phenomenon} ${Party} ${Origin} ${"right" | "asked"}`;

/** A pair with what both parties answered to the questions that count for it. */
export type ComparedItem = Counted<Count> & {
  readonly phenomenon: Phenomenon;
  readonly origin: Origin;
};

/** The pairs with the questions that every model answered; asked differently they are not alike. */
export function comparedItems(
  { items, responses, proposer }: DifficultyInput & { readonly proposer: string },
  models: readonly string[],
): readonly ComparedItem[] {
  const byQuestion = new Map(responses.map((row) => [questionKey(row), row]));
  return items.flatMap((item) => {
    const { id: pairId, phenomenon } = item.pair;
    const rows = ORDERS.flatMap((order) => {
      const given = models.flatMap((model) =>
        byQuestion.get(questionKey({ model, pairId, order })) ?? []
      );
      return given.length === models.length ? given : [];
    });
    if (rows.length === 0) return [];
    const origin = originOf(item);
    const counts = countParties(phenomenon, origin, {
      own: rows.filter(({ model }) => model === proposer),
      others: rows.filter(({ model }) => model !== proposer),
    });
    return [{ lemma: item.certificate.lemma, counts, phenomenon, origin }];
  });
}

function countParties(
  phenomenon: Phenomenon,
  origin: Origin,
  rows: Readonly<Record<Party, readonly Response[]>>,
): Tally<Count> {
  const names = PHENOMENA.flatMap((name) =>
    PARTIES.flatMap((party) =>
      ORIGINS.flatMap((of) => {
        const own = name === phenomenon && of === origin ? rows[party] : [];
        const right = own.filter(({ correct }) => correct).length;
        return [
          [`${name} ${party} ${of} right`, right],
          [`${name} ${party} ${of} asked`, own.length],
        ];
      })
    )
  );
  return Object.fromEntries(names) as Tally<Count>;
}
