import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { randomSource } from "../../stats/random.ts";
import { fakeEncoder } from "../verifiers/testdata/tiny_models.ts";
import { abstentionProbability, answerFeatures, readClassifier } from "./abstention_classifier.ts";
import { writeClassifier } from "./abstention_classifier.ts";
import {
  type LabelledFeatures,
  trainAbstention,
} from "../../studies/factuality/generation/abstention_training.ts";

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

/** `form` tells the label but for noise, the others are noise alone. */
function rows(count: number): readonly LabelledFeatures[] {
  const random = randomSource(5);
  return Array.from({ length: count }, (_, i) => {
    const abstains = i % 4 === 0;
    const noise = () => random.next() - 0.5;
    const form = [(abstains ? 1 : -1) + noise(), noise()];
    return {
      abstains,
      cluster: `thing ${Math.floor(i / 2)}`,
      features: { first: [noise(), noise()], mean: [noise(), noise()], form },
    };
  });
}

const trained = trainAbstention(rows(40), randomSource("folds"));

Deno.test("trainAbstention() learns what tells the labels apart, and tells all it tried", () => {
  for (const { features, abstains } of rows(100)) {
    assert.equal(abstentionProbability(features, trained) >= 0.5, abstains);
  }
  const { tried, groups, l2 } = trained;
  const best = tried.find((one) => one.groups === groups && one.l2 === l2);
  assert.equal(best?.logLoss, Math.min(...tried.map(({ logLoss }) => logLoss)));
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
