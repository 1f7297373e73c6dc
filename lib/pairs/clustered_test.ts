import assert from "node:assert/strict";
import fc from "fast-check";
import { normalQuantile } from "../stats/distributions.ts";
import { ratio, shown } from "../stats/measure.ts";
import { randomSource } from "../stats/random.ts";
import {
  againstChance,
  ALL,
  choiceInWords,
  clusteredStatistics,
  type CountedItem,
  type CountStatistic,
  lookUp,
  ONE_LETTER,
  type Statistic,
  type Tally,
} from "./clustered.ts";
import { countAnswers, FORCED_CHOICE_MEASURES, ratioOrUndefined } from "./measures.ts";

const RATIO: CountStatistic<Tally<"right" | "asked">> = {
  name: "share",
  method: "right / asked",
  of: ({ right, asked }) => ratioOrUndefined(right, asked),
  n: ({ asked }) => asked,
};

/** The value of a ratio of items, and how it was found. */
const statistic = (
  items: readonly CountedItem<"right" | "asked">[],
  { isShare = false } = {},
) => {
  const measure = isShare ? { ...RATIO, bounds: [0, 1] as const } : RATIO;
  return clusteredStatistics({ model: "m", phenomenon: "ALL" }, items, [measure])[0]!;
};

const item = fc.record({
  lemma: fc.constantFrom("líka", "þykkja", "dreyma", "maðr", "ǫnd"),
  counts: fc.record({ right: fc.nat(2), asked: fc.constant(2) }),
});

const endsOf = ({ value }: Pick<Statistic, "value">) =>
  value.kind === "interval" ? [value.low, value.high] : [];

