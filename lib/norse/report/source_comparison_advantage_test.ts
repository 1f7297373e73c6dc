import assert from "node:assert/strict";
import { ORDERS } from "../../pairs/forced_choice.ts";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import { bothOrders, type OrderPlan } from "../../pairs/order_plan.ts";
import type { Response } from "../../pairs/responses.ts";
import type { Phenomenon } from "../candidate.ts";
import type { CompletePanel } from "../../pairs/panels/study_panels.ts";
import {
  type AdvantageInput,
  advantageSentence,
  ownAdvantage,
} from "./source_comparison_advantage.ts";
import { accuracyByOrigin, difficultyTable } from "./source_comparison_difficulty.ts";

const PROPOSER = "a/proposer";
const settings = { seed: 1, resamples: 200 };

/** Pair `n` of a phenomenon; lemmas are many, so that resamples rarely lack one origin. */
function item(phenomenon: Phenomenon, n: number, isProposed: boolean): DatasetItem<Phenomenon> {
  return {
    pair: { id: `${phenomenon}_${n}`, phenomenon },
    certificate: { lemma: `lemma${n}`, proposedBy: isProposed ? PROPOSER : "rules" },
  } as unknown as DatasetItem<Phenomenon>;
}

/** Umlaut: pairs 1–12 proposed, 13–16 the rules'. Middle voice: 1–4 proposed, 5–16 the rules'. */
const ITEMS = [
  ...Array.from({ length: 16 }, (_, i) => item("UMLAUT", i + 1, i < 12)),
  ...Array.from({ length: 16 }, (_, i) => item("MIDDLE_VOICE", i + 1, i < 4)),
];

/** Answers to every pair, right in so many of the two orders. */
const answers = (model: string, right: (item: DatasetItem<Phenomenon>) => number): Response[] =>
  ITEMS.flatMap((made) =>
    ORDERS.map((order, place) => {
      const correct = place < right(made);
      const response = (order === "A_gram") === correct ? "A" : "B";
      return { model, pairId: made.pair.id, order, correct, response };
    })
  );

const isUmlaut = ({ pair }: DatasetItem<Phenomenon>) => pair.phenomenon === "UMLAUT";
const isProposed = ({ certificate }: DatasetItem<Phenomenon>) =>
  certificate.proposedBy === PROPOSER;

const panel = (asked: readonly string[], orders: OrderPlan = bothOrders): CompletePanel => ({
  ...{ title: "hosted", models: asked, asked, orders },
  design: orders === bothOrders ? "both" : "counterbalanced",
});

const inputOf = (responses: readonly Response[], asked: readonly string[]): AdvantageInput => ({
  ...{ items: ITEMS, responses, panels: [panel(asked)], proposer: PROPOSER, settings },
});

Deno.test("ownAdvantage() of a model better at what it proposes most is nought within phenomenon", () => {
  // Twice as good at umlaut as the other, whose pairs stand at 12 of 16 proposals; on its own and
  // the rules' pairs alike. Over all pairs: own (24 + 4)/32 − (8 + 12)/32, other (12 + 4)/32 − (4 + 12)/32.
  const responses = [
    ...answers(PROPOSER, (made) => (isUmlaut(made) ? 2 : 1)),
    ...answers("b", () => 1),
  ];
  const { measure, phenomena, pairs } = ownAdvantage(inputOf(responses, [PROPOSER, "b"]));
  assert.ok(measure.kind === "interval");
  assert.deepEqual([measure.low, measure.estimate, measure.high], [0, 0, 0]);
  assert.deepEqual(phenomena, ["UMLAUT", "MIDDLE_VOICE"]);
  assert.deepEqual(pairs, { rules: 16, proposed: 16 });
});

