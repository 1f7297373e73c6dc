import assert from "node:assert/strict";
import type { PairLikelihood } from "./answers.ts";
import { auditArtefacts, type Baseline, bestArtefact } from "./artefacts.ts";
import { lengthParts, type PairPart } from "./groups.ts";
import { computeStatistics } from "./statistics.ts";
import { madeItems, PHENOMENA, type Phenomenon } from "./testdata/norse.ts";
import { responded } from "./testdata/responses.ts";

/** Eight pairs, and four reverse ones whose sentence is one of the eight's. */
const [FORWARD, REVERSE] = [
  madeItems(8),
  madeItems(4).map((item) => {
    const id = item.pair.id.replace("ON_", "ONR_");
    return { pair: { ...item.pair, id }, certificate: { ...item.certificate, pairId: id } };
  }),
];
const isBack = (id: string) => id.startsWith("ONR_");
const PARTS: readonly PairPart<Phenomenon>[] = [
  { name: "reverse", has: ({ pair }) => isBack(pair.id) },
  { name: "both", has: () => true, stratumOf: ({ pair }) => isBack(pair.id) ? "back" : "forth" },
];

/** Answers that are right on every pair of one direction and wrong on every one of the other. */
const liking: Baseline = {
  name: "liking",
  choose: ({ id }) => isBack(id) ? "ungrammatical" : "grammatical",
};
const never: Baseline = { name: "never", choose: () => "tie" };
Deno.test("a preference that is right in one direction is worth a half over both", () => {
  const rows = auditArtefacts(FORWARD, PHENOMENA, [liking, never], {
    parts: PARTS,
    further: REVERSE,
  });
  const found = new Map(rows.map((row) => [`${row.baseline} ${row.phenomenon}`, row.accuracy]));
  assert.equal(found.get("liking ALL"), 1);
  assert.equal(found.get("liking reverse"), 0);
  // Not 8 of 12: each direction counts the same.
  assert.equal(found.get("liking both"), 0.5);
  assert.equal(bestArtefact(rows, "ALL")?.baseline, "liking");
  assert.equal(bestArtefact(rows, "reverse")?.baseline, "never");
});

Deno.test("computeStatistics() gives both directions, their mean, and the lead over the best rule", () => {
  // Right in both orders on three of four pairs forward, on every pair back.
  const answer = (id: string, isRight: boolean) => [
    responded("m", id, "A_gram", isRight ? "A" : "B"),
    responded("m", id, "B_gram", isRight ? "B" : "A"),
  ];
  const responses = [
    ...FORWARD.flatMap(({ pair }, i) => answer(pair.id, i % 4 !== 0)),
    ...REVERSE.flatMap(({ pair }) => answer(pair.id, true)),
  ];
  const input = {
    items: FORWARD,
    further: REVERSE,
    phenomena: PHENOMENA,
    parts: PARTS,
    likelihoods: [],
    panels: [{ models: ["m"] }],
    rules: [liking, never],
  };
  const rows = computeStatistics({ ...input, responses });
  const estimate = (group: string, measure: string) => {
    const row = rows.find((own) => own.phenomenon === group && own.measure === measure);
    return row?.value.kind === "unavailable" ? undefined : row?.value.estimate;
  };
  const accuracies = ["ALL", "reverse", "both"].map((group) => estimate(group, "accuracy"));
  assert.deepEqual(accuracies, [0.75, 1, 0.875]);
  const both = rows.find((own) => own.phenomenon === "both" && own.measure === "accuracy");
  assert.deepEqual([both?.n, both?.clusters], [24, 6]);
  assert.match(both?.method ?? "", /mean of 2 strata \(back, forth\)/);
  // Forward the liking is right on all, back the tie on half, over both each of them on half.
  const lead = (group: string) => estimate(group, "accuracy_less_best_rule");
  assert.deepEqual(["ALL", "reverse", "both"].map(lead), [-0.25, 0.5, 0.375]);
  // One pair back without an answer, and nothing is said of either mix.
  const some = computeStatistics({ ...input, responses: responses.slice(0, -2) });
  assert.ok(some.every(({ phenomenon }) => phenomenon !== "both" && phenomenon !== "reverse"));
  assert.equal(some.filter(({ phenomenon }) => phenomenon === "ALL").length > 0, true);
});

Deno.test("lengthParts() parts a set by the variant's length in characters and in a model's tokens", () => {
  const items = ["abcd", "abd", "a\u0308bc"].map((ungrammatical, i) => {
    const [item] = madeItems(1);
    return { ...item!, pair: { ...item!.pair, id: `ON_${i}`, grammatical: "abc", ungrammatical } };
  });
  const parts = lengthParts(items);
  const member = (tokens: number) => ({ logProbability: -1, tokens, bytes: 3 });
  const scored = { grammatical: member(2), ungrammatical: member(1) } as PairLikelihood;
  const partsOf = (item: typeof items[number], row?: PairLikelihood) =>
    parts.filter(({ has }) => has(item, row)).map(({ name }) => name);
  assert.deepEqual(items.map((item) => partsOf(item)), [
    ["characters.longer"],
    ["characters.same"],
    ["characters.same"],
  ]);
  assert.deepEqual(partsOf(items[0]!, scored), ["characters.longer", "tokens.shorter"]);
  assert.deepEqual(partsOf(madeItems(1)[0]!, scored), [], "not of the set");
});
