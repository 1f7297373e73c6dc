import assert from "node:assert/strict";
import fc from "fast-check";
import { clusterBootstrap, normalQuantile } from "../stats/intervals.ts";
import { randomSource } from "../stats/random.ts";
import {
  againstChance,
  ALL,
  choiceInWords,
  clusteredStatistics,
  type Counted,
  lookUp,
  type Measure,
  percentWithInterval,
  type Statistic,
  type Tally,
} from "./clustered.ts";
import { share } from "./measures.ts";

const RATIO: Measure<Tally<"right" | "asked">> = {
  name: "share",
  method: "right / asked",
  of: ({ right, asked }) => share(right, asked),
  n: ({ asked }) => asked,
};

/** The value of a ratio of items, and how it was found. */
const statistic = (
  items: readonly Counted<"right" | "asked">[],
  { isShare = false, resamples = 100 } = {},
) => {
  const settings = { seed: 1, resamples };
  const place = { model: "m", phenomenon: "ALL" };
  return clusteredStatistics(place, items, [{ ...RATIO, isShare }], settings)[0]!;
};

const item = fc.record({
  lemma: fc.constantFrom("líka", "þykkja", "dreyma", "maðr", "ǫnd"),
  counts: fc.record({ right: fc.nat(2), asked: fc.constant(2) }),
});

Deno.test("clusteredStatistics() has the interval that clusterBootstrap() gives", () => {
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 20 }), (items) => {
      const reference = clusterBootstrap({
        items: items.map(({ lemma, counts }) => ({ cluster: lemma, value: counts })),
        statistic: (counts) =>
          counts.reduce((sum, { right }) => sum + right, 0) / (2 * counts.length),
        resamples: 100,
        random: randomSource("1|m|ALL"),
      });
      const { value } = statistic(items);
      if (reference.kind === "unavailable") return assert.equal(value.kind, "value");
      const { estimate, low, high } = reference;
      assert.deepEqual(value, { kind: "interval", estimate, low, high });
    }),
    { numRuns: 100 },
  );
});

Deno.test("clusteredStatistics() has no interval where many resamples leave the measure undefined", () => {
  const items = ["a", "b"].map((lemma, asked) => ({ lemma, counts: { right: 0, asked } }));
  const { value, method } = statistic(items);
  assert.deepEqual(value, { kind: "value", estimate: 0 });
  assert.match(method, /no interval: undefined on \d\d of 100 resamples/);
});

Deno.test("clusteredStatistics() gives a share of 0 or 1, or of few lemmas, a width, and others their percentiles", () => {
  const items = (lemmas: number, right: number) =>
    Array.from({ length: 3 * lemmas }, (_, i) => {
      return { lemma: `${i % lemmas}`, counts: { right, asked: 1 } };
    });
  // Newcombe 1998, table I, method 3: 0 of 20; the lemmas are the trials.
  const none = statistic(items(20, 0), { isShare: true });
  assert.ok(none.value.kind === "interval" && none.value.low === 0);
  assert.equal(none.value.high.toFixed(4), "0.1611");
  assert.equal(none.method, "right / asked; Wilson interval on lemmas");
  const every = statistic(items(20, 1), { isShare: true });
  assert.ok(every.value.kind === "interval" && every.value.low.toFixed(4) === "0.8389");
  const mixed = statistic([...items(16, 1), ...items(1, 0)], { isShare: true });
  assert.match(mixed.method, /cluster bootstrap by lemma/);
  // Of six lemmas three are right: V = 5/6 · 6 · 0.1² = 0.05, so that n is 5, by t with 5 degrees of
  // freedom, 2.571 for 1.960, 2.907: Wilson's ends of that.
  const half = ["a", "b", "c", "d", "e", "f"].map((lemma, i) => (
    { lemma, counts: { right: Number(i < 3), asked: 1 } }
  ));
  const few = statistic(half, { isShare: true });
  assert.deepEqual(endsOf(few).map((end) => end.toFixed(3)), ["0.123", "0.877"]);
  assert.match(few.method, /Wilson interval of the effective n by lemma$/);
  const other = statistic(items(4, 1));
  assert.ok(other.value.kind === "interval" && other.value.low === 1);
});

/** Items of lemma, sentence and how many of two answers are right. */
const crossed = (...rows: readonly (readonly [string, string, number])[]) =>
  rows.map(([lemma, sentence, right]) => ({ lemma, sentence, counts: { right, asked: 2 } }));

