import assert from "node:assert/strict";
import fc from "fast-check";
import { parseCsv } from "../files/csv.ts";
import type { PairLikelihood } from "./answers.ts";
import { statisticsTable } from "./clustered.ts";
import { preference } from "./measures.ts";
import { computeStatistics } from "./statistics.ts";
import { madeItems, PHENOMENA, type Phenomenon } from "./testdata/norse.ts";
import { completeAnswers, responded } from "./testdata/responses.ts";

const TABLE = statisticsTable({ path: "/statistics.csv" });
const ITEMS = madeItems(12);
const PAIRS = ITEMS.map(({ pair }) => pair);
const SETTINGS = { seed: 1, resamples: 200, phenomena: PHENOMENA, items: ITEMS };

const member = (logProbability: number, tokens = 4, bytes = 20) => ({
  logProbability,
  tokens,
  bytes,
});

function find(rows: ReturnType<typeof computeStatistics>, key: string) {
  const [model, phenomenon, measure] = key.split(" | ");
  const row = rows.find((row) =>
    row.model === model && row.phenomenon === phenomenon && row.measure === measure
  );
  assert.ok(row, key);
  return row;
}

const estimate = (rows: ReturnType<typeof computeStatistics>, key: string) => {
  const { value } = find(rows, key);
  return value.kind === "unavailable" ? value.kind : value.estimate;
};

/** "always" answers A; "sharp" is right but for one pair, on which it says nothing valid. */
const RESPONSES = PAIRS.flatMap(({ id }, index) => [
  responded("always", id, "A_gram", "A"),
  responded("always", id, "B_gram", "A"),
  responded("sharp", id, "A_gram", index === 0 ? "INVALID" : "A"),
  responded("sharp", id, "B_gram", index === 0 ? "INVALID" : "B"),
]);

Deno.test("computeStatistics() gives hand-worked values of forced choice", () => {
  const rows = computeStatistics({
    ...SETTINGS,
    responses: RESPONSES,
    likelihoods: [],
    panels: [{ models: ["always", "sharp"] }],
  });
  const of = (key: string) => estimate(rows, key);
  assert.equal(of("always | ALL | accuracy"), 0.5);
  assert.equal(of("always | ALL | consistency"), 0);
  assert.equal(of("always | ALL | accuracy_both_orders"), 0);
  assert.equal(of("always | ALL | d_prime"), 0);
  // 12 of 12 A in both orders: z(12.5 / 13) = 1.7688
  assert.ok(Math.abs(Number(of("always | ALL | position_bias")) - 1.7688) < 1e-4);
  assert.equal(of("sharp | ALL | accuracy"), 22 / 24);
  assert.equal(of("sharp | ALL | accuracy_valid"), 1);
  assert.equal(of("sharp | ALL | accuracy_upper_bound"), 1);
  assert.equal(of("sharp | ALL | invalid_rate"), 2 / 24);
  assert.equal(of("sharp | ALL | consistency"), 1);
  assert.equal(find(rows, "sharp | ALL | accuracy_valid").n, 22);
  assert.equal(find(rows, "sharp | QUIRKY_CASE | accuracy").n, 6);
  // Right in more orders: sharp on 11 pairs; on the other always is (1 against 0).
  assert.equal(of("always vs sharp | ALL | pairs_first_better"), 1);
  assert.equal(of("always vs sharp | ALL | pairs_second_better"), 11);
  // Two-sided binomial: 2 (1 + 12) / 2^12
  assert.ok(Math.abs(Number(of("always vs sharp | ALL | mcnemar_p")) - 26 / 4096) < 1e-12);
  assert.equal(of("always vs sharp | ALL | accuracy_difference"), -10 / 24);
});

Deno.test("computeStatistics() gives hand-worked values of likelihoods and agreement", () => {
  // Totals: right, wrong, tie, then right; per token the second turns, its bad member being longer.
  const likelihoods: PairLikelihood[] = PAIRS.map(({ id }, index) => ({
    model: "sharp",
    pairId: id,
    grammatical: index === 1 ? member(-12, 6, 20) : member(-10),
    ungrammatical: index === 2 ? member(-10) : index === 1 ? member(-10) : member(-11),
  }));
  const rows = computeStatistics({
    ...SETTINGS,
    responses: RESPONSES,
    likelihoods,
    panels: [{ models: ["sharp"] }],
  });
  const of = (measure: string) => estimate(rows, `sharp | ALL | ${measure}`);
  assert.equal(of("likelihood_accuracy_total"), 10 / 12);
  assert.equal(of("likelihood_ties_total"), 1 / 12);
  assert.equal(of("likelihood_accuracy_per_token"), 11 / 12);
  assert.equal(of("likelihood_accuracy_per_byte"), 10 / 12);
  // Forced choice right on 11 (not pair 0), likelihood on 10 (not 1, 2): 9 both right, 0 both wrong.
  // Expected by chance: 11/12 · 10/12 + 1/12 · 2/12 = 112/144.
  const kappa = (9 / 12 - 112 / 144) / (1 - 112 / 144);
  assert.ok(Math.abs(Number(of("agreement_kappa")) - kappa) < 1e-12);
});

Deno.test("preference() compares without rounding and finds exact ties", () => {
  const pair = (g: PairLikelihood["grammatical"], u: PairLikelihood["grammatical"]) => ({
    grammatical: g,
    ungrammatical: u,
  });
  assert.equal(preference(pair(member(-0.3, 3), member(-0.1, 1)), "per_token"), "tie");
  assert.equal(preference(pair(member(-0.3), member(-0.300001)), "total"), "grammatical");
  assert.equal(preference(pair(member(-9, 3, 9), member(-10, 3, 11)), "per_byte"), "ungrammatical");
});

