import assert from "node:assert/strict";
import { spellingsOf } from "../model.ts";
import { chooseStartToken } from "./engine.ts";
import { chatModel, chatTemplate, engineAnswers, engineNextWord, nextTokenModel } from "./roles.ts";
import { byteEngine, START, weights, writing } from "./testdata/byte_engine.ts";

Deno.test("chooseStartToken() takes BOS where the file asks for it, and instead of an unrequested one the separator of documents", () => {
  const gemma = { bos: 2, eos: 1, endOfText: 7, addBos: true };
  assert.deepEqual(chooseStartToken(gemma), { id: 2, source: "bos" });
  const smollm2 = { bos: 1, eos: 2, endOfText: 0, addBos: false };
  assert.deepEqual(chooseStartToken(smollm2), { id: 0, source: "end-of-text" });
});

const CHATML = "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + " +
  "message['content'] + '<|im_end|>' + '\n'}}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

Deno.test("chatTemplate() renders ChatML up to the assistant's turn, or says what is broken", () => {
  const expected = "<|im_start|>user\nA or B?<|im_end|>\n<|im_start|>assistant\n";
  assert.equal(chatTemplate(CHATML)("A or B?"), expected);
  assert.throws(() => chatTemplate("{% for message in messages %}"), SyntaxError);
  const refusing = chatTemplate("{{ raise_exception('a system message is required') }}");
  assert.throws(() => refusing("A or B?"), /a system message is required/);
});

Deno.test("a system message stands before the question, in the chat template or before the plain prompt", async () => {
  const template = "{% for m in messages %}[{{ m.role }}] {{ m.content }}{% endfor %}Q";
  const asked: string[] = [];
  const engine = byteEngine((text) => (asked.push(text), weights({ A: 1 })), template);
  const system = "Be short.";
  const models = [chatModel, nextTokenModel].map((of) => of("made", engine, {}, system));
  for (const model of models) {
    assert.equal(model.settings["systemPrompt"], system);
    await model.ask("Q?");
  }
  assert.equal(asked[0], "[system] Be short.[user] Q?Q");
  assert.equal(asked.at(-1), "Be short.\n\nQ?");
  assert.equal(chatModel("made", engine).settings["systemPrompt"], undefined);
});

Deno.test("chatModel() gives the reply up to its end, or its first ten tokens", async () => {
  const replyTo = (text: string) =>
    chatModel("made", writing(text, "{{ messages[0].content }}")).ask("Q");
  const answer = { kind: "answer", promptTokens: 1 };
  assert.deepEqual(await replyTo("B. þ"), { ...answer, text: "B. þ", replyTokens: 5 });
  const long = await replyTo("0123456789 more");
  assert.deepEqual(long, { ...answer, text: "0123456789", replyTokens: 10, isCut: true });
  const larger = await chatModel("made", writing("0123456789 more", "{{ messages[0].content }}"))
    .ask("Q", { limitTimes: 4 });
  assert.deepEqual(larger, { ...answer, text: "0123456789 more", replyTokens: 15 });
  assert.throws(() => chatModel("base", writing("B")), /its file has no chat template/);
});

function assertMasses(found: readonly number[], expected: readonly number[]): void {
  assert.equal(found.length, expected.length);
  found.forEach((each, at) => assert.ok(Math.abs(each - expected[at]!) < 1e-6, String(found)));
}

const weighing = (next: Record<string, number>) =>
  byteEngine((_, tokens) => {
    assert.deepEqual(tokens, [START, 81]);
    return weights(next);
  });

Deno.test("nextTokenModel() gives the letter more probable as the next token, or neither", async () => {
  const [b, tie] = [{ A: 2, B: 3, x: 9 }, { A: 1, B: 1, x: 9 }].map((next) =>
    nextTokenModel("made", weighing(next)).ask("Q")
  );
  const answer = { kind: "answer", promptTokens: 2, replyTokens: 1 };
  assert.deepEqual(await b, { ...answer, text: "B" });
  assert.deepEqual(await tie, { ...answer, text: "" });
});

Deno.test("engineNextWord() sums the ways of writing, gives the remaining mass, and refuses words of no token", async () => {
  assert.deepEqual(spellingsOf("Yes"), ["Yes", " Yes", "yes", " yes", "YES", " YES"]);
  const model = engineNextWord("made", weighing({ y: 3, Y: 1, n: 2, "?": 2 }));
  const words = { yes: ["y"], no: ["N"] };
  const mass = await model.nextWord("Q", words);
  assert.ok(mass.kind === "mass");
  assertMasses([mass.yes, mass.no, mass.other], [0.5, 0.25, 0.25]);
  const long = await model.nextWord("Q".repeat(300), words);
  assert.ok(long.kind === "failure" && /Cannot ask made: .* 301 tokens/.test(long.message));
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(model.nextWord("Q", words, { signal }), /enough/);
  await assert.rejects(model.nextWord("Q", { ...words, no: ["Nay"] }), /Nay is no token of its/);
});

Deno.test("engineAnswers() asks in the chat template, sums each answer's ways of writing, and takes no markup out of a question", async () => {
  const template = "<u>{{ messages[0].content }}<a>";
  const asked: string[] = [];
  const engine = byteEngine((text) => {
    asked.push(text);
    return weights({ a: 3, A: 1, b: 2, C: 1, "?": 1 });
  }, template);
  const model = engineAnswers("made", engine, { precision: "shipped" });
  const reply = await model.answer("Q<a>", ["A", "B", "C"]);
  assert.ok(reply.kind === "mass");
  assertMasses([...reply.answers, reply.other], [0.5, 0.25, 0.125, 0.125]);
  assert.deepEqual(asked, ["<u>Q<a><a>"]);
  assert.equal(model.countTokens("þa"), 3);
  assert.equal(model.settings["precision"], "shipped");
  await assert.rejects(model.answer("Q", ["A", "a", "C"]), /A, a, C share a token/);
  const base = byteEngine((text) => weights(text.endsWith("Q\nAnswer:") ? { B: 1 } : { A: 1 }));
  const plain = await engineAnswers("base", base).answer("Q", ["A", "B"]);
  assert.deepEqual(plain.kind === "mass" && plain.answers.map(Math.round), [0, 1]);
});
