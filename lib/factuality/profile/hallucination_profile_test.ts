import assert from "node:assert/strict";
import fc from "fast-check";
import { response, RESPONSES } from "../metrics/testdata/responses.ts";
import { hallucinationProfile } from "./hallucination_profile.ts";
import type { ClaimRating } from "./profile_input.ts";
import { profileJson, readProfileJson } from "./profile_json.ts";
import { PROFILE_METRIC_NAMES, type ProfileMetric } from "./profile_metrics.ts";
import { profileInput, ratings } from "./testdata/input.ts";

const PROFILE = hallucinationProfile(profileInput());

const NOTHING = { responses: [], consensus: [], ratings: [], uncertainties: [], refusals: [] };
const EMPTY = hallucinationProfile(profileInput(NOTHING));
const rated = (made: readonly ClaimRating[]) =>
  hallucinationProfile(profileInput({ ...NOTHING, ratings: made }));

const estimate = (metric: ProfileMetric) =>
  metric.kind === "measured" ? metric.estimate : metric.reason;

Deno.test("Requirement 19.1: the profile has MiHR, MaHR, FActScore, F1, κ and uncertainty, by hand", () => {
  const { metrics, counts } = PROFILE;
  assert.deepEqual(counts, {
    supported: 130,
    refuted: 10,
    unverifiable: 10,
    unscored: 10,
    scored: 150,
  });
  assert.equal(estimate(metrics.mihr), (0 + 0 + 1 / 4 + 1 / 4) / 4);
  assert.equal(estimate(metrics.mihrPooled), 20 / 150);
  assert.equal(estimate(metrics.mahr), 1 / 2);
  assert.equal(estimate(metrics.mahrRefuted), 1 / 4);
  assert.equal(estimate(metrics.factualPrecision), 130 / 150);
  assert.equal(estimate(metrics.consensusF1), (0 + 1 / 4 + 2 / 4 + 3 / 4) / 4);
  assert.ok(Math.abs(Number(estimate(metrics.uncertainty)) - 0.4) < 1e-12);
  // 20 supported by all, 10 by none, 10 by one of three: 70 of 120 ratings are "supported".
  const [observed, expected] = [(30 + 10 / 3) / 40, (7 / 12) ** 2 + (5 / 12) ** 2];
  const kappa = (observed - expected) / (1 - expected);
  assert.ok(Math.abs(Number(estimate(metrics.fleissKappa)) - kappa) < 1e-12);
  assert.equal(estimate(metrics.falseAcceptance), 1 / 2);
  assert.equal(estimate(metrics.overRefusal), 0);
});

Deno.test("each metric has its n and an interval around its estimate", () => {
  for (const name of PROFILE_METRIC_NAMES) {
    const metric = PROFILE.metrics[name];
    assert.ok(metric.kind === "measured" && metric.n > 0, name);
    const { interval } = metric;
    assert.ok(interval.kind === "interval", name);
    assert.ok(interval.low <= metric.estimate && metric.estimate <= interval.high, name);
  }
  const counted = (["mihr", "mihrPooled", "mahr", "fleissKappa", "falseAcceptance"] as const)
    .map((name) => PROFILE.metrics[name]).map((metric) => metric.kind === "measured" && metric.n);
  assert.deepEqual(counted, [40, 150, 40, 40, 20]);
  assert.deepEqual(hallucinationProfile(profileInput()), PROFILE);
});

Deno.test("what was not measured is unavailable with its reason, in metrics and in notComputed", () => {
  assert.equal(EMPTY.notComputed.length, PROFILE_METRIC_NAMES.length);
  const reasons = new Map(EMPTY.notComputed.map(({ metric, reason }) => [metric, reason]));
  assert.equal(reasons.get("mihr"), "no responses");
  assert.equal(reasons.get("fleissKappa"), "no claim was rated");
  assert.equal(reasons.get("uncertainty"), "no question was sampled several times");
  assert.equal(reasons.get("consensusF1"), "no query was answered by another model too");
  assert.equal(reasons.get("falseAcceptance"), "no query about what does not exist");
  assert.equal(EMPTY.reliability.kind, "unavailable");
  assert.deepEqual(PROFILE.notComputed, []);
});

