import assert from "node:assert/strict";
import type { VerdictLabel } from "../../verdicts/verdict.ts";
import { claimRowOf } from "../../responses/testdata/rows.ts";
import {
  missedSentence,
  readersSentence,
  unsupportedTable,
  verdictsSentence,
  verdictsTable,
  verifierOnResponses,
} from "./verifier_on_responses.ts";

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
    return claimRowOf({ ...place(i), label: NAMES[letter] ?? "", ...shares });
  });

const labels = (letters: string) =>
  [...letters].map((letter, i) => ({
    ...place(i),
    label: NAMES[letter]!,
    reason: "",
    second_label: NAMES[letter]!,
  }));

Deno.test("verdicts are held against a reader's labels, by hand", () => {
  const found = verifierOnResponses(claims("ssrn–"), labels("srrns"), 1);
  assert.equal(found.outcomes.length, 4);
  assert.ok(found.accuracy.kind === "interval" && found.accuracy.estimate === 3 / 4);
  const { balancedAccuracy, binaryBalancedAccuracy } = found;
  // Recalls 1, 1/2 and 1 of three labels; 1 and 2/3 of two.
  assert.ok(balancedAccuracy.kind !== "interval" || balancedAccuracy.estimate === 5 / 6);
  assert.ok(
    binaryBalancedAccuracy.kind !== "interval" || binaryBalancedAccuracy.estimate === 5 / 6,
  );
  assert.match(verdictsTable(found), /\| refuted \| 1 \| 1 \| 0 \| 2 \|/);
  assert.match(missedSentence(found), /^Of 2 claims .* took 1 for supported/);
  assert.match(
    unsupportedTable(claims("ssrn–"), labels("srrns"), 1),
    /\| a \| 4 \| 0\.50 \[.*\] \| 0\.75 \[/,
  );
  assert.match(verdictsSentence(found), /^On 4 claims .* share of 0\.75 \[/);
});

Deno.test("two readers are compared over all claims", () => {
  const second = labels("srrn").map((row, i) =>
    i === 0 ? { ...row, label: "refuted" as const } : row
  );
  // Po 3/4; Pe = 3·2/16 + 1·1/16 = 7/16; κ = 5/9.
  assert.match(readersSentence(second), /same label to 3 of 4 claims \(κ 0\.56\)/);
});

Deno.test("a label of a claim that is not there is an error that names it", () => {
  assert.throws(
    () => verifierOnResponses(claims("s"), labels("ss"), 1),
    /claim c1 of a about q1/,
  );
});
