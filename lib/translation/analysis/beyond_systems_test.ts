import assert from "node:assert/strict";
import fc from "fast-check";
import { correlationBeyondSystems } from "./beyond_systems.ts";

const scored = (...rows: readonly (readonly (readonly [number, number])[])[]) =>
  rows.map((row) => row.map(([one, other], index) => ({ system: `s${index}`, one, other })));

Deno.test("correlationBeyondSystems() gives what double centring leaves, worked by hand", () => {
  // 3 items × 2 systems. One: differences 10 20 30, mean 20: left −5 0 5 (and the reverse).
  // Other: 20 10 60, mean 30: left −5 −10 15. r = (25 + 0 + 75)/√(50 · 350) = 100/√17,500.
  const found = correlationBeyondSystems(scored(
    [[60, 70], [50, 50]],
    [[50, 40], [30, 30]],
    [[90, 90], [60, 30]],
  ));
  assert.ok(Math.abs(found! - 100 / Math.sqrt(17_500)) < 1e-12);
});

Deno.test("correlationBeyondSystems() is nothing where systems and items say it all", () => {
  // Scores add up exactly: raters agree perfectly, but on no single translation beyond that.
  assert.equal(
    correlationBeyondSystems(scored([[90, 80], [40, 30]], [[70, 60], [20, 10]])),
    undefined,
  );
  assert.equal(correlationBeyondSystems(scored([[90, 80], [40, 35]])), undefined);
});

Deno.test("correlationBeyondSystems() does not change with a rater's harshness, nor a system's worth", () => {
  const cell = fc.tuple(fc.nat(100), fc.nat(100));
  const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 3, maxLength: 8 });
  fc.assert(
    fc.property(table, fc.nat(50), fc.nat(50), (rows, harshness, worth) => {
      const plain = correlationBeyondSystems(scored(...rows));
      const moved = correlationBeyondSystems(scored(
        ...rows.map((row) =>
          row.map(([one, other], system) =>
            [one + system * worth, other + system * worth - harshness] as const
          )
        ),
      ));
      if (plain === undefined || moved === undefined) assert.equal(plain, moved);
      else assert.ok(Math.abs(plain - moved) < 1e-6);
    }),
    { numRuns: 100 },
  );
});
