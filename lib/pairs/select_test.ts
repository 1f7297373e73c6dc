import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../stats/random.ts";
import type { CertifiedPair } from "./certify.ts";
import { allotShares, selectPairs } from "./select.ts";
import { candidates, certified, LIKA, PHENOMENA, type Phenomenon } from "./testdata/norse.ts";

type Made = Partial<ReturnType<typeof certified>["certificate"]> & {
  readonly phenomenon?: Phenomenon;
  readonly chapter?: number;
  readonly sentence: number;
  readonly tier?: 1 | 2 | 3;
  readonly word?: string;
  readonly errorType?: string;
};

function candidate({ chapter = 1, sentence, word = "mǫnnum", ...made }: Made) {
  const place = `k${chapter} s${sentence}`;
  return certified({
    ...LIKA,
    phenomenon: "UMLAUT",
    ...made,
    source: { text: "Völsunga saga", chapter, sentence },
    grammatical: `Þat er ${word} ${place}.`,
    ungrammatical: `Þat er ${word.replace("ǫ", "a")} ${place}.`,
    target: word,
  });
}

const only = (n: number) => ({ QUIRKY_CASE: 0, ADJECTIVE: 0, UMLAUT: n, MIDDLE_VOICE: 0 });
const range = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const lemmas = (chosen: readonly CertifiedPair[]) => chosen.map((c) => c.certificate.lemma).sort();

Deno.test("selectPairs() takes the lemma least used, then tier 1, other chapters, other constructions", () => {
  const lemmasOf = [
    ...range(20).map((sentence) => candidate({ lemma: "maðr", sentence })),
    ...range(2).map((i) => candidate({ lemma: "hǫnd", sentence: 30 + i })),
    candidate({ lemma: "saga", sentence: 40, tier: 2 }),
  ];
  const { chosen } = selectPairs(lemmasOf, { quota: only(6), seed: 1 });
  assert.deepEqual(lemmas(chosen), ["hǫnd", "hǫnd", "maðr", "maðr", "maðr", "saga"]);
  const pool = [
    candidate({ chapter: 1, sentence: 1, tier: 2 }),
    candidate({ chapter: 2, sentence: 1 }),
    candidate({ chapter: 2, sentence: 2 }),
    candidate({ chapter: 3, sentence: 1 }),
    candidate({ chapter: 3, sentence: 2, construction: "compound" }),
  ];
  const places = (n: number, seed: number) =>
    selectPairs(pool, { quota: only(n), seed }).chosen
      .map(({ certificate: { source } }) => `${source.chapter}.${source.sentence}`);
  for (const seed of range(10)) {
    assert.ok(!places(4, seed).includes("1.1"), "tier");
    assert.deepEqual(places(2, seed).map((place) => place[0]), ["2", "3"], "chapter");
    assert.ok(places(3, seed).includes("3.2"), "construction");
  }
  assert.ok(new Set(range(10).map((seed) => places(2, seed).join())).size > 1, "seed");
});

Deno.test("selectPairs() lets what has the fewest to spare choose first, then goes by name; all share the sentences", () => {
  const pool = [
    candidate({ phenomenon: "UMLAUT", sentence: 2 }),
    candidate({ phenomenon: "UMLAUT", sentence: 3, tier: 2 }),
    candidate({ phenomenon: "ADJECTIVE", sentence: 1, word: "hǫll" }),
    candidate({ phenomenon: "ADJECTIVE", sentence: 2, word: "hǫll", tier: 2 }),
    candidate({ phenomenon: "MIDDLE_VOICE", sentence: 1, word: "ǫndum" }),
  ];
  const quota = { ...only(1), ADJECTIVE: 1, MIDDLE_VOICE: 1 };
  const { chosen } = selectPairs(pool, { quota, seed: 1, perSentence: 1 });
  assert.deepEqual(
    chosen.map(({ pair, certificate: { source } }) => `${pair.phenomenon} ${source.sentence}`),
    ["ADJECTIVE 2", "UMLAUT 3", "MIDDLE_VOICE 1"],
  );
});

