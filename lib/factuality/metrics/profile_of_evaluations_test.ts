import assert from "node:assert/strict";
import { emptyEvaluation, sampleEvaluation } from "../report/testdata/sample.ts";
import { profileJson, readProfileJson } from "./profile_json.ts";
import { profileOfEvaluations } from "./profile_of_evaluations.ts";

const OF = { model: "students", madeAt: "2026-11-22T15:00:00.000Z", seed: 1 };

Deno.test("profileOfEvaluations() counts checkable claims by verdict and rates by verifier and judges", async () => {
  const evaluation = await sampleEvaluation();
  const profile = profileOfEvaluations([evaluation, await emptyEvaluation()], OF);
  const checkable = evaluation.claims.filter(({ claim }) => claim.notCheckable === undefined);
  const refuted = checkable.filter(({ verdict }) =>
    verdict.kind === "scored" && verdict.label === "refuted"
  );
  assert.equal(profile.counts.scored + profile.counts.unscored, checkable.length);
  assert.equal(profile.counts.refuted, refuted.length);
  assert.equal(profile.responses.length, 2);
  assert.equal(profile.metrics.uncertainty.kind, "unavailable");
  assert.ok(profile.provenance.settings["verifier"] !== undefined);
  assert.deepEqual(readProfileJson(profileJson([profile]), "test"), [profile]);
  // Candidates of one source are one cluster.
  const other = { ...evaluation, request: { ...evaluation.request, id: "other" } };
  const { responses } = profileOfEvaluations([evaluation, other], OF);
  assert.equal(responses[0]!.cluster, responses[1]!.cluster);
  assert.throws(
    () => profileOfEvaluations([evaluation, evaluation], OF),
    /Cannot profile evaluations: two are of request/,
  );
});
