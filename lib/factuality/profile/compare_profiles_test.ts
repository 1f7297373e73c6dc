import assert from "node:assert/strict";
import { COMPARED_METRICS, compareProfiles } from "./compare_profiles.ts";
import { hallucinationProfile } from "./hallucination_profile.ts";
import { profileInput } from "./testdata/input.ts";
import { response } from "../metrics/testdata/responses.ts";

const better = hallucinationProfile(profileInput());
const worseResponses = better.responses.map(({ query }, index) =>
  response(query, index % 4 === 0 ? "srsr" : "srss", { model: "worse" })
);
const worse = hallucinationProfile(profileInput({ model: "worse", responses: worseResponses }));

Deno.test("compareProfiles() gives every two models' difference on shared queries, with its interval", () => {
  const { differences } = compareProfiles([worse, better], 1);
  assert.deepEqual(differences.map(({ metric }) => metric), [...COMPARED_METRICS]);
  const [{ first, second, difference } = assert.fail()] = differences;
  assert.deepEqual([first, second], ["worse", "SmolLM2 135M"]);
  assert.ok(difference.kind === "measured");
  // By hand: a quarter have 1/2 unsupported, the others 1/4: 5/16, less 1/8.
  assert.ok(Math.abs(difference.estimate - (5 / 16 - 1 / 8)) < 1e-12);
  assert.equal(difference.n, 40);
  assert.ok(difference.interval.kind === "interval" && difference.interval.low > 0);
});

Deno.test("compareProfiles() of models without a shared query says so, and of one model has none", () => {
  const elsewhere = hallucinationProfile(profileInput({
    model: "elsewhere",
    responses: [response("x", "s", { model: "elsewhere" })],
    consensus: [],
  }));
  for (const { difference } of compareProfiles([better, elsewhere], 1).differences) {
    assert.deepEqual(difference, {
      kind: "unavailable",
      reason: "no query was answered by both",
    });
  }
  assert.deepEqual(compareProfiles([better], 1).differences, []);
  assert.throws(() => compareProfiles([better, better], 1), /two are of SmolLM2 135M; name them/);
});
