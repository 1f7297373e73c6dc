import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import { randomSource } from "../../stats/random.ts";
import { displayOrder } from "../hashes.ts";
import { writeSealedKey } from "../preparation/run_files.ts";
import { PERSONAS } from "../simulation/perception.ts";
import { simulateRater, withScoreChanged } from "../simulation/rate.ts";
import { blank, config, key, madeRun } from "../testdata/runs.ts";
import { checkpoint } from "../workbook/write_workbook.ts";
import { readRatedRuns, readSealedWorkbook, unblind } from "./ratings.ts";

const items = [{ da: [90, 60, 10] }, { da: [80, 55, 30], document: "d2" }, { da: [70, 40, 20] }];

Deno.test("unblind() gives every rating its system, whatever the t#", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.nat(100), { minLength: 4, maxLength: 4 }), {
        minLength: 1,
        maxLength: 9,
      }),
      (scores) => {
        const { ratings } = unblind(madeRun("r", scores.map((da) => ({ da }))));
        for (const { itemId, system, da } of ratings) {
          assert.equal(da, scores[itemId - 1]!["ABCD".indexOf(system)]);
        }
        assert.equal(ratings.length, 4 * scores.length);
      },
    ),
    { numRuns: 100 },
  );
});

Deno.test("unblind() gives row of the screen, bucket, rank and place of each rating", () => {
  const run = madeRun("r", items);
  const { ratings, items: n, leftOut } = unblind(run);
  const found = ratings.find(({ itemId, system }) => itemId === 2 && system === "B")!;
  assert.deepEqual(
    [found.rater, found.segment, found.document, found.bucket, found.bucketRank, found.da],
    ["r", "s2", "d2", "good", 2, 55],
  );
  const order = displayOrder(run.workbook.runId, 2, 3);
  assert.equal(order[found.position - 1], found.translation);
  assert.deepEqual([n, leftOut], [3, []]);
});

Deno.test("FR-7: unblind() refuses a run that is not finished, and lists what is wrong with it", () => {
  const run = madeRun("r", [
    items[0]!,
    { ...items[1]!, committedAt: "never" },
    { da: [90, 60, 150] },
    { da: [60, 60, 10], buckets: ["best", "good", "poor"] },
  ]);
  assert.throws(() => unblind(run), {
    message: "Cannot unblind the ratings of r: item 2 incomplete; item 3, 4 invalid. " +
      "unblind(run, { partial: true }) leaves these out and lists them.",
  });
  const { ratings, leftOut } = unblind(run, { partial: true });
  assert.deepEqual(new Set(ratings.map(({ itemId }) => itemId)), new Set([1]));
  assert.deepEqual(leftOut, [
    { itemId: 2, reason: "incomplete" },
    { itemId: 3, reason: "invalid" },
    { itemId: 4, reason: "invalid" },
  ]);
});

Deno.test("NFR-1: unblind() refuses another key, a key changed afterwards and another configuration", () => {
  const run = madeRun("r", items);
  const swapped = {
    ...run.key,
    items: run.key.items.map((item) => ({ ...item, systems: item.systems.toReversed() })),
  };
  assert.throws(
    () => unblind({ ...run, key: swapped }),
    /the key was changed since, or is another one/,
  );
  const ofOther = { ...run.key, runId: "another" };
  assert.throws(
    () => unblind({ ...run, key: ofOther }),
    /the key is of run another, the workbook of run 5f0c/,
  );
  const config = { ...run.config, daMax: 1000 };
  assert.throws(
    () => unblind({ ...run, config }, { partial: true }),
    /made under another configuration/,
  );
});

Deno.test("NFR-1: unblind() notices items that were taken out of the workbook or put into it", () => {
  const run = madeRun("r", items);
  const fewer = { ...run.workbook, items: run.workbook.items.slice(1) };
  assert.throws(() => unblind({ ...run, workbook: fewer }), /the workbook lacks item 1/);
  const key = { ...run.key, items: run.key.items.slice(0, 2) };
  assert.throws(() => unblind({ ...run, key }), /the key lacks item 3/);
});

const rated = simulateRater(blank, {
  config,
  persona: PERSONAS[0]!,
  qualityOf: () => [90, 60, 20],
  random: randomSource(1),
});
const bytes = await checkpoint(rated, config);
const read = (bytes: Uint8Array, material = { key, config }) =>
  readSealedWorkbook(bytes, "x.xlsx", material);

Deno.test("readSealedWorkbook() gives back what was handed in, saved by a spreadsheet or not", async () => {
  assert.deepEqual(await read(bytes), rated);
  assert.deepEqual(await read(await withScoreChanged(bytes, { itemId: 2, by: 0 })), rated);
});

Deno.test("NFR-1: readSealedWorkbook() refuses a changed score, naming the row, and another key", async () => {
  await assert.rejects(
    read(await withScoreChanged(bytes, { itemId: 2, by: 1 })),
    /Cannot use x\.xlsx: eval, row 3, row_eval_hash: .*item 2 .* holds\. Ask the rater for the file/,
  );
  await assert.rejects(
    read(bytes, { key: { ...key, secret: "cd".repeat(16) }, config }),
    /Cannot use x\.xlsx with the key: the key's SHA-256 is/,
  );
  await assert.rejects(withScoreChanged(bytes, { itemId: 9, by: 1 }), /da_1 of item 9/);
});

Deno.test("readRatedRuns() reads each file with its own key, and names both where they differ", () =>
  inFolder(async (folder) => {
    const [path, own, wrong] = ["rater_1.xlsx", "key_1.json", "key_2.json"]
      .map((name) => join(folder, name)) as [string, string, string];
    Deno.writeFileSync(path, bytes);
    writeSealedKey(own, key);
    writeSealedKey(wrong, { ...key, secret: "cd".repeat(16) });
    const [run] = await readRatedRuns([{ rater: "one", path, key: own }], config);
    assert.deepEqual(run, { rater: "one", workbook: rated, key, config });
    await assert.rejects(
      readRatedRuns([{ rater: "one", path, key: wrong }], config),
      /Cannot use .*rater_1\.xlsx with .*key_2\.json: the key's SHA-256 is/,
    );
    await assert.rejects(
      readRatedRuns([{ rater: "two", path: join(folder, "no.xlsx"), key: own }], config),
      /Cannot read .*no\.xlsx: it is not there\./,
    );
  }));
