import assert from "node:assert/strict";
import { unscored } from "../decision.ts";
import { emptyEvaluation, sampleEvaluation } from "../report/testdata/sample.ts";
import { profileJson, readProfileJson } from "./profile.ts";
import { profileOfEvaluations } from "./profile_of_evaluations.ts";

const MEASURED = { balancedAccuracy: 0.8, low: 0.7, high: 0.9, n: 100, on: "claims" };
const OF = {
  model: "students",
  madeAt: "2026-11-22T15:00:00.000Z",
  seed: 1,
  measuredVerifier: (): typeof MEASURED | undefined => MEASURED,
};

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
});

Deno.test("Requirement 15.1: a claim that was is unverifiable counts as unsupported, one that failed in no rate", async () => {
  const evaluation = await sampleEvaluation();
  const verdict = unscored("verifier", "no evidence", "There is nothing to check it against.");
  const counted = (unverifiable: boolean) => {
    const claims = evaluation.claims.map((one) => ({ ...one, verdict, unverifiable }));
    return profileOfEvaluations([{ ...evaluation, claims }], OF).counts;
  };
  const checkable = evaluation.claims.filter(({ claim }) => claim.notCheckable === undefined);
  const { length } = checkable;
  assert.deepEqual([counted(true).unverifiable, counted(true).scored], [length, length]);
  assert.deepEqual([counted(false).unverifiable, counted(false).unscored], [0, length]);
});

Deno.test("Requirement 17: κ is over verifier and judges that were measured above chance", async () => {
  const evaluation = await sampleEvaluation();
  const judged = (measured: typeof MEASURED | undefined) => {
    const claims = evaluation.claims.map((one) => ({
      ...one,
      judges: one.judges.map((judge) => ({ ...judge, measured })),
    }));
    return { ...evaluation, claims };
  };
  const kappa = (measured: typeof MEASURED | undefined, measuredVerifier = OF.measuredVerifier) => {
    const { metrics } = profileOfEvaluations([judged(measured)], { ...OF, measuredVerifier });
    return metrics.fleissKappa.kind === "unavailable" ? metrics.fleissKappa.reason : "measured";
  };
  assert.doesNotMatch(kappa(MEASURED), /not meaningful/);
  for (const measured of [undefined, { ...MEASURED, low: 0.5 }]) {
    assert.match(kappa(measured), /^not meaningful, for not measured above chance: /);
  }
  assert.match(kappa(undefined, () => undefined), /chance: verifier, /);
});
