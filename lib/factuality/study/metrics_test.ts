import assert from "node:assert/strict";
import type { ComponentRun } from "../evaluate/compare_components.ts";
import { claimRow } from "../generation/testdata/made.ts";
import { isDrawable } from "../../figures/theme.ts";
import type { VerdictLabel } from "../types.ts";
import { componentReliability, reliabilityLines } from "./metrics.ts";
import { reliabilityTable, unsupportedShares } from "./metrics.ts";
import { verdictsTable, verifierOnResponses } from "./metrics.ts";

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
  const found = verifierOnResponses(claims("ssrn–"), labels("srrns"), 1);
  assert.equal(found.outcomes.length, 4);
  assert.ok(found.accuracy.kind === "interval" && found.accuracy.estimate === 3 / 4);
  assert.match(verdictsTable(found), /\| refuted \| 1 \| 1 \| 0 \| 2 \|/);
  const [shares] = unsupportedShares(claims("ssrn–"), labels("srrns"), 1);
  const { system, n, byVerifier, corrected, byReader } = shares!;
  const told = [byVerifier, corrected, byReader].map((one) => isDrawable(one) && one.estimate);
  assert.deepEqual([system, n, ...told], ["a", 4, 0.5, 0.75, 0.75]);
  assert.throws(() => verifierOnResponses(claims("s"), labels("ss"), 1), /claim c1 of a about q1/);
});

const CASES = (["supported", "refuted", "supported", "not enough info"] as const).map(
  (label, i) => ({ id: `${i}`, claim: "C.", passages: [], cluster: `${i}`, set: "made", label }),
);
const RUN: ComponentRun = {
  component: "made",
  answers: new Map([0.9, 0.9, 0.1, undefined].map((supported, i) => {
    const unscored = supported === undefined ? "refusal" as const : undefined;
    return [`${i}`, { supported, unscored, reason: "", milliseconds: 1 }];
  })),
};

Deno.test("componentReliability() bins probabilities against what came true, unscored claims left out", () => {
  const components = componentReliability(CASES, [RUN]);
  assert.deepEqual(components[0]!.bins.map(({ n }) => n), [1, 0, 0, 0, 2]);
  const [line] = reliabilityLines(components);
  assert.deepEqual(line!.points.map(({ x }) => x), [0.1, 0.9]);
  const last = line!.points[1]!;
  assert.ok(last.measure.kind === "interval" && last.measure.estimate === 0.5);
  // Brier: (0.02 + 1.62 + 1.62) / 3; ECE: (0.9·1 + 0.4·2) / 3.
  assert.match(
    reliabilityTable(components),
    /\| made \| 3 \| 1\.09 \| 0\.57 \| 1 · 0 · 0 · 0 · 2 \|/,
  );
});