Deno.test("computeStatistics() gives the design's power, by pairs and by lemmas", () => {
  const rows = computeStatistics({ ...SETTINGS, responses: [], likelihoods: [], panels: [] });
  const design = find(rows, "(design) | ALL | minimum_detectable_accuracy");
  // n = 12: 2 (1 + 12 + 66) / 2^12 = 0.039, so it rejects from 10 right.
  assert.ok(design.value.kind === "point");
  const p = design.value.estimate;
  const power = 66 * p ** 10 * (1 - p) ** 2 + 12 * p ** 11 * (1 - p) + p ** 12;
  assert.ok(Math.abs(power - 0.8) < 1e-6, `power ${power}`);
  assert.equal(design.clusters, new Set(ITEMS.map((item) => item.certificate.lemma)).size);
  const small = find(rows, "(design) | UMLAUT | minimum_detectable_accuracy_by_lemma");
  assert.deepEqual(small.value, { kind: "unavailable" });
  assert.match(small.method, /no outcome of 3 trials/);
});

Deno.test("computeStatistics() gives parts their own rows, and leaves the others as they were", () => {
  const likelihoods = PAIRS.map(({ id }, index) => ({
    model: "sharp",
    pairId: id,
    grammatical: member(-10),
    ungrammatical: member(index < 2 ? -9 : -11),
  }));
  const answers = { responses: RESPONSES, likelihoods, panels: [{ models: ["sharp"] }] };
  const first = new Set(PAIRS.slice(0, 4).map(({ id }) => id));
  const parts = [
    { name: "first_four", has: ({ pair }: (typeof ITEMS)[number]) => first.has(pair.id) },
    { name: "nothing", has: () => false },
  ];
  const rows = computeStatistics({ ...SETTINGS, ...answers, parts });
  // Right on the third and fourth of them; the first has no valid answer.
  assert.equal(estimate(rows, "sharp | first_four | likelihood_accuracy_total"), 0.5);
  assert.equal(find(rows, "sharp | first_four | likelihood_accuracy_total").n, 4);
  assert.equal(estimate(rows, "sharp | first_four | accuracy"), 6 / 8);
  // No pair is no accuracy, not one of 0; and a part has no power of design.
  const empty = find(rows, "sharp | nothing | likelihood_accuracy_total");
  assert.deepEqual([empty.value, empty.n], [{ kind: "unavailable" }, 0]);
  assert.ok(
    rows.every(({ model, phenomenon }) => model !== "(design)" || phenomenon !== "nothing"),
  );
  const names: readonly string[] = parts.map(({ name }) => name);
  assert.deepEqual(
    rows.filter(({ phenomenon }) => !names.includes(phenomenon)),
    computeStatistics({ ...SETTINGS, ...answers }),
  );
});

Deno.test("computeStatistics() leaves unavailable figures empty, with the reason", () => {
  const responses = PAIRS.flatMap(({ id }) => [
    responded("mute", id, "A_gram", "INVALID"),
    responded("mute", id, "B_gram", "INVALID"),
  ]);
  const text = TABLE.format(
    computeStatistics({ ...SETTINGS, responses, likelihoods: [], panels: [{ models: ["mute"] }] }),
  );
  // Nothing right on any of k lemmas: Wilson's upper end is z² / (k + z²), and z² is 3.841459.
  const [, high, lemmas, method] =
    /^mute,ALL,accuracy,0,0,([\d.]+),24,(\d),(?:".*"|.*)?(Wilson.*?)"?$/m.exec(text) ?? [];
  assert.ok(Math.abs(Number(high) - 3.841459 / (Number(lemmas) + 3.841459)) < 2e-6, `${high}`);
  assert.equal(method, "Wilson interval on lemmas");
  assert.match(text, /^mute,ALL,accuracy_valid,,,,0,\d,not defined on these answers$/m);
  assert.match(text, /^mute,ALL,d_prime,,,,0,\d,not defined on these answers$/m);
  assert.doesNotMatch(text, /NaN|undefined|Infinity/);
});

Deno.test("computeStatistics() does not look at the order of its rows and reads back", () => {
  const models = ["a", "b"];
  const answers = completeAnswers(models, PAIRS).chain((all) =>
    fc.shuffledSubarray([...all], { minLength: all.length }).map((shuffled) => ({ all, shuffled }))
  );
  fc.assert(
    fc.property(answers, ({ all, shuffled }) => {
      const of = (responses: typeof all) =>
        TABLE.format(
          computeStatistics({
            ...SETTINGS,
            resamples: 100,
            responses,
            likelihoods: [],
            panels: [{ models }],
          }),
        );
      const text = of(all);
      assert.equal(of(shuffled), text);
      const { columns, parse, format } = TABLE;
      const { rows, damaged } = parseCsv(text, columns, parse);
      assert.deepEqual(damaged, []);
      assert.equal(format(rows), text);
      for (const { value } of rows) {
        if (value.kind === "interval") {
          assert.ok(value.low <= value.high);
        }
      }
    }),
    { numRuns: 5 },
  );
});

Deno.test("computeStatistics() says where one lemma leaves no interval", () => {
  const items = madeItems(4).map(({ pair, certificate }) => ({
    pair,
    certificate: { ...certificate, lemma: "líka" },
  }));
  const phenomena: readonly Phenomenon[] = PHENOMENA;
  const rows = computeStatistics({
    ...SETTINGS,
    items,
    phenomena,
    responses: items.map(({ pair }) => responded("m", pair.id, "A_gram", "A")),
    likelihoods: [],
    panels: [{ models: ["m"], orders: () => ["A_gram"] }],
  });
  const row = find(rows, "m | ALL | accuracy");
  assert.deepEqual(row.value, { kind: "point", estimate: 1 });
  assert.match(row.method, /no interval: a single cluster/);
});