const endsOf = ({ value }: Pick<Statistic, "value">) =>
  value.kind === "interval" ? [value.low, value.high] : [];

Deno.test("clusteredStatistics() widens an interval by what pairs of one sentence share", () => {
  // Each of two lemmas in each of two sentences; both add a half. Without a lemma the share is 1/4 or
  // 3/4: V = 1/2 (1/16 + 1/16) = 1/16, and the same without a sentence. Without one of the four it is
  // 1/3, 1/2, 1/2, 2/3: V = 3/4 (2/36) = 1/24. V = 2/16 - 1/24 = 1/12, in standard errors 1.1547 as
  // much as 1/16. Of resampled lemmas a quarter are 1/4, a quarter 3/4: those are the percentiles.
  const items = crossed(["a", "s", 2], ["a", "t", 1], ["b", "s", 1], ["b", "t", 0]);
  const wider = Math.sqrt(4 / 3) / 4;
  const [low, high] = endsOf(statistic(items));
  assert.deepEqual([low, high].map((end) => end?.toFixed(9)), [
    (0.5 - wider).toFixed(9),
    (0.5 + wider).toFixed(9),
  ]);
  assert.match(statistic(items).method, /cluster bootstrap by lemma and sentence$/);
  // Lemma a right, b wrong: V(sentence) is 0, V(both) 1/12, and the interval is not made narrower.
  const alike = crossed(["a", "s", 2], ["a", "t", 2], ["b", "s", 0], ["b", "t", 0]);
  assert.deepEqual(endsOf(statistic(alike)), [0, 1]);
  // The other way round sentences are resampled: lemmas would give no width at all.
  const turned = alike.map(({ lemma, sentence, counts }) => (
    { lemma: sentence, sentence: lemma, counts }
  ));
  assert.deepEqual(endsOf(statistic(turned)), [0, 1]);
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
  const covers = (items: readonly Counted<"right" | "asked">[]) => {
    const [low, high] = endsOf(statistic(items, { resamples: 200 }));
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

Deno.test("clusteredStatistics() sees that pairs of several lemmas and sentences change the same word", () => {
  // Each pair a lemma and sentence of its own; all with one form right, all with the other wrong. By
  // lemma, sentence and all at once V is 11/12 · 12/11² · 1/4, by form 1/2 (1/4 + 1/4): that is all.
  const items = Array.from({ length: 12 }, (_, i) => {
    const form = i < 6 ? "mér" : "ek";
    const counts = { right: i < 6 ? 2 : 0, asked: 2 };
    return { lemma: `${i}`, sentence: `${i}`, form, counts };
  });
  const found = statistic(items);
  assert.deepEqual(endsOf(found), [0, 1]);
  assert.match(found.method, /cluster bootstrap by lemma and form$/);
  // A sentence shared as well: three ways, and the form still has most of the variance.
  const shared = items.map((own, i) => ({ ...own, sentence: `${i % 3}` }));
  assert.deepEqual(endsOf(statistic(shared)), [0, 1]);
  assert.match(statistic(shared).method, /by lemma and sentence and form$/);
  const alone = items.map(({ form: _form, ...own }) => own);
  assert.ok(endsOf(statistic(alone))[0]! > 0.1);
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
    row("letter", "accuracy", 0.5, 0.5, 0.5),
    row("part", "accuracy", 0.4, 0.35, 0.45),
    row("part", "likelihood_accuracy_total", 0.4, 0.35, 0.45),
  ]);
  const nothing = "not significantly different from chance";
  assert.equal(
    choiceInWords(found, "m"),
    `46.8 [44.1, 49.6] % right, 48.5 [45.7, 51.5] % of its valid answers (${nothing})`,
  );
  assert.match(choiceInWords(found, "letter"), /^the same letter in both orders/);
  assert.equal(percentWithInterval(found.measure("letter", "accuracy")), "50.0");
  assert.throws(() => found.row("other", "accuracy"), /Cannot find accuracy of other/);
  assert.equal(percentWithInterval(found.measure("other", "accuracy")), "–");
  assert.equal(againstChance(found, "low", "accuracy"), "below chance");
  assert.equal(againstChance(found, "part", "accuracy"), nothing);
  assert.equal(againstChance(found, "part", "likelihood_accuracy_total"), "below chance");
});