Deno.test("selectPairs() keeps the cap on a lemma while others are left, then raises it one by one", () => {
  const pool = [
    ...range(20).map((sentence) => candidate({ lemma: "maðr", sentence })),
    ...range(5).map((i) => candidate({ lemma: "hǫnd", sentence: 20 + i, tier: 3 })),
  ];
  const taken = (n: number, perLemma?: Record<Phenomenon, number>) => {
    const options = { quota: only(n), seed: 1, ...(perLemma && { perLemma }) };
    const { tiers: [maðr, , hǫnd], highestPerLemma } = selectPairs(pool, options).report.UMLAUT;
    return [maðr, hǫnd, highestPerLemma];
  };
  assert.deepEqual([taken(14), taken(19)], [[12, 2, 12], [14, 5, 14]]);
  assert.deepEqual([taken(6, only(3)), taken(8, only(3))], [[3, 3, 3], [4, 4, 4]]);
});

Deno.test("selectPairs() takes a second form of a token only where it may, and the others have run out", () => {
  const one = candidate({ sentence: 1 });
  const other = { ...one, pair: { ...one.pair, ungrammatical: "Þat er monnum k1 s1." } };
  const pool = [one, other, candidate({ sentence: 2 })];
  const sentences = (n: number, perToken?: number) =>
    selectPairs(pool, { quota: only(n), seed: 1, perLemma: 1, ...(perToken && { perToken }) })
      .chosen
      .map(({ certificate }) => certificate.source.sentence);
  assert.deepEqual(sentences(3), [1, 2]);
  assert.deepEqual(sentences(2, 2), [1, 2]);
  assert.deepEqual(sentences(3, 2), [1, 1, 2]);
});

Deno.test("selectPairs() opens one round when the one before has run out: tier 3 last, in each tier turns, in these penalties", () => {
  const marks = ["clash"];
  const late = { errorType: "late" };
  const rounds = [
    ...[{ lemma: "a" }, { marks }, late, { ...late, marks }],
    ...[{ tier: 3 }, { tier: 3, marks }, { tier: 3, ...late }] as const,
  ];
  const pool = rounds.flatMap((made, i) =>
    [2 * i + 1, 2 * i + 2].map((sentence) =>
      candidate({ lemma: `l${sentence}`, sentence, ...made })
    )
  ).toReversed();
  const turn = ({ pair }: CertifiedPair) => Number(pair.errorType === "late");
  const select = (n: number) => selectPairs(pool, { quota: only(n), seed: 1, turn });
  for (const n of range(rounds.length).map((i) => 2 * i)) {
    const sentences = select(n).chosen.map(({ certificate }) => certificate.source.sentence);
    assert.deepEqual(sentences, range(n));
  }
  const { penalised, tiers } = select(14).report.UMLAUT;
  assert.deepEqual([penalised, tiers], [6, [8, 0, 6]]);
});

Deno.test("selectPairs() balances strata and says where it could not", () => {
  const direction = (i: number) => i <= 10 ? "weak_to_strong" : "strong_to_weak";
  const pool = range(60).map((i) =>
    candidate({ lemma: `l${i}`, sentence: i, errorType: direction(i) })
  );
  const strata = {
    UMLAUT: {
      of: ({ pair }: CertifiedPair) => pair.errorType,
      shares: { weak_to_strong: 0.4, strong_to_weak: 0.6 },
    },
  };
  const counts = (n: number) => {
    const { chosen } = selectPairs(pool, { quota: only(n), seed: 1, strata });
    const weak = chosen.filter(({ pair }) => pair.errorType === "weak_to_strong").length;
    return [weak, chosen.length - weak];
  };
  assert.deepEqual([counts(20), counts(50)], [[8, 12], [10, 40]]);
});

