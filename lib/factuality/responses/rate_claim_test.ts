import assert from "node:assert/strict";
import type { Judge, Judgement } from "../judges/judgement.ts";
import { claimKey, drawClaims } from "./draw_claims.ts";
import { judgeRater, ratingRow } from "./rate_claim.ts";
import { claimRowOf } from "./testdata/rows.ts";

Deno.test("drawClaims() draws claims with a verdict, the same whatever their order", () => {
  const rows = Array.from({ length: 9 }, (_, i) => claimRowOf({ claim_id: `c${i}` }));
  const unscored = claimRowOf({ claim_id: "u", status: "no evidence", label: "" });
  const drawn = drawClaims([...rows, unscored], 4, 1).map(claimKey);
  assert.deepEqual(drawClaims([unscored, ...rows.toReversed()], 4, 1).map(claimKey), drawn);
  assert.equal(new Set(drawn).size, 4);
  assert.equal(drawClaims([...rows, unscored], 20, 1).length, 9);
});

Deno.test("ratingRow() calls supported what is so from one half on, and nothing without a score", () => {
  const label = (score: number | undefined) => ratingRow(claimRowOf(), "r", score, "h").label;
  assert.deepEqual([0.5, 0.49, undefined].map(label), ["supported", "not supported", ""]);
});

Deno.test("judgeRater() reads a score of 0 to 100 as a share, and has none where the judge has none", async () => {
  const provenance = { producedBy: "j", modelSha256: undefined, promptSha256: undefined };
  const judgeOf = (judgement: Judgement): Judge => ({
    ...{ name: "j", settings: { a: 1 }, weight: 1, measured: undefined, concurrency: 1 },
    judge: () => Promise.resolve(judgement),
  });
  const { signal } = new AbortController();
  const rater = judgeRater(
    judgeOf({
      ...{ kind: "scored", score: 30, reasoning: "", flagged: [], parse: "not parsed" },
      provenance,
    }),
    { b: 2 },
  );
  assert.deepEqual([await rater.rate("x", [], signal), rater.settings], [0.3, { a: 1, b: 2 }]);
  const silent = judgeRater(
    judgeOf({
      ...{ kind: "unscored", reason: "time-out", message: "", partialText: undefined },
      provenance,
    }),
    {},
  );
  assert.equal(await silent.rate("x", [], signal), undefined);
});
