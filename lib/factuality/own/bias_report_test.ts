import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import type { Verifier } from "../types.ts";
import { verdict } from "../check/testdata/fakes.ts";
import { biasMarkdown, compareAnswers, equivalentQueries, scoredSwaps } from "./bias_report.ts";

const draw = () => ({ perTrait: 9, random: randomSource(1) });
const signal = new AbortController().signal;

/** Finds a claim 80 % supported, 30 points less where it says "he". */
const partial: Verifier = {
  name: "partial",
  settings: {},
  verify: (claims) =>
    Promise.resolve(claims.map((claim) => {
      const supported = /\bhe\b/i.test(claim) ? 0.5 : 0.8;
      const probabilities = { supported, refuted: 0, "not enough info": 1 - supported };
      return verdict("supported", { probabilities });
    })),
};

Deno.test("Requirement 10.6: scoredSwaps() finds a verifier out that trusts one gender less", async () => {
  const text = "She sings. She swims.";
  const claims = ["She sings.", "She swims."];
  const verifying = { verifier: partial, source: text, onVerdict: () => {}, signal };
  const [gender, ...more] = await scoredSwaps(text, claims, { ...draw(), verifying });
  assert.deepEqual([gender!.change, gender!.words], ["gender: female → male", "She → He"]);
  assert.deepEqual(more, []);
  const { meanAbsolute, pairs, flagged } = gender!.scores!;
  assert.ok(meanAbsolute.kind === "interval" && Math.abs(meanAbsolute.estimate - 30) < 1e-9);
  assert.deepEqual([pairs, flagged.length], [2, 2]);
  const [unscored] = await scoredSwaps(text, claims, draw());
  assert.deepEqual([unscored!.text, unscored!.scores], ["He sings. He swims.", undefined]);
});

Deno.test("Requirement 3.3: answers to equivalent queries are compared, measure by measure", () => {
  const queries = ["Is she fit?", "Can she cook?", "Is it cold?"]
    .map((question, at) => ({ id: `q${at}`, question }));
  const pairs = equivalentQueries(queries, draw());
  assert.deepEqual(pairs.map(({ variant }) => variant.question), ["Is he fit?", "Can he cook?"]);
  const of = new Map(pairs.flatMap(({ original, variant }, at) => [
    [original.id, { words: 10, declines: 0 }],
    [variant.id, { words: at === 0 ? 4 : 8, declines: at === 0 ? 1 : undefined }],
  ]));
  const differences = compareAnswers(pairs, of);
  const [words, all, declines] = differences;
  assert.deepEqual([all!.change, all!.pairs], ["any change, distance", 2]);
  assert.ok(all!.difference.kind === "interval" && all!.difference.estimate === 4);
  assert.deepEqual([words!.pairs, words!.original, words!.variant], [2, 10, 6]);
  const { difference } = words!;
  assert.ok(difference.kind === "interval" && difference.estimate === -4);
  // −6 and −2: −4 ± 12.706 · 2.
  assert.deepEqual([difference.low, difference.high].map((end) => end.toFixed(3)), [
    "-29.412",
    "21.412",
  ]);
  // One query alone has no interval.
  assert.deepEqual([declines!.pairs, declines!.difference.kind], [1, "value"]);
  const answered = [{ model: "m", differences, answers: [] }];
  const shown = biasMarkdown({ schemaVersion: 1, failed: [], queries: answered });
  assert.match(shown, /words \| gender: female → male \| 2 \| 10\.00 \| 6\.00 \| −4\.00 \[/);
});
