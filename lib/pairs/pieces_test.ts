import assert from "node:assert/strict";
import { writeTinyQwen2 } from "../models/llama/testdata/tiny_qwen2.ts";
import { namedPanel } from "../models/panel.ts";
import { likelihoodTable } from "./answers.ts";
import { openOwnPairs } from "./own_pairs.ts";
import { askOwnPairs } from "./own_results.ts";
import { pieceTable } from "./pieces.ts";
import { type At, test } from "./testdata/folder.ts";

/** Asks a tiny model about two pairs, one of them with a context. */
async function asked(at: At, out: string, options: Parameters<typeof openOwnPairs>[2] = {}) {
  writeTinyQwen2(at("tiny.gguf"));
  Deno.writeTextFileSync(
    at("a.csv"),
    "id,grammatical,ungrammatical,before\none,the cats sat.,the cat sat.,\ntwo,a b,a c,Oh no.\n",
  );
  const own = await openOwnPairs(at("a.csv"), at(out), options);
  const panel = namedPanel({ gguf: [at("tiny.gguf")], precision: "shipped" });
  return { own, done: await askOwnPairs(own, panel, { local: { threads: 1 } }) };
}

const scores = (at: At, out: string) => likelihoodTable(at(`${out}/likelihoods.csv`)).read();
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const close = (a: number, b: number) => assert.ok(Math.abs(a - b) < 2e-5, `${a} and ${b}`);

test("tokens.csv and words.csv have the surprisals that make a sentence's score, and are gone on with", async (at) => {
  const { done } = await asked(at, "out", { tokens: true, words: true });
  assert.deepEqual(done.map(({ scored }) => scored), [2, 4]);
  const [tokens, words] = (["token", "word"] as const)
    .map((kind) => pieceTable(at(`out/${kind}s.csv`), kind).read());
  for (const { pairId, ...members } of scores(at, "out")) {
    for (const member of ["grammatical", "ungrammatical"] as const) {
      const rows = tokens!.filter((row) => row.pairId === pairId && row.member === member);
      assert.equal(rows.length, members[member].tokens);
      assert.ok(
        rows.every(({ of, position }, index) => of === rows.length && position === index + 1),
      );
      close(sum(rows.map(({ surprisal }) => surprisal)), -members[member].logProbability);
    }
  }
  const own = words!.filter(({ pairId, member }) => pairId === "one" && member === "grammatical");
  assert.deepEqual(own.map(({ text, region, word }) => [text, region, word]), [
    ["the", "before", 1],
    ["cats", "word", 2],
    ["sat.", "after", 3],
  ]);
  assert.deepEqual(own.map(({ tokens }) => tokens), [1, 5, 5]);
  // The end of the last word is all that the words have more than the sentence.
  const whole = sum(
    tokens!.filter((row) => row.pairId === "one" && row.member === "grammatical")
      .map(({ surprisal }) => surprisal),
  );
  assert.ok(sum(own.map(({ surprisal }) => surprisal)) > whole + 1e-3);
  assert.deepEqual((await asked(at, "out", { tokens: true, words: true })).done, []);
  // A table that lost a row is completed; sentences that were scored before get their tokens.
  const path = at("out/tokens.csv");
  Deno.writeTextFileSync(
    path,
    Deno.readTextFileSync(path).replace(/.*,two,grammatical,2,.*\n/, ""),
  );
  assert.deepEqual((await asked(at, "out", { tokens: true })).done.map(({ scored }) => scored), [
    1,
  ]);
  await asked(at, "later");
  await asked(at, "later", { tokens: true });
  assert.equal(pieceTable(at("later/tokens.csv"), "token").read().length, tokens!.length);
  assert.deepEqual(scores(at, "later"), scores(at, "out"));
});

test("--context: both members are scored after a text of their own, which is not scored", async (at) => {
  const { own } = await asked(at, "out", { context: "before", tokens: true });
  assert.deepEqual(own.pairs.map(({ prefix }) => prefix), [undefined, "Oh no."]);
  await asked(at, "without");
  const [one, two] = scores(at, "out");
  const [alike, other] = scores(at, "without");
  assert.deepEqual(one, alike);
  assert.equal(two!.grammatical.tokens, 4); // " a" and " b" are two tokens each of this vocabulary.
  assert.notEqual(two!.grammatical.logProbability, other!.grammatical.logProbability);
  assert.notEqual(two!.asked, other!.asked);
  await assert.rejects(asked(at, "no", { context: "ctx" }), /no column is called ctx; it has id, /);
});
