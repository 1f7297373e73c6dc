import assert from "node:assert/strict";
import { waysOfWriting } from "../model.ts";
import type { Engine } from "./engine.ts";
import { chatModel, chatTemplate, engineNextWord } from "./roles.ts";

const CHATML = "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + " +
  "message['content'] + '<|im_end|>' + '\n'}}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

Deno.test("chatTemplate() renders ChatML up to the assistant's turn", () => {
  const expected = "<|im_start|>user\nA or B?<|im_end|>\n<|im_start|>assistant\n";
  assert.equal(chatTemplate(CHATML)("A or B?"), expected);
});

Deno.test("chatTemplate() says that a template is broken, at once or on use", () => {
  assert.throws(() => chatTemplate("{% for message in messages %}"), SyntaxError);
  const refusing = chatTemplate("{{ raise_exception('a system message is required') }}");
  assert.throws(() => refusing("A or B?"), /a system message is required/);
});

/** An engine that replies with the given tokens, one byte each, and then ends its reply. */
function engineReplying(bytes: Uint8Array): Engine {
  const END = 256;
  const PROMPT = [300, 301];
  return {
    vocabulary: {
      tokenise: () => [],
      tokeniseMarkup: () => PROMPT,
      detokenise: (tokens) => new TextDecoder().decode(Uint8Array.from(tokens)),
      endsReply: (token) => token === END,
      start: { id: 0, source: "bos" },
      chatStart: undefined,
    },
    chatTemplate: "{{ messages[0].content }}",
    settings: {},
    score: () => Promise.resolve([]),
    reading: (task) =>
      task({
        read: (tokens) =>
          Promise.resolve({
            best: bytes[tokens.length - PROMPT.length] ?? END,
            size: 257,
            logProbability: () => 0,
          }),
      }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const replyOf = async (text: string) => {
  const engine = engineReplying(new TextEncoder().encode(text));
  const reply = await chatModel("made", engine).ask("A or B?");
  assert.ok(reply.kind === "answer");
  return reply;
};

Deno.test("chatModel() gives the reply up to its end, or its first ten tokens", async () => {
  assert.deepEqual(await replyOf("B. þ"), {
    kind: "answer",
    text: "B. þ",
    promptTokens: 2,
    replyTokens: 5,
  });
  const long = await replyOf("0123456789 more");
  assert.deepEqual([long.text, long.replyTokens], ["0123456789", 10]);
});

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
