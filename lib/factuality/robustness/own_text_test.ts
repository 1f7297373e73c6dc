import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { literalVerifier } from "../evaluate/testdata/stand_ins.ts";
import { type Claim, sourcePassage } from "../types.ts";
import { ownTextReport, ownVariants, ownVariantsCsv } from "./own_text.ts";
import { variantTools } from "./testdata/variant_tools.ts";

const SOURCE = "The coastline of Kenya is 536 km long. Kenya became independent in 1963.";

const claim = (id: string, text: string): Claim => ({
  ...{ id, text, spans: [], sentence: { start: 0, end: text.length }, kind: "factual" },
  ...{ notCheckable: undefined, notes: [] },
});

const CLAIMS = [
  claim("c1", "The coastline of Kenya is 536 km long."),
  claim("c2", "Kenya is a kingdom."),
];

const made = () =>
  ownVariants(CLAIMS, {
    ...{ verifier: literalVerifier, passages: [sourcePassage(SOURCE)] },
    ...{ tools: { ...variantTools, source: SOURCE }, random: randomSource(3) },
  });

Deno.test("Requirement 14.2: variants of accepted claims, with the verdicts before and after", async () => {
  const variants = await made();
  assert.ok(variants.every(({ base }) => base === "c1"));
  const labels = new Map(variants.map(({ kind, after }) => [
    kind,
    after.kind === "scored" ? after.label : "",
  ]));
  assert.equal(labels.get("number"), "refuted");
  assert.equal(labels.get("unit"), "not enough info");
  assert.equal(labels.get("spelling"), "supported");
  const csv = ownVariantsCsv(variants).split("\n");
  assert.match(csv.find((line) => line.includes("c1/number"))!, /supported,0\.8,refuted,0\.1$/);
});

Deno.test("Requirement 14.5: the report tells detection and false alarm on the text", async () => {
  const report = ownTextReport("literal", await made(), randomSource(1));
  assert.ok(report.perturbations.kind === "rows");
  const number = report.perturbations.rows.find(({ kind }) => kind === "number")!;
  assert.deepEqual([number.n, number.originalsAccepted], [1, 1]);
  assert.ok(number.flagged.kind === "interval" && number.flagged.estimate === 1);
  assert.equal(report.orders.kind, "unavailable");
  const none = ownTextReport("literal", [], randomSource(1)).perturbations;
  assert.deepEqual(none, { kind: "unavailable", reason: "no claim was accepted and changed" });
});
