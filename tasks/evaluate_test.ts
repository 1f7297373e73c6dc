import assert from "node:assert/strict";
import { NORSE_STUDY } from "../lib/norse/study.ts";
import { readSettings } from "../lib/pairs/asked.ts";
import { SANSKRIT_STUDY } from "../lib/sanskrit/study.ts";
import { exitCodeOf } from "./command.ts";
import { batchOf, onnxOf, panelOf, requireFitting, TASK } from "./evaluate.ts";

Deno.test("onnxOf() takes a masked model in place of a panel, with its name and licence", () => {
  assert.equal(onnxOf({ panel: "local" }), undefined);
  const tiny = { onnx: "models/tiny", id: "tiny", licence: "MIT" };
  assert.deepEqual(onnxOf(tiny), { id: "tiny", path: "models/tiny", licence: "MIT" });
  assert.throws(() => onnxOf({ ...tiny, licence: "" }), /needs --id.* and --licence/);
  assert.throws(() => onnxOf({ ...tiny, id: "a/b" }), /needs --id, of letters/);
  assert.throws(() => onnxOf({ ...tiny, id: "bidirectional_character" }), /own masked model/);
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

Deno.test("batchOf() reads what is to be done with batches, and refuses what excludes each other", () => {
  assert.equal(batchOf({ estimate: true }), undefined);
  assert.deepEqual(batchOf({ batch: true }), { mode: "all", window: "24h", pollSeconds: 60 });
  const submitting = batchOf({ batch: true, submitOnly: true, window: "7d", poll: 5 });
  assert.deepEqual(submitting, { mode: "submit", window: "7d", pollSeconds: 5 });
  assert.equal(batchOf({ batch: true, fetchOnly: true })?.mode, "fetch");
  for (const window of ["12h", "8d", "week"]) {
    assert.throws(() => batchOf({ batch: true, window }), /Groq takes 24h to 168h/);
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

Deno.test("requireFitting() names what an option needs, and what it excludes", () => {
  const tiny = { onnx: "models/tiny", id: "tiny", licence: "MIT" };
  const cases = [
    [{ ...tiny, panel: "local" }, /--onnx with --panel/],
    [{ ...tiny, batch: true }, /--onnx with --batch/],
    [{ id: "tiny" }, /--id without --onnx/],
    [{ batch: true, status: true, fetchOnly: true }, /--fetch-only with --status/],
    [{ fetchOnly: true }, /--fetch-only without --batch/],
    [{ window: "7d" }, /--window without --batch/],
    [{ server: "http://127.0.0.1:1/v1" }, /--server without --model/],
    [{ panel: "groq", gguf: ["a.gguf"] }, /--panel with --gguf/],
    [{ precision: "F16" }, /--precision without --gguf/],
    [{ pairs: "p.csv" }, /--pairs without --out/],
    [{ pairs: "p.csv", out: "o", study: "norse" }, /--pairs with --study/],
  ] as const;
  for (const [given, pattern] of cases) assert.throws(() => requireFitting(given), pattern);
  requireFitting({ ...tiny, study: "sanskrit" });
  requireFitting({ panel: "groq", batch: true, estimate: true, only: undefined });
});
