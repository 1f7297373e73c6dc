import assert from "node:assert/strict";
import fc from "fast-check";
import { characterNgramBaseline, unigramBaseline } from "./baselines.ts";

function assertClose(found: number, expected: number): void {
  assert.ok(Math.abs(found - expected) < 1e-12, `${found} is not ${expected}`);
}

const sentence = (fold: string, text: string) => ({ fold, text });

Deno.test("unigramBaseline() is add-one over what lies outside the fold", () => {
  const model = unigramBaseline([sentence("1", "Hann gekk. Hann kom."), sentence("2", "Hon kom.")]);
  // Four words in all (hann, gekk, kom, hon); outside chapter 2: hann 2, gekk 1, kom 1, N = 4.
  assertClose(model.score("hann", "2").logProbability, Math.log(3 / 9));
  assertClose(model.score("Hon kom", "2").logProbability, Math.log(1 / 9) + Math.log(2 / 9));
  assertClose(model.score("ormr", "2").logProbability, Math.log(1 / 9));
  assertClose(model.score("hann", "1").logProbability, Math.log(1 / 7));
});

Deno.test("characterNgramBaseline() is Witten–Bell by hand: one sentence 'ab', order 2", () => {
  const model = characterNgramBaseline([sentence("1", "ab")], 2);
  // Symbols a, b, end: each once, so P₁ = (1 + 3·¼)/(3 + 3) = 7/24, and unknown ¾/6 = 1/8.
  // P(a|start) = (1 + P₁)/2, P(b|a) and P(end|b) alike.
  assertClose(model.score("ab", "2").logProbability, 3 * Math.log((1 + 7 / 24) / 2));
  // 'x': P(x|start) = (1/8)/2; after an unknown context only P₁ is left.
  assertClose(model.score("x", "2").logProbability, Math.log(1 / 16) + Math.log(7 / 24));
  // Nothing is left outside the only fold: uniform over a, b, end and one unknown.
  assertClose(model.score("ab", "1").logProbability, 3 * Math.log(1 / 4));
});

/** All texts over the symbols with at most `length` characters. */
function textsUpTo(length: number, symbols: readonly string[]): readonly string[] {
  if (length === 0) return [""];
  const shorter = textsUpTo(length - 1, symbols);
  const longest = shorter.filter((text) => text.length === length - 1);
  return [...shorter, ...longest.flatMap((text) => symbols.map((symbol) => text + symbol))];
}

Deno.test("characterNgramBaseline() gives all texts together the probability one", () => {
  const sentences = ["a", "b", "ab", "", "a"].map((text, i) => sentence(String(i % 2), text));
  const texts = textsUpTo(7, ["a", "b", "?"]);
  for (const order of [1, 2, 3]) {
    const model = characterNgramBaseline(sentences, order);
    const mass = (length: number) =>
      texts.filter((text) => text.length <= length)
        .reduce((sum, text) => sum + Math.exp(model.score(text, "2").logProbability), 0);
    assert.ok(mass(7) <= 1 + 1e-12 && mass(7) > 0.97, `${order}: ${mass(7)}`);
    // What is left halves or better with each further character: the rest of a whole.
    assert.ok(1 - mass(7) < 0.7 * (1 - mass(6)));
  }
});

Deno.test("held-out baselines never learn from the fold they score", () => {
  const rest = [sentence("1", "Hann gekk heim."), sentence("2", "Hon kom til hallar.")];
  const text = fc.string({ minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(text, text, (own, asked) => {
      for (const build of [unigramBaseline, (s: typeof rest) => characterNgramBaseline(s, 3)]) {
        // The alphabet is that of all sentences, so the same characters must be known without it.
        const known = [...rest, sentence("3", own)];
        const twice = [...rest, sentence("3", own), sentence("3", own)];
        const once = build(known).score(asked, "3").logProbability;
        assertClose(build(twice).score(asked, "3").logProbability, once);
      }
    }),
    { numRuns: 100 },
  );
});
