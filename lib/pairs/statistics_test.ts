import assert from "node:assert/strict";
import type { PairLikelihood } from "./answers.ts";
import { statisticsTable } from "./clustered.ts";
import { preference } from "./measures.ts";
import { computeStatistics } from "./statistics.ts";
import { madeItems, PHENOMENA } from "./testdata/norse.ts";
import { responded } from "./testdata/responses.ts";

const TABLE = statisticsTable({ path: "/statistics.csv" });
const ITEMS = madeItems(12);
const PAIRS = ITEMS.map(({ pair }) => pair);

/** Computes the rows of one panel, by `model | phenomenon | measure`. */
function compute(
  models: readonly string[],
  change: Partial<Parameters<typeof computeStatistics>[0]> & { readonly orders?: () => ["A_gram"] },
) {
  const { orders, ...options } = change;
  const rows = computeStatistics({
    phenomena: PHENOMENA,
    items: ITEMS,
    responses: [],
    likelihoods: [],
    panels: [{ models, orders }],
    ...options,
  });
  const find = (key: string) => {
    const row = rows.find((row) => `${row.model} | ${row.phenomenon} | ${row.measure}` === key);
    assert.ok(row, key);
    return row;
  };
  const estimate = (key: string) => {
    const { value } = find(key);
    return value.kind === "unavailable" ? NaN : value.estimate;
  };
  return { rows, find, estimate };
}

const near = (found: number, expected: number) =>
  assert.ok(Math.abs(found - expected) < 1e-4, `${found} is not ${expected}`);

const member = (logProbability: number, tokens = 4, bytes = 20) => ({
  logProbability,
  tokens,
  bytes,
});

/** "always" answers A; "sharp" is right but for one pair, on which it says nothing valid. */
const RESPONSES = PAIRS.flatMap(({ id }, index) => [
  responded("always", id, "A_gram", "A"),
  responded("always", id, "B_gram", "A"),
  responded("sharp", id, "A_gram", index === 0 ? "INVALID" : "A"),
  responded("sharp", id, "B_gram", index === 0 ? "INVALID" : "B"),
]);

Deno.test("computeStatistics() gives hand-worked values of forced choice", () => {
  const { find, estimate } = compute(["always", "sharp"], { responses: RESPONSES });
  const exact = {
    "always | ALL | accuracy": 0.5,
    "always | ALL | consistency": 0,
    "always | ALL | accuracy_both_orders": 0,
    "always | ALL | d_prime": 0,
    "sharp | ALL | accuracy": 22 / 24,
    "sharp | ALL | accuracy_valid": 1,
    "sharp | ALL | accuracy_upper_bound": 1,
    "sharp | ALL | invalid_rate": 2 / 24,
    "sharp | ALL | consistency": 1,
    // Right in more orders: sharp on 11 pairs; on the other always is (1 against 0).
    "always vs sharp | ALL | pairs_first_better": 1,
    "always vs sharp | ALL | pairs_second_better": 11,
    "always vs sharp | ALL | accuracy_difference": -10 / 24,
  };
  for (const [key, expected] of Object.entries(exact)) assert.equal(estimate(key), expected, key);
  // 12 of 12 A in both orders: z(12.5 / 13) = 1.7688; two-sided binomial: 2 (1 + 12) / 2^12.
  near(estimate("always | ALL | position_bias"), 1.7688);
  near(estimate("always vs sharp | ALL | mcnemar_p"), 26 / 4096);
  assert.equal(find("sharp | ALL | accuracy_valid").n, 22);
  assert.equal(find("sharp | QUIRKY_CASE | accuracy").n, 6);
});

