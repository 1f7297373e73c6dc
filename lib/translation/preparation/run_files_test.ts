import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { DEFAULT_RUN_CONFIG } from "../configuration.ts";
import { keyHash } from "../hashes.ts";
import type { RatedItem, RatingWorkbook, SealedKey } from "../types.ts";
import { writeWorkbook } from "../workbook/write_workbook.ts";
import { type PreparationOptions, prepareRun } from "./prepare_run.ts";
import { checkKey, readRunConfig, readSealedKey, writeRun, writeSealedKey } from "./run_files.ts";

const OUTPUTS = {
  systems: ["x", "y"],
  segments: [{ segment: "1", document: "d", source: "One", translations: ["Eins", ""] }],
};

const CONFIG = { ...DEFAULT_RUN_CONFIG, numTranslations: 2 };

const OPTIONS: PreparationOptions = {
  runId: "5f0c8a52-6a5e-4d3e-9a2f-3d1f6f0b7c11",
  seed: 1,
  config: CONFIG,
  secret: "00112233445566778899aabbccddeeff",
};

Deno.test("writeRun() never writes over the key of another run", async () => {
  await inFolder(async (folder) => {
    const paths = { workbook: join(folder, "w.xlsx"), key: join(folder, "sealed", "k.json") };
    const run = prepareRun(OUTPUTS, OPTIONS);
    await writeRun(run, CONFIG, paths);
    await writeRun(run, CONFIG, paths);
    const before = Deno.readFileSync(paths.workbook);
    const other = prepareRun(OUTPUTS, { ...OPTIONS, secret: "f".repeat(32) });
    await assert.rejects(
      writeRun(other, CONFIG, paths),
      /k\.json: the key of another run is there/,
    );
    assert.deepEqual(readSealedKey(paths.key), run.key);
    assert.deepEqual(Deno.readFileSync(paths.workbook), before);
  });
});

Deno.test("writeRun() never writes over a rater's work, nor over what it cannot read", async () => {
  await inFolder(async (folder) => {
    const paths = { workbook: join(folder, "w.xlsx"), key: join(folder, "k.json") };
    const run = prepareRun(OUTPUTS, OPTIONS);
    const items = run.workbook.items.map(({ input, evaluation }) => ({
      input,
      evaluation: { ...evaluation, comment: "zu frei" },
    }));
    const begun = await writeWorkbook({ ...run.workbook, items }, CONFIG);
    const standing = [
      [begun, /w\.xlsx: a workbook that a rater has begun is there/],
      [new Uint8Array([1]), /w\.xlsx: a file that is no unrated workbook/],
    ] as const;
    for (const [bytes, message] of standing) {
      Deno.writeFileSync(paths.workbook, bytes);
      await assert.rejects(writeRun(run, CONFIG, paths), message);
      assert.deepEqual(Deno.readFileSync(paths.workbook), bytes);
    }
  });
});

Deno.test("readRunConfig() names the file in its errors", async () => {
  await inFolder((folder) => {
    Deno.writeTextFileSync(join(folder, "run.yaml"), "da_maximum: 7\n");
    assert.throws(
      () => readRunConfig(join(folder, "run.yaml")),
      /run\.yaml: unknown key da_maximum/,
    );
  });
});

const KEY: SealedKey = {
  runId: "5f0c8a52-6a5e-4d3e-9a2f-3d1f6f0b7c11",
  secret: "00112233445566778899aabbccddeeff",
  assignment: "per_item",
  systems: ["x", "y"],
  items: [
    { itemId: 1, segment: "s1", document: "d", systems: ["y", "x"], role: { kind: "rated" } },
    {
      itemId: 2,
      segment: "s1",
      document: "d",
      systems: ["x", "y"],
      role: { kind: "attention", of: 1, translation: 0, spoiledBy: "words shuffled" },
    },
    {
      itemId: 3,
      segment: "s1",
      document: "d",
      systems: ["x", "y"],
      role: { kind: "repeat", of: 1 },
    },
  ],
};

function workbook(itemIds: readonly number[], changes: Partial<RatingWorkbook>): RatingWorkbook {
  const items = itemIds.map((itemId): RatedItem => ({
    input: { itemId, source: "", translations: ["", ""], rowInputHash: "" },
    evaluation: {
      itemId,
      displayMap: [0, 1],
      ratings: [],
      comment: "",
      editCount: 0,
      startedAt: undefined,
      committedAt: undefined,
      activeSeconds: 0,
      highlightSeconds: 0,
    },
  }));
  return { runId: KEY.runId, configSha256: "", keySha256: keyHash(KEY), items, ...changes };
}

Deno.test("readSealedKey() gives back what writeSealedKey() wrote", () => {
  inFolder((folder) => {
    const path = join(folder, "key.json");
    writeSealedKey(path, KEY);
    assert.deepEqual(readSealedKey(path), KEY);
    assert.match(Deno.readTextFileSync(path), /"spoiled_by": "words shuffled"/);
  });
});

Deno.test("readSealedKey() names the file and every fault in it", () => {
  inFolder((folder) => {
    const path = join(folder, "key.json");
    const [first, second] = KEY.items;
    writeSealedKey(path, {
      ...KEY,
      secret: "short",
      items: [{ ...first!, systems: ["x", "x"] }, second!, { ...second!, itemId: 2 }],
    });
    assert.throws(() => readSealedKey(path), /key\.json: secret: is no secret of 128 bits/);
    writeSealedKey(path, {
      ...KEY,
      items: [{ ...first!, systems: ["x", "x"] }, second!, { ...second!, itemId: 2 }, {
        ...first!,
        itemId: 4,
        role: { kind: "repeat", of: 9 },
      }],
    });
    assert.throws(() => readSealedKey(path), (error: Error) => {
      assert.ok(error instanceof SyntaxError);
      assert.match(error.message, /item 1 does not have each of the systems once/);
      assert.match(error.message, /item 4 refers to item 9, which is not there/);
      assert.match(error.message, /an item stands twice/);
      return true;
    });
    Deno.writeTextFileSync(path, "{");
    assert.throws(() => readSealedKey(path), /key\.json: it is no JSON/);
  });
});

Deno.test("checkKey() takes the key that was sealed for the workbook", () => {
  checkKey(KEY, workbook([1, 2, 3], {}));
});

Deno.test("checkKey() says in which ways key and workbook do not fit", () => {
  const other = "11111111-6a5e-4d3e-9a2f-3d1f6f0b7c11";
  assert.throws(() => checkKey(KEY, workbook([1, 2, 4], { runId: other })), {
    name: "Error",
    message: `Cannot use the key: the key is of run ${KEY.runId}, the workbook of run ${other}; ` +
      "the key lacks item 4; the workbook lacks item 3.",
  });
  const [first, ...rest] = KEY.items;
  const swapped = { ...KEY, items: [{ ...first!, systems: ["x", "y"] }, ...rest] };
  assert.throws(() => checkKey(swapped, workbook([1, 2, 3], {})), /the key was changed since/);
  assert.throws(
    () => checkKey(KEY, workbook([1, 2, 3], { keySha256: "" })),
    /the workbook was made without a sealed key/,
  );
});

Deno.test("readSealedKey() says that a key is not there", () => {
  assert.throws(() => readSealedKey("/nowhere/k.json"), {
    name: "NotFound",
    message: /Cannot read the key .*k\.json: it is not there\./,
  });
});
