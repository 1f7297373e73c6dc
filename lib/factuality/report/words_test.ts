import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { batchMarkdown, batchPage } from "../batch/report.ts";
import { batchSummary } from "../batch/summary.ts";
import { scoredVerdict, unscored } from "../decision.ts";
import { unsupportedClaims } from "../check/unsupported.ts";
import type { ScoredVerdict, VerdictFinding } from "../types.ts";
import { evaluationMarkdown, resultSentence, statusOf } from "./words.ts";
import {
  evaluationWithoutPassages,
  evaluationWithPlausibility,
  sampleEvaluation,
} from "./testdata/sample.ts";
import { claimsCsv } from "./formats.ts";
import { evaluationPage, signOf } from "./html.ts";

Deno.test("Requirement 8.1-8.6: the report has scores, verdicts, evidence, reasoning, disagreement and provenance", async () => {
  const text = evaluationMarkdown(await sampleEvaluation());
  for (
    const part of [
      "Factual accuracy by the judges: 65.0 of 100 (mean of 2 of 3 judges; low confidence: the judges' scores",
      "The verifier finds 2 of 5 checkable claims supported (40 \\[12, 77\\] %). Refuted: 2, not",
      "| factual\\_accuracy | first | 40 | 0.70 \\[0.62, 0.78\\] on 200 of factbook claims | 1 |",
      "| factual\\_accuracy | **together** | **65** | variance 1250, range 50; low confidence:",
      '"Norway joined NATO in 1949" (source text source, 29–55)',
      "### Temporal inconsistency (1)",
      "## Verifier and judges disagree",
      "first, factual\\_accuracy: Step by step: no.",
      "c2: nothing found, no passage of the knowledge base is close enough",
      "a prompt of judge: SHA-256 ppp",
      "c4, rank 1: factbook, Norway, People (p1; BM25 7.00, cosine 0.70)",
      'factual\\_accuracy by third: time-out. 60 s passed. Text received: "\\{"',
      "The judge fourth did not load",
      "started 2026-11-22T12:00:00.000Z",
    ]
  ) assert.ok(text.includes(part), part);
});

Deno.test("the headline says how many sentences were not checked, and why", async () => {
  const asked = await sampleEvaluation("Norway joined NATO in 1994. Why so? When? Norway is old.");
  assert.match(resultSentence(asked), /2 sentences were not checked: 2 questions\. Factual/);
  const plainly = await sampleEvaluation("Norway joined NATO in 1994.");
  assert.doesNotMatch(resultSentence(plainly), /not checked/);
  const alone = await sampleEvaluation("Why so?");
  assert.match(
    resultSentence(alone),
    /No checkable claim .* 1 sentence was not checked: 1 question\./,
  );
});

Deno.test("every report says how often verdicts as sure as these are right, where that was measured", async () => {
  const evaluation = await sampleEvaluation();
  const measured = { ...evaluation, trust: { right: 0.81, verdicts: 5, sources: 16 } };
  const line =
    "About 4 in 5 verdicts with this confidence are right, as measured on 16 sets of labelled " +
    "claims, each scored by a head fitted to the others.";
  assert.ok(evaluationMarkdown(measured).includes(line));
  assert.ok(evaluationPage(measured).includes(line));
  assert.doesNotMatch(evaluationMarkdown(evaluation), /verdicts are right/);
});

Deno.test("Requirement 6.7: without sources the report says how plausible claims are, where that is known", async () => {
  const text = evaluationMarkdown(await evaluationWithPlausibility());
  assert.match(text, /No two claims were found to exclude.*\n\nLog-prob.* nats: c1 -3\.25\.\n/);
});