Deno.test("computeStatistics() gives hand-worked values of likelihoods and agreement", () => {
  // Totals: right, wrong, tie, then right; per token the second turns, its bad member being longer.
  const likelihoods: PairLikelihood[] = PAIRS.map(({ id }, index) => ({
    model: "sharp",
    pairId: id,
    grammatical: index === 1 ? member(-12, 6, 20) : member(-10),
    ungrammatical: index === 1 || index === 2 ? member(-10) : member(-11),
  }));
  const { estimate } = compute(["sharp"], { responses: RESPONSES, likelihoods });
  const of = (measure: string) => estimate(`sharp | ALL | ${measure}`);
  assert.equal(of("likelihood_accuracy_total"), 10 / 12);
  assert.equal(of("likelihood_ties_total"), 1 / 12);
  assert.equal(of("likelihood_accuracy_per_token"), 11 / 12);
  assert.equal(of("likelihood_accuracy_per_byte"), 10 / 12);
  // Forced choice right on 11 (not pair 0), likelihood on 10 (not 1, 2): 9 both right, 0 both wrong.
  // Expected by chance: 11/12 · 10/12 + 1/12 · 2/12 = 112/144.
  near(of("agreement_kappa"), (9 / 12 - 112 / 144) / (1 - 112 / 144));
});

Deno.test("preference() compares without rounding and finds exact ties", () => {
  type Member = PairLikelihood["grammatical"];
  const pair = (grammatical: Member, ungrammatical: Member) => ({ grammatical, ungrammatical });
  assert.equal(preference(pair(member(-0.3, 3), member(-0.1, 1)), "per_token"), "tie");
  assert.equal(preference(pair(member(-0.3), member(-0.300001)), "total"), "grammatical");
  assert.equal(preference(pair(member(-9, 3, 9), member(-10, 3, 11)), "per_byte"), "ungrammatical");
});

Deno.test("computeStatistics() gives the design's power, by pairs and by lemmas", () => {
  const { find, estimate } = compute([], {});
  // n = 12: 2 (1 + 12 + 66) / 2^12 = 0.039, so it rejects from 10 right.
  const p = estimate("(design) | ALL | minimum_detectable_accuracy");
  near(66 * p ** 10 * (1 - p) ** 2 + 12 * p ** 11 * (1 - p) + p ** 12, 0.8);
  const lemmas = new Set(ITEMS.map((item) => item.certificate.lemma));
  assert.equal(find("(design) | ALL | minimum_detectable_accuracy").clusters, lemmas.size);
  const small = find("(design) | UMLAUT | minimum_detectable_accuracy_by_lemma");
  assert.ok(small.value.kind === "unavailable");
  assert.match(small.value.reason, /no outcome of 3 trials/);
});

Deno.test("computeStatistics() gives parts their own rows, and leaves the others as they were", () => {
  const likelihoods = PAIRS.map(({ id }, index) => {
    const ungrammatical = member(index < 2 ? -9 : -11);
    return { model: "sharp", pairId: id, grammatical: member(-10), ungrammatical };
  });
  const first = new Set(ITEMS.slice(0, 4).map(({ pair }) => pair.id));
  const parts = [
    { name: "first_four", has: ({ pair }: (typeof ITEMS)[number]) => first.has(pair.id) },
    { name: "nothing", has: () => false },
  ];
  const answers = { responses: RESPONSES, likelihoods };
  const { rows, find, estimate } = compute(["sharp"], { ...answers, parts } as typeof answers);
  // Right on the third and fourth of them; the first has no valid answer.
  assert.equal(estimate("sharp | first_four | likelihood_accuracy_total"), 0.5);
  assert.equal(estimate("sharp | first_four | accuracy"), 6 / 8);
  // No pair is no accuracy, not one of 0; and a part has no power of design.
  assert.equal(find("sharp | nothing | likelihood_accuracy_total").value.kind, "unavailable");
  const others = rows.filter(({ phenomenon }) => !/first_four|nothing/.test(phenomenon));
  assert.deepEqual(others, compute(["sharp"], answers).rows);
});

Deno.test("computeStatistics() leaves unavailable figures empty, with the reason", () => {
  const responses = PAIRS.flatMap(({ id }) => [
    responded("mute", id, "A_gram", "INVALID"),
    responded("mute", id, "B_gram", "INVALID"),
  ]);
  const text = TABLE.format(compute(["mute"], { responses }).rows);
  assert.match(text, /^mute,ALL,accuracy_valid,,,,0,\d,not defined on these answers$/m);
  assert.match(text, /^mute,ALL,d_prime,,,,0,\d,not defined on these answers$/m);
  assert.doesNotMatch(text, /NaN|undefined|Infinity/);
});
