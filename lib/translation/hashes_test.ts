import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { canonicalSha256, configHash, keyHash, rowEvalHash, rowInputHash } from "./hashes.ts";
import type { Evaluation } from "./item.ts";
import type { SealedKey } from "./preparation/key.ts";
import { DEFAULT_RUN_CONFIG } from "./run_config.ts";

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

Deno.test("canonicalSha256() gives the published digest of the empty JSON array", () => {
  assert.equal(
    canonicalSha256([]),
    "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945",
  );
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
