import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { randomSource } from "../../stats/random.ts";
import { evaluate } from "../check/check.ts";
import { components, countingClock, judgement } from "../check/testdata/fakes.ts";
import { scriptedJudge } from "../check/testdata/fakes.ts";
import { batchSummary, summaryMarkdown } from "./summary.ts";
import { compareProfiles } from "../metrics/profile.ts";
import { profilePage } from "../metrics/profile_page.ts";
import type { Evaluation, JudgeResult } from "../types.ts";
import { accuracyByKind, componentsByKind, judgeAgreement, profilesOfBatch } from "./systems.ts";
import { systemMatrices } from "./systems.ts";

const SOURCE = "Elk swim. Norway joined NATO in 1949.";

/** Answers of systems to queries, judged by one who accepts what has no number. */
const answers = (rows: readonly (readonly [system: string, query: string, text: string])[]) =>
  Promise.all(rows.map(([system, query, candidate], at) => {
    const score = (text: string) => Promise.resolve(judgement(/\d/.test(text) ? 20 : 90));
    const judge = scriptedJudge("one", ({ judgedText }) => score(judgedText));
    const request = { id: `r${at}`, source: SOURCE, candidate, question: "", system, query };
    const given = components({ judges: [judge], judgeClaims: true });
    return evaluate(request, given, { clock: countingClock() });
  }));

const EVALUATIONS = await answers([
  ["a", "1", "Elk swim. Norway joined NATO in 1949."],
  ["b", "1", "Elk swim!"],
  ["c", "1", "Elk swim. Norway joined NATO in 1994."],
  ["a", "2", "Elk ski."],
]);

const NO_COMPONENT = () => Promise.reject(new Error("asked again"));
const LITERAL = { name: "literal", entailments: () => Promise.resolve(() => false) };
const MADE = { madeAt: "2026-11-23T12:00:00Z", seed: 1, others: "x" };
const measuredVerifier = () => undefined;
const known = (value: unknown) => typeof value === "number" ? value : "none";

Deno.test("Requirements 16.2-16.4: any systems' answers make a matrix, each held against the others without itself, by hand", () =>
  inFolder(async (folder) => {
    const matrices = await systemMatrices(folder, EVALUATIONS, () => Promise.resolve(LITERAL));
    assert.deepEqual(matrices.map(({ query, models }) => [query, models.join("")]), [["1", "abc"]]);
    const table = Deno.readTextFileSync(join(folder, "claim_matrix.csv"));
    assert.equal(table.match(/,Elk swim[.!],[abc],states,3,3$/gm)?.length, 3);
    assert.match(table, /1994\.,a,silent,1,3\n/);
    const profiles = profilesOfBatch(EVALUATIONS, matrices, { ...MADE, measuredVerifier });
    const actual = profiles.map(({ model, responses }) => `${model} ${responses.length}`);
    assert.deepEqual(actual, ["a 2", "b 1", "c 1"]);
    // Of a's two statements others hold one; of the others' consensus it has the one there is.
    const [of] = profiles[0]!.consensus;
    assert.deepEqual([known(of!.precision), known(of!.recall)], [1 / 2, 1]);
    assert.ok(Math.abs(Number(known(of!.f1)) - 2 / 3) < 1e-12);
    // What is known is not asked about again; without a second system there is nothing to ask.
    assert.deepEqual(await systemMatrices(folder, EVALUATIONS, NO_COMPONENT), matrices);
    assert.deepEqual(await systemMatrices(folder, EVALUATIONS.slice(3), NO_COMPONENT), []);
  }));

Deno.test("Requirements 13.2, 13.4: verifier and judges are distinguished by kind of claim, and by who is right where a person says", () => {
  const truthOf = (evaluation: string, claim: string) =>
    evaluation === "r0" && claim === "c2" ? "supported" as const : undefined;
  const rows = componentsByKind(EVALUATIONS, truthOf);
  assert.ok(rows.every(({ seconds }) => seconds! > 0), "the verifier has its time, too");
  const of = (component: string, kind: string) =>
    rows.find((row) => row.component === component && row.kind === kind)!;
  assert.deepEqual(rows.map(({ component, kind, claims }) => `${component} ${kind} ${claims}`), [
    ...["verifier all 6", "verifier factual 4", "verifier temporal 2"],
    ...["one all 6", "one factual 4", "one temporal 2"],
  ]);
  // "Elk swim" three times and 1949 are supported; the judge rejects 1949 and accepts "Elk ski".
  assert.equal(of("verifier", "all").supported, 4 / 6);
  assert.equal(of("one", "all").agreement, 4 / 6);
  assert.equal(of("one", "temporal").agreement, 1 / 2);
  assert.deepEqual([of("verifier", "temporal").right, of("one", "temporal").right], [1, 0]);
  assert.deepEqual([of("one", "factual").labelled, of("one", "factual").right], [0, undefined]);
  assert.equal(of("one", "all").confidence, (4 * 0.9 + 2 * 0.8) / 6);
});