Deno.test("clusteredStatistics() has the interval that ratio() gives", () => {
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 20 }), (items) => {
      const reference = ratio(items.map(({ lemma, counts }) => (
        { cluster: lemma, over: counts.right, under: counts.asked }
      )));
      const { value } = statistic(items);
      assert.equal(value.kind, reference.kind);
      assert.ok(value.kind !== "unavailable" && reference.kind !== "unavailable");
      assert.equal(value.estimate, reference.estimate);
      if (reference.kind === "interval") {
        assert.deepEqual(endsOf({ value }), [reference.low, reference.high]);
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("clusteredStatistics() counts lemmas that were asked, and says why there is no interval", () => {
  const items = ["a", "b"].map((lemma, asked) => ({ lemma, counts: { right: 0, asked } }));
  const { value, method, clusters } = statistic(items, { isShare: true });
  const why = "right / asked; no interval: a single cluster says nothing about others";
  assert.deepEqual(value, { kind: "value", estimate: 0, reason: why });
  assert.deepEqual([method, clusters], [why, 2]);
});

Deno.test("clusteredStatistics() gives a share of 0 or 1, or of few lemmas, a width", () => {
  const items = (lemmas: number, right: number) =>
    Array.from({ length: 3 * lemmas }, (_, i) => {
      return { lemma: `${i % lemmas}`, counts: { right, asked: 1 } };
    });
  // Newcombe 1998, table I, method 3: 0 of 20; the lemmas are the trials.
  const none = statistic(items(20, 0), { isShare: true });
  assert.ok(none.value.kind === "interval" && none.value.low === 0);
  assert.equal(none.value.high.toFixed(4), "0.1611");
  assert.match(none.method, /^right \/ asked; Wilson interval of the clusters, .* by lemma$/);
  const every = statistic(items(20, 1), { isShare: true });
  assert.ok(every.value.kind === "interval" && every.value.low.toFixed(4) === "0.8389");
  // Of six lemmas three are right: V = 5/6 · 6 · 0.1² = 0.05, so that n is 5, by t with 5 degrees of
  // freedom, 2.571 for 1.960, 2.907: Wilson's ends of that.
  const half = ["a", "b", "c", "d", "e", "f"].map((lemma, i) => (
    { lemma, counts: { right: Number(i < 3), asked: 1 } }
  ));
  const few = statistic(half, { isShare: true });
  assert.deepEqual(endsOf(few).map((end) => end.toFixed(3)), ["0.123", "0.877"]);
  assert.match(few.method, /Wilson interval of the effective n by t, cluster jackknife by lemma$/);
  const other = statistic(items(4, 1));
  assert.equal(other.value.kind, "value");
});

Deno.test("clusteredStatistics() gives what holds by construction no interval, and says so", () => {
  // One letter in both orders of every pair: right in one order, wrong in the other.
  const answers = (pairId: string) =>
    (["A_gram", "B_gram"] as const).map((order) => (
      { model: "m", pairId, order, response: "A", correct: order === "A_gram" } as const
    ));
  const items = ["a", "b", "c"].map((lemma) => ({ lemma, counts: countAnswers(answers(lemma)) }));
  const rows = clusteredStatistics({ model: "m", phenomenon: ALL }, items, FORCED_CHOICE_MEASURES);
  const accuracy = rows.find(({ measure }) => measure === "accuracy")!;
  assert.ok(accuracy.value.kind === "value" && accuracy.value.estimate === 0.5);
  assert.ok(accuracy.method.endsWith(ONE_LETTER));
  const consistency = rows.find(({ measure }) => measure === "consistency")!;
  assert.ok(consistency.value.kind === "interval" && consistency.value.low === 0);
});

Deno.test("clusteredStatistics() widens an interval by what pairs of one sentence or form share", () => {
  // Each pair a lemma and sentence of its own; all with one form right, all with the other wrong.
  const items = Array.from({ length: 12 }, (_, i) => {
    const counts = { right: i < 6 ? 2 : 0, asked: 2 };
    return { lemma: `${i}`, sentence: `${i}`, form: i < 6 ? "mér" : "ek", counts };
  });
  const found = statistic(items, { isShare: true });
  assert.match(found.method, /by lemma and form$/);
  const [low, high] = endsOf(found);
  assert.ok(low! < 0.01 && high! > 0.99);
  const alone = statistic(items.map(({ form: _form, ...own }) => own), { isShare: true });
  assert.ok(endsOf(alone)[0]! > 0.2);
});

Deno.test("clusteredStatistics() takes no notice of sentences within one lemma, and keeps a share within 0 … 1, however they cross", () => {
  const crossing = fc.tuple(item, fc.constantFrom("s", "t", "u"))
    .map(([own, sentence]) => ({ ...own, sentence }));
  fc.assert(
    fc.property(fc.array(crossing, { minLength: 1, maxLength: 20 }), (items) => {
      const within = items.map((own, i) => ({ ...own, sentence: `${own.lemma} ${i % 3}` }));
      const alone = items.map(({ lemma, counts }) => ({ lemma, counts }));
      assert.deepEqual(statistic(within), statistic(alone));
      assert.ok(endsOf(statistic(items, { isShare: true })).every((end) => end >= 0 && end <= 1));
    }),
    { numRuns: 200 },
  );
});

Deno.test("clusteredStatistics() covers the truth where lemmas and sentences both matter", () => {
  const random = randomSource("coverage");
  const effects = () => Array.from({ length: 60 }, () => normalQuantile(random.next() || 0.5));
  const covers = (items: readonly CountedItem<"right" | "asked">[]) => {
    const [low, high] = endsOf(statistic(items));
    return low! <= 0 && high! >= 0;
  };
  let [both, lemmaOnly] = [0, 0];
  const runs = 200;
  for (let run = 0; run < runs; run++) {
    const [lemmas, sentences] = [effects(), effects()];
    // Four pairs a lemma and four a sentence, no two of both; the true mean is 0.
    const items = Array.from({ length: 240 }, (_, i) => {
      const [lemma, sentence] = [i % 60, (i + Math.floor(i / 60) * 7) % 60];
      const counts = { right: lemmas[lemma]! + sentences[sentence]!, asked: 1 };
      return { lemma: `${lemma}`, sentence: `${sentence}`, counts };
    });
    both += Number(covers(items));
    lemmaOnly += Number(covers(items.map(({ lemma, counts }) => ({ lemma, counts }))));
  }
  // 95 % is wanted; lemmas alone see 5 of 8 parts of the variance, which is 88 % at most.
  assert.ok(both / runs > 0.9, `${both / runs}`);
  assert.ok(lemmaOnly / runs < 0.88, `${lemmaOnly / runs}`);
});

Deno.test("againstChance() lets d′ decide of choices: invalid answers alone put no model below chance", () => {
  const row = (model: string, measure: string, estimate: number, low: number, high: number) => ({
    model,
    phenomenon: ALL,
    measure,
    n: 1000,
    clusters: 100,
    method: "",
    value: { kind: "interval" as const, estimate, low, high },
  });
  // A model that is right in 48.5 % of its valid answers, 3.5 % of the answers being invalid.
  const found = lookUp([
    row("m", "accuracy", 0.468, 0.441, 0.496),
    row("m", "accuracy_valid", 0.485, 0.457, 0.515),
    row("m", "invalid_rate", 0.035, 0.02, 0.05),
    row("m", "d_prime", -0.08, -0.22, 0.08),
    row("low", "accuracy", 0.4, 0.35, 0.45),
    row("low", "d_prime", -0.5, -0.8, -0.2),
    {
      ...row("letter", "accuracy", 0.5, 0.5, 0.5),
      value: { kind: "value", estimate: 0.5, reason: `correct / answers; ${ONE_LETTER}` } as const,
    },
    row("part", "accuracy", 0.4, 0.35, 0.45),
    row("part", "likelihood_accuracy_total", 0.4, 0.35, 0.45),
  ]);
  const nothing = "not significantly different from chance";
  assert.equal(
    choiceInWords(found, "m"),
    `46.8 [44.1, 49.6] % right, 48.5 [45.7, 51.5] % of its valid answers (${nothing})`,
  );
  assert.match(choiceInWords(found, "letter"), /^the same letter in both orders/);
  assert.equal(shown(found.measure("letter", "accuracy"), "percent"), "50.0");
  assert.throws(() => found.row("other", "accuracy"), /Cannot find accuracy of other/);
  assert.equal(shown(found.measure("other", "accuracy"), "percent"), "–");
  assert.equal(againstChance(found, "low", "accuracy"), "below chance");
  assert.equal(againstChance(found, "part", "accuracy"), nothing);
  assert.equal(againstChance(found, "part", "likelihood_accuracy_total"), "below chance");
});
