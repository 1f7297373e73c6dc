import assert from "node:assert/strict";
import type { NextWordReply } from "../../models/model.ts";
import { PROMPTS, scriptedNextWord } from "../judges/testdata/made.ts";
import { sourcePassage } from "../types.ts";
import { promptedVerifier, type PromptedVerifierOptions } from "./prompted.ts";

const mass = (yes: number): NextWordReply => ({ kind: "mass", yes, no: 1 - yes, other: 0 });

/** Answers yes with 0.9 if the passage contains the text, else with 0.2. */
const contains = (prompt: string): NextWordReply => {
  const [passage, claim] = prompt.split(" # ");
  return mass(passage!.includes(claim!) ? 0.9 : 0.2);
};

function verifierThat(
  reply: (prompt: string) => NextWordReply,
  more: Partial<PromptedVerifierOptions> = {},
  prompt = "beside",
) {
  const { model, asked } = scriptedNextWord(reply);
  const options = { calibration: undefined, modelSha256: "ab", chunkWords: 6, ...more };
  return { verifier: promptedVerifier(model, PROMPTS.template(prompt), options), asked };
}

const SOURCE = sourcePassage(
  "Oslo lies in the south of Norway. It has seven hundred thousand people.",
);

Deno.test("promptedVerifier() reads a chunk for all claims before the next, and calibrates", async () => {
  const calibration = { slope: 0, intercept: 0 };
  const { verifier, asked } = verifierThat(contains, { calibration, chunkWords: 50 });
  const passages = [SOURCE, { ...SOURCE, text: "Bergen" }];
  const verdicts = await verifier.verify(["Oslo", "Bergen"], passages);
  const claims = asked.map((prompt) => / # (\w+)/.exec(prompt)![1]);
  assert.deepEqual(claims, ["Oslo", "Bergen", "Oslo", "Bergen"]);
  assert.ok(verdicts.every((one) => one.kind === "scored" && one.probabilities.supported === 0.5));
});

Deno.test("promptedVerifier() is unscored without a source, and where a chunk was not read", async () => {
  const { verifier } = verifierThat(contains);
  const [none] = await verifier.verify(["Oslo"], [sourcePassage(" ")]);
  assert.ok(none?.kind === "unscored" && none.reason === "no evidence");
  const { verifier: failing } = verifierThat((prompt) =>
    prompt.startsWith("It") ? { kind: "failure", message: "no network" } : contains(prompt)
  );
  const [failed] = await failing.verify(["Oslo"], [SOURCE]);
  assert.ok(failed?.kind === "unscored" && failed.message === "no network");
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(verifier.verify(["Oslo"], [SOURCE], { signal }), /enough/);
  assert.throws(() => verifierThat(contains, {}, "claim"), /next word prompt/);
});
