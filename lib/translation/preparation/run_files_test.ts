import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { keyHash } from "../hashes.ts";
import { configFor, madeEvaluation, workbookOf } from "../testdata/evaluations.ts";
import type { RatingWorkbook, SealedKey } from "../types.ts";
import { type PreparationOptions, prepareRun } from "./prepare_run.ts";
import { checkKey, readRunConfig, readSealedKey, writeRun, writeSealedKey } from "./run_files.ts";

const OUTPUTS = {
  systems: ["x", "y"],
  segments: [{ segment: "1", document: "d", source: "One", translations: ["Eins", ""] }],
};
const CONFIG = configFor(2);
const RUN_ID = "6f1c0a52-5b0e-4a50-9f7e-0d3f5f0f3a11";
const SECRET = "00112233445566778899aabbccddeeff";
const OPTIONS: PreparationOptions = { runId: RUN_ID, seed: 1, config: CONFIG, secret: SECRET };

Deno.test("writeRun() never writes over another run's key or another workbook", () =>
  inFolder(async (folder) => {
    const paths = { workbook: join(folder, "w.xlsx"), key: join(folder, "sealed", "k.json") };
    const run = prepareRun(OUTPUTS, OPTIONS);
    await writeRun(run, CONFIG, paths);
    await writeRun(run, CONFIG, paths);
    const before = Deno.readFileSync(paths.workbook);
    const other = prepareRun(OUTPUTS, { ...OPTIONS, secret: "f".repeat(32) });
    const message = /k\.json, the key of another run/;
    await assert.rejects(writeRun(other, CONFIG, paths), message);
    assert.deepEqual(readSealedKey(paths.key), run.key);
    assert.deepEqual(Deno.readFileSync(paths.workbook), before);
    const rated = new Uint8Array([1]);
    Deno.writeFileSync(paths.workbook, rated);
    await assert.rejects(
      writeRun(run, CONFIG, paths),
      /w\.xlsx, another workbook, perhaps a rated/,
    );
    assert.deepEqual(Deno.readFileSync(paths.workbook), rated);
  }));

const place = { segment: "s1", document: "d", systems: ["x", "y"] };
const spoiled = { kind: "attention", of: 1, translation: 0, spoiledBy: "words shuffled" } as const;

const KEY: SealedKey = {
  runId: RUN_ID,
  secret: SECRET,
  assignment: "per_item",
  systems: ["x", "y"],
  items: [
    { ...place, itemId: 1, systems: ["y", "x"], role: { kind: "rated" } },
    { ...place, itemId: 2, role: spoiled },
    { ...place, itemId: 3, role: { kind: "repeat", of: 1 } },
  ],
};

Deno.test("readSealedKey() gives back what writeSealedKey() wrote, and names the file and every fault", () =>
  inFolder((folder) => {
    const path = join(folder, "key.json");
    writeSealedKey(path, KEY);
    assert.deepEqual(readSealedKey(path), KEY);
    assert.match(Deno.readTextFileSync(path), /"spoiled_by": "words shuffled"/);
    writeSealedKey(path, { ...KEY, secret: "short" });
    assert.throws(() => readSealedKey(path), /key\.json: secret: is no secret of 128 bits/);
    const [first, second] = KEY.items;
    writeSealedKey(path, {
      ...KEY,
      items: [
        { ...first!, systems: ["x", "x"] },
        second!,
        { ...second!, role: { kind: "repeat", of: 9 } },
      ],
    });
    const faults = [
      /item 1 does not have each of the systems once/,
      /item 2 refers to item 9, which is not there/,
      /an item stands twice/,
    ];
    for (const fault of faults) assert.throws(() => readSealedKey(path), fault);
    Deno.writeTextFileSync(path, "{");
    assert.throws(() => readSealedKey(path), /key\.json: it is no JSON/);
    Deno.writeTextFileSync(path, "da_maximum: 7\n");
    assert.throws(() => readRunConfig(path), /key\.json: unknown key da_maximum/);
  }));

Deno.test("checkKey() takes the key that was sealed, and says in which ways another does not fit", () => {
  const unrated = madeEvaluation([[undefined, undefined], [undefined, undefined]]);
  const workbook = workbookOf([unrated, unrated, unrated], keyHash(KEY));
  checkKey(KEY, workbook);
  const [first, second, third] = workbook.items;
  const fourth = { ...third!, input: { ...third!.input, itemId: 4 } };
  const swapped = { ...KEY, items: [{ ...KEY.items[0]!, systems: ["x", "y"] }] };
  const cases: readonly (readonly [SealedKey, RatingWorkbook, RegExp])[] = [
    [{ ...KEY, runId: "other" }, workbook, /the key is of run other, the workbook of run 6f1c0a52/],
    [
      KEY,
      { ...workbook, items: [first!, second!, fourth] },
      /the key lacks item 4; the workbook l/,
    ],
    [swapped, workbook, /the key was changed since/],
    [KEY, { ...workbook, keySha256: "" }, /the workbook was made without a sealed key/],
  ];
  for (const [key, workbook, message] of cases) {
    assert.throws(() => checkKey(key, workbook), message);
  }
});
