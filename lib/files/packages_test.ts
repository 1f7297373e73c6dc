import assert from "node:assert/strict";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { sha256Hex } from "./atomic.ts";
import { downloadPackages, type DownloadProgress, type PythonPackage } from "./packages.ts";
import type { RunProcess } from "./pip.ts";
import { inFolder } from "./testdata/folder.ts";

const wheel = zipSync({ "norse_saga/data/a.txt": strToU8("Hér hefr upp") });
const WHEEL_NAME = "norse_saga-1.0-py3-none-any.whl";
const sha256 = sha256Hex(wheel);
const SAGA: PythonPackage = { name: "Norse-saga", version: "1.0", sha256, licence: "MIT" };

const inCache = (work: (cache: string) => Promise<void>) =>
  inFolder((folder) => work(join(folder, ".cache")));

const names = (folder: string) => [...Deno.readDirSync(folder)].map((entry) => entry.name);

/** A pip that brings these bytes, whatever was asked. */
function pipBringing(bytes: Uint8Array) {
  const requirements: string[] = [];
  const run: RunProcess = (_command, _args, { cwd }) => {
    requirements.push(Deno.readTextFileSync(join(cwd, "requirements.txt")));
    Deno.mkdirSync(join(cwd, "wheels"));
    Deno.writeFileSync(join(cwd, "wheels", WHEEL_NAME), bytes);
    return Promise.resolve({ kind: "ended", code: 0, output: "Saved" });
  };
  return { requirements, run };
}

Deno.test("downloadPackages() asks pip for name, version and hash, keeps the wheel and reports progress", async () => {
  await inCache(async (cacheDirectory) => {
    const states: string[] = [];
    const onProgress = (p: DownloadProgress) => void states.push(`${p.position} ${p.state}`);
    const { requirements, run } = pipBringing(wheel);
    const paths = await downloadPackages([SAGA, SAGA], { cacheDirectory, run, onProgress });
    assert.deepEqual(paths, [1, 2].map(() => join(cacheDirectory, WHEEL_NAME)));
    assert.deepEqual(requirements, [`Norse-saga==1.0 --hash=sha256:${SAGA.sha256}\n`]);
    assert.deepEqual(names(cacheDirectory), [WHEEL_NAME]);
    assert.deepEqual(states, ["1 downloading", "1 downloaded", "2 cached"]);
  });
});

Deno.test("downloadPackages() fetches a cached wheel with another hash anew, and trusts no wrong one", async () => {
  await inCache(async (cacheDirectory) => {
    Deno.mkdirSync(cacheDirectory);
    Deno.writeFileSync(join(cacheDirectory, WHEEL_NAME), wheel.subarray(0, 10));
    const other = pipBringing(strToU8("another file"));
    const wrong = { name: "AcquisitionError", reason: "wrong-hash", message: /Norse-saga 1\.0/ };
    await assert.rejects(downloadPackages([SAGA], { cacheDirectory, run: other.run }), wrong);
    const { requirements, run } = pipBringing(wheel);
    const [path] = await downloadPackages([SAGA], { cacheDirectory, run });
    assert.equal(requirements.length, 1);
    assert.deepEqual(Deno.readFileSync(path!), wheel);
    assert.deepEqual(names(cacheDirectory), [WHEEL_NAME]);
  });
});

Deno.test("downloadPackages() states each reason, and lets no word of pip's into an error or a file", async () => {
  const output = "Looking in indexes: https://user:secret@packages.example/simple\n" +
    "ERROR: HTTP error 503 while getting https://packages.example/simple/norse-saga/";
  const full = Object.assign(new Error("no space"), { code: "ENOSPC" });
  const cases: readonly (readonly [string, RunProcess])[] = [
    ["no-python", () => Promise.resolve({ kind: "missing" })],
    ["no-matching-wheel", () => Promise.resolve({ kind: "ended", code: 0, output: "" })],
    ["no-network", () => Promise.resolve({ kind: "ended", code: 1, output })],
    ["disk", () => Promise.reject(full)],
  ];
  await inCache(async (cacheDirectory) => {
    for (const [reason, run] of cases) {
      const error = await downloadPackages([SAGA], { cacheDirectory, run }).catch((error) => error);
      assert.deepEqual([error.name, error.reason], ["AcquisitionError", reason]);
      assert.equal(error.message.split("\n").length, 2);
      const said = `${Deno.inspect(error)} ${JSON.stringify(error)}`;
      assert.doesNotMatch(said, /packages\.example|secret|:\/\/(?!\/)/);
      assert.deepEqual(names(cacheDirectory), []);
    }
  });
});

Deno.test("downloadPackages() removes what a killed download left", async () => {
  await inCache(async (cacheDirectory) => {
    for (const name of ["pip-old.tmp", "pip-new.tmp"]) {
      Deno.mkdirSync(join(cacheDirectory, name, "tmp"), { recursive: true });
    }
    Deno.utimeSync(join(cacheDirectory, "pip-old.tmp"), 0, 0);
    await downloadPackages([SAGA], { cacheDirectory, run: pipBringing(wheel).run });
    assert.deepEqual(names(cacheDirectory).sort(), [WHEEL_NAME, "pip-new.tmp"]);
  });
});