Deno.test("a text that is not English is in no profile and no matrix, and the profile names it", () =>
  inFolder(async (folder) => {
    const foreign = "The text seems to be in German. The splitter reads English only.";
    const batch = EVALUATIONS.map((one, at) => at === 2 ? { ...one, foreign } : one);
    const matrices = await systemMatrices(folder, batch, () => Promise.resolve(LITERAL));
    assert.deepEqual(matrices.map(({ models }) => models.join("")), ["ab"]);
    const profiles = profilesOfBatch(batch, matrices, { ...MADE, measuredVerifier });
    const [a, , c] = profiles;
    assert.deepEqual([c!.responses, c!.metrics.mahr.kind], [[], "unavailable"]);
    assert.deepEqual(c!.leftOut, [{ query: "1", reason: "The text seems to be in German." }]);
    assert.equal(a!.leftOut, undefined);
    const page = profilePage(compareProfiles(profiles, 1));
    assert.match(page, /<h2>Left out: .*<li>c, 1: The text seems to be in German\.<\/li>/s);
  }));

/** Claims that two judges judged, by hand: who accepts what is given by the letters of a claim. */
const judged = (letters: readonly string[], measured?: JudgeResult["measured"]) =>
  EVALUATIONS.slice(0, letters.length).map((one, at): Evaluation => ({
    ...one,
    claims: one.claims.slice(0, 1).map((claim) => ({
      ...claim,
      judges: [..."xy"].map((judge) => ({
        judge,
        measured,
        milliseconds: 1,
        judgement: judgement(letters[at]!.includes(judge) ? 90 : 10),
      })),
    })),
  }));

Deno.test("Requirement 10.4: Cohen's κ of the judges with each other, by hand, and why where it means nothing", () => {
  const measured = { balancedAccuracy: 0.8, low: 0.7, high: 0.9, n: 100, on: "x" };
  const letters = ["xy", "x", "", "xy"];
  // They agree on 3 of 4; x accepts 3 of 4, y 2: Pe = 3/4·1/2 + 1/4·1/2 = 1/2, κ = 1/2.
  const [pair, ...others] = judgeAgreement(judged(letters, measured));
  assert.deepEqual(others, []);
  const { first, second, of, n, agreement, kappa } = pair!;
  assert.deepEqual([first, second, of, n, agreement, kappa], ["x", "y", "claims", 4, 3 / 4, 1 / 2]);
  const [guessed] = judgeAgreement(judged(letters));
  assert.deepEqual([guessed!.kappa, guessed!.byChance], [undefined, ["x", "y"]]);
  const summary = batchSummary(judged(letters), { requests: 4, passedOver: 0 }, randomSource(1));
  assert.match(
    summaryMarkdown(summary),
    /## Judges with each other\n[^#]*\| x \| y \| claims \| 4 \|/,
  );
});

Deno.test("Requirement 13.4: who is right more often is reported by kind of claim, where the interval says so", () => {
  // The verifier supports "Elk swim"; judge x does, y does not, and it is true in every one of ten sources.
  const ten = Array.from({ length: 10 }, () => judged(["x"])[0]!).map((one, at) => (
    { ...one, request: { ...one.request, id: `t${at}`, source: `${SOURCE} ${at}` } }
  ));
  const rows = accuracyByKind(ten, () => "supported");
  const actual = rows.map(({ kind, judge, n, verifier, judged, better }) =>
    [kind, judge, n, verifier, judged, better ?? "open"].join(" ")
  );
  assert.deepEqual(actual, ["factual x 10 1 1 open", "factual y 10 1 0 verifier"]);
  assert.deepEqual(accuracyByKind(ten, () => undefined), []);
});

Deno.test("Requirements 10.4, 17.1: Cohen's κ of a judge and the verifier, where both were measured above chance; else that no one measured so is reported", () => {
  const measured = { balancedAccuracy: 0.8, low: 0.7, high: 0.9, n: 100, on: "x" };
  const byChance = { ...measured, low: 0.4 };
  const judge = (of: typeof measured) =>
    EVALUATIONS.map((one) => ({
      ...one,
      claims: one.claims.map((claim) => ({
        ...claim,
        judges: claim.judges.map((said) => ({ ...said, measured: of })),
      })),
    }));
  const kappaOf = (of: typeof measured, verifier?: typeof measured) => {
    const summary = batchSummary(
      judge(of),
      { requests: 4, passedOver: 0 },
      randomSource(1),
      { measuredVerifier: () => verifier },
    );
    const row = summary.components.find(({ component }) => component === "one")!;
    return { ...row, table: summaryMarkdown(summary) };
  };
  // Each accepts 4 of 6 and they agree on 4: Po = 2/3, Pe = 2/3·2/3 + 1/3·1/3 = 5/9, κ = 1/4.
  const { kappa, expectedAgreement, table } = kappaOf(measured, measured);
  assert.deepEqual([kappa, expectedAgreement], [1 / 4, 5 / 9]);
  assert.match(table, /\| 0\.67 of 6 \| 0\.56 \| 0\.25 \(fair\) \|/);
  const guessed = kappaOf(byChance);
  assert.deepEqual([guessed.kappa, guessed.byChance], [undefined, ["one", "verifier"]]);
  assert.match(guessed.table, /0\.67 of 6 \| 0\.56 \| not meaningful, for .*: one, verifier \|/);
});
