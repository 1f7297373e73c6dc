import assert from "node:assert/strict";
import fc from "fast-check";
import { coversText, type EchoedToken, readEcho, sumOf } from "./openai_compatible_echo.ts";

const tokens = (...texts: readonly string[]): readonly EchoedToken[] =>
  texts.map((text) => ({ text, logProbability: -1 }));

/** A completion of the tokens of "Hánum líkaði." as vLLM writes it, with one token generated. */
const ANSWER = {
  choices: [{
    text: "Hánum líkaði. Þat",
    logprobs: {
      tokens: ["<bos>", "H", "ánum", " líkaði", ".", " Þat"],
      token_logprobs: [null, -2.5, -0.25, -7.125, -0.5, -3],
    },
  }],
  usage: { prompt_tokens: 5, completion_tokens: 1 },
};

Deno.test("readEcho() reads the prompt's tokens and cuts off what was generated", () => {
  const echoed = readEcho(ANSWER, "Hánum líkaði.");
  assert.deepEqual(echoed.map(({ text }) => text), ["<bos>", "H", "ánum", " líkaði", "."]);
  // −2.5 − 0.25 − 7.125 − 0.5, the start token's null and the generated −3 not among them.
  assert.equal(sumOf(echoed.slice(1)), -10.375);
});

Deno.test("readEcho() says what an answer lacks", () => {
  const [choice] = ANSWER.choices;
  const withChoice = (changed: object) => ({ ...ANSWER, choices: [{ ...choice, ...changed }] });
  // llama.cpp's own server writes log-probabilities of what it generated in the chat's form.
  const chatForm = { content: [{ token: "x", logprob: -1, bytes: [120], top_logprobs: [] }] };
  const uneven = { tokens: ["H"], token_logprobs: [] };
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [withChoice({ text: " Þat" }), /ignores echo/],
    [withChoice({ logprobs: null }), /without log-probabilities/],
    [{ ...ANSWER, choices: [{ text: choice?.text }] }, /without log-probabilities/],
    [withChoice({ logprobs: chatForm }), /without log-probabilities/],
    [withChoice({ logprobs: uneven }), /1 tokens with 0 log-probabilities/],
    [{ ...ANSWER, choices: [] }, /another form/],
    [{ choices: ANSWER.choices }, /another form/],
    ["<html>", /another form/],
  ];
  for (const [answer, pattern] of cases) {
    assert.throws(() => readEcho(answer, "Hánum líkaði."), {
      name: "UnusableEcho",
      message: pattern,
    });
  }
});

Deno.test("sumOf() refuses a token without log-probability, or with an impossible one", () => {
  const sumWith = (logProbability: number | null) => () => sumOf([{ text: "þ", logProbability }]);
  assert.throws(sumWith(null), /no log-probability for "þ"/);
  assert.throws(sumWith(0.5), /0.5 as log-probability of "þ"/);
  assert.throws(sumWith(-Infinity), /-Infinity/);
  assert.equal(sumWith(0.0001)(), 0);
});

Deno.test("coversText() accepts characters cut into tokens, however servers write the parts", () => {
  const covered: readonly (readonly [readonly EchoedToken[], string])[] = [
    [tokens("H", "á", "num"), "Hánum"],
    [tokens("l", "\ufffd", "\ufffd", "ngr"), "lǫngr"],
    [tokens("l", "", "ǫ", "ngr"), "lǫngr"],
    [tokens(" \ufffd", "\ufffd", "at"), " þat"],
    [tokens("bytes:\\xc3", "bytes:\\xbe", "at"), "þat"],
    [tokens(" \ufffd", "", "at"), " þat"],
    [tokens("\ufffd", "\ufffd", "\ufffd", "!"), "𐌰!"],
    [tokens("o\u0328", "ngr"), "ǫngr"],
    [tokens("o", "\u0328", "ngr"), "o\u0328ngr"],
    [tokens(" Hann", " líkaði"), "Hann líkaði"],
  ];
  for (const [given, text] of covered) assert.ok(coversText(given, text), text);
});

Deno.test("coversText() refuses what is left out, changed or added", () => {
  const refused: readonly (readonly [readonly EchoedToken[], string])[] = [
    [tokens("H", "num"), "Hánum"],
    [tokens("<bos>", "Hánum"), "Hánum"],
    [tokens("Hánum", " líkaði"), "Hánum"],
    [tokens("Hann"), "Hánum"],
    [tokens("\ufffd", "\ufffd"), "þat"],
    [tokens("(", ".", ")"), "(x)"],
    [[], "þat"],
  ];
  for (const [given, text] of refused) assert.equal(coversText(given, text), false, text);
});

Deno.test("property: coversText() accepts UTF-8 text cut at any bytes, and sound pieces for no longer one", () => {
  const cut = fc.tuple(
    fc.string({ unit: fc.constantFrom(..."aþǫ́ðíṃ 𐌰".normalize("NFC")), minLength: 1 }),
    fc.array(fc.nat(), { maxLength: 6 }),
  );
  fc.assert(
    fc.property(cut, ([drawn, cuts]) => {
      const text = drawn.normalize("NFC");
      const bytes = new TextEncoder().encode(text);
      const ends = [...new Set([...cuts.map((n) => n % bytes.length), bytes.length])]
        .filter((n) => n > 0).toSorted((a, b) => a - b);
      const given = ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end))
        .map((part) => ({ text: new TextDecoder().decode(part), logProbability: -1 }));
      assert.ok(coversText(given, text));
      const sound = given.every(({ text }) => !text.includes("\ufffd"));
      if (sound) assert.equal(coversText(given, `${text}x`), false);
    }),
    { numRuns: 300 },
  );
});

Deno.test("coversText() takes a moment for a text that is all parts", () => {
  const parts = tokens(...Array.from({ length: 300 }, () => "\ufffd"));
  assert.ok(coversText(parts, "ॐ".repeat(100)));
  assert.equal(coversText(parts, "ॐ".repeat(301)), false);
});
