import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inFolder } from "../../files/testdata/folder.ts";
import type { GgufEntry } from "../panel.ts";
import { openContainedModel } from "./contained_model.ts";

const SCRIPT = fileURLToPath(new URL("testdata/crashing_model.ts", import.meta.url));

const entryAt = (path: string): GgufEntry => ({
  ...{ kind: "gguf", id: "mine", path, licence: "MIT", roles: ["chat", "likelihood"] },
  ...{ readout: "generation", precision: "shipped", contextTokens: 256 },
});

const open = (folder: string, path = join(folder, "mine.gguf")) =>
  openContainedModel(entryAt(path), { cacheDirectory: folder }, SCRIPT);

Deno.test("a model in a process of its own answers, stops and fails as one in this process", () =>
  inFolder(async (folder) => {
    await using model = await open(folder);
    assert.equal(model.name, "mine");
    assert.deepEqual(model.likelihood!.settings, { temperature: 0, precision: "F32" });
    assert.deepEqual([model.chat!.concurrency, model.likelihood!.concurrency], [2, 4]);
    const [likely] = await model.likelihood!.score(["impossible"]);
    assert.equal(likely!.logProbability, -Infinity);
    const ask = (question: string) => model.chat!.ask(question);
    const [answered, crashed] = await Promise.all([ask("A or B?"), ask("abort?")]);
    assert.deepEqual(answered.kind === "answer" && answered.text, "A");
    assert.ok(crashed.kind === "failure" && crashed.isRefused);
    assert.match(crashed.message, /Cannot answer: llama\.cpp ends the process/);
    const gone = AbortSignal.abort("Ctrl-C");
    const stopped = await model.chat!.ask("A or B?", { signal: gone });
    assert.match(stopped.kind === "failure" ? stopped.message : "", /stopped \(Ctrl-C\)/);
  }));

Deno.test("a model that crashes as it is loaded is one line", () =>
  inFolder(async (folder) => {
    await assert.rejects(
      open(folder, join(folder, "unloadable.gguf")),
      /^SyntaxError: Cannot use unloadable\.gguf: llama\.cpp ends the process .*SIGABRT/,
    );
  }));
