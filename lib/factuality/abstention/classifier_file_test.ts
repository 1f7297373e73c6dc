import assert from "node:assert/strict";
import { type ClassifierContent, readClassifier, writeClassifier } from "./classifier_file.ts";

const CONTENT: ClassifierContent = {
  ...{ schemaVersion: 1, groups: ["form"], weights: [0.5, -1], intercept: 0.25 },
  encoderSha256: "ab",
  training: {
    ...{ seed: "s", l2: 0.1, temperature: 1, abstains: 2, answers: 3, factbook: 1, real: 0 },
    dataSha256: "cd",
    tried: [{ groups: ["form"], l2: 0.1, logLoss: 0.3 }],
  },
};

function withFile(work: (path: string) => void): void {
  const path = Deno.makeTempFileSync();
  try {
    writeClassifier(CONTENT, path);
    work(path);
  } finally {
    Deno.removeSync(path);
  }
}

Deno.test("readClassifier() reads what writeClassifier() writes", () => {
  withFile((path) => {
    const { sha256, ...content } = readClassifier(path);
    assert.deepEqual(content, CONTENT);
    assert.equal(sha256.length, 64);
  });
});

Deno.test("readClassifier() refuses changed weights and what is no classifier", () => {
  withFile((path) => {
    const text = Deno.readTextFileSync(path);
    Deno.writeTextFileSync(path, text.replace("0.25", "0.26"));
    assert.throws(() => readClassifier(path), /was changed/);
    Deno.writeTextFileSync(path, text.slice(0, 40));
    assert.throws(() => readClassifier(path), /is no classifier/);
  });
});
