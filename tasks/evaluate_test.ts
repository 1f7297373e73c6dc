import assert from "node:assert/strict";
import { NORSE_STUDY } from "../lib/studies/norse/study.ts";
import { readSettings } from "../lib/pairs/addresses.ts";
import { SANSKRIT_STUDY } from "../lib/studies/sanskrit/study.ts";
import { exitCodeOf } from "./command.ts";
import { onnxOf, panelOf, requireFitting, TASK } from "./evaluate.ts";

const TINY = { onnx: "models/tiny", id: "tiny", licence: "MIT" };

Deno.test("onnxOf() reads the masked model that replaces a panel", () => {
  assert.equal(onnxOf({ panel: "local" }), undefined);
  assert.deepEqual(onnxOf(TINY), { id: "tiny", path: "models/tiny", licence: "MIT" });
});

Deno.test("a command line is refused for what an option needs, excludes, or cannot be", () => {
  const cases = [
    [onnxOf, { ...TINY, licence: "" }, /needs --id.* and --licence/],
    [onnxOf, { ...TINY, id: "a/b" }, /needs --id, of letters/],
    [onnxOf, { ...TINY, id: "bidirectional_character" }, /own masked model/],
    [requireFitting, { ...TINY, panel: "local" }, /--onnx with --panel/],
    [requireFitting, { id: "tiny" }, /--id without --onnx/],
    [requireFitting, { server: "http://127.0.0.1:1/v1" }, /--server without --model/],
    [requireFitting, { panel: "groq", gguf: ["a.gguf"] }, /--panel with --gguf/],
    [requireFitting, { pairs: "p.csv" }, /--pairs without --out/],
    [requireFitting, { pairs: "p.csv", out: "o", study: "norse" }, /--pairs with --study/],
  ] as const;
  for (const [read, given, pattern] of cases) assert.throws(() => read(given), pattern);
  requireFitting({ ...TINY, study: "sanskrit" });
  requireFitting({ panel: "groq", estimate: true, only: undefined });
});

Deno.test("Feature: old-norse-minimal-pairs, Property 16: all committed answers were given under the same settings", () => {
  for (const { name, files } of [NORSE_STUDY, SANSKRIT_STUDY]) {
    const asked = Object.values(readSettings(files.settings)).map(({ settings }) => settings)
      .filter(({ temperature }) => temperature !== undefined);
    assert.ok(asked.length >= 2, name);
    for (const setting of ["temperature", "topP", "maxReplyTokens", "systemPrompt"]) {
      const values = asked.flatMap((own) => own[setting] === undefined ? [] : [own[setting]]);
      assert.ok(new Set(values).size <= 1, `${name}: ${setting} is ${values.join(" and ")}`);
    }
  }
});

Deno.test("evaluate refuses what it cannot take, and only helps where asked for help", async () => {
  assert.equal(await exitCodeOf(TASK, ["--help"]), 0);
  for (const line of ["--study gothic", "--orders one", "--limit 0", "--models ,", "--model a"]) {
    assert.equal(await exitCodeOf(TASK, line.split(" ")), 1, line);
  }
});

Deno.test("panelOf() asks this machine's models unless a panel or models are named", () => {
  assert.equal(panelOf({}).name, "local");
  assert.equal(panelOf({ panel: "groq" }).name, "groq");
  const choice = panelOf({ panel: "groq", only: "choice" });
  assert.deepEqual(choice.models, panelOf({ panel: "groq" }).models);
  assert.throws(() => panelOf({ panel: "groq", only: "likelihood" }), /no model of the panel groq/);
  const own = panelOf({ server: "http://127.0.0.1:1/v1", model: "m", only: "likelihood" });
  assert.deepEqual([own.name, own.models.map(({ roles }) => roles)], ["own", [["likelihood"]]]);
  assert.throws(() => panelOf({ gguf: ["absent.gguf"] }), /absent\.gguf: there is no such file/);
});