Deno.test("a figure of one cluster stands, without an interval and with the reason", () => {
  const one = profileInput({
    ...NOTHING,
    responses: [response("q", "sr", { model: "SmolLM2 135M" })],
  });
  const { mihr, mahr } = hallucinationProfile(one).metrics;
  assert.deepEqual(mihr, {
    kind: "measured",
    estimate: 1 / 2,
    n: 1,
    interval: { kind: "unavailable", reason: "a single cluster says nothing about others" },
  });
  assert.ok(mahr.kind === "measured" && mahr.interval.kind === "interval");
});

Deno.test("κ is over claims that every rater rated; where all give one label it says so, with Po", () => {
  const some = [...ratings("sss", "snn"), ...ratings("ss").map((r) => ({ ...r, query: "other" }))];
  const { fleissKappa, gwetAc1 } = rated(some).metrics;
  assert.ok(fleissKappa.kind === "measured" && gwetAc1.kind === "measured");
  assert.deepEqual([fleissKappa.n, gwetAc1.n], [2, 3]);
  const alike = rated(ratings("sss", "sss"));
  assert.equal(
    estimate(alike.metrics.fleissKappa),
    "all ratings are one label; observed agreement 1.00",
  );
  const single = rated(ratings("s"));
  assert.equal(estimate(single.metrics.fleissKappa), "fewer than two raters");
});

Deno.test("Requirement 19.3: claims on which raters differ are disputed, most divided first, the others consensus", () => {
  const made = ratings("sss", "snnn", "sn", "n", "nn");
  const { disputed, consensus, ratedOnce } = rated(made).claims;
  assert.deepEqual(disputed.map(({ query }) => query), ["q2", "q1"]);
  assert.deepEqual(consensus.map(({ query }) => query), ["q0", "q4"]);
  assert.equal(ratedOnce, 1);
  assert.deepEqual(disputed[0]!.votes, [
    { rater: "rater 1", label: "supported" },
    { rater: "rater 2", label: "not supported" },
  ]);
  const twice = [...ratings("s"), ...ratings("n")];
  assert.throws(() => rated(twice), /two ratings of claim c1 of q0; keep one/);
});

Deno.test("hallucinationProfile() refuses a response of another model", () => {
  assert.throws(
    () => hallucinationProfile(profileInput({ responses: [response("q", "s")] })),
    /Cannot profile SmolLM2 135M: the response to q is of m\./,
  );
});

Deno.test("readProfileJson() says what is wrong with a file", () => {
  assert.throws(() => readProfileJson("{", "p.json"), /SyntaxError: Cannot read p\.json: it is no/);
  const changed = profileJson([PROFILE]).replace('"estimate": 0.5', '"estimate": "half"');
  assert.throws(
    () => readProfileJson(changed, "p.json"),
    /as profiles of schema version 1: .*metrics/,
  );
  const later = profileJson([PROFILE]).replace('"schemaVersion": 1', '"schemaVersion": 2');
  assert.throws(() => readProfileJson(later, "p.json"), /as profiles of schema version 1/);
  const broken = { ...PROFILE, counts: { ...PROFILE.counts, scored: NaN } };
  assert.throws(() => profileJson([broken]), /Cannot write the profile: scored is NaN/);
});

Deno.test("Requirement 19.4: any profile is the same after being written as JSON and read", () => {
  const votes = fc.array(fc.constantFrom("s", "n", "sn", "ss", "nn"), { maxLength: 4 });
  fc.assert(
    fc.property(RESPONSES, votes, fc.string(), (responses, votes, model) => {
      // One cluster: no interval has to be drawn a hundred times.
      const profile = hallucinationProfile(profileInput({
        ...NOTHING,
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
