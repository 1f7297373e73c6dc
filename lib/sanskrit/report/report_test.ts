import assert from "node:assert/strict";
import fc from "fast-check";
import { reviewSection } from "./data_section.ts";
import { errorExamples } from "./error_section.ts";
import { judgesOf, strongestJudge } from "./judge.ts";
import { differenceWords, probeSection } from "./probe_section.ts";
import { sanskritReport } from "./report.ts";
import { madeEvidence, probe } from "./testdata/evidence.ts";

const EVIDENCE = madeEvidence();

Deno.test("sanskritReport() says what the evidence says and nothing undefined", () => {
  const report = sanskritReport(EVIDENCE, 42);
  assert.doesNotMatch(report, /NaN|undefined|Infinity/);
  assert.match(report, /^## Sanskrit contrast sets\n\n### The pairs\n\n9 pairs from the Bhagavad/);
  assert.match(report, /\| Number \| 2 \| 1 \| 1 \| 1 \| 0 \|/);
  assert.match(report, /30 nouns.*\n?.*2 of them with a doubt/);
  assert.match(report, /3 variants.*2 were called clearly wrong, 0 doubtful, 1 acceptable/);
  assert.match(report, /\| small \| 77\.8 \[[^|]*\| 100\.0 \[[^|]*\| 0\.0 \|/);
  assert.match(report, /\| genitive \| dative \| 7 \| 100\.0 /);
  assert.match(report, /the interval reaches its own, and none was taught grammar: .*metre \(/);
  assert.equal(report, sanskritReport(madeEvidence(), 42));
});

Deno.test("sanskritReport() is written where nothing was scored beside the pairs and nobody read them", () => {
  const bare = madeEvidence({ masked: [], artefacts: [], ratings: [] });
  const report = sanskritReport(bare, 1);
  assert.match(report, /No masked model was scored/);
  assert.match(report, /No reader was asked/);
  assert.match(report, /Of every rule without grammar .* the interval lies below its own/);
  assert.doesNotMatch(report, /NaN|undefined/);
});

Deno.test("differenceWords() claims no more than the interval says", () => {
  const of = (low: number, high: number) =>
    differenceWords({ kind: "interval", estimate: (low + high) / 2, low, high });
  assert.equal(of(0.01, 0.2), "better on the Gītā's lines");
  assert.equal(of(-0.2, -0.01), "worse on the Gītā's lines");
  assert.equal(of(-0.1, 0.1), "not told apart");
  assert.equal(of(0, 0.1), "not told apart");
  assert.equal(differenceWords({ kind: "value", estimate: 1 }), "without an interval");
});

Deno.test("probeSection() writes differences in points and log-probabilities in nats", () => {
  const section = probeSection(madeEvidence({
    probes: [
      probe("text", "likelihood_accuracy_total", 0.6),
      probe("text-control", "accuracy_difference", 0.25),
      probe("text-iast", "accuracy_difference", -0.05),
      probe("text", "logprob_per_byte", -1.25),
    ],
  }));
  assert.match(section, /less that on new sentences 25\.0 \[15\.0, 35\.0\] points \(better on/);
  assert.match(
    section,
    /on the same lines in IAST -5\.0 \[-15\.0, 5\.0\] points \(not told apart\)/,
  );
  assert.match(section, /\| small \| 60\.0 \[50\.0, 70\.0\] \| – \| – \| – \| – \|/);
  assert.match(section, /\| small \| -1\.250 \[-1\.350, -1\.150\] \| – \| – \|/);
});

Deno.test("reviewSection() counts what was read of each phenomenon", () => {
  const row = (pairId: string, rating: number, choseGrammatical = true) => ({
    ...{ pairId, sha256: "0", rating, choseGrammatical },
  });
  const review = [row("morph_0001", 0), row("morph_0002", 1, false), row("morph_0007", 0)];
  const section = reviewSection({ ...EVIDENCE, review });
  assert.match(section, /\| Case \| 7 \| 2 \| 1 \| 1 \| 1 \| 0 \| 0 \|/);
  assert.match(section, /\| Number \| 2 \| 1 \| 1 \| 1 \| 0 \| 0 \| 0 \|/);
  assert.match(section, /\| Second set, i-stems \| 0 \| 0 \|/);
});

Deno.test("errorExamples() has errors only, no stem twice, the same for a seed (100 runs)", () => {
  const [, byChoice] = judgesOf(EVIDENCE);
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const examples = errorExamples(EVIDENCE, byChoice!, seed);
      const lemmas = examples.map(({ certificate }) => certificate.lemma);
      assert.deepEqual(lemmas.toSorted(), ["deva", "putra"]);
      assert.deepEqual(examples, errorExamples(EVIDENCE, byChoice!, seed));
    }),
    { numRuns: 100 },
  );
  // By likelihood it errs on number only, of one stem.
  assert.equal(errorExamples(EVIDENCE, strongestJudge(EVIDENCE), 1).length, 1);
});
