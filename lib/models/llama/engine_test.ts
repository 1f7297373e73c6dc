import assert from "node:assert/strict";
import fc from "fast-check";
import {
  continuesWord,
  lendingPool,
  spareCores,
  tokenPositions,
  wordEndLogProbability,
} from "./engine.ts";

/** Tasks that are ended by hand, in any order, with who was lent what. */
function handTasks(most: number) {
  let made = 0;
  const lender = lendingPool(most, () => made++);
  const started: { readonly task: number; readonly lent: number; end(): void }[] = [];
  const run = (task: number) =>
    lender.lend(async (lent) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      started.push({ task, lent, end: resolve });
      await promise;
      return task;
    });
  return { lender, started, run, made: () => made };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("lendingPool() never lends one thing twice nor makes more than it may, and serves all in order (property)", async () => {
  const course = fc.record({
    most: fc.integer({ min: 1, max: 4 }),
    ends: fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(course, async ({ most, ends }) => {
      const { lender, started, run, made } = handTasks(most);
      const results = ends.map((_, task) => run(task));
      const atWork: typeof started = [];
      let seen = 0;
      let closed: Promise<readonly number[]> | undefined;
      for (const end of ends) {
        await settled();
        atWork.push(...started.slice(seen));
        seen = started.length;
        assert.equal(new Set(atWork.map(({ lent }) => lent)).size, atWork.length);
        assert.ok(atWork.length === most || atWork.length < most && seen === ends.length);
        if (closed === undefined) assert.equal(lender.lent(), atWork.length);
        // Closing, too, waits for who is at work.
        if (seen === ends.length) closed ??= lender.close();
        atWork.splice(end % atWork.length, 1)[0]!.end();
      }
      assert.deepEqual(await Promise.all(results), ends.map((_, task) => task));
      assert.deepEqual(started.map(({ task }) => task), ends.map((_, task) => task));
      assert.equal(made(), Math.min(most, ends.length));
      assert.equal(new Set(await closed).size, made());
      assert.deepEqual(await lender.close(), []);
      await assert.rejects(run(99), /has been closed/);
    }),
    { numRuns: 100 },
  );
});

Deno.test("lendingPool() lends what was given back last, and what a failed task had", async () => {
  const { lender, started, run } = handTasks(3);
  const both = [run(0), run(1)];
  await settled();
  started[0]!.end();
  started[1]!.end();
  await Promise.all(both);
  const used: number[] = [];
  for (const fails of [true, false, false]) {
    const task = lender.lend((lent) => {
      used.push(lent);
      return fails ? Promise.reject(new Error("no")) : Promise.resolve();
    });
    await task.catch(() => undefined);
  }
  assert.deepEqual(used, [1, 1, 1]);
  // Nothing is made while something is free, and what cannot be made is not lent.
  const refusing = lendingPool(2, (): number => {
    throw new RangeError("no memory");
  });
  await assert.rejects(refusing.lend(() => Promise.resolve()), /no memory/);
  assert.deepEqual([refusing.lent(), await refusing.close()], [0, []]);
});

Deno.test("spareCores() parts threads among tasks, and gives one for ten seconds after cores were shared", () => {
  let [now, atWork] = [0, 1];
  const cores = spareCores(4, () => atWork, () => now);
  const threadsAt = (time: number, tasks = 1) => {
    [now, atWork] = [time, tasks];
    return cores.threads();
  };
  assert.deepEqual([0, 1, 2, 3, 4, 9].map((tasks) => threadsAt(0, tasks)), [4, 4, 2, 1, 1, 1]);
  // Four threads for 100 ms: 400 ms of the processor where no other process uses it.
  cores.note(4, 390, 100);
  assert.equal(threadsAt(0), 4);
  cores.note(4, 270, 100);
  // One thread is no evidence; the end of the ten seconds is not put off.
  now = 9_000;
  cores.note(1, 50, 100);
  assert.deepEqual([0, 9_999, 10_000].map((time) => threadsAt(time)), [1, 1, 4]);
  // Where it took long, it is long until it is tried again.
  cores.note(4, 9_000, 5_000);
  assert.deepEqual([59_999, 60_000].map((time) => threadsAt(time)), [1, 4]);
});

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("continuesWord() holds for what has a letter before its first white space", () => {
  for (const piece of ["ly", "S", "ॐ", "ं", "7", "'s", ".com", "—and", "\u200d", "ly now"]) {
    assert.ok(continuesWord(bytes(piece)), piece);
  }
  for (const piece of ["", " ly", "\nly", ".", ",\n", "“ ", " ", "'", "😀", "\u00a0a"]) {
    assert.ok(!continuesWord(bytes(piece)), JSON.stringify(piece));
  }
  // A part of a character: ð, अ; of “ and of an emoji.
  for (const part of [[0xc3], [0xe0, 0xa4], [0x2e, 0xc3]]) {
    assert.ok(continuesWord(Uint8Array.from(part)), String(part));
  }
  for (const part of [[0xe2, 0x80], [0xf0, 0x9f], [0x20, 0xc3]]) {
    assert.ok(!continuesWord(Uint8Array.from(part)), String(part));
  }
});

Deno.test("wordEndLogProbability() is the share of what continues no word", () => {
  const logits = Float32Array.from([1, 2, 4, 1].map(Math.log));
  const close = (value: number, wanted: number) => assert.ok(Math.abs(value - wanted) < 1e-6);
  close(wordEndLogProbability(logits, (token) => token === 2), Math.log(4 / 8));
  close(wordEndLogProbability(logits, () => false), 0);
  assert.equal(wordEndLogProbability(logits, () => true), -Infinity);
});

Deno.test("tokenPositions() finds the last token of a word, and whether it holds more than the word", () => {
  const at = (text: string, beginning: string, ...pieces: readonly string[]) =>
    Object.values(tokenPositions(text, pieces.map(bytes)).tokenAt(beginning));
  assert.deepEqual(at("a grovel b", "a grovel", "a", " gro", "vel", " b"), [2, true]);
  // Spaces that a vocabulary adds, joins or takes for a token of their own.
  assert.deepEqual(at("a  b c", "a  b", " a", " b", " c"), [1, true]);
  assert.deepEqual(at("a b c", "a b", "a", " ", "b", " ", "c"), [2, true]);
  // A token that goes on holds the end of the word.
  assert.deepEqual(at("ab, c", "ab", "a", "b,", " c"), [1, false]);
  assert.deepEqual(at("ab c", "ab", "ab ", "c"), [0, false]);
  // Letters composed, and parts of letters.
  assert.deepEqual(at("a\u0301b c", "a\u0301b", "áb", " c"), [0, true]);
  const [first, second] = [...bytes("é")].map((byte) => Uint8Array.of(byte));
  const parted = tokenPositions("é x", [first!, second!, bytes(" x")]);
  const { token, isExact } = parted.tokenAt("é");
  assert.deepEqual(parted.ends(), [0, 1, 3]);
  assert.deepEqual(tokenPositions("a  b c", [" a", " b", " c"].map(bytes)).ends(), [1, 4, 6]);
  assert.deepEqual([token, isExact], [1, true]);
  assert.throws(() => at("ab c", "ab", "a", " c"), /tokens do not spell it/);
});
