import assert from "node:assert/strict";
import fc from "fast-check";
import { FEATURE_NAMES } from "../features/features.ts";
import { ruleSplitter } from "../claims/rule_splitter.ts";
import { comparedSentence, resultSentence } from "../report/words.ts";
import { AGGREGATION_STRATEGIES } from "../types.ts";
import type { Claim, ClaimKind, ClaimResult, Evaluation, EvaluationRequest } from "../types.ts";
import type { HallucinationKind, Verdict, Verifier } from "../types.ts";
import { scoredVerdict } from "../decision.ts";
import { evaluate } from "./check.ts";
import { expectedTrust } from "./verify.ts";
import { hallucinationKind } from "./unsupported.ts";
import { unscored } from "../decision.ts";
import { components, countingClock, judgement, retrievedPassage } from "./testdata/fakes.ts";
import { literalVerifier, scriptedJudge, sentenceSplitter } from "./testdata/fakes.ts";
import { scriptedRetriever, verdict } from "./testdata/fakes.ts";

const SOURCE = "Oslo has 700 islands nearby. Norway joined NATO in 1949. The fjord is deep.";
const CANDIDATE =
  "The fjord is deep. Norway joined NATO in 1994. Oslo has 70 islands nearby. Elk swim. Why so?";

/** Evaluates the candidate above, or a given request, with these components. */
const evaluated = (
  given: Parameters<typeof components>[0] = {},
  request: Partial<EvaluationRequest> = {},
  options: Omit<Parameters<typeof evaluate>[2], "clock"> = {},
) =>
  evaluate(
    { id: "r1", source: SOURCE, candidate: CANDIDATE, question: "", ...request },
    components(given),
    { clock: countingClock(), ...options },
  );

const saying = (name: string, ...said: Parameters<typeof judgement>) =>
  scriptedJudge(name, () => Promise.resolve(judgement(...said)));
const down = () => Promise.reject(new Error("down"));

const saidOf = ({ verdict }: ClaimResult) =>
  verdict.kind === "scored" ? verdict.label : verdict.reason;

/** The unified list in brief: each claim with its kind of error or its accusers. */
const listed = ({ unsupported }: Evaluation, by: "kind" | "detectedBy") =>
  unsupported.map((one) => `${one.claimId} ${one[by]}`).join();

Deno.test("Requirement 2.1, 2.2, 8.8: every claim has its verdict, a question none; an unsupported claim is of its kind", async () => {
  const stages: string[] = [];
  const onStage = (...reported: readonly unknown[]) => void stages.push(reported.join(" "));
  const found = await evaluated({}, {}, { onStage });
  const { claims, unsupported, milliseconds } = found;
  assert.equal(found.mode, "source");
  const labels = ["supported", "refuted", "refuted", "not enough info", "not checkable"];
  assert.deepEqual(claims.map(saidOf), labels);
  const mistakes = "c2 temporal inconsistency,c3 numerical error,c4 unsupported claim";
  assert.equal(listed(found, "kind"), mistakes);
  assert.match(unsupported[0]!.reasons[0]!, /source says "Norway joined NATO in 1949"/);
  assert.equal(unsupported[0]!.evidence[0]!.text, "Norway joined NATO in 1949");
  const counted = "splitting,retrieval,verification,verification 4 4,consistency,judging,report";
  assert.equal(stages.join(), counted);
  const { total, ...parts } = milliseconds;
  assert.deepEqual([total, Object.values(parts)], [11, [1, 1, 2, 1]]);
});

Deno.test("Requirement 2.3-2.6: judges are shown verdicts, scores are taken together, flags join the list", async () => {
  const flag = { phrase: "deep", span: { start: 13, end: 17 }, reason: "it is shallow" };
  const stray = { phrase: "dry", span: undefined, reason: "not in the text" };
  const first = saying("first", 40, [flag, stray]);
  const found = await evaluated({ judges: [first, saying("second", 60)] });
  assert.match(first.asked[0]!.values.verdicts!, /1994\.: refuted \(80 %\); source says/);
  assert.equal(first.asked[0]!.values.source, SOURCE);
  const [accuracy] = found.criteria;
  assert.equal(accuracy?.ensemble.kind === "scored" && accuracy.ensemble.score, 50);
  assert.equal(listed(found, "detectedBy"), "c1 first,c2 verifier,c3 verifier,c4 verifier, first");
  const [{ claimId, judge, words }] = found.disagreements as [typeof found.disagreements[0]];
  assert.deepEqual([claimId, judge], ["c1", "first"]);
  assert.match(words, /verifier says supported.*"deep": it is shallow/);
});

