import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { DEFAULT_RUN_CONFIG } from "./configuration.ts";
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

Deno.test("rowInputHash() is SHA-256 of the row's JSON array, written out by hand here", () => {
  assert.equal(
    rowInputHash(INPUT),
    sha256('["inputs",1,"Good morning",["Guten Morgen","Moin"]]'),
  );
});

Deno.test("rowEvalHash() is SHA-256 of all columns of the row, written out by hand here", () => {
  const json = '["eval","run","c","k",1,"i","{\\"1\\":\\"t2\\",\\"2\\":\\"t1\\"}",' +
    '[["best",90],[null,"x"]],"fine","2026-01-31T09:30:00.000Z",null,2,12.3,0]';
  assert.equal(rowEvalHash(RUN, EVALUATION, "i"), sha256(json));
});

Deno.test("NFR-1: rowInputHash() changes with each field, not with what a file changes", () => {
  const others = [
    { ...INPUT, itemId: 2 },
    { ...INPUT, source: "Good morning " },
    { ...INPUT, translations: ["Moin", "Guten Morgen"] },
    { ...INPUT, translations: ["Guten MorgenMoin", ""] },
  ];
  const hashes = [INPUT, ...others].map(rowInputHash);
  assert.equal(new Set(hashes).size, hashes.length);
  assert.equal(
    rowInputHash({ ...INPUT, source: "a\r\nb\0" }),
    rowInputHash({ ...INPUT, source: "a\nb" }),
  );
});

Deno.test("NFR-1: rowEvalHash() changes with each column", () => {
  const [first, second] = EVALUATION.ratings;
  const changes: Partial<Evaluation>[] = [
    { itemId: 2 },
    { displayMap: [0, 1] },
    { ratings: [second!, first!] },
    { ratings: [{ bucket: "best", da: "90" }, second!] },
    { ratings: [{ bucket: "best", da: undefined }, second!] },
    { comment: "Fine" },
    { startedAt: undefined },
    { committedAt: "2026-01-31T09:30:00.000Z" },
    { startedAt: undefined, committedAt: "2026-01-31T09:30:00.000Z" },
    { editCount: 3 },
    { activeSeconds: 12.4 },
    { highlightSeconds: 0.1 },
  ];
  const hashes = [
    rowEvalHash(RUN, EVALUATION, "i"),
    rowEvalHash(RUN, EVALUATION, "j"),
    rowEvalHash({ ...RUN, runId: "other" }, EVALUATION, "i"),
    rowEvalHash({ ...RUN, configSha256: "other" }, EVALUATION, "i"),
    rowEvalHash({ ...RUN, keySha256: "other" }, EVALUATION, "i"),
    ...changes.map((change) => rowEvalHash(RUN, { ...EVALUATION, ...change }, "i")),
  ];
  assert.equal(new Set(hashes).size, hashes.length);
});

Deno.test("configHash() changes with each setting", () => {
  const config = DEFAULT_RUN_CONFIG;
  const others = [
    { ...config, numTranslations: 11 },
    { ...config, daMin: 1 },
    { ...config, daMax: 99 },
    { ...config, integerOnly: false },
    { ...config, buckets: config.buckets.toReversed() },
    { ...config, buckets: config.buckets.map((it) => ({ ...it, label: `${it.label}!` })) },
    { ...config, buckets: config.buckets.map((it) => ({ ...it, key: `${it.key}_` })) },
    { ...config, strictOrdering: false },
    { ...config, allowEmptyBuckets: false },
    { ...config, sourceLanguage: "en" },
    { ...config, targetLanguage: "en" },
  ];
  const hashes = [config, ...others].map(configHash);
  assert.equal(new Set(hashes).size, hashes.length);
});

Deno.test("keyHash() changes with everything that a key holds", () => {
  const item = { itemId: 1, segment: "s", document: "d", systems: ["A", "B"] };
  const key: SealedKey = {
    runId: "run",
    secret: "00",
    assignment: "per_run",
    systems: ["A", "B"],
    items: [{ ...item, role: { kind: "rated" } }],
  };
  const attention = { kind: "attention", of: 2, translation: 0, spoiledBy: "shuffled" } as const;
  const others: SealedKey[] = [
    { ...key, secret: "01" },
    { ...key, runId: "other" },
    { ...key, systems: ["B", "A"] },
    ...[{ itemId: 2 }, { segment: "t" }, { document: "e" }].map((change): SealedKey => ({
      ...key,
      items: [{ ...item, ...change, role: { kind: "rated" } }],
    })),
    ...[{}, { of: 3 }, { translation: 1 }, { spoiledBy: "cut" }].map((change): SealedKey => ({
      ...key,
      items: [{ ...item, role: { ...attention, ...change } }],
    })),
    { ...key, items: [{ ...item, systems: ["B", "A"], role: { kind: "rated" } }] },
    { ...key, items: [{ ...item, role: { kind: "repeat", of: 2 } }] },
    { ...key, assignment: "per_item" },
  ];
  const hashes = [key, ...others].map(keyHash);
  assert.equal(new Set(hashes).size, hashes.length);
});

/** The 99.9 % point of chi-square with 121 = 11 × 11 degrees of freedom (Wilson–Hilferty). */
const CHI_SQUARE_121 = 175.2;

Deno.test("FR-4: displayOrder() is a permutation of 0 … N−1 for any run, item and N", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.integer({ min: 1, max: 60 }), (run, item, n) => {
      const order = displayOrder(run, item, n);
      assert.deepEqual([...order].sort((a, b) => a - b), Array.from({ length: n }, (_, i) => i));
      assert.deepEqual(displayOrder(run, item, n), order);
    }),
    { numRuns: 200 },
  );
});

Deno.test("FR-4: displayOrder() puts each translation at each position alike often", () => {
  const [runs, n] = [12_000, 12];
  const counts = Array.from({ length: n * n }, () => 0);
  for (let run = 0; run < runs; run++) {
    for (const [position, translation] of displayOrder(`run ${run}`, run % 300 + 1, n).entries()) {
      counts[position * n + translation]! += 1;
    }
  }
  const expected = runs / n;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  assert.ok(chiSquare < CHI_SQUARE_121, `chi-square ${chiSquare.toFixed(1)}`);
});

Deno.test("displayOrder() is Fisher–Yates over the words of SHA-256(run:item:block)", () => {
  const digest = createHash("sha256").update("run:3:0").digest();
  const order = [0, 1, 2, 3];
  // No word of this digest is near 2^32, so none is drawn again.
  for (const [word, last] of [3, 2, 1].entries()) {
    const other = digest.readUInt32BE(word * 4) % (last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  assert.deepEqual(displayOrder("run", 3, 4), order);
});

Deno.test("displayOrder() refuses a number of translations that cannot be ordered", () => {
  for (const n of [0, 1.5, 1001, NaN]) assert.throws(() => displayOrder("run", 1, n), RangeError);
});
