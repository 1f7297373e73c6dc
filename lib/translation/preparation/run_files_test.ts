import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { configFor } from "../testdata/evaluations.ts";
import { type PreparationOptions, prepareRun } from "./prepare_run.ts";
import {
  type KeyItem,
  keyPaths,
  readRunConfig,
  readSealedKey,
  type SealedKey,
  writeRun,
  writeSealedKey,
} from "./run_files.ts";

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
    const other = prepareRun(OUTPUTS, { ...OPTIONS, secret: "f".repeat(32) });
    await assert.rejects(writeRun(other, CONFIG, paths), /k\.json, the key of another run/);
    assert.deepEqual(readSealedKey(paths.key), run.key);
    const rated = new Uint8Array([1]);
    Deno.writeFileSync(paths.workbook, rated);
    await assert.rejects(writeRun(run, CONFIG, paths), /w\.xlsx, another workbook, perhaps/);
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
    const [first, second] = KEY.items as [KeyItem, KeyItem];
    const stray: KeyItem = { ...second, role: { kind: "repeat", of: 9 } };
    const items = [{ ...first, systems: ["x", "x"] }, second, stray];
    writeSealedKey(path, { ...KEY, items });
    const faults =
      /item 1 does not have each of the systems once.*item 2 refers to item 9, .*an item occurs twice/;
    assert.throws(() => readSealedKey(path), faults);
    Deno.writeTextFileSync(path, "{");
    assert.throws(() => readSealedKey(path), /key\.json: it is no JSON/);
    Deno.writeTextFileSync(path, "da_maximum: 7\n");
    assert.throws(() => readRunConfig(path), /key\.json: unknown key da_maximum/);
  }));

Deno.test("keyPaths() takes a folder for the keys in it, and says what it lacks", () =>
  inFolder((folder) => {
    assert.throws(
      () => keyPaths(folder),
      /it is a folder without \.json files\. Name the folder sealed/,
    );
    for (const name of ["b.json", "a.json", "notes.txt"]) {
      Deno.writeTextFileSync(join(folder, name), "");
    }
    assert.deepEqual(keyPaths(folder), ["a.json", "b.json"].map((name) => join(folder, name)));
    assert.deepEqual(keyPaths(join(folder, "a.json")), [join(folder, "a.json")]);
  }));

Deno.test("writeSealedKey() writes a key that only its owner can read", () =>
  inFolder((folder) => {
    const path = join(folder, "key.json");
    const { key } = prepareRun(OUTPUTS, OPTIONS);
    writeSealedKey(path, key);
    if (Deno.build.os !== "windows") assert.equal(Deno.statSync(path).mode! & 0o777, 0o600);
    assert.deepEqual(readSealedKey(path), key);
  }));
