import fc from "fast-check";
import assert from "node:assert/strict";
import { unavailable } from "../../stats/agreement.ts";
import { unscored } from "../decision.ts";
import { emptyEvaluation, sampleEvaluation } from "../report/testdata/sample.ts";
import type { ClaimRating } from "./agreement.ts";
import { compareProfiles, hallucinationProfile, profileJson } from "./profile.ts";
import { profileOfEvaluations, readProfileJson, reliability, riskFlag } from "./profile.ts";
import { metricWords, PROFILE_METRIC_NAMES, PROFILE_METRICS } from "./profile_metrics.ts";
import type { ProfileMetric, ProfileMetrics } from "./profile_metrics.ts";
import { NO_MEASUREMENTS, profileInput, ratings, response, RESPONSES } from "./testdata/made.ts";

function metrics(known: Readonly<Record<string, number>>): ProfileMetrics {
  const entries = PROFILE_METRIC_NAMES.map((name): readonly [string, ProfileMetric] => {
    const estimate = known[name];
    if (estimate === undefined) return [name, unavailable("not measured")];
    const [low, high] = [estimate - 0.01, estimate + 0.01];
    const interval = { kind: "interval", low, high, confidence: 0.95 } as const;
    return [name, { kind: "measured", estimate, n: 9, interval }];
  });
  return Object.fromEntries(entries) as ProfileMetrics;
}

Deno.test("Requirement 19.5: MiHR over 0.3, κ under 0.4 or uncertainty over 0.8 is high risk", () => {
  const safe = { mihr: 0.3, fleissKappa: 0.4, uncertainty: 0.8 };
  assert.deepEqual(riskFlag(metrics(safe)), { high: false, reasons: [], unknown: [] });
  for (const [name, value] of [["mihr", 0.31], ["fleissKappa", 0.39], ["uncertainty", 0.81]]) {
    const { high, reasons } = riskFlag(metrics({ ...safe, [name!]: value as number }));
    assert.deepEqual([high, reasons.map(({ metric }) => metric)], [true, [name]]);
  }
});

Deno.test("Requirement 19.2: reliability is low at high risk, high where all is well, medium else", () => {
  const level = (known: Parameters<typeof metrics>[0]) => {
    const found = reliability(metrics(known));
    return found.kind === "reliability" ? found.level : found.reason;
  };
  assert.equal(level({ mihr: 0.5, fleissKappa: 0.9, uncertainty: 0.1 }), "low");
  assert.equal(level({ mihr: 0.1, fleissKappa: 0.6, uncertainty: 0.5 }), "high");
  assert.equal(level({ mihr: 0.2, fleissKappa: 0.9, uncertainty: 0.1 }), "medium");
  // Never high where something is not known.
  assert.equal(level({ mihr: 0.01, uncertainty: 0.1 }), "medium");
  assert.equal(level({}), "neither MiHR nor agreement nor uncertainty is known");
});

const PROFILE = hallucinationProfile(profileInput());
const EMPTY = hallucinationProfile(profileInput(NO_MEASUREMENTS));

const rated = (ratings: readonly ClaimRating[]) =>
  hallucinationProfile(profileInput({ ...NO_MEASUREMENTS, ratings }));

const estimate = (metric: ProfileMetric) =>
  metric.kind === "measured" ? metric.estimate : metric.reason;

Deno.test("Requirement 19.1: the profile has MiHR, MaHR, FActScore, F1, κ and uncertainty, by hand", () => {
  const { metrics, counts } = PROFILE;
  const claims = { supported: 130, refuted: 10, unverifiable: 10 };
  assert.deepEqual(counts, { ...claims, unscored: 10, scored: 150 });
  assert.equal(estimate(metrics.mihr), (0 + 0 + 1 / 4 + 1 / 4) / 4);
  assert.equal(estimate(metrics.mihrPooled), 20 / 150);
  assert.equal(estimate(metrics.mahr), 1 / 2);
  assert.equal(estimate(metrics.mahrRefuted), 1 / 4);
  assert.equal(estimate(metrics.factualPrecision), 130 / 150);
  assert.equal(estimate(metrics.consensusF1), (0 + 1 / 4 + 2 / 4 + 3 / 4) / 4);
  // Requirement 16.4: by the formula from the means, too; the two are named apart.
  const [p, r] = [metrics.consensusPrecision, metrics.consensusRecall]
    .map((metric) => Number(estimate(metric))) as [number, number];
  assert.equal(estimate(metrics.consensusF1OfMeans), (2 * p * r) / (p + r));
  const titles = [PROFILE_METRICS.factualPrecision.title, PROFILE_METRICS.factScore.title];
  assert.deepEqual(titles, ["FActScore", "FActScore, length-penalised"]);
  assert.ok(Math.abs(Number(estimate(metrics.uncertainty)) - 0.4) < 1e-12);
  // 20 supported by all, 10 by none, 10 by one of three: 70 of 120 ratings are "supported".
  const [observed, expected] = [(30 + 10 / 3) / 40, (7 / 12) ** 2 + (5 / 12) ** 2];
  const kappa = (observed - expected) / (1 - expected);
  assert.ok(Math.abs(Number(estimate(metrics.fleissKappa)) - kappa) < 1e-12);
  assert.equal(estimate(metrics.falseAcceptance), 1 / 2);
  assert.equal(estimate(metrics.overRefusal), 0);
});

