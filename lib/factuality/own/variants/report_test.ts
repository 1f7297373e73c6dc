import assert from "node:assert/strict";
import { randomSource } from "../../../stats/random.ts";
import { literalVerifier } from "../../check/testdata/fakes.ts";
import { type Claim, sourcePassage } from "../../types.ts";
import * as detection from "./detection.ts";
import * as reporting from "./report.ts";
import { variantTools } from "./testdata/variant_tools.ts";

Deno.test("yesNoDPrime() with the log-linear correction: worked by hand", () => {
  // 19 of 20 against 1 of 20: (19.5 / 21, 1.5 / 21) = (0.92857, 0.07143); z = ±1.46523.
  const dPrime = detection.yesNoDPrime({ hits: 19, n: 20 }, { hits: 1, n: 20 });
  assert.ok(dPrime.kind === "value" && Math.abs(dPrime.estimate - 2.93047) < 1e-4);
  const none = detection.yesNoDPrime({ hits: 5, n: 10 }, { hits: 5, n: 10 });
  assert.deepEqual(none, { kind: "value", estimate: 0 });
  assert.equal(detection.yesNoDPrime({ hits: 0, n: 0 }, { hits: 1, n: 2 }).kind, "unavailable");
});

const SOURCE = "The coastline of Kenya is 536 km long. Kenya became independent in 1963.";
const claim = (id: string, text: string): Claim => {
  const place = { spans: [], sentence: { start: 0, end: text.length }, notes: [] };
  return { id, text, ...place, kind: "factual", notCheckable: undefined };
};

Deno.test("Requirement 14.2: variants of accepted claims, with the verdicts before and after", async () => {
  const claims = [claim("c1", "The coastline of Kenya is 536 km long.")]
    .concat(claim("c2", "Kenya is a kingdom."));
  const { variants, accepted, lost } = await reporting.userVariants(claims, {
    verifier: literalVerifier,
    passages: [sourcePassage(SOURCE)],
    tools: { ...variantTools, source: SOURCE },
    random: randomSource(3),
  });
  assert.deepEqual([accepted, lost], [1, []]);
  assert.ok(variants.every(({ base }) => base === "c1"));
  const labels = new Map(variants.map(({ kind, after }) => [
    kind,
    after.kind === "scored" && after.label,
  ]));
  const some = (["number", "unit", "spelling"] as const).map((kind) => labels.get(kind));
  assert.deepEqual(some, ["refuted", "not enough info", "supported"]);
  const csv = reporting.userVariantsCsv(variants).split("\n");
  assert.match(csv.find((line) => line.includes("c1/number"))!, /supported,0\.8,refuted,0\.1$/);
  const report = reporting.userTextReport("literal", variants);
  const rows = reporting.sectionRows(report.perturbations);
  const number = rows.find(({ kind }) => kind === "number")!;
  assert.ok("estimate" in number.flagged);
  assert.deepEqual([number.n, number.originalsAccepted, number.flagged.estimate], [1, 1, 1]);
  assert.equal(report.orders.kind, "unavailable");
});
