import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { addressOf, askMissing, planWork, type Settings } from "./asking.ts";
import { name, table, text } from "./table.ts";
import { inFolder } from "./testdata/folder.ts";

const TABLE = table({
  path: "/nowhere/answers.csv",
  about: "made for this test",
  maker: "the test",
  columns: { id: name("question"), asked: text("digest"), answer: text("reply") },
  key: ["id"],
});
/** The table in a folder of its own. */
const withTable = (work: (own: typeof TABLE) => Promise<void>) =>
  inFolder((folder) => work(TABLE.at(join(folder, "t.csv"))));
const keyOf = (id: string) => JSON.stringify([id]);
const answer = (id: string, asked = "v1") => ({ id, asked, answer: id.toUpperCase() });

Deno.test("askMissing() asks what is missing or was asked otherwise, and leaves other rows alone", async () => {
  await withTable(async (own) => {
    using open = own.open();
    for (const row of [answer("a"), answer("b", "old"), answer("z")]) open.put(row);
    const asked: string[] = [];
    const outcome = await askMissing({
      questions: ["a", "b", "c", "c", "d"],
      keyOf,
      table: open,
      isCurrent: (row) => row.asked === "v1",
      ask: (id) => {
        asked.push(id);
        return Promise.resolve(id === "d" ? undefined : answer(id));
      },
    });
    assert.deepEqual(asked, ["b", "c", "d"]);
    const rows = ["a", "b", "c", "c"].map((id) => answer(id));
    assert.deepEqual(outcome, { asked: 2, failed: 1, missing: 1, rows });
    assert.deepEqual([...open.rows.values()], [answer("a"), answer("b"), answer("z"), answer("c")]);
  });
});

Deno.test("askMissing() keeps no answer that comes after the abort, and says what is missing", async () => {
  await withTable(async (own) => {
    using open = own.open();
    const stop = new AbortController();
    const ask = (id: string) => {
      if (id === "b") stop.abort();
      return Promise.resolve(answer(id));
    };
    const questions = ["a", "b", "c"];
    const outcome = await askMissing({ questions, keyOf, table: open, ask, signal: stop.signal });
    assert.deepEqual(outcome, { asked: 1, failed: 0, missing: 2, rows: [answer("a")] });
    assert.deepEqual([...open.rows.keys()], [keyOf("a")]);
  });
});

Deno.test("askMissing() loses no answer to an error, and puts them in order where asked (property)", async () => {
  const replies = fc.array(
    fc.record({
      milliseconds: fc.integer({ min: 0, max: 3 }),
      kind: fc.constantFrom("answer", "answer", "answer", "none", "error"),
    }),
    { minLength: 1, maxLength: 10 },
  );
  await fc.assert(
    fc.asyncProperty(
      replies,
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      (replies, concurrency, inOrder) =>
        withTable(async (own) => {
          using open = own.open();
          const questions = replies.map((_, index) => `q${index}`);
          const answered: string[] = [];
          const ask = async (id: string) => {
            const { milliseconds, kind } = replies[questions.indexOf(id)]!;
            await new Promise((resolve) => setTimeout(resolve, milliseconds));
            if (kind === "error") throw new Error("the context is full");
            if (kind === "none") return undefined;
            answered.push(id);
            return answer(id);
          };
          const asking = { questions, keyOf, table: open, ask, concurrency, inOrder };
          const why = await askMissing(asking).catch((error: Error) => error.message);
          const isRefused = replies.some(({ kind }) => kind === "error");
          assert.equal(why === "the context is full", isRefused);
          // Nothing that was answered is lost, also of what was under way.
          const expected = inOrder ? questions.filter((id) => answered.includes(id)) : answered;
          assert.deepEqual(own.readSoFar().rows.map(({ id }) => id), expected);
        }),
    ),
    { numRuns: 100 },
  );
});

Deno.test("askMissing() ends in the same table however often it is interrupted", async () => {
  const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3, unit: "grapheme-ascii" }));
  await fc.assert(fc.asyncProperty(
    ids,
    fc.integer({ min: 1, max: 4 }),
    (questions, step) =>
      withTable(async (own) => {
        const asked: string[] = [];
        for (let missing = Infinity; missing > 0;) {
          using open = own.open();
          const stop = new AbortController();
          let left = step;
          const ask = (id: string) => {
            asked.push(id);
            return Promise.resolve(answer(id));
          };
          const onProgress = () => left-- === 0 && stop.abort();
          ({ missing } = await askMissing({
            questions,
            keyOf,
            table: open,
            ask,
            signal: stop.signal,
            onProgress,
          }));
        }
        assert.deepEqual(asked, questions);
        assert.deepEqual(own.read(), questions.map((id) => answer(id)));
      }),
  ));
});

