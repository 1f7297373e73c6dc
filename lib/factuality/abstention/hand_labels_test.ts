import assert from "node:assert/strict";
import { answerKey } from "./answer.ts";
import { madeAnswer } from "./testdata/answers.ts";
import { answerDigest, readHandLabels } from "./hand_labels.ts";

const ANSWER = madeAnswer({ answer: "No idea." });

Deno.test("readHandLabels() gives the label of an answer as it was read, none to a changed one", () => {
  const path = Deno.makeTempFileSync();
  const row = [answerKey(ANSWER), answerDigest(ANSWER.answer), "abstains"].join();
  Deno.writeTextFileSync(path, `key,answer_sha256,label\n${row}\n`);
  const labelOf = readHandLabels(path);
  assert.equal(labelOf(ANSWER), "abstains");
  assert.equal(labelOf({ ...ANSWER, answer: "No idea!" }), undefined);
  assert.equal(labelOf({ ...ANSWER, temperature: 0.8 }), undefined);
  Deno.removeSync(path);
});
