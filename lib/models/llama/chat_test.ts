import assert from "node:assert/strict";
import { chatModel } from "./chat.ts";
import type { Engine } from "./engine.ts";

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

Deno.test("chatModel() leaves out a character that the limit cuts in two", async () => {
  // Ten tokens, a byte each: þ, of two bytes, is whole or halved; ㅎ has three.
  assert.equal((await replyOf("A: kvaddþat")).text, "A: kvaddþ");
  assert.equal((await replyOf("A: kvaddeþat")).text, "A: kvadde");
  assert.equal((await replyOf("A: kvaddㅎ")).text, "A: kvadd");
});