/** Settings of a model that count, each with another value. */
const COUNTED = {
  model: ["m", "n"],
  hostModel: ["m-1", "m-2"],
  host: ["groq", "openai-compatible"],
  fileSha256: ["aa", "bb"],
  weightsSha256: ["aa", "bb"],
  precision: ["F32", "F16"],
  chatTemplate: ["{{a}}", "{{b}}"],
  systemPrompt: ["", "Be brief."],
  promptSha256: ["aa", "bb"],
  responseFormat: ["text", "json_schema"],
  readout: ["generation", "next-token"],
  reasoningEffort: ["low", "high"],
  temperature: [0, 0.7],
  topP: [1, 0.9],
  seed: [1, 2],
  maxReplyTokens: [10, 20],
  stop: ["\n", "\n\n"],
  contextTokens: [2048, 4096],
  startToken: [0, 2],
  flashAttention: [false, true],
  calibrated: [false, true],
  slope: [1, 1.5],
  somethingNew: ["a", "b"],
} as const;
const UNCOUNTED = {
  engine: ["llama.cpp v0.4.0", "llama.cpp v0.5.0"],
  access: ["ffi", "server"],
  threads: [1, 8],
  batchTokens: [256, 512],
  sharedTexts: [8, 16],
  sharedTokens: [128, 256],
  timeoutSeconds: [60, 300],
  licence: ["MIT", "Apache-2.0"],
} as const;

Deno.test("addressOf() changes with each setting that can change an answer, and with no other", () => {
  const firsts = (of: Readonly<Record<string, readonly [unknown, unknown]>>) =>
    Object.fromEntries(Object.entries(of).map(([name, [first]]) => [name, first])) as Settings;
  const settings = firsts({ ...COUNTED, ...UNCOUNTED });
  /** Ways of addressing: a model's settings, parts by prefix, nested settings. */
  const ways: readonly ((settings: Settings) => string)[] = [
    addressOf,
    (own) => addressOf(["model", own, { question: "Is it so?" }]),
    (own) =>
      addressOf(
        Object.fromEntries(
          Object.entries(own).map(([name, value]) => [`a.b ${name}.${name}`, value]),
        ),
      ),
    (own) => addressOf({ verifier: "v", nested: { name: "w", settings: own } }),
  ];
  for (const address of ways) {
    const before = address(settings);
    assert.match(before, /^[0-9a-f]{12}$/);
    for (const [name, [, other]] of Object.entries(COUNTED)) {
      assert.notEqual(address({ ...settings, [name]: other }), before, name);
      const { [name]: _left, ...without } = settings;
      assert.notEqual(address(without), before, name);
    }
    for (const [name, [, other]] of Object.entries(UNCOUNTED)) {
      assert.equal(address({ ...settings, [name]: other }), before, name);
    }
    const reversed = Object.fromEntries(Object.entries(settings).toReversed());
    assert.equal(address(reversed), before);
  }
  const asked = { prompt: "P", messages: ["one", "two"], question: "Q" };
  for (const other of [{ prompt: "p" }, { messages: ["two", "one"] }, { question: "q" }]) {
    assert.notEqual(addressOf({ ...asked, ...other }), addressOf(asked));
  }
});

Deno.test("planWork() compares once; what a part of it keeps, the whole keeps", async () => {
  await withTable(async (own) => {
    using open = own.open();
    for (const row of [answer("a"), answer("b", "old")]) open.put(row);
    const questions = ["a", "b", "c", "d", "c"];
    const isCurrent = ({ asked }: { readonly asked: string }) => asked === "v1";
    const work = planWork({ questions, keyOf, rows: open.rows, isCurrent });
    assert.deepEqual(work.planned, ["a", "b", "c", "d"]);
    assert.deepEqual([...work.missing.values()], ["b", "c", "d"]);
    const part = work.within((id) => id !== "d");
    const ask = (id: string) => Promise.resolve(id === "b" ? undefined : answer(id));
    const outcome = await askMissing({ work: part, table: open, ask });
    assert.deepEqual(outcome, {
      asked: 1,
      failed: 1,
      missing: 1,
      rows: [answer("a"), answer("c")],
    });
    assert.deepEqual([...work.kept.values()], [answer("a"), answer("c")]);
    assert.deepEqual([...work.missing.values()], ["b", "d"]);
    // Once more is known of who is asked, rows may turn out to be another's.
    work.compare(open.rows, ({ id }) => id !== "a");
    assert.deepEqual([...work.missing.values()], ["a", "d"]);
  });
});
