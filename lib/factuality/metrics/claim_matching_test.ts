import assert from "node:assert/strict";
import { featureTools } from "../features/testdata/feature_tools.ts";
import type { Verifier } from "../verifiers/verifier.ts";
import { scoredVerdict, withoutEvidence } from "../verifiers/verdict_parts.ts";
import { cosineMatcher, verifierMatcher } from "./claim_matching.ts";
import { mayEntail, specificsOf } from "./specifics.ts";

const may = (premise: string, claim: string) =>
  mayEntail(specificsOf(premise, featureTools), specificsOf(claim, featureTools));

const APART: readonly (readonly [string, string])[] = [
  ["France left in 1975.", "France left in 1976."],
  ["France has 67 million people.", "France has 76 million people."],
  ["France borders the sea.", "Germany borders the sea."],
  ["The hills lie in the north.", "The hills lie in the south."],
  ["The river is long.", "The river is not long."],
  ["The town is old.", "The town, founded in 1200, is old."],
];

for (const [premise, claim] of APART) {
  Deno.test(`mayEntail() keeps "${premise}" from "${claim}"`, () => {
    assert.equal(may(premise, claim), false);
  });
}

Deno.test("mayEntail() lets other ways of writing a number pass, and a premise that says more", () => {
  assert.ok(may("France has 67,000,000 people.", "The French are 67 million."));
  assert.ok(may("The town, founded in 1200, is old.", "The town is old."));
});

Deno.test("cosineMatcher() joins near sentences but not those with other numbers", async () => {
  const matcher = cosineMatcher(featureTools.encoder, featureTools, 0.7);
  const [one, other, year] = [
    "France joined the union in 1957.",
    "In 1957 France joined the union.",
    "France joined the union in 1958.",
  ] as const;
  const entails = await matcher.entailments([one, other, year]);
  assert.ok(entails(one, other) && entails(other, one));
  assert.ok(!entails(one, year) && !entails(year, one));
  assert.equal(matcher.settings.threshold, 0.7);
});

/** Supported where the source has all words of the claim; unscored for a claim with "unreadable". */
const asked: string[] = [];
const verifier: Verifier = {
  name: "word verifier",
  settings: { version: 1 },
  verify: (claims, passages) => {
    const provenance = {
      producedBy: "word verifier",
      modelSha256: undefined,
      promptSha256: undefined,
    };
    return Promise.resolve(claims.map((claim) => {
      asked.push(`${passages[0]!.text} → ${claim}`);
      if (claim.includes("unreadable")) return withoutEvidence(provenance);
      const has = claim.split(" ").every((word) => passages[0]!.text.includes(word));
      const supported = has ? 0.75 : 0.2;
      return scoredVerdict({
        probabilities: { supported, refuted: 0, "not enough info": 1 - supported },
        ...{ evidence: [], findings: [], provenance },
      });
    }));
  },
};

Deno.test("verifierMatcher() reads each claim against each other that its numbers let pass", async () => {
  asked.length = 0;
  const claims = ["hills are old", "hills are old and green", "hills are 5", "hills unreadable"];
  const entails = await verifierMatcher(verifier, featureTools).entailments(claims);
  assert.ok(entails(claims[1]!, claims[0]!));
  assert.ok(!entails(claims[0]!, claims[1]!));
  assert.ok(!entails(claims[0]!, claims[3]!));
  assert.ok(!asked.some((pair) => pair.endsWith("→ hills are 5")), asked.join("\n"));
  assert.equal(asked.length, 3 * 3);
});

Deno.test("verifierMatcher() entails nothing that is less probable than its threshold", async () => {
  const claims = ["hills are old", "hills are old and green"];
  const entails = await verifierMatcher(verifier, featureTools, 0.8).entailments(claims);
  assert.ok(!entails(claims[1]!, claims[0]!));
});
