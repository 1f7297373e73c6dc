import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import type { LanguageModel } from "../model.ts";
import { namedPanel, parsePanel } from "../panel.ts";
import { tryGguf } from "./gguf_model.ts";
import { loadLocalModel } from "./local_models.ts";
import { writeTinyQwen2 } from "./testdata/tiny_qwen2.ts";

/** A model file of this kind in a folder of its own. */
const withFile = (
  options: Parameters<typeof writeTinyQwen2>[1],
  work: (path: string) => void | Promise<void>,
) =>
  inFolder(async (folder) => {
    const path = join(folder, "tiny.qwen2.gguf");
    writeTinyQwen2(path, options);
    await work(path);
  });

const withModel = (
  options: Parameters<typeof writeTinyQwen2>[1],
  work: (model: LanguageModel) => Promise<void>,
  batch?: number,
) =>
  withFile(options, async (path) => {
    const [entry] = namedPanel({ gguf: [path], precision: "shipped" }).models;
    assert.ok(entry?.kind === "gguf");
    const how = { cacheDirectory: dirname(path), threads: 1, batch };
    await using model = await loadLocalModel(entry, how);
    await work(model.likelihood!);
  });

/** Results of transformers' Qwen2 with the same weights: printed by testdata/tiny_qwen2.py. */
const PYTORCH = [
  ["the cat sat", 9, -43.6881],
  ["the cats sat on the mat.", 20, -98.3031],
  ["Ab?", 3, -15.0236],
] as const;

Deno.test("a Qwen2 model of one's own gives what PyTorch gives on the same weights, within 0.1 nats", () =>
  withModel({}, async (model) => {
    const scores = await model.score(PYTORCH.map(([text]) => text));
    for (const [at, [text, tokens, nats]] of PYTORCH.entries()) {
      assert.equal(scores[at]!.tokens, tokens, text);
      const off = Math.abs(scores[at]!.logProbability - nats);
      assert.ok(off < 0.01, `${text}: ${off} nats off`);
    }
    // It has no BOS: the separator of documents stands before the first token, which is scored too.
    assert.equal(model.settings["startTokenSource"], "end-of-text");
    // No byte of ä is in its vocabulary: left out, it would cost nothing.
    await assert.rejects(
      model.score(["the bär"]),
      /Cannot score "the bär": the model's vocabulary reads it as "the br"/,
    );
  }));

Deno.test("a vocabulary that puts a space before every text does not put two", () =>
  withModel({ pieces: true }, async ({ score, settings }) => {
    assert.equal(settings["addsSpace"], true);
    const [alone, spaced, both] = await score(["a", " a", "a b"]);
    assert.deepEqual([alone!.tokens, both!.tokens], [1, 2]);
    assert.equal(spaced!.logProbability, alone!.logProbability);
  }));

Deno.test("scoreParts() finds the end of a word whatever the vocabulary does with spaces", async () => {
  for (const pieces of [false, true]) {
    await withModel({ pieces }, async ({ score, scoreParts }) => {
      const [[first, last], [alone]] = await Promise.all([
        scoreParts!([
          { text: "cab, a b", through: "cab" },
          { text: "cab  a b", through: "cab  a b" },
        ]),
        scoreParts!([{ text: " cab", through: " cab" }]),
      ]);
      const [cab] = await score(["cab"]);
      assert.equal(first!.through!.tokens, cab!.tokens);
      // What may follow is not certain to end the word.
      assert.ok(first!.through!.logProbability < cab!.logProbability - 0.1);
      assert.ok(last!.through!.logProbability < last!.whole.logProbability);
      assert.equal(last!.through!.tokens, last!.whole.tokens);
      assert.equal(alone!.through!.tokens, alone!.whole.tokens);
    });
  }
});