Deno.test("ownAdvantage() weighs phenomena by proposed pairs, worked by hand", () => {
  const responses = [
    // Umlaut: 1 on proposed, 1/2 on the rules'; middle voice 1/2 on both.
    ...answers(PROPOSER, (made) => (isUmlaut(made) && isProposed(made) ? 2 : 1)),
    ...answers("b", () => 1), // no difference anywhere
    ...answers("c", (made) => (isProposed(made) ? 1 : 2)), // −1/2 in both
  ];
  const models = [PROPOSER, "b", "c"];
  const { measure } = ownAdvantage(inputOf(responses, models));
  // Others: −1/4. Umlaut 1/2 + 1/4, middle voice 0 + 1/4; (12 · 0.75 + 4 · 0.25) / 16 = 0.625.
  assert.ok(measure.kind !== "unavailable" && Math.abs(measure.estimate - 0.625) < 1e-12);
  assert.match(
    advantageSentence(inputOf(responses, models)),
    /its own pairs over the other models of its panel: 0\.6[23].*16 proposed and 16 rules' pairs of u-umlaut, Middle voice\).*no proof/,
  );
});

Deno.test("ownAdvantage() compares only questions that all models answered", () => {
  const all = [
    ...answers(PROPOSER, (made) => (isProposed(made) ? 2 : 1)),
    ...answers("b", () => 1),
  ];
  // The other order of each model: nothing in common, as many answers for each.
  const apart = all.filter(({ model, order }) => (model === "b") === (order === "B_gram"));
  const none = ownAdvantage(inputOf(apart, [PROPOSER, "b"])).measure;
  assert.ok(none.kind === "unavailable");
  assert.match(none.reason, /no phenomenon has pairs of both origins/);
  // One order of all pairs, where the proposer is right throughout and so is b.
  const first = all.filter(({ order }) => order === "A_gram");
  const one = ownAdvantage(inputOf(first, [PROPOSER, "b"]));
  assert.ok(one.measure.kind !== "unavailable" && one.measure.estimate === 0);
});

Deno.test("ownAdvantage() is unavailable where nobody can be compared", () => {
  const reason = (input: AdvantageInput) => {
    const { measure } = ownAdvantage(input);
    return measure.kind === "unavailable" ? measure.reason : measure.kind;
  };
  const own = answers(PROPOSER, () => 2);
  assert.match(reason({ ...inputOf(own, [PROPOSER]), panels: [] }), /of no panel that is complete/);
  assert.match(reason(inputOf(own, [PROPOSER])), /no other model/);
  const both = inputOf([...own, ...answers("b", () => 1)], [PROPOSER, "b"]);
  const proposed = { ...both, items: ITEMS.filter(isProposed) };
  assert.match(reason(proposed), /no phenomenon has pairs of both origins/);
  assert.match(advantageSentence(proposed), /^The advantage of a\/proposer .* is unavailable: no/);
});

Deno.test("accuracyByOrigin() keeps phenomena apart, and difficultyTable() prints n and lemmas", () => {
  const responses = answers("m", (made) => (isUmlaut(made) ? 2 : isProposed(made) ? 1 : 0));
  const local = { ...panel(["m"]), title: "local" as const };
  const input = { items: ITEMS, responses, panels: [local, panel(["n"])], settings };
  const rows = accuracyByOrigin(input).filter(({ model }) => model === "m");
  const estimates = rows.flatMap(({ phenomenon, value }) =>
    value.kind === "unavailable" ? [] : [`${phenomenon} ${value.estimate}`]
  );
  assert.deepEqual(estimates, [
    ...["UMLAUT rules 1", "UMLAUT proposed 1"],
    ...["MIDDLE_VOICE rules 0", "MIDDLE_VOICE proposed 0.5"],
  ]);
  const table = difficultyTable(input);
  // Wilson on 4 lemmas: 4 / 7.841459.
  assert.match(
    table,
    /\| m \(local\) \| u-umlaut \| 100\.0 \[51\.0, 100\.0\] \(8 answers, 4 lemmas\) \| 100\.0 /,
  );
  assert.match(table, /\| m \(local\) \| Quirky case \| – \| – \|/);
  assert.match(table, /\| n \(hosted\) \| u-umlaut \| – \| – \|/);
});