Deno.test("whatever the candidate says, it is no markup and breaks no table", async () => {
  const marks = "<b>~|~**x**~`~\n~# y~[a](b)~Elk. ~\\~- z. ~&lt;".split("~");
  const texts = fc.array(fc.constantFrom(...marks), { maxLength: 6 })
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(texts, async (candidate) => {
      const text = evaluationMarkdown(await sampleEvaluation(candidate));
      assert.doesNotMatch(text, /<b>|(?<!\\)\]\(b\)|\n# y/);
      const table = text.split("\n").filter((line) => /^\| c\d/.test(line));
      for (const line of table) assert.equal(line.split(/(?<!\\)\|/).length, 11, line);
    }),
    { numRuns: 100 },
  );
});

Deno.test("the share is of claims with a verdict, or unverifiable: what failed is not unsupported", async () => {
  const sample = await sampleEvaluation();
  const late = unscored("verifier", "time-out", "60 s passed.");
  const claims = sample.claims.map((one, at) => at === 3 ? { ...one, verdict: late } : one);
  const vain = claims.map((one, at) => at === 3 ? { ...one, unverifiable: true } : one);
  const none = sample.claims.map((one) => ({ ...one, verdict: late, unverifiable: false }));
  const said = [claims, vain, none].map((own) => resultSentence({ ...sample, claims: own }));
  assert.match(said[0]!, /finds 1 of 4 checkable claims supported \(25 .*1 more has no verdict/);
  assert.match(said[1]!, /finds 1 of 5 .*, unverifiable: 1\./);
  assert.match(said[2]!, /^The verifier has no verdict on the 5 /);
});

Deno.test("Requirement 8.8: a claim with nothing to hold it against is unverifiable in every list, table and badge, and is not called unsupported", async () => {
  const vain = await evaluationWithoutPassages();
  const summary = batchSummary([vain], { requests: 1, passedOver: 0 }, randomSource(1));
  const markdown = evaluationMarkdown(vain);
  assert.match(markdown, /^\| c1 \|.*\| unverifiable \|/m);
  assert.match(claimsCsv([vain]), /,factual,unverifiable,/);
  for (const text of [markdown, batchMarkdown([vain], summary)]) {
    assert.match(text, /^### Unverifiable claim \(2\)$/m);
  }
  for (const page of [evaluationPage(vain), batchPage([vain], summary)]) {
    assert.equal(page.match(/<span class="badge unknown">∅ unverifiable</g)?.length, 2);
    assert.match(page, /<h3>Unverifiable claim \(2\)<\/h3>/);
    assert.doesNotMatch(page, /Unsupported claim|badge unscored/);
  }
  // One that the source was held against, and leaves open, has that verdict, and is both.
  const [first] = (await sampleEvaluation()).claims.filter((one) =>
    one.verdict.kind === "scored" && one.verdict.label === "not enough info"
  );
  assert.equal(signOf({ ...first!, unverifiable: true }).words, "not enough info, unverifiable");
});

/** The sample with the first claim's verdict as given. */
async function withVerdict(
  supported: number,
  refuted: number,
  findings: readonly VerdictFinding[] = [],
) {
  const sample = await sampleEvaluation("The fjord is deep. Norway joined NATO in 1949.");
  const [first, ...others] = sample.claims;
  const probabilities = { supported, refuted, "not enough info": 1 - supported - refuted };
  const { evidence, provenance } = first!.verdict as ScoredVerdict;
  const verdict = scoredVerdict({ probabilities, evidence, findings, provenance });
  return { ...sample, claims: [{ ...first!, verdict }, ...others], unsupported: [] };
}

Deno.test("“Supported with doubts” has the claims with a doubt of the tool's own, or under 70 %", async () => {
  const absent = {
    feature: "name.absent",
    words: "the sources do not name Tokyo",
    speaksFor: "not enough info",
  } as const;
  const cases = [
    [await withVerdict(0.9, 0, [absent]), "the sources do not name Tokyo"],
    [await withVerdict(0.62, 0.1), "probability 62 % only"],
  ] as const;
  for (const [evaluation, doubt] of cases) {
    const markdown = evaluationMarkdown(evaluation);
    assert.ok(
      markdown.includes(`## Supported with doubts\n\n- c1: "The fjord is deep." ${doubt}.`),
    );
    assert.ok(evaluationPage(evaluation).includes("<h2>Supported with doubts</h2>"));
    assert.match(resultSentence(evaluation), /supported \(.*%\), 1 of these with a doubt\. /);
    assert.ok(claimsCsv([evaluation]).includes(doubt));
    const summary = batchSummary([evaluation], { requests: 1, passedOver: 0 }, randomSource(1));
    assert.ok(batchMarkdown([evaluation], summary).includes("### Supported with doubts"));
    assert.ok(batchPage([evaluation], summary).includes("<h3>Supported with doubts</h3>"));
  }
  const sure = await withVerdict(0.71, 0.1);
  assert.doesNotMatch(evaluationMarkdown(sure), /but look/);
  assert.doesNotMatch(evaluationPage(sure), /<h2>Supported with doubts/);
});

Deno.test("Requirement 9.1: a judge's answer that was read in part is marked, on the page, in Markdown and CSV", async () => {
  const sample = await sampleEvaluation();
  const [accuracy, ...others] = sample.criteria;
  const judges = accuracy!.judges.map((one) =>
    one.judgement.kind === "scored" && one.judge === "first"
      ? { ...one, judgement: { ...one.judgement, parse: "partial" as const } }
      : one
  );
  const half = { ...sample, criteria: [{ ...accuracy!, judges }, ...others] };
  const mark = "40 (incomplete answer)";
  for (const text of [evaluationMarkdown(half), evaluationPage(half)]) {
    assert.equal(text.split(mark).length, 2);
  }
  assert.doesNotMatch(evaluationMarkdown(sample), /read in part/);
});

Deno.test("no verdict is next to a bar that contradicts it: what is not accepted, and yet most probable, is disputed", async () => {
  const evaluation = await withVerdict(0.44, 0.32);
  const [claim] = evaluation.claims;
  assert.equal(statusOf(claim!), "disputed");
  assert.match(evaluationMarkdown(evaluation), /\| c1 \|.*\| disputed \| 44 % \| 32 % \|/);
  assert.match(
    resultSentence(evaluation),
    /supported .*\. Refuted: 0, not enough info: 0, disputed: 1\./,
  );
  assert.ok(evaluationPage(evaluation).includes('<span class="badge unknown">≠ disputed</span>'));
  assert.match(claimsCsv([evaluation]), /,factual,disputed,0.44,/);
  const charged = unsupportedClaims(evaluation, [], [])[0]!;
  assert.equal(charged.kind, "unsupported claim");
  assert.match(charged.reasons[0]!, /disputed, supported 44 %, refuted 32 %, not enough info 24 %/);
  assert.equal(statusOf((await withVerdict(0.3, 0.4)).claims[0]!), "refuted");
});

Deno.test("what was seen and speaks for another verdict stands behind what speaks for this one, marked", async () => {
  const sample = await sampleEvaluation();
  const findings = [
    { feature: "name.absent", words: "the sources do not name Max", speaksFor: "not enough info" },
    { feature: "name.swapped", words: "source says Rex, claim says Max", speaksFor: "refuted" },
  ] as const;
  const claims = sample.claims.map((one) =>
    one.verdict.kind === "scored" && one.verdict.label === "refuted"
      ? { ...one, verdict: { ...one.verdict, findings } }
      : one
  );
  const found = { ...sample, claims };
  const [first, second] = [
    "source says Rex, claim says Max",
    "although the sources do not name Max",
  ];
  for (const text of [evaluationMarkdown(found), claimsCsv([found])]) {
    assert.ok(text.includes(`${first}; ${second}`));
  }
  assert.ok(evaluationPage(found).includes(`<li>${first}</li>\n<li>${second}</li>`));
});
