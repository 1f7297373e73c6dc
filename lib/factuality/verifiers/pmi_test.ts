import assert from "node:assert/strict";
import type { LanguageModel } from "../../models/model.ts";
import { sourcePassage } from "../types.ts";
import { pmiLikeness, pmiVerifier } from "./pmi.ts";

const PMI_CALIBRATION = { threshold: 1, slope: 2, refutedShare: 0.25 };
const LONGEST = 60;
const wordsOf = (text: string) => text.split(/\s+/u).filter((word) => word !== "");

/** A word that stood in the text before has log P = −1, any other −3. */
function wordModel() {
  const asked: string[] = [];
  const model: LanguageModel = {
    name: "words",
    settings: { threads: 1 },
    score(texts, { signal } = {}) {
      signal?.throwIfAborted();
      asked.push(...texts);
      return Promise.resolve(texts.map((text) => {
        const words = wordsOf(text);
        if (words.length > LONGEST) throw new RangeError(`it has ${words.length} words`);
        const lost = words.map((word, i) => words.indexOf(word) < i ? 1 : 3);
        const logProbability = -lost.reduce((sum, one) => sum + one, 0);
        return { logProbability, tokens: words.length, bytes: text.length };
      }));
    },
  };
  return { model, asked };
}

function verifierOf(chunkWords = 50) {
  const { model, asked } = wordModel();
  const options = { calibration: PMI_CALIBRATION, modelSha256: "ab", chunkWords };
  return { verifier: pmiVerifier(model, options), asked };
}

const OSLO = sourcePassage("Oslo lies in Norway. It has a harbour and two universities.");

Deno.test("pmiLikeness() by hand: nats a token by which the source makes the claim likelier", async () => {
  const { model, asked } = wordModel();
  const claims = ["Oslo lies in Norway.", "Bergen lies north."];
  const [all, one] = await pmiLikeness(claims, [OSLO], { model, chunkWords: 50 });
  // Four words of −1 in place of −3: (−4 + 12) / 4. One of three: (−7 + 9) / 3.
  assert.ok(all !== undefined && "score" in all && one !== undefined && "score" in one);
  assert.ok(Math.abs(all.score - 2) < 1e-12 && Math.abs(one.score - 2 / 3) < 1e-12);
  assert.deepEqual(asked, [
    "\n",
    "\nOslo lies in Norway.",
    "\nBergen lies north.",
    ...["", ...claims].map((claim) => `${OSLO.text}\n${claim}`),
  ]);
});

Deno.test("pmiVerifier() takes the chunk that helps most, and its sentence nearest to the claim", async () => {
  const { verifier } = verifierOf(7);
  const [verdict, none] = await verifier.verify(["It has a harbour.", "Nobody sings."], [OSLO]);
  assert.ok(verdict?.kind === "scored" && none?.kind === "scored");
  const [evidence] = verdict.evidence;
  assert.equal(evidence!.text, "It has a harbour and two universities.");
  assert.equal(OSLO.text.slice(evidence!.span.start, evidence!.span.end), evidence!.text);
  assert.equal(none.evidence[0]!.relevance, 0);
});

Deno.test("pmiVerifier() is at one half at the threshold, and unscored without a source, of a blank claim, and of one that is too long", async () => {
  const { verifier } = verifierOf();
  // (−4 + 6) / 2 = 1: one half at the threshold.
  const [half] = await verifier.verify(["Oslo shines."], [OSLO]);
  assert.equal(half?.kind === "scored" && half.probabilities.supported, 0.5);
  assert.deepEqual(verifier.settings, { threads: 1, chunkWords: 50, ...PMI_CALIBRATION });
  const [blank] = await verifier.verify(["Oslo"], [sourcePassage(" ")]);
  assert.ok(blank?.kind === "unscored" && blank.reason === "no evidence");
  const long = "very ".repeat(LONGEST);
  const verdicts = await verifier.verify(["Oslo", long, " "], [OSLO]);
  assert.deepEqual(verdicts.map(({ kind }) => kind), ["scored", "unscored", "unscored"]);
});
