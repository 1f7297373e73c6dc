import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { unscored } from "../decision.ts";
import { literalVerifier } from "../check/testdata/fakes.ts";
import { NO_MEASUREMENTS, profileInput, ratings, response } from "../metrics/testdata/made.ts";
import { hallucinationProfile } from "../metrics/profile.ts";
import type { Unscored, Verifier } from "../types.ts";
import * as measures from "./query_measures.ts";
import type { UserAnswer } from "./user_queries.ts";

const row = (query_id: string, sample: number, answer: string, more: Partial<UserAnswer> = {}) => {
  const of = { model: "m", query_id, query: "Who?", sample, answer, asked_sha256: "" };
  const reported = { mean_log_probability: "", ended: "given" } as const;
  return { ...of, ...reported, probabilities: [] as number[], ...more };
};
const query = (id: string, answerable?: boolean) => {
  return { id, question: "Who?", options: ["a", "b"], answerable, category: "all", name: "" };
};
const weighed = { probabilities: [0.5, 0.5] };
const ANSWERS: readonly UserAnswer[] = [
  // Three mean one thing; e⁰ · 3 against e^(ln 3): half of the probability each.
  ...["It is Ann.", "it is Ann", "It is Ann!"].map((text, i) =>
    row("words", i + 1, text, { mean_log_probability: -2 })
  ),
  row("words", 4, "It is Bob.", { mean_log_probability: Math.log(3) - 2 }),
  row("options", 1, "", { probabilities: [1, 0] }),
  row("options", 2, "", weighed),
  row("single", 1, "It is Ann."),
];
const QUERIES = ["words", "options", "single"].map((id) => query(id));

const measured = async (
  folder: string,
  verifier: Verifier = literalVerifier,
  onFailure = (_query: string, _why: string) => {},
) => {
  using table = measures.USER_UNCERTAINTIES.at(join(folder, "uncertainty.csv")).open();
  const how = { verifier, threshold: 0.8, table, onFailure };
  return await measures.measureUncertainty(ANSWERS, QUERIES, how);
};

const failing = (reason: Unscored["reason"]): Verifier => ({
  name: "failing",
  settings: {},
  verify: (claims) => Promise.resolve(claims.map(() => unscored("failing", reason, reason))),
});

Deno.test("Requirements 18.1-18.5: semantic entropy by hand, of shares and of probabilities; options with their parts", () =>
  inFolder(async (folder) => {
    const { missing, rows: [words, options, single] } = await measured(folder);
    assert.equal(missing, 0);
    const entropy = -(0.75 * Math.log(0.75) + 0.25 * Math.log(0.25));
    assert.equal(words!.entropy, Number(entropy.toFixed(6)));
    assert.equal(words!.uncertainty, Number((entropy / Math.log(4)).toFixed(6)));
    assert.equal(words!.weighted_entropy, Number(Math.LN2.toFixed(6)));
    assert.deepEqual(
      [words!.clusters, words!.answer, words!.answer_share, words!.high, words!.aleatoric],
      [2, "It is Ann.", 0.75, false, ""],
    );
    // Σ p̄(1 − p̄) = .375 of ½; within: the mean of 0 and ½.
    assert.deepEqual([options!.aleatoric_variance, options!.epistemic_variance], [0.5, 0.25]);
    assert.ok(options!.high && options!.answer === "a" && options!.answer_share === 0.75);
    const parts = Number(options!.aleatoric) + Number(options!.epistemic);
    assert.ok(Math.abs(parts - Number(options!.uncertainty)) < 2e-6);
    assert.deepEqual([single!.uncertainty, single!.high], ["", ""]);
    assert.match(single!.reason, /single/);
  }));

Deno.test("measureUncertainty(): a verdict that failed is missing and asked for again, one that cannot be is a reason", () =>
  inFolder(async (folder) => {
    const reported: string[] = [];
    const tell = (query: string, why: string) => void reported.push(`${query}: ${why}`);
    const { missing, rows } = await measured(folder, failing("time-out"), tell);
    assert.deepEqual([missing, reported, rows.length], [1, ["m, words: time-out"], 2]);
    assert.equal((await measured(folder)).missing, 0);
    // Nothing is asked again.
    const again = { ...literalVerifier, verify: () => Promise.reject(new Error("asked again")) };
    assert.equal((await measured(folder, again)).rows[0]!.clusters, 2);
    const { missing: none, rows: [unread] } = await measured(folder, failing("too long"));
    assert.deepEqual([none, unread!.uncertainty, unread!.reason], [0, "", "too long"]);
  }));

Deno.test("Requirements 20.3, 20.4: each answer has its outcome, and what is wrong is flagged", async () => {
  const asked = [query("no", false), query("yes", true), query("who")];
  const answers = asked.flatMap(({ id }) => [row(id, 1, "declines"), row(id, 2, "answers")]);
  const extra = [row("no", 3, ""), row("no", 4, "", { ended: "refusal" })];
  const classifier = {
    probabilities: (texts: readonly { readonly answer: string }[]) =>
      Promise.resolve(
        texts.map(({ answer }) => answer === "" ? undefined : answer === "declines" ? 0.9 : 0.1),
      ),
  };
  const rows = await measures.outcomesOf([...answers, ...extra], asked, classifier);
  assert.deepEqual(rows.map(({ outcome, flagged }) => `${outcome}${flagged ? "!" : ""}`), [
    "correct refusal",
    "false acceptance!",
    "over-refusal!",
    "answer",
    "refusal",
    "answer",
    "unknown",
    "correct refusal",
  ]);
  const known = measures.refusalsOf(rows);
  const declined = [true, false, true, false, undefined, true];
  assert.deepEqual(known.map(({ abstained }) => abstained), declined);
});

const GOOD = { responses: [response("q", "ssss")], ratings: ratings("sss", "nnn", "sss", "nnn") };

Deno.test("Requirement 19.1: a profile takes what was measured of its system, and reliability can be high", () =>
  inFolder(async (folder) => {
    const uncertainty = join(folder, "uncertainty.csv");
    await measured(folder);
    const of = measures.readSystemMeasures({ uncertainty }, ["candidates of x"])("candidates of x");
    assert.deepEqual(of.uncertainties.map(({ query }) => query), ["words", "options"]);
    const sure = of.uncertainties.map((one) => ({ ...one, parts: { total: 0.1 } }));
    const level = (uncertainties: typeof sure) => {
      const found = hallucinationProfile(profileInput({ ...GOOD, uncertainties })).reliability;
      return found.kind === "reliability" ? found.level : found.reason;
    };
    assert.deepEqual([level(sure), level([])], ["high", "medium"]);
    const { metrics } = hallucinationProfile(
      profileInput({ ...NO_MEASUREMENTS, uncertainties: sure }),
    );
    assert.ok(metrics.uncertainty.kind === "measured" && metrics.uncertainty.estimate === 0.1);
    assert.ok(metrics.epistemicUncertainty.kind === "unavailable");
    const named = (...systems: readonly string[]) =>
      measures.readSystemMeasures({ uncertainty }, systems);
    assert.throws(() => named("a", "b"), /it has m, the batch a, b/);
    assert.deepEqual(named("m", "b")("b").uncertainties, []);
  }));
