import assert from "node:assert/strict";
import { readGenerateOptions } from "./options.ts";

const read = (line: string) => readGenerateOptions(line.split(" ").filter(Boolean));

Deno.test("readGenerateOptions() reads every option of Old Norse, the study where none is named", () => {
  assert.deepEqual(read(""), { study: "norse", run: { estimateOnly: false } });
  assert.deepEqual(read("--source llm --limit 0 --estimate"), {
    study: "norse",
    run: { source: "llm", limit: 0, estimateOnly: true },
  });
});

Deno.test("readGenerateOptions() reads every option of Sanskrit, the specification's where none is told", () => {
  assert.deepEqual(read("--study sanskrit"), {
    study: "sanskrit",
    settings: { targetSize: 500, maxStems: 200, seed: 42 },
    replace: false,
  });
  assert.deepEqual(
    read("--study sanskrit --target-size 300 --max-stems 100 --seed 0 --replace"),
    {
      study: "sanskrit",
      settings: { targetSize: 300, maxStems: 100, seed: 0 },
      replace: true,
    },
  );
});

Deno.test("readGenerateOptions() names what it cannot take", () => {
  assert.throws(() => read("--source LLM"), /from "LLM": write rules, llm, both/);
  assert.throws(() => read("--limit some"), /limit the calls to "some": write a whole number/);
  assert.throws(() => read("--study latin"), /--study latin is none of norse, sanskrit/);
  const sanskrit = (line: string) => () => read(`--study sanskrit ${line}`);
  assert.throws(sanskrit("--target-size 0"), /--target-size "0": write a whole number from 1 to/);
  assert.throws(sanskrit("--max-stems many"), /--max-stems "many"/);
  assert.throws(sanskrit("--seed 1.5"), /--seed "1\.5": write a whole number from 0 to 9999/);
});

Deno.test("readGenerateOptions() refuses the options of the other study", () => {
  for (const option of ["--source rules", "--limit 5", "--estimate"]) {
    assert.throws(() => read(`--study sanskrit ${option}`), {
      message: /^Cannot use --\w+ for sanskrit: it is an option of --study norse\.$/,
    });
  }
  for (const option of ["--target-size 300", "--max-stems 5", "--seed 1", "--replace"]) {
    assert.throws(() => read(option), /for norse: it is an option of --study sanskrit\./);
  }
});
