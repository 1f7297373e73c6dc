import assert from "node:assert/strict";
import type { ClaimRating } from "../../profile/profile_input.ts";
import { agreementOfPairs, agreementTable, ratingsOfSystems } from "./rater_agreement.ts";

/** A letter a claim: s supported, n not, – not rated. */
function ratings(rater: string, letters: string): readonly ClaimRating[] {
  return [...letters].flatMap((letter, i) => {
    if (letter === "–") return [];
    const label = letter === "s" ? "supported" : "not supported";
    return [{ query: `q${i}`, cluster: `q${i}`, claimId: "c1", text: "T.", rater, label }];
  });
}

Deno.test("Requirement 10.4: Cohen's κ of every two raters, over the claims that both rated, by hand", () => {
  const both = [...ratings("one", "ssnn"), ...ratings("other", "snn–")];
  const { raters, cells, claims } = agreementOfPairs(both);
  assert.deepEqual(raters, ["one", "other"]);
  // On three claims: agreed 2/3, expected 2/3·1/3 + 1/3·2/3 = 4/9, κ = (2/3 − 4/9) / (5/9).
  const cell = cells[0]![1]!;
  assert.ok(cell.kind === "value" && Math.abs(cell.estimate - 0.4) < 1e-12);
  assert.deepEqual(cells[1]![0], cell);
  assert.equal(cells[0]![0]!.kind, "unavailable");
  assert.deepEqual(claims, [[4, 3], [3, 3]]);
});

Deno.test("a table of agreement has Po, Pe and band of the claims that all rated", () => {
  const table = agreementTable(
    { "both": [...ratings("one", "ssnn"), ...ratings("other", "snnn")] },
    1,
  );
  // Po 3/4; three of eight ratings are "supported": Pe = (3/8)² + (5/8)² = 0.53.
  assert.match(table, /\| both \| 0\.47, .* \| 0\.75 \| 0\.53 \| moderate \|/);
  const single = agreementTable({ "one alone": ratings("one", "sn") }, 1);
  assert.match(single, /fewer than two raters.*\| – \| – \| – \|/);
});

Deno.test("the first claims of two systems are two claims", () => {
  const all = ratingsOfSystems(["a", "b"], (system) => ratings(system, "s"));
  assert.deepEqual(all.map(({ claimId }) => claimId), ["a c1", "b c1"]);
});
