import assert from "node:assert/strict";
import fc from "fast-check";
import {
  ALWAYS_FIRST,
  ALWAYS_SHORTER,
  randomBaseline,
} from "../models/baselines/place_baselines.ts";
import { unigramBaseline } from "../models/baselines/unigram.ts";
import { heldOut, inBothOrders } from "./held_out_baselines.ts";
import type { MinimalPair } from "./pair.ts";
import { madePairs, sentence } from "./testdata/norse.ts";

const [MADE] = madePairs(1);
const pairOf = (grammatical: string, ungrammatical: string): MinimalPair => ({
  ...MADE!,
  grammatical,
  ungrammatical,
});

Deno.test("inBothOrders() gives the member that is chosen in either place, else a tie", () => {
  const shorter = inBothOrders(ALWAYS_SHORTER).choose;
  assert.equal(shorter(pairOf("ab", "abc")), "grammatical");
  assert.equal(shorter(pairOf("abc", "ab")), "ungrammatical");
  assert.equal(shorter(pairOf("abc", "abd")), "tie");
  assert.equal(inBothOrders(ALWAYS_FIRST).choose(pairOf("ab", "abc")), "tie");
  // A coin that falls on the first place, then on the second, has taken the same member twice.
  const coin = [0.1, 0.9].values();
  const random = inBothOrders(randomBaseline(() => coin.next().value ?? 0));
  assert.equal(random.choose(pairOf("ab", "abc")), "grammatical");
});

Deno.test("heldOut() learns from every fold but the pair's own", () => {
  const lines = [
    ...[{ fold: "1", text: "x x x" }, { fold: "2", text: "y y" }, { fold: "3", text: "z" }],
  ];
  const asked = (fold: string, grammatical: string, ungrammatical: string) =>
    heldOut(unigramBaseline(lines), new Map([[MADE!.id, fold]]))
      .choose(pairOf(grammatical, ungrammatical));
  assert.equal(asked("3", "x", "y"), "grammatical");
  assert.equal(asked("1", "x", "y"), "ungrammatical");
  assert.equal(asked("1", "x", "w"), "tie");
});

Deno.test("heldOut() refuses a pair of which no fold is known", () => {
  const baseline = heldOut(unigramBaseline([]), new Map());
  assert.throws(() => baseline.choose(MADE!), /Cannot hold out the text of ON_QUIRKY_CASE_001/);
});

Deno.test("a baseline's choice follows the members when they change places (property, 200 runs)", () => {
  const lines = [{ fold: "1", text: "hann var" }, { fold: "2", text: "þeim þótti vel" }];
  const folds = new Map([[MADE!.id, "1"]]);
  const baselines = [inBothOrders(ALWAYS_SHORTER), heldOut(unigramBaseline(lines), folds)];
  const other = { grammatical: "ungrammatical", ungrammatical: "grammatical", tie: "tie" } as const;
  fc.assert(
    fc.property(sentence, sentence, (one, two) => {
      for (const { choose } of baselines) {
        assert.equal(choose(pairOf(one, two)), other[choose(pairOf(two, one))]);
      }
    }),
    { numRuns: 200 },
  );
});
