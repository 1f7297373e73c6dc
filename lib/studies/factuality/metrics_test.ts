import assert from "node:assert/strict";
import { claimRow } from "./generation/testdata/made.ts";

import { sampledThought } from "../../factuality/metrics/testdata/made.ts";
import { questionUncertainties } from "./uncertainty.ts";
import type { VerdictLabel } from "../../factuality/types.ts";
import { doubtFigures, unsupportedShares, verdictsTable, verifierOnResponses } from "./metrics.ts";
import { responseClassifications } from "./training.ts";

/** s supported, r refuted, n not enough info, – no verdict. */
const NAMES: Readonly<Record<string, VerdictLabel>> = {
  s: "supported",
  r: "refuted",
  n: "not enough info",
};
const place = (i: number) => ({ system: "a", question_id: `q${i}`, claim_id: "c1", claim: "C." });
const claims = (letters: string) =>
  [...letters].map((letter, i) => {
    const p = (own: string) => letter === "–" ? "" : letter === own ? 0.8 : 0.1;
    const shares = { p_supported: p("s"), p_refuted: p("r"), p_not_enough_info: p("n") } as const;
    return claimRow({ ...place(i), label: NAMES[letter] ?? "", ...shares });
  });
const labels = (letters: string, second = letters) =>
  [...letters].map((letter, i) => {
    return { ...place(i), label: NAMES[letter]!, reason: "", second_label: NAMES[second[i]!]! };
  });

Deno.test("verifierOnResponses() holds verdicts against a reader's labels, by hand", () => {
  const found = verifierOnResponses(claims("ssrn–"), labels("srrns"));
  assert.equal(found.outcomes.length, 4);
  assert.ok(found.accuracy.kind === "interval" && found.accuracy.estimate === 3 / 4);
  assert.match(verdictsTable(found), /\| refuted \| 1 \| 1 \| 0 \| 2 \|/);
  const [shares] = unsupportedShares(claims("ssrn–"), labels("srrns"));
  const { system, n, byVerifier, corrected, byReader, difference } = shares!;
  const actual = [byVerifier, corrected, byReader, difference].map((one) =>
    one.kind !== "unavailable" && one.estimate
  );
  assert.deepEqual([system, n, ...actual], ["a", 4, 0.5, 0.75, 0.75, -0.25]);
  assert.throws(() => verifierOnResponses(claims("s"), labels("ss")), /claim c1 of a about q1/);
});

Deno.test("doubtFigures() counts wrong answers, and resamples kinds of questions as it does countries", () => {
  // Ten countries, asked about one kind where the model is sure and right, one where it is not.
  const rows = Array.from({ length: 20 }, (_, i) => ({
    ...sampledThought(`q${i}`, i < 10 ? [0.97, 0.01, 0.01, 0.01] : [0.2, 0.4, 0.2, 0.2]),
    cluster: `country ${i % 10}`,
    kind: i < 10 ? "sure" : "unsure",
  }));
  const [found] = doubtFigures(questionUncertainties([...rows, ...rows]).questions);
  assert.deepEqual([found!.n, found!.wrong], [20, 10]);
  assert.ok(found!.byCountry.kind === "interval" && found!.byCountry.estimate === 1);
  // Most draws of two kinds have right answers alone, or wrong ones.
  assert.notEqual(found!.byKind.kind, "interval");
});

Deno.test("toldOfResponses() clusters by country, or by the field that a verdict rests on", () => {
  const rows = claims("sr").map((row, i) => (
    { ...row, evidence_passage: `${"ab"[i]}/Climate/note` }
  ));
  const clusters = (by?: "field") =>
    responseClassifications(labels("sr"), rows, by).map(({ cluster }) => cluster);
  assert.deepEqual([clusters(), clusters("field")], [["q0", "q1"], Array(2).fill("Climate/note")]);
});
