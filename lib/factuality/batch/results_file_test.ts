import assert from "node:assert/strict";
import { join } from "node:path";
import { readJsonLines } from "../../files/jsonl.ts";
import { evaluate } from "../evaluation/evaluate.ts";
import { components, countingClock } from "../evaluation/testdata/stand_ins.ts";
import { configurationSha256 } from "./request_hash.ts";
import { openResults, readResults } from "./results_file.ts";

const REQUESTS = ["a", "b", "c"].map((id) => ({
  id,
  source: "Elk swim.",
  candidate: `Elk swim. ${id}.`,
  question: "",
}));
const HASH = configurationSha256(components());

async function inFolder(work: (path: string) => Promise<void>): Promise<void> {
  const folder = Deno.makeTempDirSync();
  try {
    await work(join(folder, "results.jsonl"));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const evaluationOf = (index: number) =>
  evaluate(REQUESTS[index]!, components(), { clock: countingClock() });

Deno.test("results are appended, known when opened again, and read as they were", () =>
  inFolder(async (path) => {
    const file = openResults(path, REQUESTS, HASH);
    assert.equal(file.done.size, 0);
    file.append(await evaluationOf(0));
    file.append(await evaluationOf(1));
    assert.deepEqual([...openResults(path, REQUESTS, HASH).done], ["a", "b"]);
    assert.deepEqual(readResults(path)[0], await evaluationOf(0));
  }));

Deno.test("Requirement 9.4: a line that a kill cut anywhere is set aside and asked for again", () =>
  inFolder(async (path) => {
    openResults(path, REQUESTS, HASH).append(await evaluationOf(0));
    const whole = Deno.readTextFileSync(path);
    openResults(path, REQUESTS, HASH).append(await evaluationOf(1));
    const both = Deno.readTextFileSync(path);
    for (let length = whole.length + 1; length < both.length - 1; length += 97) {
      Deno.writeTextFileSync(path, both.slice(0, length));
      const { done, damaged } = openResults(path, REQUESTS, HASH);
      assert.deepEqual([[...done], damaged], [["a"], 1]);
      assert.equal(Deno.readTextFileSync(path), whole);
    }
    const beside = readJsonLines(path.replace(".jsonl", ".damaged.jsonl"), (value) => value);
    assert.ok(beside.rows.length > 5);
  }));

Deno.test("a line without its end is taken when it is whole", () =>
  inFolder(async (path) => {
    openResults(path, REQUESTS, HASH).append(await evaluationOf(0));
    Deno.writeTextFileSync(path, Deno.readTextFileSync(path).trimEnd());
    const file = openResults(path, REQUESTS, HASH);
    file.append(await evaluationOf(1));
    assert.deepEqual([...openResults(path, REQUESTS, HASH).done], ["a", "b"]);
  }));

Deno.test("a result that was edited by hand is evaluated again where it is no evaluation or of another text", () =>
  inFolder(async (path) => {
    openResults(path, REQUESTS, HASH).append(await evaluationOf(0));
    const whole = Deno.readTextFileSync(path);
    for (const [from, to] of [['"mode":"source"', '"mode":"sauce"'], ["swim. a", "fly. a"]]) {
      Deno.writeTextFileSync(path, whole.replace(from!, to!));
      const { done, damaged } = openResults(path, REQUESTS, HASH);
      assert.deepEqual([[...done], damaged], [[], 1]);
    }
  }));

Deno.test("where a result cannot be written, file and request are named", () =>
  inFolder(async (path) => {
    const file = openResults(path, REQUESTS, HASH);
    Deno.mkdirSync(path);
    const evaluation = await evaluationOf(0);
    assert.throws(
      () => file.append(evaluation),
      /the result of "a" in .*results\.jsonl: .*make room/,
    );
  }));

Deno.test("a request that stands in the results twice counts once", () =>
  inFolder(async (path) => {
    const file = openResults(path, REQUESTS, HASH);
    file.append(await evaluationOf(0));
    file.append(await evaluationOf(0));
    assert.equal(readResults(path).length, 1);
  }));

Deno.test("going on with another text, configuration or version is refused with what to do", () =>
  inFolder(async (path) => {
    openResults(path, REQUESTS, HASH).append(await evaluationOf(0));
    const other = [{ ...REQUESTS[0]!, candidate: "Elk fly." }];
    assert.throws(
      () => openResults(path, other, HASH),
      /"a" was evaluated with another text\. Choose/,
    );
    assert.throws(() => openResults(path, REQUESTS, "x"), /with another configuration/);
    const newer = Deno.readTextFileSync(path).replace('"schemaVersion":1', '"schemaVersion":2');
    Deno.writeTextFileSync(path, newer);
    assert.throws(() => openResults(path, REQUESTS, HASH), /another version of Touchstone/);
  }));

Deno.test("configurationSha256() sees every setting, and not their order", () => {
  const { verifier } = components();
  const named = (settings: Record<string, number>) =>
    configurationSha256(components({ verifier: { ...verifier, settings } }));
  assert.equal(named({ a: 1, b: 2 }), named({ b: 2, a: 1 }));
  assert.notEqual(named({ a: 1, b: 2 }), named({ a: 1, b: 3 }));
  assert.notEqual(configurationSha256(components({ judgeClaims: true })), HASH);
});