Deno.test("a judge that weighs nothing, or was measured at chance, seconds a charge and brings none", async () => {
  const weak = saying("weak", 10, [{ phrase: "dry", span: undefined, reason: "" }]);
  const found = await evaluated({ judges: [{ ...weak, weight: 0 }], judgeClaims: true });
  const seconded = "c2 verifier,weak,c3 verifier,weak,c4 verifier,weak";
  assert.equal(listed(found, "detectedBy"), seconded);
  assert.deepEqual(found.disagreements.map(({ claimId }) => claimId), ["c1"]);
  const measured = { balancedAccuracy: 0.52, low: 0.45, high: 0.59, n: 160, on: "made claims" };
  // Neither one at chance nor an unmeasured one gives the text a score, unless a person weighs it.
  for (const known of [measured, undefined]) {
    const judges = [{ ...weak, vouched: false, measured: known }];
    const { unsupported, criteria } = await evaluated({ judges });
    assert.ok(unsupported.every(({ detectedBy }) => detectedBy[0] === "verifier"));
    const { ensemble, judges: [reported] } = criteria[0]!;
    assert.ok(ensemble.kind === "unscored" && ensemble.reason === "not measured");
    assert.equal(reported!.judgement.kind, "scored");
  }
});

Deno.test("with a trusted judge an unmeasured one counts by no strategy, and is shown without weight", async () => {
  const guess = { ...saying("guess", 0), vouched: false, measured: undefined };
  for (const aggregation of AGGREGATION_STRATEGIES) {
    const judges = [saying("known", 80), guess];
    const { criteria, configuration } = await evaluated({ judges, aggregation });
    const { ensemble } = criteria[0]!;
    assert.ok(ensemble.kind === "scored");
    assert.equal(ensemble.score, aggregation === "majority vote" ? 100 : 80, aggregation);
    assert.deepEqual([ensemble.scored, ensemble.asked], [1, 2]);
    assert.deepEqual(configuration.judges.map(({ settings }) => settings["weight"]), [1, 0]);
  }
});

