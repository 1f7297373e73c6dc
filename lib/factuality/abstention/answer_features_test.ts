import assert from "node:assert/strict";
import { wordEncoder } from "../features/testdata/word_encoder.ts";
import { answerFeatures } from "./answer_features.ts";

const featuresOf = async (name: string, answer: string, question = `What is ${name}?`) =>
  (await answerFeatures([{ name, question, answer }], wordEncoder))[0];

Deno.test("answerFeatures() hides the name, whole or in part, so that no name decides", async () => {
  const one = await featuresOf("Lake Hapaijar", "Lake Hapaijar is deep. I know Hapaijar.");
  const other = await featuresOf("Lake Tictorren", "Lake Tictorren is deep. I know Tictorren.");
  assert.deepEqual(one, other);
  const person = await featuresOf("Volodom Radeandu", "Radeandu sings.");
  assert.deepEqual(person, await featuresOf("Gabrice Zelsukaie", "Gabrice Zelsukaie sings."));
});

Deno.test("answerFeatures() has none for an answer without a word", async () => {
  assert.equal(await featuresOf("Orvane", " ... "), undefined);
  assert.equal(await featuresOf("Orvane", ""), undefined);
});

Deno.test("answerFeatures() tells who speaks and what is denied", async () => {
  const form = async (answer: string) => (await featuresOf("Orvane", answer))!.form.slice(3, 7);
  assert.deepEqual(await form("I know it."), [1, 0, 0, 0]);
  assert.deepEqual(await form("I don't know it."), [1, 1, 1, 0]);
  assert.deepEqual(await form("There is no Orvane."), [0, 1, 0, 1]);
  assert.deepEqual(await form("It is unknown."), [0, 1, 0, 0]);
});

Deno.test("answerFeatures() counts names that the question did not bring in", async () => {
  const names = async (answer: string) => (await featuresOf("Orvane", answer))!.form[8];
  assert.equal(await names("It lies in Spain, near Madrid."), Math.log(3));
  assert.equal(await names("Nobody knows."), 0);
});

Deno.test("answerFeatures() reads a question without a name as it stands", async () => {
  assert.notEqual(await featuresOf("", "It is a fish.", "What is it?"), undefined);
});
