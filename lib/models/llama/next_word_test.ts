import assert from "node:assert/strict";
import { waysOfWriting } from "../next_word_model.ts";
import type { Engine } from "./engine.ts";
import { engineNextWord } from "./next_word.ts";

const VOCABULARY = [" true", "true", " True", " false", "FALSE", "?"];
const PROBABILITIES = [0.25, 0.125, 0.125, 0.2, 0.05, 0.25];

function engine(read: () => void = () => {}): Engine {
  return {
    vocabulary: {
      tokenise: (text) => VOCABULARY.includes(text) ? [VOCABULARY.indexOf(text)] : [90, 91],
      tokeniseMarkup: () => [],
      detokenise: () => "",
      endsReply: () => false,
      start: { id: 7, source: "bos" },
      chatStart: undefined,
    },
    chatTemplate: undefined,
    settings: { engine: "e" },
    score: () => Promise.resolve([]),
    reading: (task) =>
      task({
        read: (tokens) => {
          assert.deepEqual(tokens, [7, 90, 91]);
          read();
          const logProbability = (token: number) => Math.log(PROBABILITIES[token]!);
          return Promise.resolve({ best: 0, size: 6, logProbability });
        },
      }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const WORDS = { yes: ["true"], no: ["false"] };

Deno.test("engineNextWord() sums the ways of writing and tells the rest", async () => {
  const mass = await engineNextWord("made", engine()).nextWord("It is", WORDS);
  assert.ok(mass.kind === "mass");
  assert.ok(Math.abs(mass.yes - 0.5) < 1e-12);
  assert.ok(Math.abs(mass.no - 0.25) < 1e-12);
  assert.ok(Math.abs(mass.other - 0.25) < 1e-12);
});

Deno.test("engineNextWord() names words that the vocabulary does not have", async () => {
  const model = engineNextWord("made", engine());
  await assert.rejects(model.nextWord("x", { yes: ["oui"], no: ["no"] }), /made: oui is no token/);
});

Deno.test("engineNextWord() fails for a prompt that is too long, and throws an abort", async () => {
  const long = engineNextWord(
    "made",
    engine(() => {
      throw new RangeError("Cannot read a prompt of 9 tokens");
    }),
  );
  const reply = await long.nextWord("It is", WORDS);
  assert.ok(reply.kind === "failure" && /Cannot ask made: .* 9 tokens/.test(reply.message));
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(engineNextWord("made", engine()).nextWord("x", WORDS, { signal }), /enough/);
});

Deno.test("waysOfWriting() gives each once", () => {
  assert.deepEqual(waysOfWriting("Yes"), ["Yes", " Yes", "yes", " yes", "YES", " YES"]);
});
