import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { askMissing } from "./ask_missing.ts";
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
