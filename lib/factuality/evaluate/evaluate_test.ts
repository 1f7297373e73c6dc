import assert from "node:assert/strict";
import fc from "fast-check";
import type { Claim, EvaluationRequest } from "../types.ts";
import { evaluate } from "./evaluate.ts";
import { retrievePassages } from "./verify_claims.ts";
import {
  components,
  countingClock,
  foundPassage,
  judgement,
  literalVerifier,
  sentenceSplitter,
  toldJudge,
  toldRetriever,
} from "./testdata/stand_ins.ts";

const SOURCE = "Oslo has 700 islands nearby. Norway joined NATO in 1949. The fjord is deep.";

const CANDIDATE =
  "The fjord is deep. Norway joined NATO in 1994. Oslo has 70 islands nearby. Elk swim. Why so?";

function request(given: Partial<EvaluationRequest> = {}): EvaluationRequest {
  return { id: "r1", source: SOURCE, candidate: CANDIDATE, question: "", ...given };
}

const clock = countingClock();

Deno.test("Requirement 2.1, 2.2: every claim has its verdict against the source, a question none", async () => {
  const { claims, mode } = await evaluate(request(), components(), { clock });
  assert.equal(mode, "source");
  assert.deepEqual(
    claims.map(({ verdict }) => verdict.kind === "scored" ? verdict.label : verdict.reason),
    ["supported", "refuted", "refuted", "not enough info", "not checkable"],
  );
});

Deno.test("Requirement 8.8: what is not borne out is a temporal, a numerical and an unsupported claim", async () => {
  const { unsupported } = await evaluate(request(), components(), { clock });
  assert.deepEqual(
    unsupported.map(({ claimId, kind, detectedBy }) => [claimId, kind, detectedBy]),
    [
      ["c2", "temporal inconsistency", ["verifier"]],
      ["c3", "numerical error", ["verifier"]],
      ["c4", "unsupported claim", ["verifier"]],
    ],
  );
  assert.match(unsupported[0]!.reasons[0]!, /source says "Norway joined NATO in 1949"/);
  assert.equal(unsupported[0]!.evidence[0]!.text, "Norway joined NATO in 1949");
});

Deno.test("Requirement 2.3-2.6: judges are shown verdicts, scores are taken together, flags join the list", async () => {
  const flag = { phrase: "deep", span: { start: 13, end: 17 }, reason: "it is shallow" };
  const stray = { phrase: "dry", span: undefined, reason: "not in the text" };
  const first = toldJudge("first", () => Promise.resolve(judgement(40, [flag, stray])));
  const second = toldJudge("second", () => Promise.resolve(judgement(60)));
  const found = await evaluate(request(), components({ judges: [first, second] }), { clock });
  assert.match(first.asked[0]!.values.verdicts!, /1994\.: refuted \(80 %\); source says/);
  assert.equal(first.asked[0]!.values.source, SOURCE);
  const [accuracy] = found.criteria;
  assert.equal(accuracy?.criterion, "factual_accuracy");
  assert.equal(accuracy?.ensemble.kind === "scored" && accuracy.ensemble.score, 50);
  assert.deepEqual(
    found.unsupported.map(({ claimId, detectedBy }) => [claimId, detectedBy]),
    [["c1", ["first"]], ["c2", ["verifier"]], ["c3", ["verifier"]], ["c4", ["verifier"]], ["", [
      "first",
    ]]],
  );
  assert.deepEqual(found.disagreements.map(({ claimId, judge }) => [claimId, judge]), [[
    "c1",
    "first",
  ]]);
  assert.match(found.disagreements[0]!.words, /verifier says supported.*"deep": it is shallow/);
});

Deno.test("a judge that weighs nothing seconds a charge and brings none; what it says is a disagreement all the same", async () => {
  const flagged = [{ phrase: "dry", span: undefined, reason: "" }];
  const judge = { ...toldJudge("weak", () => Promise.resolve(judgement(10, flagged))), weight: 0 };
  const given = components({ judges: [judge], judgeClaims: true });
  const found = await evaluate(request(), given, { clock });
  assert.deepEqual(
    found.unsupported.map(({ claimId, detectedBy }) => [claimId, detectedBy]),
    ["c2", "c3", "c4"].map((id) => [id, ["verifier", "weak"]]),
  );
  assert.deepEqual(found.disagreements.map(({ claimId }) => claimId), ["c1"]);
});

Deno.test("judges that were measured at chance bring no charge, and their score is of low confidence", async () => {
  const flagged = [{ phrase: "dry", span: undefined, reason: "" }];
  const measured = { balancedAccuracy: 0.52, low: 0.45, high: 0.59, n: 160, on: "made claims" };
  const judge = { ...toldJudge("weak", () => Promise.resolve(judgement(10, flagged))), measured };
  const found = await evaluate(request(), components({ judges: [judge] }), { clock });
  assert.ok(found.unsupported.every(({ detectedBy }) => detectedBy[0] === "verifier"));
  const [{ ensemble }] = found.criteria as [typeof found.criteria[number]];
  assert.ok(ensemble.kind === "scored" && ensemble.lowConfidence);
  assert.equal(ensemble.reasons[0], "no judge was measured to be better than chance");
});

