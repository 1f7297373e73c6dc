import assert from "node:assert/strict";
import { sourcePassage } from "../retrieval/passage.ts";
import type { VerdictProbabilities } from "../verdicts/verdict.ts";
import { checkInt8, checkNliNetwork } from "./onnx_nli_check.ts";
import type { NliNetwork } from "./onnx_nli_network.ts";
import { combineAnswers, readClaim } from "./onnx_nli_reading.ts";

const TEXT = "First part. Second part.";
const SPANS = [{ start: 0, end: 11 }, { start: 12, end: 24 }] as const;

function answer(part: 0 | 1, supported: number, refuted: number, silent: number) {
  const probabilities: VerdictProbabilities = { supported, refuted, "not enough info": silent };
  const passage = sourcePassage(TEXT);
  return { chunk: { passage, span: SPANS[part], premise: TEXT }, probabilities };
}

Deno.test("combineAnswers() takes the stretch that bears the claim out", () => {
  const found = combineAnswers([answer(0, 0.1, 0.2, 0.7), answer(1, 0.9, 0.05, 0.05)]);
  // The rest, 0.1, is shared 2 to 7, as in the stretch that contradicts most.
  assert.equal(found?.probabilities.supported, 0.9);
  assert.ok(Math.abs(found.probabilities.refuted - 0.1 * 2 / 9) < 1e-12);
  assert.deepEqual(found.evidence.map(({ text }) => text), ["Second part.", "First part."]);
});

Deno.test("combineAnswers() shows the stretch that contradicts first where it decides", () => {
  const found = combineAnswers([answer(0, 0.1, 0.1, 0.8), answer(1, 0.01, 0.96, 0.03)]);
  assert.deepEqual(found?.evidence.map(({ text, relevance }) => [text, relevance]), [
    ["Second part.", 0.96],
    ["First part.", 0.1],
  ]);
  assert.ok(found.probabilities.refuted > 0.85);
});

Deno.test("combineAnswers() leaves a single stretch its own probabilities", () => {
  const found = combineAnswers([answer(0, 0.25, 0.5, 0.25)]);
  assert.deepEqual(found?.probabilities, {
    ...{ supported: 0.25, refuted: 0.5, "not enough info": 0.25 },
  });
  assert.equal(found.evidence.length, 1);
  assert.equal(combineAnswers([]), undefined);
});

/** A network that answers with these logits, in turn. */
function network(answers: readonly (readonly number[])[], longest = 40): NliNetwork {
  let asked = 0;
  return {
    labels: { kind: "three labels", entailment: 0, neutral: 1, contradiction: 2 },
    longest,
    frame: 3,
    countTokens: (text) => text.split(" ").length,
    logits: () => Promise.resolve(answers[asked++ % answers.length]!),
    dispose: () => Promise.resolve(),
  };
}

const PROVENANCE = { producedBy: "made", modelSha256: undefined, promptSha256: undefined };
const read = (made: NliNetwork, claim: string, text: string) =>
  readClaim(made, claim, [sourcePassage(text)], { provenance: PROVENANCE, signal: undefined });

Deno.test("Requirement 9: no text, no room and no finite answer are unscored, each with its reason", async () => {
  const good = network([[1, 0, 0]]);
  const cases = [
    [await read(good, "A claim.", " "), "no evidence", /no source to hold/],
    [await read(network([[1, 0, 0]], 10), "a b c d e", TEXT), "failure", /leaves 2 of 10 tokens/],
    [await read(network([[NaN, 0, 0]]), "A claim.", TEXT), "failure", /not 3 finite numbers/],
  ] as const;
  for (const [verdict, reason, message] of cases) {
    assert.ok(verdict.kind === "unscored");
    assert.equal(verdict.reason, reason);
    assert.match(verdict.message, message);
  }
  assert.equal((await read(good, "A claim.", TEXT)).kind, "scored");
});

Deno.test("checkNliNetwork() refuses a network that changes its mind, or says nothing finite", async () => {
  await checkNliNetwork(network([[2, 1, 0]]));
  const wavering = network([[2, 1, 0], [0, 1, 2]]);
  await assert.rejects(checkNliNetwork(wavering), /for the same texts differ by 0\.\d+ from one/);
  await assert.rejects(checkNliNetwork(network([[Infinity, 0, 0]])), /not 3 finite numbers/);
});

Deno.test("checkInt8() measures the difference from float32 and refuses noise", async () => {
  const float32 = network([[1, 0, 0]]);
  const difference = await checkInt8(network([[1.1, 0, 0]]), float32);
  // e / (e + 2) = 0.5761 and e^1.1 / (e^1.1 + 2) = 0.6003.
  assert.ok(Math.abs(difference - 0.0242) < 5e-5);
  await assert.rejects(checkInt8(network([[0, 0, 1]]), float32), /write quantisation: none/);
});
