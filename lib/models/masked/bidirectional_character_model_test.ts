import assert from "node:assert/strict";
import fc from "fast-check";
import { bidirectionalCharacterModel } from "./bidirectional_character_model.ts";
import { pseudoLikelihoodModel } from "./pseudo_likelihood.ts";

const sentence = (fold: string, text: string) => ({ fold, text });
const SMALL = { contextCharacters: 1, backOffWeight: 1 };

function assertClose(found: number | undefined, expected: number): void {
  assert.ok(Math.abs(found! - expected) < 1e-12, `${found} is not ${expected}`);
}

async function probability(
  model: ReturnType<typeof bidirectionalCharacterModel>,
  text: string,
  position: number,
  masked: readonly number[] = [position],
): Promise<number> {
  const [found] = await model.tokenise(text).logProbabilities([{ position, masked }]);
  return Math.exp(found!);
}

Deno.test("bidirectionalCharacterModel() by hand: one sentence 'ab', one character a side", async () => {
  const model = bidirectionalCharacterModel([sentence("1", "ab")], () => ["2"], SMALL);
  // Alone: a and b (1 + 2/3)/4 = 5/12, unknown 1/6. After the start, and before b: a 17/24, b 5/24,
  // unknown 1/12. So a : b : unknown = 289 : 25 : 10.
  assertClose(await probability(model, "ab", 0), 289 / 324);
  assertClose(await probability(model, "bb", 0), 25 / 324);
  assertClose(await probability(model, "?b", 0), 10 / 324);
  // With b hidden only the start is seen; with no known neighbour, only the letter alone.
  assertClose(await probability(model, "ab", 0, [0, 1]), 17 / 24);
  assertClose(await probability(model, "?b?", 1), 5 / 12);
  for (const [variant, p] of [["original", 289 / 324], ["within_word_l2r", 17 / 24]] as const) {
    const [found] = await pseudoLikelihoodModel(model, variant).score(["ab"]);
    assertClose(found?.logProbability, Math.log(p * 289 / 324));
  }
});

const LETTERS = ["a", "b", " ", "क", "ा"];

const text = (minLength: number) =>
  fc.array(fc.constantFrom(...LETTERS), { minLength, maxLength: 12 }).map((all) => all.join(""));

Deno.test("bidirectionalCharacterModel() gives all characters together the probability one (property)", async () => {
  const cases = fc.record({
    texts: fc.array(text(0), { minLength: 1, maxLength: 6 }),
    left: text(0),
    right: text(0),
    hiddenBeside: fc.nat({ max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ texts, left, right, hiddenBeside }) => {
      const sentences = texts.map((each, at) => sentence(String(at % 2), each));
      const model = bidirectionalCharacterModel(sentences, () => ["0"], { contextCharacters: 3 });
      const alphabet = [...new Set(texts.join(""))];
      const masked = Array.from({ length: hiddenBeside + 1 }, (_, at) => left.length + at)
        .filter((at) => at <= left.length + right.length);
      let sum = 0;
      for (const letter of [...alphabet, "?"]) {
        sum += await probability(model, left + letter + right, left.length, masked);
      }
      assert.ok(Math.abs(sum - 1) < 1e-12, `${sum}`);
    }),
    { numRuns: 200 },
  );
});

Deno.test("bidirectionalCharacterModel() holds several folds out, another set for each text", async () => {
  const all = ["ab", "baba", "aab", "bb"].map((text, at) => sentence(`${at + 1}`, text));
  const heldOut: Readonly<Record<string, readonly string[]>> = {
    ab: ["1", "3"],
    abb: ["3", "1"],
    aab: ["2"],
    ba: [],
    bb: ["1", "2", "none"],
  };
  // By one model, after one another, so that what it knows of one set must not serve another.
  const model = pseudoLikelihoodModel(
    bidirectionalCharacterModel(all, (text) => heldOut[text]!),
    "original",
  );
  for (const [text, folds] of Object.entries(heldOut)) {
    const rest = all.filter(({ fold }) => !folds.includes(fold));
    // Both letters are in what is left, so that both models predict the same three symbols.
    const alone = pseudoLikelihoodModel(bidirectionalCharacterModel(rest, () => []), "original");
    const [[found], [expected]] = [await model.score([text]), await alone.score([text])];
    assertClose(found?.logProbability, expected!.logProbability);
  }
});
