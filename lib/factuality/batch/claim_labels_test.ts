import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { evaluate } from "../evaluate/evaluate.ts";
import { components, countingClock } from "../evaluate/testdata/stand_ins.ts";
import { drawnClaims, unsupportedShares } from "./claim_labels.ts";

/** Four texts with sources of their own, each with a claim that is borne out and one that is not. */
const EVALUATIONS = await Promise.all(["a", "b", "c", "d"].map((id) => {
  const request = { id, source: `Elk swim. ${id}.`, candidate: "Elk swim. Elk fly.", question: "" };
  return evaluate(request, components(), { clock: countingClock() });
}));
const DRAWN = drawnClaims(EVALUATIONS, 9, randomSource(1));

Deno.test("Requirement 15.1: unsupportedShares() takes the verifier's own mistakes out, worked by hand", () => {
  // A reader of all eight finds one more unsupported than the verifier's four.
  const wrong = DRAWN.findIndex(({ text }) => text === "Elk swim.");
  const labelOf = (text: string, at: number) =>
    at === wrong || text === "Elk fly." ? "refuted" : "supported";
  const labels = DRAWN.map((row, at) => ({ ...row, label: labelOf(row.text, at) } as const));
  const { claims, labelled, byVerifier, corrected } = unsupportedShares(EVALUATIONS, labels, 1);
  assert.deepEqual([claims, labelled], [8, 8]);
  assert.equal(byVerifier.kind === "interval" && byVerifier.estimate, 4 / 8);
  assert.equal(corrected.kind === "interval" && corrected.estimate, 5 / 8);
  const none = unsupportedShares(EVALUATIONS, DRAWN, 1);
  assert.deepEqual([none.labelled, none.corrected.kind], [0, "unavailable"]);
  const [first] = labels as [typeof labels[0]];
  const other = (change: object) => () =>
    unsupportedShares(EVALUATIONS, [{ ...first, ...change }], 1);
  assert.throws(other({ text: "Elk ski." }), /is "Elk ski\." there and "Elk/);
  assert.throws(other({ claim: "c9" }), /no claim c9 of/);
});

Deno.test("unsupportedShares() of texts about one source tells of its claims", async () => {
  const evaluations = await Promise.all(["a", "b"].map((id) => {
    const request = { id, source: "Elk swim.", candidate: "Elk swim. Elk fly.", question: "" };
    return evaluate(request, components(), { clock: countingClock() });
  }));
  const labels = drawnClaims(evaluations, 4, randomSource(1)).map((row) => (
    { ...row, label: row.text === "Elk fly." ? "refuted" : "supported" } as const
  ));
  const { byVerifier, corrected } = unsupportedShares(evaluations, labels, 1);
  assert.deepEqual([byVerifier.kind, corrected.kind], ["interval", "interval"]);
  assert.equal(corrected.kind === "interval" && corrected.estimate, 1 / 2);
});
