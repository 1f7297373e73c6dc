import assert from "node:assert/strict";
import { fleissKappa } from "../../../stats/fleiss_kappa.ts";
import { meanMicroRate, pooledMicroRate } from "../../metrics/hallucination_rates.ts";
import { FLEISS_LABELS, fleissTable, threeResponses } from "./worked_examples.ts";

Deno.test("the examples give what the notebook says of them", () => {
  const three = threeResponses();
  assert.equal(pooledMicroRate(three, "unsupported"), 2 / 5);
  assert.equal(pooledMicroRate(three, "refuted"), 1 / 5);
  assert.equal(meanMicroRate(three, "unsupported"), (2 / 4 + 0) / 2);
  const found = fleissKappa(fleissTable(), FLEISS_LABELS);
  assert.ok(found.kind === "fleiss" && Math.abs(found.kappa - 0.21) < 5e-4);
  assert.equal(found.raters, 14);
});
