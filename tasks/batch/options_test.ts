import assert from "node:assert/strict";
import { NORSE_PATHS } from "../../lib/norse/paths.ts";
import { readBatchOptions } from "./options.ts";

Deno.test("readBatchOptions() reads every option", () => {
  assert.deepEqual(readBatchOptions([]), {
    study: "norse",
    panel: NORSE_PATHS.hostedPanel,
    orders: "both",
    mode: "all",
    window: "24h",
    pollSeconds: 60,
  });
  const told = "--panel p.yaml --models a,b/c, --orders counterbalanced --limit 40 --window 7d " +
    "--poll 5 --submit-only";
  assert.deepEqual(readBatchOptions(told.split(" ")), {
    study: "norse",
    panel: "p.yaml",
    models: ["a", "b/c"],
    orders: "counterbalanced",
    limit: 40,
    window: "7d",
    pollSeconds: 5,
    mode: "submit",
  });
  for (const mode of ["fetch-only", "status", "estimate"]) {
    assert.equal(readBatchOptions([`--${mode}`]).mode, mode.replace("-only", ""));
  }
});

Deno.test("readBatchOptions() names what it cannot take", () => {
  const cases = [
    [["--limit", "0"], /--limit 0: write a whole number/],
    [["--poll", "1.5"], /--poll 1\.5/],
    [["--models", " ,"], /--models " ,": it names no model/],
    [["--window", "12h"], /--window 12h: Groq takes 24h to 168h/],
    [["--window", "8d"], /--window 8d/],
    [["--window", "week"], /--window week/],
    [["--orders", "one"], /orders "one": both or counterbalanced/],
    [["--status", "--fetch-only"], /--fetch-only and --status exclude each other/],
    [["--sumbit-only"], /--sumbit-only/],
  ] as const;
  for (const [args, message] of cases) assert.throws(() => readBatchOptions(args), message);
});
