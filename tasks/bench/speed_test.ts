import assert from "node:assert/strict";
import { sentenceDifference } from "../../lib/pairs/pair.ts";
import { readPairs } from "./harness.ts";
import { compareScores } from "./agreement.ts";
import { englishPairs } from "./speed.ts";

Deno.test("compareScores() counts choices that are the same; a tie is another choice than either", () => {
  const published = new Map([["a", [-1, -2]], ["b", [-3, -1]], ["c", [-2, -1]]] as const);
  const others = new Map([["a", [-1, -2.5]], ["b", [-3, -3]], ["c", [-2.25, -1]]] as const);
  assert.deepEqual(compareScores(published, others), { n: 3, same: 2, largest: 2 });
  const more = new Map([["d", [-1, -2]]] as const);
  assert.throws(() => compareScores(published, more), /Cannot compare d: it is not scored/);
});

Deno.test("englishPairs() makes 1000 pairs of one token's difference, no two alike, always the same", () => {
  const pairs = englishPairs(1000);
  for (const pair of pairs) {
    const { kind } = sentenceDifference(pair.grammatical, pair.ungrammatical);
    assert.equal(kind, "one_token", pair.grammatical);
    assert.doesNotMatch(pair.grammatical, /[{}[\]|$]/);
  }
  assert.equal(new Set(pairs.map(({ grammatical }) => grammatical)).size, 1000);
  const sizes = Map.groupBy(pairs, ({ phenomenon }) => phenomenon).values();
  assert.deepEqual([...sizes].map(({ length }) => length), [250, 250, 250, 250]);
  assert.deepEqual(englishPairs(7), pairs.slice(0, 7));
  assert.throws(() => englishPairs(1001), RangeError);
});

Deno.test("readPairs() reads a folder of BLiMP's files in their order", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const line = (good: string) =>
      `${JSON.stringify({ sentence_good: good, sentence_bad: "b", field: "syntax" })}\n`;
    Deno.writeTextFileSync(`${folder}/two.jsonl`, line("x"));
    Deno.writeTextFileSync(`${folder}/one.jsonl`, line("y") + line("z"));
    Deno.writeTextFileSync(`${folder}/README.md`, "");
    const pairs = await readPairs(folder);
    assert.deepEqual(pairs.map(({ id, grammatical }) => [id, grammatical]), [
      ["one_0001", "y"],
      ["one_0002", "z"],
      ["two_0001", "x"],
    ]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
