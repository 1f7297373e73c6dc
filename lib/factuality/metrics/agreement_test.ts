import assert from "node:assert/strict";
import { unavailable } from "../../stats/agreement.ts";
import { agreementOfPairs } from "./agreement.ts";
import { ratings } from "./testdata/made.ts";

Deno.test("Requirement 10.4: Cohen's κ of every two raters, over the claims that both rated, by hand", () => {
  const { raters, cells } = agreementOfPairs(ratings("ss", "sn", "nn", "n–"));
  assert.deepEqual(raters, ["rater 1", "rater 2"]);
  // On three claims: agreed 2/3, expected 2/3·1/3 + 1/3·2/3 = 4/9, κ = (2/3 − 4/9) / (5/9).
  const cell = cells[0]![1]!;
  assert.ok(cell.kind === "value" && Math.abs(cell.estimate - 0.4) < 1e-12);
  assert.deepEqual(cells[1]![0], cell);
  assert.equal(cells[0]![0]!.kind, "unavailable");
  const chance = agreementOfPairs(
    ratings("ss", "sn").map((one) => ({ ...one, aboveChance: false })),
  );
  assert.deepEqual(chance.cells[0]![1], unavailable("not measured above chance"));
});
