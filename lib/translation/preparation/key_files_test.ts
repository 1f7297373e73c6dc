import assert from "node:assert/strict";
import { join } from "node:path";
import { checkKey } from "./check_key.ts";
import type { SealedKey } from "./key.ts";
import { readSealedKey, writeSealedKey } from "./key_files.ts";
import { keyHash } from "../hashes.ts";
import type { RatedItem, RatingWorkbook } from "../item.ts";

const KEY: SealedKey = {
  runId: "5f0c8a52-6a5e-4d3e-9a2f-3d1f6f0b7c11",
  secret: "00112233445566778899aabbccddeeff",
  assignment: "per_item",
  systems: ["x", "y"],
  items: [
    { itemId: 1, segment: "s1", document: "d", systems: ["y", "x"], role: { kind: "rated" } },
    {
      ...{ itemId: 2, segment: "s1", document: "d", systems: ["x", "y"] },
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
      ...{ itemId, displayMap: [0, 1], ratings: [], comment: "", editCount: 0 },
      ...{ startedAt: undefined, committedAt: undefined, activeSeconds: 0, highlightSeconds: 0 },
    },
  }));
  return { runId: KEY.runId, configSha256: "", keySha256: keyHash(KEY), items, ...changes };
}

const inFolder = (act: (path: string) => void) => {
  const folder = Deno.makeTempDirSync();
  try {
    act(join(folder, "key.json"));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
};

Deno.test("readSealedKey() gives back what writeSealedKey() wrote", () => {
  inFolder((path) => {
    writeSealedKey(path, KEY);
    assert.deepEqual(readSealedKey(path), KEY);
    assert.match(Deno.readTextFileSync(path), /"spoiled_by": "words shuffled"/);
  });
});

Deno.test("readSealedKey() names the file and every fault in it", () => {
  inFolder((path) => {
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