Deno.test("pairs in batches have the scores of pairs one by one, within 0.01 nats; one that cannot be scored costs no other", async () => {
  const nouns = ["cat", "cats", "mat", "bat"];
  const pairs = Array.from({ length: 30 }, (_, at) => {
    const start = `${"the ".repeat(1 + at % 7)}${nouns[at % 4]}`;
    return [
      { text: `${start} sat on the mat.`, through: `${start} sat` },
      { text: `${start} mat.`, through: `${start} mat` },
    ];
  });
  pairs.splice(11, 0, [{ text: "the bär", through: "the bär" }, pairs[0]![1]!]);
  const scored = async (batch?: number) => {
    const found: (readonly number[] | string)[] = [];
    await withModel({}, async ({ scoreParts, concurrency }) => {
      assert.equal(concurrency, batch ?? 1);
      const outcomes = await Promise.allSettled(pairs.map((pair) => scoreParts!(pair)));
      found.push(
        ...outcomes.map((one) =>
          one.status === "rejected"
            ? one.reason.message
            : one.value.flatMap(({ whole, through }) =>
              [whole, through!].map((score) => score.logProbability)
            )
        ),
      );
    }, batch);
    return found;
  };
  const [alone, ...batches] = [await scored(), await scored(4), await scored(20)];
  for (const [at, expected] of alone!.entries()) {
    for (const { [at]: found } of batches) {
      if (typeof expected === "string" || typeof found === "string") {
        assert.equal(found, expected);
      } else expected.forEach((nats, i) => assert.ok(Math.abs(nats - found![i]!) < 0.01));
    }
  }
  assert.match(String(alone![11]), /Cannot score "the bär"/);
});

Deno.test("a panel takes a file in one line: what was taught to chat is asked, what was not is scored", async () => {
  const panel = (path: string) =>
    parsePanel(`name: one\nmodels: [{ path: ${path} }]\n`, "p.yaml", "/").models[0]!;
  await withFile({}, (path) => {
    const { id, roles, licence } = panel(path);
    assert.deepEqual([id, roles, licence], ["tiny.qwen2", ["likelihood"], "not stated"]);
  });
  await withFile({ template: "{{ messages[0].content }}" }, (path) => {
    assert.deepEqual(panel(path).roles, ["chat", "likelihood"]);
    assert.throws(() => panel(path.slice(0, -1)), /Cannot use .*qwen2\.ggu: there is no such file/);
    Deno.writeTextFileSync(path, "text");
    assert.throws(() => panel(path), /it is no GGUF file/);
  });
  const { models: [served] } = namedPanel({ server: "http://127.0.0.1:8000/v1", model: "m" });
  assert.deepEqual([served!.id, served!.roles], ["m", ["chat", "likelihood"]]);
});

Deno.test("a chat template that raises costs the choice of its model alone", () =>
  withFile({ template: "{{ raise_exception('only for tools') }}" }, async (path) => {
    const [entry] = namedPanel({ gguf: [path], precision: "shipped" }).models;
    assert.ok(entry?.kind === "gguf");
    await using model = await loadLocalModel(entry, { cacheDirectory: dirname(path), threads: 1 });
    assert.equal(model.chat, undefined);
    assert.match(model.chatProblem!, /Cannot use the model's chat template: .*only for tools/);
    assert.equal((await model.likelihood!.score(["the cat"])).length, 1);
  }));

Deno.test("a vocabulary without tokens for single bytes is refused before it ends the process", () =>
  withFile({ pieces: true, bytes: false }, async (path) => {
    const [entry] = namedPanel({ gguf: [path], precision: "shipped" }).models;
    assert.ok(entry?.kind === "gguf");
    await assert.rejects(
      loadLocalModel(entry, { cacheDirectory: dirname(path), threads: 1 }),
      /its vocabulary has no tokens for 162 of 256 bytes, and llama\.cpp ends the process where/,
    );
  }));

Deno.test("tryGguf() reads and loads a file in a process of its own, and says what is wrong with it", () =>
  withFile({}, (path) => {
    assert.deepEqual(tryGguf("facts", path), { isChat: false });
    assert.deepEqual(tryGguf("load", path), {});
    Deno.truncateSync(path, Deno.statSync(path).size - 4096);
    assert.throws(() => tryGguf("load", path), SyntaxError);
  }));
