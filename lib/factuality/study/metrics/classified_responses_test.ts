import assert from "node:assert/strict";
import type { ClaimMatcher } from "../../metrics/claim_matching.ts";
import { CAREFUL_READER, claimRatings, classifiedResponses } from "./classified_responses.ts";
import { claimMatrices, consensusOf } from "./consensus_scores.ts";
import { queryUncertainties, refusalsOf } from "./query_outcomes.ts";

const answer = (system: string, question_id: string) => ({ system, question_id });
const claim = (
  system: string,
  question_id: string,
  claim_id: string,
  status: "scored" | "not checkable" | "no evidence" = "scored",
) => ({
  ...{ system, question_id, claim_id, claim: `${question_id} ${claim_id}`, status },
  label: status === "scored" ? "supported" as const : "" as const,
});

Deno.test("classifiedResponses() leaves out what cannot be checked and keeps what was not scored", () => {
  const [one, two] = classifiedResponses(
    [answer("a", "no"), answer("b", "no")],
    [
      claim("a", "no", "c1"),
      claim("a", "no", "c2", "not checkable"),
      claim("a", "no", "c3", "no evidence"),
    ],
    ({ system }) => system === "b",
  );
  assert.deepEqual(one!.claims.map(({ id, label }) => [id, label]), [
    ["c1", "supported"],
    ["c3", undefined],
  ]);
  assert.deepEqual([one!.abstained, two!.abstained, two!.claims], [false, true, []]);
  assert.equal(one!.cluster, "no");
});

Deno.test("classifiedResponses() refuses a claim whose answer is lost", () => {
  assert.throws(
    () => classifiedResponses([], [claim("a", "no", "c1")], () => false),
    /claim c1 is of a's answer to no, which is not there; run "deno task respond" again/,
  );
});

Deno.test("claimRatings() adds the careful reader to claims that others rated", () => {
  const row = { system: "a", question_id: "no", claim_id: "c1", claim: "Oslo is old." };
  const ratings = [
    { ...row, rater: "verifier", label: "supported" as const },
    { ...row, rater: "judge", label: "" as const },
    { ...row, system: "b", rater: "verifier", label: "supported" as const },
  ];
  const labels = [
    { ...row, label: "not enough info" as const },
    { ...row, claim_id: "c2", label: "refuted" as const },
  ];
  const found = claimRatings("a", ratings, labels);
  assert.deepEqual(found.map(({ claimId, rater, label }) => [claimId, rater, label]), [
    ["c1", "verifier", "supported"],
    ["c1", CAREFUL_READER, "not supported"],
  ]);
});

const sameText: ClaimMatcher = {
  name: "same text",
  settings: {},
  entailments: () => Promise.resolve(() => false),
};

Deno.test("Requirement 16.2: systems that answered the same query are held against each other", async () => {
  const responses = classifiedResponses(
    [answer("a", "no"), answer("b", "no"), answer("a", "se")],
    [
      claim("a", "no", "c1"),
      claim("b", "no", "c1"),
      claim("b", "no", "c2"),
      claim("a", "se", "c1"),
    ],
    () => false,
  );
  const matrices = await claimMatrices(responses, sameText);
  assert.deepEqual(matrices.map(({ query }) => query), ["no"]);
  const [score] = consensusOf("b", matrices);
  assert.deepEqual([score!.precision, score!.recall], [1 / 2, 1]);
});

Deno.test("Requirement 18.2: a question with several thoughts has an uncertainty, with one none", () => {
  const sample = (question_id: string, logProbabilities: readonly number[]) => ({
    ...{ model: "m", question_id, cluster: "no", options: ["a", "b"], logProbabilities },
  });
  const even = [Math.log(0.5), Math.log(0.5)];
  const found = queryUncertainties("m", [sample("q", even), sample("q", even), sample("r", even)]);
  assert.equal(found.length, 1);
  const { total, aleatoric, epistemic } = found[0]!.parts;
  assert.ok(Math.abs(total - 1) < 1e-12 && Math.abs(aleatoric - 1) < 1e-12);
  assert.ok(Math.abs(epistemic) < 1e-12);
});

Deno.test("Requirement 20.1: an answer is told by hand, else by the classifier, else not at all", () => {
  const queries = ["p", "q", "r"].map((id) => ({
    ...{ id, kind: "river" as const, exists: false, name: "Zzyx", question: "Where is Zzyx?" },
  }));
  const made = (query_id: string, label: "" | "abstains", probability: "" | number) => ({
    ...{ model: "m", instruction: "none", temperature: 0, seed: 1, query_id } as const,
    ...{ model_sha256: "", prompt_sha256: "", answer: "x", tokens: 1, ended: "complete" } as const,
    ...{ label, probability },
  });
  const answers = [made("p", "abstains", 0.1), made("q", "", 0.1), made("r", "", "")];
  const other = { ...made("p", "", 0.9), instruction: "may decline" as const };
  const found = refusalsOf("m", [...answers, other], queries);
  assert.deepEqual(found.map(({ abstained }) => abstained), [true, false, undefined]);
});
