import assert from "node:assert/strict";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { sha256Hex } from "./atomic.ts";
import * as PACKAGES from "./packages.ts";
import { downloadPackages, type DownloadProgress, type PythonPackage } from "./packages.ts";
import { AcquisitionError, type RunProcess } from "./pip.ts";
import { inFolder } from "./testdata/folder.ts";

const wheel = zipSync({ "norse_saga/data/a.txt": strToU8("Hér hefr upp") });

const SAGA: PythonPackage = {
  name: "Norse-saga",
  version: "1.0",
  sha256: sha256Hex(wheel),
  licence: "MIT",
};

const WHEEL_NAME = "norse_saga-1.0-py3-none-any.whl";

const inCache = (work: (cache: string) => Promise<void>) =>
  inFolder((folder) => work(join(folder, ".cache")));

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map((entry) => entry.name);
}

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

const neverRun: RunProcess = () => Promise.reject(new Error("pip was run"));

Deno.test("downloadPackages() asks pip for name, version and hash and keeps the wheel", async () => {
  await inCache(async (cacheDirectory) => {
    const { requirements, run } = pipBringing(wheel);
    const [path] = await downloadPackages([SAGA], { cacheDirectory, run });
    assert.equal(path, join(cacheDirectory, WHEEL_NAME));
    assert.deepEqual(requirements, [`Norse-saga==1.0 --hash=sha256:${SAGA.sha256}\n`]);
    assert.deepEqual(names(cacheDirectory), [WHEEL_NAME]);
    const again = await downloadPackages([SAGA], { cacheDirectory, run: neverRun });
    assert.deepEqual(again, [path]);
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

Deno.test("downloadPackages() lets no word of pip's into an error or a file", async () => {
  const output = [
    "Looking in indexes: https://user:secret@packages.example/simple",
    "ERROR: HTTP error 503 while getting https://packages.example/simple/norse-saga/",
  ].join("\n");
  const run: RunProcess = () => Promise.resolve({ kind: "ended", code: 1, output });
  await inCache(async (cacheDirectory) => {
    const reported: DownloadProgress[] = [];
    const onProgress = (progress: DownloadProgress) => void reported.push(progress);
    try {
      await downloadPackages([SAGA], { cacheDirectory, run, onProgress });
      assert.fail("it did not throw");
    } catch (error) {
      assert.ok(error instanceof AcquisitionError);
      assert.equal(error.reason, "no-network");
      assert.equal(error.cause, undefined);
      const said = `${Deno.inspect(error)} ${JSON.stringify(error)} ${JSON.stringify(reported)}`;
      assert.doesNotMatch(said, /files\.example|secret|:\/\/(?!\/)/);
      assert.ok(error.message.split("\n").length <= 2);
    }
    assert.deepEqual(names(cacheDirectory), []);
  });
});

Deno.test("downloadPackages() tells each reason for a missing package", async () => {
  await inCache(async (cacheDirectory) => {
    const none: RunProcess = () => Promise.resolve({ kind: "missing" });
    const wrong = { reason: "no-python", message: /Norse-saga 1\.0: no Python.*\nInstall Python/ };
    await assert.rejects(downloadPackages([SAGA], { cacheDirectory, run: none }), wrong);
    const empty: RunProcess = () => Promise.resolve({ kind: "ended", code: 0, output: "" });
    const nothing = { reason: "no-matching-wheel" };
    await assert.rejects(downloadPackages([SAGA], { cacheDirectory, run: empty }), nothing);
    const full: RunProcess = () => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    };
    await assert.rejects(downloadPackages([SAGA], { cacheDirectory, run: full }), {
      reason: "disk",
    });
  });
});

Deno.test("downloadPackages() stops when it is told to and leaves nothing half done", async () => {
  await inCache(async (cacheDirectory) => {
    const stop = new AbortController();
    const run: RunProcess = () => {
      stop.abort(new Error("enough"));
      return Promise.resolve({ kind: "ended", code: 143, output: "" });
    };
    const options = { cacheDirectory, run, signal: stop.signal };
    await assert.rejects(downloadPackages([SAGA], options), { message: "enough" });
    assert.deepEqual(names(cacheDirectory), []);
  });
});

Deno.test("downloadPackages() removes what a killed download left, but not a running one's", async () => {
  await inCache(async (cacheDirectory) => {
    for (const name of ["pip-old.tmp", "pip-new.tmp"]) {
      Deno.mkdirSync(join(cacheDirectory, name, "tmp"), { recursive: true });
    }
    Deno.utimeSync(join(cacheDirectory, "pip-old.tmp"), 0, 0);
    await downloadPackages([SAGA], { cacheDirectory, run: pipBringing(wheel).run });
    assert.deepEqual(names(cacheDirectory).sort(), [WHEEL_NAME, "pip-new.tmp"]);
  });
});

Deno.test("downloadPackages() reports every package's begin and end", async () => {
  await inCache(async (cacheDirectory) => {
    const states: string[] = [];
    const onProgress = (p: DownloadProgress) => void states.push(`${p.position} ${p.state}`);
    const { run } = pipBringing(wheel);
    await downloadPackages([SAGA, SAGA], { cacheDirectory, run, onProgress });
    assert.deepEqual(states, ["1 downloading", "1 downloaded", "2 cached"]);
  });
});

Deno.test("packages.ts pins versions and well-formed hashes, each once", () => {
  const packages = Object.values(PACKAGES).flat().filter((value) => typeof value === "object");
  assert.ok(packages.length >= 7);
  for (const { sha256, version } of packages) {
    assert.match(sha256, /^[0-9a-f]{64}$/);
    assert.match(version, /^\d+\.\d+\.\d+$/);
  }
  assert.equal(new Set(packages.map(({ sha256 }) => sha256)).size, packages.length);
  assert.equal(new Set(packages.map(({ name }) => name)).size, packages.length);
});