Deno.test("Requirement 7.3, 13.3: each criterion has a score of its own, and a judge of another opinion about a claim is logged with both reasons", async () => {
  const judge = scriptedJudge("one", ({ template, values }) => {
    if (template !== "claim") return Promise.resolve(judgement(template === "style" ? 90 : 30));
    const isNato = values.claim!.includes("NATO");
    return Promise.resolve(isNato ? judgement(90, [], "it did join then") : judgement(60));
  });
  const asked = { judges: [judge], judgeClaims: true, criteria: ["style", "factual_accuracy"] };
  const { claims, disagreements, criteria } = await evaluated(asked);
  assert.deepEqual(
    criteria.map(({ criterion, ensemble: one }) => [criterion, one.kind === "scored" && one.score]),
    [["factual_accuracy", 30], ["style", 90]],
  );
  assert.deepEqual(claims.map(({ judges }) => judges.length), [1, 1, 1, 1, 0]);
  const words = disagreements.find(({ claimId }) => claimId === "c2")?.words ?? "";
  assert.match(words, /verifier says refuted \(source says.*gives it 90 of 100 \(it did join then/);
});

Deno.test("Requirement 6.3, 6.4, 6.5: passages go to verifier and judges; what is unknown is unverifiable", async () => {
  const judge = saying("one", 50);
  const known = [retrievedPassage("p1", "It is known that elk swim well.")];
  const retriever = scriptedRetriever((claim) => claim.startsWith("Elk") ? known : []);
  // A claim whose pronoun is open is not looked up: something else would seem to bear it out.
  const split = async (text: string) => {
    const { claims, dropped } = await sentenceSplitter.split(text);
    const notes = [{ kind: "pronoun unresolved", pronoun: "They" }] as const;
    const open = (claim: Claim): Claim => claim.text === "Elk run." ? { ...claim, notes } : claim;
    return { claims: claims.map(open), dropped };
  };
  const given = { splitter: { ...sentenceSplitter, split }, retriever, judges: [judge] };
  const candidate = "Elk swim. The fjord is deep. Elks fly. Moose fly. Do they? Elk run.";
  const { claims, mode, unsupported } = await evaluated(given, { candidate });
  assert.equal(mode, "source and retrieval");
  assert.deepEqual(
    claims.map((one) => [one.retrieval.status, one.unverifiable, saidOf(one)]),
    [
      ["found", false, "supported"],
      ["nothing found", false, "supported"],
      ["found", false, "not enough info"],
      ["nothing found", true, "not enough info"],
      ["not looked up", false, "not checkable"],
      ["not looked up", true, "not enough info"],
    ],
  );
  assert.equal(unsupported.at(-1)!.kind, "unsupported claim");
  assert.match(judge.asked[0]!.values.source!, /elk swim well/);
});

Deno.test("Requirement 6.6: a knowledge base that fails, or could not be opened, is reported, and the source is used alone", async () => {
  const retriever = { ...scriptedRetriever(() => []), retrieve: down };
  const found = await evaluated({ retriever });
  assert.equal(found.mode, "source");
  assert.deepEqual(found.problems, ["The knowledge base told failed: down"]);
  assert.deepEqual(found.failed, found.problems);
  assert.equal(found.claims[0]!.retrieval.status, "failed");
  assert.equal(found.claims[0]!.verdict.kind, "scored");
  const closed = await evaluated({ retrieverProblem: "no index" });
  assert.deepEqual(closed.claims[0]!.retrieval, { status: "failed", message: "no index" });
});

Deno.test("Requirement 9, 9.1: a verifier, a splitter or a judge that throws costs its own part only", async () => {
  const judges = [scriptedJudge("one", down), saying("two", 70)];
  const found = await evaluated({ verifier: { ...literalVerifier, verify: down }, judges });
  const { ensemble } = found.criteria[0]!;
  assert.equal(saidOf(found.claims[0]!), "failure");
  assert.equal(ensemble.kind === "scored" && ensemble.score, 70);
  const problems = ["The verifier literal failed: down", "The judge one failed: down"];
  assert.deepEqual(found.problems, problems);
  assert.deepEqual(found.unsupported, []);
  const splitter = { name: "s", settings: {}, split: down };
  const whole = await evaluated({ splitter, judges: [judges[1]!] });
  assert.deepEqual([whole.claims, whole.problems], [[], ["The splitter s failed: down"]]);
  assert.equal(whole.criteria[0]?.ensemble.kind, "scored");
});

Deno.test("Requirement 9.3: whatever the memory bears, every claim has its own verdict, after caches were cleared", async () => {
  const sentence = fc.constantFrom("Elk swim.", "Norway joined NATO in 1994.");
  const text = fc.array(sentence, { minLength: 1, maxLength: 20 });
  const [atOnce, most] = [fc.integer({ min: 1, max: 32 }), fc.integer({ min: 0, max: 12 })];
  // What V8, a native library and an engine say.
  const said = ["Array buffer allocation failed", "std::bad_alloc", "out of memory"];
  const words = fc.constantFrom(...said);
  await fc.assert(
    fc.asyncProperty(text, atOnce, most, words, async (sentences, batchSize, bearable, words) => {
      let cleared = 0;
      const verify: typeof literalVerifier.verify = (claims, passages) => {
        if (claims.length <= bearable) return literalVerifier.verify(claims, passages);
        throw new Error("x", { cause: new RangeError(words) });
      };
      const verifier = { ...literalVerifier, verify };
      const request = { candidate: sentences.join(" ") };
      const clearCaches = () => void cleared++;
      const found = await evaluated({ verifier, batchSize, clearCaches }, request);
      assert.equal(cleared > 0, Math.min(batchSize, sentences.length) > bearable);
      if (bearable > 0) assert.deepEqual(found.claims, (await evaluated({}, request)).claims);
      else assert.ok(found.claims.every(({ verdict }) => verdict.kind === "unscored"));
    }),
  );
});

Deno.test("evaluate() throws the signal's reason, whatever component notices it, and between judges that wait for nothing", async () => {
  const stop = new AbortController();
  const judge = scriptedJudge("one", () => {
    stop.abort(new Error("stopped"));
    return Promise.reject(stop.signal.reason);
  });
  await assert.rejects(evaluated({ judges: [judge] }, {}, { signal: stop.signal }), /stopped/);
  const second = new AbortController();
  const quick = saying("one", 50);
  setTimeout(() => second.abort(new Error("Ctrl-C")), 0);
  const [given, { signal }] = [{ judges: [quick], judgeClaims: true }, second];
  const candidate = "Elk swim. ".repeat(400);
  await assert.rejects(evaluated(given, { candidate }, { signal }), /Ctrl-C/);
  assert.ok(quick.asked.length < 400);
});

Deno.test("Requirement 9.2: a verifier and a knowledge base that hang are given up, distinguished from failures, and asked again", async () => {
  const hang = () => new Promise<never>(() => {});
  const timeLimits = { verifier: 0.005, retriever: 0.005 };
  const slow = { ...literalVerifier, verify: hang };
  const retriever = { ...scriptedRetriever(() => []), retrieve: hang };
  const found = await evaluated({ verifier: slow, retriever, timeLimits });
  const reasons = found.claims.slice(0, 4).map((one) => [saidOf(one), one.retrieval.status]);
  assert.deepEqual(reasons, Array(4).fill(["time-out", "failed"]));
  assert.deepEqual(found.failed, [
    "The knowledge base told failed: no whole answer within 0.005 s",
    "The verifier literal failed: no whole answer within 0.02 s",
  ]);
});

Deno.test("a text or a source that is not English is reported before any figure", async () => {
  const german = "Die Brücke wurde am 14. März 1931 eröffnet und hat vier Spuren für Züge.";
  const said = async (request: Partial<EvaluationRequest>) =>
    resultSentence(await evaluated({}, request));
  assert.match(
    await said({ candidate: german }),
    /^The text seems to be in German\..* do not rely/,
  );
  assert.match(await said({ source: german }), /^The source text seems to be in German\./);
  assert.match(await said({}), /^The verifier finds/);
});

Deno.test("Requirement 15.3: a claim that is not looked up, whose subject is unknown, is not supported", async () => {
  const notes = [{ kind: "pronoun unresolved", pronoun: "They" }] as const;
  const split = async (text: string) => {
    const { claims, dropped } = await sentenceSplitter.split(text);
    return { claims: claims.map((claim) => ({ ...claim, notes })), dropped };
  };
  const given = {
    splitter: { ...sentenceSplitter, split },
    retriever: scriptedRetriever(() => []),
  };
  const found = await evaluated(given, { source: "", candidate: "They run. They swim." });
  assert.match(resultSentence(found), /finds 0 of 2 checkable claims .* unverifiable: 2\./);
  assert.equal(listed(found, "kind"), "c1 unsupported claim,c2 unsupported claim");
  assert.match(found.unsupported[0]!.reasons[0]!, /not looked up: what its "They" stands for/);
});

const consistency = { languageModel: undefined, mostPairs: 10, mostPairsBeside: 10 };
const TWICE = "Norway joined NATO in 1949. Elk swim. Norway joined NATO in 1994.";
const ALONE = { source: "", candidate: TWICE };

Deno.test("Requirement 6.7: without any source two claims that exclude one another are found, both named, and how plausible each is", async () => {
  const languageModel = {
    name: "small",
    settings: {},
    score: (texts: readonly string[]) =>
      Promise.resolve(texts.map((text) => ({ logProbability: -6, tokens: 3, bytes: text.length }))),
  };
  const found = await evaluated({ consistency: { ...consistency, languageModel } }, ALONE);
  assert.equal(found.mode, "zero retrieval");
  assert.deepEqual(found.consistency?.contradictions[0]?.claimIds, ["c1", "c3"]);
  assert.equal(listed(found, "kind"), "c1 internal contradiction,c3 internal contradiction");
  assert.deepEqual(found.consistency?.plausibility.map(({ value }) => value), [-2, -2, -2]);
  assert.equal(saidOf(found.claims[0]!), "no evidence");
  const without = await evaluated({ consistency: { ...consistency, mostPairs: 0 } }, ALONE);
  assert.equal(without.consistency?.plausibility[0]?.value, undefined);
  assert.deepEqual(without.consistency?.compared, { pairs: 0, of: 1 });
  assert.match(comparedSentence(without), /^Only the 0 most similar of 1 pairs/);
});

Deno.test("Requirement 14.4: contradictions within a text are found with a source, whose verdicts stay as they are", async () => {
  const about = { ...ALONE, source: "Norway joined NATO in 1949. Elk swim. Elk swim far." };
  const [found, without] = [await evaluated({ consistency }, about), await evaluated({}, about)];
  assert.equal(found.mode, "source");
  assert.deepEqual(found.consistency?.contradictions[0]?.claimIds, ["c1", "c3"]);
  assert.deepEqual(found.claims, without.claims);
  const named = found.unsupported.filter(({ kind }) => kind === "internal contradiction");
  assert.deepEqual(named.map(({ claimId }) => claimId), ["c1", "c3"]);
  assert.equal(resultSentence(found), resultSentence(without));
  const others = found.unsupported.filter((one) => !named.includes(one));
  assert.deepEqual(others, without.unsupported);
  // Few pairs: those of a claim that the source leaves open come first, and only those that say much the same.
  const candidate = "Norway joined NATO in 1949. Norway joined NATO in 1949. Norway joined EFTA " +
    "in 1949. Norway exports elk. Deer swim far.";
  const few = { ...consistency, mostPairsBeside: 2 };
  const asked: string[] = [];
  const verifier: Verifier = {
    ...literalVerifier,
    verify(claims, passages) {
      const [{ collection, id }] = passages as [typeof passages[0]];
      if (collection === "candidate") asked.push(`${id} ${claims.length}`);
      return literalVerifier.verify(claims, passages);
    },
  };
  const given = { consistency: few, verifier };
  const { consistency: reported } = await evaluated(given, { ...about, candidate });
  assert.deepEqual(reported?.compared, { pairs: 2, of: 3 });
  assert.deepEqual(asked, ["c1 1", "c3 2", "c2 1"]);
});

Deno.test("Requirement 14.4: where no answer comes on whether claims exclude one another, the evaluation is not whole", async () => {
  const verifier: Verifier = {
    ...literalVerifier,
    verify(claims, passages) {
      const isServed = passages.some(({ collection }) => collection !== "candidate");
      if (isServed) return literalVerifier.verify(claims, passages);
      return Promise.resolve(
        claims.map(() => unscored("literal", "failure", "the server is down")),
      );
    },
  };
  const found = await evaluated({ consistency, verifier }, { ...ALONE, source: TWICE });
  assert.ok(found.claims.every(({ verdict }) => verdict.kind === "scored"));
  assert.deepEqual(found.consistency?.contradictions, []);
  assert.deepEqual([found.failed, found.problems], Array(2).fill(["the server is down"]));
});

Deno.test("claims of one sentence are not held against one another", async () => {
  const splitter = ruleSplitter();
  const said = "Ada Byron was born in London in 1815.";
  const { claims, consistency: reported } = await evaluated({ splitter, consistency }, {
    source: "",
    candidate: `${said} Ada Byron was born in Kent.`,
  });
  assert.deepEqual(claims.map(({ claim: { text } }) => text), [
    "Ada Byron was born in London.",
    "Ada Byron was born in 1815.",
    "Ada Byron was born in Kent.",
  ]);
  assert.deepEqual(reported?.compared, { pairs: 2, of: 2 });
});

Deno.test('Requirement 6: "the country" is looked up and verified by the name of the text\'s subject', async () => {
  const looked: string[] = [];
  const retriever = scriptedRetriever((claim) => (looked.push(claim), []));
  const candidate = "Norway joined NATO in 1949. The country exports elk.";
  const splitter = ruleSplitter();
  const found = await evaluated({ retriever, splitter, consistency }, { source: "", candidate });
  assert.deepEqual(looked, ["Norway joined NATO in 1949.", "Norway exports elk."]);
  assert.equal(found.claims[1]!.claim.text, "Norway exports elk.");
  // In vain: the two are held against one another all the same.
  assert.ok(found.consistency?.compared);
  const unsure = { ...ALONE, candidate: "Norway met Italy. Rome voted. The country exports elk." };
  const { claims } = await evaluated({ retriever, splitter }, unsure);
  assert.match(claims.at(-1)!.retrieval.message, /^not looked up: what its "the country" stands/);
});

Deno.test("of a text with more claims than are wanted some are drawn, the same ones again, and the report says so", async () => {
  const candidate = Array.from({ length: 50 }, (_, at) => `Elk ${at} swim.`).join(" ");
  const found = await evaluated({ mostClaims: 7 }, { candidate });
  assert.equal(found.claims.length, 7);
  assert.deepEqual((await evaluated({ mostClaims: 7 }, { candidate })).claims, found.claims);
  const drawn = "7 of 50 claims were sampled at random; the others were not checked.";
  assert.deepEqual(found.problems, [drawn]);
  assert.equal(found.configuration.parameters?.["mostClaims"], 7);
  assert.deepEqual((await evaluated({ mostClaims: 50 }, { candidate })).problems, []);
});

const refutedBy = (...features: string[]) =>
  verdict("refuted", {
    findings: features.map((feature) => ({ feature, words: "", speaksFor: "refuted" })),
  });

/** A verdict on a kind of claim, with the kind of error. */
const KINDS: readonly (readonly [Verdict, ClaimKind, HallucinationKind])[] = [
  [refutedBy("quantity.date_contradicted"), "factual", "temporal inconsistency"],
  [refutedBy("quantity.contradicted"), "temporal", "numerical error"],
  [refutedBy("name.swapped", "quantity.contradicted"), "numerical", "factual error"],
  [verdict("refuted"), "temporal", "temporal inconsistency"],
  [verdict("refuted"), "numerical", "numerical error"],
  [verdict("refuted"), "factual", "factual error"],
  [verdict("not enough info"), "temporal", "unsupported claim"],
  [unscored("x", "failure", "."), "factual", "unsupported claim"],
];

Deno.test("Requirement 8.8: the strongest finding against a refuted claim, else its own kind, says what kind of mistake it is", () => {
  for (const [said, kind, mistake] of KINDS) assert.equal(hallucinationKind(said, kind), mistake);
  // The names that dates and quantities are reported by are names of features.
  assert.ok(FEATURE_NAMES.some((name) => name.startsWith("quantity.date")));
  assert.ok(FEATURE_NAMES.some((name) => /^quantity\.(?!date)/.test(name)));
});

Deno.test("expectedTrust() is the mean over verdicts of their bands, and unknown where none was measured", () => {
  const trust = {
    sources: 3,
    bands: [
      { from: 0, to: 0.5, n: 9, right: 0.4 },
      { from: 0.5, to: 0.9, n: 9, right: 0.7 },
      { from: 0.9, to: 1, n: 0, right: null },
    ],
  };
  const said = (supported: number) => {
    const probabilities = { supported, refuted: 0, "not enough info": 1 - supported };
    const provenance = { producedBy: "v", modelSha256: undefined, promptSha256: undefined };
    return { verdict: scoredVerdict({ probabilities, evidence: [], provenance }) };
  };
  const found = expectedTrust([said(0.6), said(0.2), said(1)], trust);
  assert.deepEqual(found, { right: 0.7, verdicts: 2, sources: 3 });
  assert.equal(expectedTrust([said(1)], trust), undefined);
  assert.equal(expectedTrust([said(0.6)], undefined), undefined);
});
