import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { randomSource } from "../../stats/random.ts";
import { evaluate } from "../check/check.ts";
import { components, countingClock } from "../check/testdata/fakes.ts";
import { batchMarkdown } from "./report.ts";
import { batchSummary } from "./summary.ts";
import { readClaimLabels, sampleClaims, unsupportedShares } from "./claim_labels.ts";

/** Four texts with sources, each with a supported and an unsupported claim. */
const EVALUATIONS = await Promise.all(["a", "b", "c", "d"].map((id) => {
  const request = { id, source: `Elk swim. ${id}.`, candidate: "Elk swim. Elk fly.", question: "" };
  return evaluate(request, components(), { clock: countingClock() });
}));
const DRAWN = sampleClaims(EVALUATIONS, 9, randomSource(1));

Deno.test("Requirement 15.1: unsupportedShares() takes the verifier's own mistakes out, worked by hand", () => {
  // A reader of all eight finds one more unsupported than the verifier's four.
  const wrong = DRAWN.findIndex(({ text }) => text === "Elk swim.");
  const labelOf = (text: string, at: number) =>
    at === wrong || text === "Elk fly." ? "refuted" : "supported";
  const labels = DRAWN.map((row, at) => ({ ...row, label: labelOf(row.text, at) } as const));
  const { claims, labelled, byVerifier, corrected } = unsupportedShares(EVALUATIONS, labels);
  assert.deepEqual([claims, labelled], [8, 8]);
  assert.equal(byVerifier.kind === "interval" && byVerifier.estimate, 4 / 8);
  assert.equal(corrected.kind === "interval" && corrected.estimate, 5 / 8);
  // The report of the batch has both, too.
  const counts = { requests: 4, passedOver: 0 };
  const options = { corrected: unsupportedShares(EVALUATIONS, labels) };
  const report = batchMarkdown(
    EVALUATIONS,
    batchSummary(EVALUATIONS, counts, randomSource(1), options),
  );
  assert.match(
    report,
    /Share of unsupported claims \(n = 8\): 0\.50 .* alone, 0\.63 \[.* corrected by 8 labels\./,
  );
  const none = unsupportedShares(EVALUATIONS, DRAWN);
  assert.deepEqual([none.labelled, none.corrected.kind], [0, "unavailable"]);
  const [first] = labels as [typeof labels[0]];
  const other = (change: object) => () => unsupportedShares(EVALUATIONS, [{ ...first, ...change }]);
  assert.throws(other({ text: "Elk ski." }), /is "Elk ski\." there and "Elk/);
  assert.throws(other({ claim: "c9" }), /no claim c9 of/);
});

Deno.test("readClaimLabels() reads what a spreadsheet saved, and names the line of what is no label", () =>
  inFolder((folder) => {
    const path = join(folder, "labels.csv");
    const saved = (label: string) => {
      const rows = DRAWN.slice(0, 2).map(({ evaluation, claim, text, source }) =>
        [label, "mine", evaluation, claim, text, source].join(";")
      );
      const header = "label;note;evaluation;claim;text;source";
      Deno.writeTextFileSync(path, `\ufeff${[header, ...rows].join("\r\n")}\r\n`);
      return readClaimLabels(path);
    };
    const expected = DRAWN.slice(0, 2).map((row) => ({ ...row, label: "not enough info" }));
    assert.deepEqual(saved("Not enough info "), expected);
    assert.throws(() => saved("perhaps"), /labels\.csv: line 2, label: /);
    Deno.writeTextFileSync(path, "a,b\n1,2\n");
    assert.throws(() => readClaimLabels(path), /the column evaluation is missing/);
  }));

Deno.test("unsupportedShares() of texts about one source tells of its claims", async () => {
  const evaluations = await Promise.all(["a", "b"].map((id) => {
    const request = { id, source: "Elk swim.", candidate: "Elk swim. Elk fly.", question: "" };
    return evaluate(request, components(), { clock: countingClock() });
  }));
  const labels = sampleClaims(evaluations, 4, randomSource(1)).map((row) => (
    { ...row, label: row.text === "Elk fly." ? "refuted" : "supported" } as const
  ));
  const { byVerifier, corrected } = unsupportedShares(evaluations, labels);
  assert.deepEqual([byVerifier.kind, corrected.kind], ["interval", "interval"]);
  assert.equal(corrected.kind === "interval" && corrected.estimate, 1 / 2);
});
