import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { fakeEncoder } from "../verifiers/testdata/tiny_models.ts";
import { answerFeatures, readClassifier, writeClassifier } from "./abstention_classifier.ts";

const lettersOf = fakeEncoder((text) => [text.length, text.charCodeAt(text.length / 2)], "letters");
const featuresOf = async (name: string, answer: string) =>
  (await answerFeatures([{ name, question: `What is ${name}?`, answer }], lettersOf))[0];

Deno.test("answerFeatures() hides the name, whole or in part, so that no name decides", async () => {
  const one = await featuresOf("Lake Hapaijar", "Lake Hapaijar is deep. I know Hapaijar.");
  const other = await featuresOf("Lake Tictorren", "Lake Tictorren is deep. I know Tictorren.");
  assert.deepEqual(one, other);
  const person = await featuresOf("Volodom Radeandu", "Radeandu sings.");
  assert.deepEqual(person, await featuresOf("Gabrice Zelsukaie", "Gabrice Zelsukaie sings."));
});

Deno.test("answerFeatures() tells who speaks and what is denied", async () => {
  const cases = [
    ["I know it.", 1, 0, 0, 0],
    ["I don't know it.", 1, 1, 1, 0],
    ["There is no Orvane.", 0, 1, 0, 1],
    ["It is unknown.", 0, 1, 0, 0],
  ] as const;
  for (const [answer, ...said] of cases) {
    assert.deepEqual((await featuresOf("Orvane", answer))!.form.slice(3, 7), said);
  }
});

Deno.test("readClassifier() reads what writeClassifier() writes, and refuses what was changed or is none", () => {
  inFolder((folder) => {
    const path = join(folder, "classifier.json");
    const { sha256, ...content } = readClassifier();
    assert.deepEqual(writeClassifier(content, path), { ...content, sha256 });
    assert.deepEqual(readClassifier(path), { ...content, sha256 });
    const text = Deno.readTextFileSync(path);
    const changed = text.replace(`"intercept": ${content.intercept}`, '"intercept": 0.26');
    Deno.writeTextFileSync(path, changed);
    assert.throws(() => readClassifier(path), /was changed/);
    Deno.writeTextFileSync(path, text.slice(0, 40));
    assert.throws(() => readClassifier(path), /is no classifier/);
  });
});
