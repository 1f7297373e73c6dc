import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import { displayOrder } from "../hashes.ts";
import { writeSealedKey } from "../preparation/run_files.ts";
import { madeRun } from "../testdata/runs.ts";
import { UNRATED } from "../types.ts";
import { checkpoint } from "../workbook/write_workbook.ts";
import { readRatedRuns, unblind } from "./ratings.ts";

const items = [{ da: [90, 60, 10] }, { da: [80, 55, 30], document: "d2" }, { da: [70, 40, 20] }];

Deno.test("unblind() gives every rating its system, row, bucket and place, whatever the t#", () => {
  const scores = fc.array(fc.nat(100), { minLength: 4, maxLength: 4 });
  fc.assert(fc.property(fc.array(scores, { minLength: 1, maxLength: 9 }), (scores) => {
    const { ratings } = unblind(madeRun("r", scores.map((da) => ({ da }))));
    for (const { item_id, system, da } of ratings) {
      assert.equal(da, scores[item_id - 1]!["ABCD".indexOf(system)]);
    }
    assert.equal(ratings.length, 4 * scores.length);
  }));
  const run = madeRun("r", items);
  const { ratings, leftOut } = unblind(run);
  const rating = ratings.find(({ item_id, system }) => item_id === 2 && system === "B")!;
  const { segment, document, bucket, bucket_rank, da } = rating;
  assert.deepEqual([segment, document, bucket, bucket_rank, da], ["s2", "d2", "good", 2, 55]);
  const order = displayOrder(run.workbook.runId, 2, 3);
  assert.deepEqual([order[rating.position - 1], leftOut], [rating.translation - 1, []]);
});

Deno.test("FR-7: unblind() refuses a run that is not finished, and lists what is wrong with it", () => {
  const run = madeRun("r", [
    items[0]!,
    { ...items[1]!, committedAt: "never" },
    { da: [90, 60, 150] },
    { da: [60, 60, 10], buckets: ["best", "good", "poor"] },
  ]);
  assert.throws(() => unblind(run), /of r: item 2 incomplete; item 3, 4 invalid\. --partial/);
  const { ratings, leftOut } = unblind(run, { partial: true });
  assert.deepEqual([...new Set(ratings.map(({ item_id }) => item_id))], [1]);
  const reasons = leftOut.map(({ itemId, reason }) => `${itemId} ${reason}`);
  assert.deepEqual(reasons, ["2 incomplete", "3 invalid", "4 invalid"]);
  const blank = madeRun("blank", [{ ...items[0]!, committedAt: "never" }]);
  assert.throws(
    () => unblind(blank, { partial: true }),
    /of blank: no item of it is rated and conf/,
  );
});

Deno.test("NFR-1: unblind() refuses another key, configuration or set of items", () => {
  const run = madeRun("r", items);
  const { workbook, key, config } = run;
  const turned = key.items.map((item) => ({ ...item, systems: item.systems.toReversed() }));
  const cases: readonly (readonly [Partial<typeof run>, RegExp])[] = [
    [{ key: { ...key, items: turned } }, /the key was changed since, or is another one/],
    [{ key: { ...key, runId: "another" } }, /the key is of run another, the workbook of run 5f0c/],
    [{ config: { ...config, daMax: 1000 } }, /made under another configuration/],
    [{ workbook: { ...workbook, items: workbook.items.slice(1) } }, /the workbook lacks item 1/],
    [{ workbook: { ...workbook, keySha256: "" } }, /the workbook was made without a sealed key/],
    [{ key: { ...key, items: key.items.slice(0, 2) } }, /the key lacks item 3/],
  ];
  for (const [change, message] of cases) {
    assert.throws(() => unblind({ ...run, ...change }, { partial: true }), message);
  }
});

const RUN = madeRun("0", items);
const { workbook: rated, key, config } = RUN;
const bytes = await checkpoint(rated, config);
const other = { ...key, secret: "cd".repeat(16) };

Deno.test("readRatedRuns() finds each file's key by its run, names both where they differ, and refuses one rater twice", () =>
  inFolder(async (folder) => {
    const [path, again, keyPath, wrong, elsewhere] = [
      "1.xlsx",
      "2.xlsx",
      "1.json",
      "2.json",
      "3.json",
    ]
      .map((name) => join(folder, name)) as [string, string, string, string, string];
    Deno.writeFileSync(path, bytes);
    writeSealedKey(keyPath, key);
    writeSealedKey(wrong, other);
    writeSealedKey(elsewhere, { ...other, runId: crypto.randomUUID() });
    const read = (paths: readonly string[], ...keys: readonly string[]) =>
      readRatedRuns(paths.map((path, at) => ({ rater: `${at}`, path })), keys, config);
    assert.deepEqual(await read([path], elsewhere, keyPath), [RUN]);
    await assert.rejects(read([path], wrong), /1\.xlsx with .*2\.json: the key's SHA-256/);
    await assert.rejects(
      read([join(folder, "no.xlsx")], keyPath),
      /no\.xlsx: there is no such file\./,
    );
    // A checkpoint saved before the last item was rated: one rater all the same.
    const { input, evaluation } = rated.items[2]!;
    const ratings = evaluation.ratings.map(() => UNRATED);
    const unrated = { input, evaluation: { ...evaluation, ratings, committedAt: undefined } };
    const saved = await checkpoint({ ...rated, items: rated.items.with(2, unrated) }, config);
    // Since then every score was changed.
    const lowered = rated.items.map(({ input, evaluation }) => {
      const ratings = evaluation.ratings.map((it) => ({ ...it, da: Number(it.da) - 1 }));
      return { input, evaluation: { ...evaluation, ratings } };
    });
    const changed = await checkpoint({ ...rated, items: lowered }, config);
    for (const twice of [bytes, saved, changed]) {
      Deno.writeFileSync(again, twice);
      await assert.rejects(read([path, again], keyPath), /use .*1\.xlsx and .*2\.xlsx: they hold/);
    }
  }));
