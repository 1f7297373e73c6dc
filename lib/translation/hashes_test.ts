import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { DEFAULT_RUN_CONFIG as CONFIG } from "./configuration.ts";
import { configHash, displayOrder, keyHash, rowEvalHash, rowInputHash } from "./hashes.ts";
import type { Evaluation, SealedKey } from "./types.ts";

const RUN = { runId: "run", configSha256: "c", keySha256: "k" };
const INPUT = { itemId: 1, source: "Good morning", translations: ["Guten Morgen", "Moin"] };

const EVALUATION: Evaluation = {
  itemId: 1,
  displayMap: [1, 0],
  ratings: [{ bucket: "best", da: 90 }, { bucket: undefined, da: "x" }],
  comment: "fine",
  startedAt: "2026-01-31T09:30:00.000Z",
  committedAt: undefined,
  editCount: 2,
  activeSeconds: 12.3,
  highlightSeconds: 0,
};

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

Deno.test("hashes of rows are SHA-256 of all their columns, written out by hand here", () => {
  const input = '["inputs",1,"Good morning",["Guten Morgen","Moin"]]';
  const json = '["eval","run","c","k",1,"i","{\\"1\\":\\"t2\\",\\"2\\":\\"t1\\"}",' +
    '[["best",90],[null,"x"]],"fine","2026-01-31T09:30:00.000Z",null,2,12.3,0]';
  assert.equal(rowInputHash(INPUT), sha256(input));
  assert.equal(rowEvalHash(RUN, EVALUATION, "i"), sha256(json));
});

Deno.test("NFR-1: every field of rows, configuration and key changes its hash", () => {
  const assertDifferent = (hashes: readonly string[]) =>
    assert.equal(new Set(hashes).size, hashes.length);
  assertDifferent([
    INPUT,
    { ...INPUT, itemId: 2 },
    { ...INPUT, source: "Good morning " },
    { ...INPUT, translations: ["Moin", "Guten Morgen"] },
    { ...INPUT, translations: ["Guten MorgenMoin", ""] },
  ].map(rowInputHash));
  const [first, second] = EVALUATION.ratings;
  const committedAt = "2026-01-31T09:30:00.000Z";
  const evaluations: readonly Partial<Evaluation>[] = [
    ...[{}, { itemId: 2 }, { displayMap: [0, 1] }, { comment: "Fine" }, { editCount: 3 }],
    ...[{ activeSeconds: 12.4 }, { highlightSeconds: 0.1 }, { ratings: [second!, first!] }],
    { ratings: [{ bucket: "best", da: "90" }, second!] },
    { ratings: [{ bucket: "best", da: undefined }, second!] },
    ...[{ startedAt: undefined }, { committedAt }, { startedAt: undefined, committedAt }],
  ];
  assertDifferent([
    ...evaluations.map((change) => rowEvalHash(RUN, { ...EVALUATION, ...change }, "i")),
    rowEvalHash(RUN, EVALUATION, "j"),
    ...[{ runId: "o" }, { configSha256: "o" }, { keySha256: "o" }]
      .map((change) => rowEvalHash({ ...RUN, ...change }, EVALUATION, "i")),
  ]);
  const { buckets } = CONFIG;
  assertDifferent([
    ...[{}, { numTranslations: 11 }, { daMin: 1 }, { daMax: 99 }, { integerOnly: false }],
    ...[{ strictOrdering: false }, { allowEmptyBuckets: false }, { sourceLanguage: "en" }],
    ...[{ targetLanguage: "en" }, { buckets: buckets.toReversed() }],
    { buckets: buckets.map((it) => ({ ...it, label: `${it.label}!` })) },
    { buckets: buckets.map((it) => ({ ...it, key: `${it.key}_` })) },
  ].map((change) => configHash({ ...CONFIG, ...change })));
  const item = { itemId: 1, segment: "s", document: "d", systems: ["A", "B"] };
  const rated = { ...item, role: { kind: "rated" } } as const;
  const attention = { kind: "attention", of: 2, translation: 0, spoiledBy: "shuffled" } as const;
  const key: SealedKey = {
    runId: "run",
    secret: "00",
    assignment: "per_run",
    systems: ["A", "B"],
    items: [rated],
  };
  const keys: readonly Partial<SealedKey>[] = [
    ...[{}, { secret: "01" }, { runId: "o" }, { systems: ["B", "A"] }],
    { assignment: "per_item" },
    ...[{ itemId: 2 }, { segment: "t" }, { document: "e" }, { systems: ["B", "A"] }]
      .map((change) => ({ items: [{ ...rated, ...change }] })),
    ...[{}, { of: 3 }, { translation: 1 }, { spoiledBy: "cut" }]
      .map((change) => ({ items: [{ ...item, role: { ...attention, ...change } }] })),
    { items: [{ ...item, role: { kind: "repeat", of: 2 } }] },
  ];
  assertDifferent(keys.map((change) => keyHash({ ...key, ...change })));
});

Deno.test("FR-4: displayOrder() is a permutation of 0 … N−1 for any run, item and N", () => {
  const size = fc.integer({ min: 1, max: 60 });
  fc.assert(fc.property(fc.string(), fc.nat(), size, (run, item, n) => {
    const order = displayOrder(run, item, n);
    assert.deepEqual(order.toSorted((a, b) => a - b), [...Array(n).keys()]);
  }));
});

/** The 99.9 % point of chi-square with 121 = 11 × 11 degrees of freedom (Wilson–Hilferty). */
const CHI_SQUARE_121 = 175.2;

Deno.test("FR-4: displayOrder() puts each translation at each position alike often", () => {
  const [runs, n] = [12_000, 12];
  const counts: number[] = Array(n * n).fill(0);
  for (let run = 0; run < runs; run++) {
    for (const [position, translation] of displayOrder(`run ${run}`, run % 300 + 1, n).entries()) {
      counts[position * n + translation]! += 1;
    }
  }
  const expected = runs / n;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  assert.ok(chiSquare < CHI_SQUARE_121, `chi-square ${chiSquare.toFixed(1)}`);
});