Deno.test("selectPairs() keeps its limits, goes by the text and does not look at the order of its input", () => {
  const quota = { QUIRKY_CASE: 9, ADJECTIVE: 9, UMLAUT: 9, MIDDLE_VOICE: 9 };
  const sentence = ({ certificate: { source } }: CertifiedPair) =>
    `${source.text} ${source.chapter}.${String(source.sentence).padStart(2, "0")}`;
  const token = (c: CertifiedPair<Phenomenon>) =>
    `${PHENOMENA.indexOf(c.pair.phenomenon)} ${sentence(c)} ${c.tokenIndex}`;
  fc.assert(
    fc.property(candidates, fc.integer(), (found, seed) => {
      const asked = { proposedBy: "a model" };
      const pool = found.flatMap((c) => [c, { ...c, certificate: { ...c.certificate, ...asked } }]);
      const { chosen } = selectPairs(pool, { quota, seed });
      const shuffled = selectPairs(randomSource(seed).shuffle(pool), { quota, seed });
      assert.deepEqual(shuffled.chosen, chosen);
      assert.deepEqual(chosen.map(token), [...new Set(chosen.map(token))].sort());
      for (const group of Map.groupBy(chosen, sentence).values()) assert.ok(group.length <= 2);
      for (const name of PHENOMENA) {
        assert.ok(chosen.filter((c) => c.pair.phenomenon === name).length <= quota[name]);
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("selectPairs() takes the quota of each phenomenon, all of what is short, and reports it", () => {
  const balance = fc.tuple(...PHENOMENA.map(() => fc.integer({ min: -30, max: 30 })));
  fc.assert(
    fc.property(balance, fc.integer({ min: 2, max: 30 }), fc.nat(), (extra, each, seed) => {
      const supply = extra.map((more) => Math.max(0, each + more));
      const pool = PHENOMENA.flatMap((phenomenon, p) =>
        range(supply[p]!).map((i) =>
          candidate({ phenomenon, lemma: `l${i % 2}`, chapter: p + 1, sentence: i })
        )
      );
      const quota = { QUIRKY_CASE: each, ADJECTIVE: each, UMLAUT: each, MIDDLE_VOICE: each };
      const { chosen, report } = selectPairs(pool, { quota, seed });
      PHENOMENA.forEach((phenomenon, p) => {
        const own = chosen.filter(({ pair }) => pair.phenomenon === phenomenon);
        assert.equal(own.length, Math.min(supply[p]!, each), phenomenon);
        const { wanted, chosen: count, candidates } = report[phenomenon];
        assert.deepEqual([wanted, count, candidates], [each, own.length, supply[p]]);
        const shares = [...Map.groupBy(own, (c) => c.certificate.lemma).values()];
        if (supply[p]! >= each) assert.ok(shares.every(({ length }) => length <= each / 2 + 1));
      });
    }),
    { numRuns: 100 },
  );
});

Deno.test("allotShares() gives whole numbers by largest remainder", () => {
  assert.deepEqual(allotShares({ weak: 0.4, strong: 0.6 }, 125), [["strong", 75], ["weak", 50]]);
  assert.deepEqual(allotShares({ a: 0.5, b: 0.5 }, 125), [["a", 63], ["b", 62]]);
  // 4.7, 1.6, 3.7 → 4, 1, 3 and two more for the remainders 0.7 of a and c.
  assert.deepEqual(allotShares({ a: 0.47, b: 0.16, c: 0.37 }, 10), [["a", 5], ["b", 1], ["c", 4]]);
  // 14.5 and 35.5, though 0.145 × 100 is 14.499999999999998: of equal remainders the first.
  assert.deepEqual(allotShares({ a: 0.145, b: 0.855 }, 100), [["a", 15], ["b", 85]]);
  assert.throws(() => allotShares({ a: 0.5 }, 10), RangeError);
  assert.throws(() => allotShares({ a: 1.5, b: -0.5 }, 10), RangeError);
});