Deno.test("Requirement 7.3: each criterion has a score of its own, factual accuracy first", async () => {
  const judge = toldJudge(
    "one",
    ({ template }) => Promise.resolve(judgement(template === "style" ? 90 : 30)),
  );
  const criteria = ["style", "factual_accuracy"];
  const found = await evaluate(request(), components({ judges: [judge], criteria }), { clock });
  assert.deepEqual(
    found.criteria.map(({ criterion, ensemble }) => [
      criterion,
      ensemble.kind === "scored" && ensemble.score,
    ]),
    [["factual_accuracy", 30], ["style", 90]],
  );
});

Deno.test("Requirement 13.3: a judge that is asked about a claim and is of another opinion is logged with both reasons", async () => {
  const judge = toldJudge("one", ({ template, values }) =>
    Promise.resolve(
      template === "claim" && values.claim!.includes("NATO")
        ? judgement(90, [], "it did join then")
        : judgement(60),
    ));
  const given = components({ judges: [judge], judgeClaims: true });
  const { claims, disagreements } = await evaluate(request(), given, { clock });
  assert.deepEqual(claims.map(({ judges }) => judges.length), [1, 1, 1, 1, 0]);
  const words = disagreements.find(({ claimId }) => claimId === "c2")?.words ?? "";
  assert.match(words, /verifier says refuted \(source says.*gives it 90 of 100 \(it did join then/);
});

Deno.test("Requirement 6.4, 6.5: passages go to verifier and judges; nothing found is unverifiable, and the source alone decides", async () => {
  const judge = toldJudge("one", () => Promise.resolve(judgement(50)));
  const retriever = toldRetriever((claim) =>
    claim.startsWith("Elk") ? [foundPassage("p1", "It is known that elk swim well.")] : []
  );
  const given = components({ retriever, judges: [judge] });
  const { claims, mode } = await evaluate(
    request({ candidate: "Elk swim. The fjord is deep. Elks fly." }),
    given,
    { clock },
  );
  assert.equal(mode, "source and retrieval");
  assert.deepEqual(
    claims.map(({ retrieval, unverifiable, verdict }) => [
      retrieval.status,
      unverifiable,
      verdict.kind === "scored" && verdict.label,
    ]),
    [
      ["found", false, "supported"],
      ["nothing found", false, "supported"],
      ["found", false, "not enough info"],
    ],
  );
  assert.match(judge.asked[0]!.values.source!, /elk swim well/);
});

Deno.test("Requirement 6.5: a claim that neither knowledge base nor source knows is unverifiable", async () => {
  const given = components({ retriever: toldRetriever(() => []) });
  const { claims, unsupported } = await evaluate(request({ candidate: "Elk swim." }), given, {
    clock,
  });
  assert.equal(claims[0]!.unverifiable, true);
  assert.equal(unsupported[0]!.kind, "unsupported claim");
});

Deno.test("Requirement 6.6: a knowledge base that fails is told, and the source is used alone", async () => {
  const retriever = {
    ...toldRetriever(() => []),
    retrieve: () => Promise.reject(new Error("gone")),
  };
  const found = await evaluate(request(), components({ retriever }), { clock });
  assert.equal(found.mode, "source");
  assert.deepEqual(found.problems, ["The knowledge base told failed: gone"]);
  assert.equal(found.claims[0]!.retrieval.status, "failed");
  assert.equal(found.claims[0]!.verdict.kind, "scored");
});

Deno.test("Requirement 9: a verifier, a splitter or a judge that throws costs its own part only", async () => {
  const verifier = { ...literalVerifier, verify: () => Promise.reject(new Error("no weights")) };
  const judge = toldJudge("one", () => Promise.reject(new Error("no answer")));
  const other = toldJudge("two", () => Promise.resolve(judgement(70)));
  const given = components({ verifier, judges: [judge, other] });
  const found = await evaluate(request(), given, { clock });
  const [{ verdict }] = found.claims as [typeof found.claims[number]];
  assert.equal(verdict.kind === "unscored" && verdict.reason, "failure");
  const [{ ensemble }] = found.criteria as [typeof found.criteria[number]];
  assert.equal(ensemble.kind === "scored" && ensemble.score, 70);
  assert.deepEqual(found.problems, [
    "The verifier literal failed: no weights",
    "The judge one failed: no answer",
  ]);
  assert.deepEqual(found.unsupported, []);
  const splitter = { name: "s", settings: {}, split: () => Promise.reject(new Error("no words")) };
  const whole = await evaluate(request(), components({ splitter, judges: [other] }), { clock });
  assert.deepEqual([whole.claims, whole.problems], [[], ["The splitter s failed: no words"]]);
  assert.equal(whole.criteria[0]?.ensemble.kind, "scored");
});

Deno.test("Requirement 9.3: a verifier out of memory is asked again with half as many claims, caches cleared", async () => {
  let cleared = 0;
  const verifier: typeof literalVerifier = {
    ...literalVerifier,
    verify(claims, passages) {
      if (claims.length > 1) throw new RangeError("Array buffer allocation failed");
      return literalVerifier.verify(claims, passages);
    },
  };
  const given = components({ verifier, batchSize: 4, clearCaches: () => void cleared++ });
  const found = await evaluate(request(), given, { clock });
  assert.equal(found.claims[1]!.verdict.kind, "scored");
  assert.equal(cleared, 2);
  assert.match(found.problems.join("\n"), /ran out of memory; tried again 1 at a time/);
});

Deno.test("evaluate() throws the signal's reason, whatever component notices it", async () => {
  const stop = new AbortController();
  const judge = toldJudge("one", () => {
    stop.abort(new Error("stopped"));
    return Promise.reject(stop.signal.reason);
  });
  const { signal } = stop;
  await assert.rejects(
    evaluate(request(), components({ judges: [judge] }), { clock, signal }),
    /stopped/,
  );
});

Deno.test("evaluate() notices a signal between two claims' judges, though none of them waits for anything", async () => {
  const stop = new AbortController();
  const judge = toldJudge("one", () => Promise.resolve(judgement(50)));
  const timer = setTimeout(() => stop.abort(new Error("Ctrl-C")), 0);
  const candidate = "Elk swim. ".repeat(400);
  const given = components({ judges: [judge], judgeClaims: true });
  const { signal } = stop;
  await assert.rejects(evaluate(request({ candidate }), given, { clock, signal }), /Ctrl-C/);
  assert.ok(judge.asked.length < 400);
  clearTimeout(timer);
});

Deno.test("evaluate() tells stages in order and how long each took", async () => {
  const stages: string[] = [];
  const onStage = (stage: string) => void stages.push(stage);
  const found = await evaluate(request(), components(), { clock: countingClock(), onStage });
  assert.deepEqual(stages, [
    "splitting",
    "retrieval",
    "verification",
    "consistency",
    "judging",
    "report",
  ]);
  assert.deepEqual(found.milliseconds, {
    total: 11,
    splitting: 1,
    retrieval: 1,
    verification: 2,
    judging: 1,
  });
});

Deno.test("Requirement 9.1: whatever judges and verifier fail at, every claim and criterion is there, scored or with a reason", async () => {
  const texts = fc.array(fc.constantFrom("Elk swim.", "The fjord is deep.", "Why?", "x 5."), {
    maxLength: 6,
  }).map((sentences) => sentences.join(" "));
  await fc.assert(
    fc.asyncProperty(texts, texts, fc.boolean(), fc.boolean(), async (source, candidate, a, b) => {
      const failing = { ...literalVerifier, verify: () => Promise.reject(new Error("down")) };
      const judges = [
        toldJudge(
          "one",
          () => b ? Promise.reject(new Error("down")) : Promise.resolve(judgement(10)),
        ),
      ];
      const given = components({ verifier: a ? failing : literalVerifier, judges });
      const found = await evaluate(request({ source, candidate }), given, { clock });
      assert.equal(found.claims.length, candidate.match(/[.?]/g)?.length ?? 0);
      for (const { verdict } of found.claims) {
        if (verdict.kind === "unscored") assert.ok(verdict.message.length > 10);
        else {
          const sum = Object.values(verdict.probabilities).reduce((x, y) => x + y);
          assert.ok(Math.abs(sum - 1) < 1e-9);
        }
      }
      assert.equal(found.criteria.length, 1);
    }),
    { numRuns: 100 },
  );
});

const retriever = toldRetriever(() => [foundPassage("p1", "Elk swim.")]);

async function statuses(given: Parameters<typeof components>[0], change: Partial<Claim> = {}) {
  const { claims } = await sentenceSplitter.split("Elk swim. They fly?");
  const run = {
    request: { id: "r", source: "", candidate: "", question: "" },
    components: components(given),
    clock: countingClock(),
    signal: undefined,
    problems: new Set<string>(),
  };
  const lookups = await retrievePassages(run, claims.map((claim) => ({ ...claim, ...change })));
  return lookups.map(({ retrieval }) => retrieval.status);
}

Deno.test("Requirement 6.3: each claim that can be checked is looked up", async () => {
  assert.deepEqual(await statuses({ retriever }), ["found", "disabled"]);
});

Deno.test("Requirement 6.6: without a knowledge base, or where it could not be opened, each claim says so", async () => {
  assert.deepEqual(await statuses({}), ["disabled", "disabled"]);
  assert.deepEqual(await statuses({ retrieverProblem: "no index" }), ["failed", "failed"]);
});

Deno.test("a claim whose pronoun is open is not looked up: a passage about something else would seem to bear it out", async () => {
  const notes = [{ kind: "pronoun unresolved", pronoun: "They" }] as const;
  const notCheckable = undefined;
  assert.deepEqual(await statuses({ retriever }, { notes, notCheckable }), [
    "nothing found",
    "nothing found",
  ]);
});