Deno.test("κ is over claims that every rater rated; where all give one label it says so, with Po", () => {
  const some = [...ratings("sss", "snn"), ...ratings("ss").map((r) => ({ ...r, query: "other" }))];
  const { fleissKappa, gwetAc1 } = rated(some).metrics;
  assert.ok(fleissKappa.kind === "measured" && gwetAc1.kind === "measured");
  assert.deepEqual([fleissKappa.n, gwetAc1.n], [2, 3]);
  const [alike, single] = [["sss", "sss"], ["s"]].map((made) => rated(ratings(...made)).metrics);
  assert.match(String(estimate(alike!.fleissKappa)), /one label; observed agreement 1\.00$/);
  assert.equal(estimate(single!.fleissKappa), "fewer than two raters");
});

Deno.test("Requirements 17.2, 17.3: κ is over raters above chance, with Po, Pe and band; else not meaningful", () => {
  // The third rater is at chance. On four claims of the first two: Po 3/4, 5 of 8 ratings "supported".
  const made = ratings("ssn", "nns", "sss", "snn");
  const byChance = (...names: readonly string[]) =>
    rated(made.map((one) => ({ ...one, aboveChance: !names.includes(one.rater) }))).metrics;
  const found = byChance("rater 3").fleissKappa;
  assert.ok(found.kind === "measured" && found.agreement);
  const expected = (5 / 8) ** 2 + (3 / 8) ** 2;
  const kappa = (3 / 4 - expected) / (1 - expected);
  assert.ok(Math.abs(found.estimate - kappa) < 1e-12);
  assert.deepEqual(found.agreement, { observed: 3 / 4, expected, band: "moderate" });
  assert.match(metricWords(found), /n = 4 \(moderate; observed agreement 0\.75, expected 0\.53\)/);
  // One is left. Of all three: pairs that agree 1 + 1 + 3 + 1 of 12; 7 and 5 of 12 ratings: 74 / 144.
  const { fleissKappa, gwetAc1 } = byChance("rater 2", "rater 3");
  assert.match(
    String(estimate(fleissKappa)),
    /^not meaningful, .*: rater 2, rater 3; of all 3: observed agreement 0\.50, expected 0\.51$/,
  );
  assert.equal(gwetAc1.kind, "unavailable");
});

Deno.test("Requirement 19.3: claims on which raters differ are disputed, most divided first, the others consensus", () => {
  const made = ratings("sss", "snnn", "sn", "n", "nn");
  const { disputed, consensus, ratedOnce } = rated(made).claims;
  assert.deepEqual(disputed.map(({ query }) => query), ["q2", "q1"]);
  assert.deepEqual(consensus.map(({ query }) => query), ["q0", "q4"]);
  assert.equal(ratedOnce, 1);
  const votes = disputed[0]!.votes.map(({ rater, label }) => `${rater}: ${label}`);
  assert.deepEqual(votes, ["rater 1: supported", "rater 2: not supported"]);
  const twice = [...ratings("s"), ...ratings("n")];
  assert.throws(() => rated(twice), /two ratings of claim c1 of q0; keep one/);
});

Deno.test("Requirement 19.4: any profile is the same after being written as JSON and read", () => {
  const votes = fc.array(fc.constantFrom("s", "n", "sn", "ss", "nn"), { maxLength: 4 });
  fc.assert(
    fc.property(RESPONSES, votes, fc.string(), (responses, votes, model) => {
      // One cluster: no interval has to be drawn a hundred times.
      const profile = hallucinationProfile(profileInput({
        ...NO_MEASUREMENTS,
        model,
        responses: responses.map((each) => ({ ...each, model, cluster: "one" })),
        ratings: ratings(...votes).map((rating) => ({ ...rating, cluster: "one" })),
        provenance: { madeAt: "2026-11-22T15:00:00.000Z", settings: { [`x${model}`]: true } },
      }));
      assert.deepEqual(readProfileJson(profileJson([profile]), "test"), [profile]);
    }),
    { numRuns: 100 },
  );
  assert.deepEqual(readProfileJson(profileJson([PROFILE, EMPTY]), "test"), [PROFILE, EMPTY]);
});

Deno.test("compareProfiles() gives every two models' difference on shared queries, with its interval", () => {
  const responses = PROFILE.responses.map(({ query }, index) =>
    response(query, index % 4 === 0 ? "srsr" : "srss", { model: "worse" })
  );
  const worse = hallucinationProfile(profileInput({ model: "worse", responses }));
  const { differences } = compareProfiles([worse, PROFILE], 1);
  const compared = differences.map(({ metric }) => metric);
  assert.deepEqual(compared, ["mihr", "mihrRefuted", "consensusF1"]);
  const [{ first, second, difference } = assert.fail()] = differences;
  assert.deepEqual([first, second], ["worse", "SmolLM2 135M"]);
  assert.ok(difference.kind === "measured");
  // By hand: a quarter have 1/2 unsupported, the others 1/4: 5/16, less 1/8.
  assert.ok(Math.abs(difference.estimate - (5 / 16 - 1 / 8)) < 1e-12);
  assert.equal(difference.n, 40);
  assert.ok(difference.interval.kind === "interval" && difference.interval.low > 0);
});

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
