import assert from "node:assert/strict";
import { join } from "node:path";
import project from "../../deno.json" with { type: "json" };
import type { ProcessResult } from "../../lib/files/pip.ts";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { besides } from "./harness.ts";
import { heldOutScores, installTransformers } from "./masked.ts";

const LOCK = await Deno.readTextFile(besides("transformers.lock.json"));

/** Installs into a temporary folder by a process that ends so; returns its files and its calls. */
function install(result: ProcessResult) {
  return inFolder(async (folder) => {
    const calls: string[] = [];
    await installTransformers(folder, LOCK, (_, args, { cwd }) => {
      calls.push([...args, cwd === folder ? "in the folder" : cwd].join(" "));
      return Promise.resolve(result);
    });
    const read = (name: string) => Deno.readTextFileSync(join(folder, name));
    return { calls, lock: read("deno.lock"), packageJson: JSON.parse(read("package.json")) };
  });
}

Deno.test("installTransformers() installs what the committed lock holds, and nothing else", async () => {
  const { calls, lock, packageJson } = await install({ kind: "ended", code: 0, output: "" });
  assert.deepEqual(calls, ["install --frozen in the folder"]);
  assert.equal(lock, LOCK);
  const asked = Object.entries(packageJson.dependencies).map(([name, at]) => `npm:${name}@${at}`);
  assert.deepEqual(asked, JSON.parse(LOCK).workspace.packageJson.dependencies);
  // Two versions of ONNX Runtime in one process: the second does not open.
  const runtime = packageJson.overrides["onnxruntime-node"];
  assert.equal(project.imports["onnxruntime-node"], `npm:onnxruntime-node@${runtime}`);
  assert.deepEqual(JSON.parse(LOCK).workspace.packageJson.overrides, packageJson.overrides);
  assert.doesNotMatch(LOCK, /:\/\//);
  const failed = install({ kind: "ended", code: 1, output: "no such version\n" });
  await assert.rejects(failed, /ended with code 1:\nno such version$/);
  await assert.rejects(install({ kind: "missing" }), /allow it with --allow-run$/);
});

Deno.test("heldOutScores() by hand: two verses that differ in one letter", async () => {
  const sentences = [{ fold: "1", text: "a" }, { fold: "2", text: "b" }];
  const options = { contextCharacters: 1, backOffWeight: 1 };
  const [original, withinWord] = await heldOutScores(sentences, options);
  // Outside its verse each letter is unseen. Alone, of a, b and unknown: (1/3)/2 = 1/6, the seen one
  // 4/6. After the start and before the end alike: 1/12 and 10/12. So 1/24 : 25/24 : 1/24.
  assert.ok(Math.abs(original! - Math.log(1 / 27)) < 1e-12, `${original}`);
  assert.equal(withinWord, original);
});
