import assert from "node:assert/strict";
import { RATE_PAGE, RATE_PORT, readRateBuildOptions, readRateOptions } from "./options.ts";

const NONE = { config: undefined, workbook: undefined };

Deno.test("readRateOptions(): the same port every time, and a browser, unless told", () => {
  assert.deepEqual(readRateOptions([]), { sources: NONE, port: RATE_PORT, open: true });
  assert.deepEqual(readRateOptions(["--port", "0", "--no-open", "--config", "a.yaml"]), {
    sources: { config: "a.yaml", workbook: undefined },
    port: 0,
    open: false,
  });
});

Deno.test("readRateOptions() names a port that is none", () => {
  for (const port of ["65536", "http", "1.5", "-1"]) {
    assert.throws(() => readRateOptions([`--port=${port}`]), {
      name: "RangeError",
      message: `Cannot serve on port "${port}": write a whole number from 0 to 65535.`,
    });
  }
});

Deno.test("readRateBuildOptions(): where to, and what with", () => {
  assert.deepEqual(readRateBuildOptions([]), { sources: NONE, out: RATE_PAGE });
  assert.deepEqual(readRateBuildOptions(["--workbook", "w.xlsx", "--out", "p.html"]), {
    sources: { config: undefined, workbook: "w.xlsx" },
    out: "p.html",
  });
  assert.throws(() => readRateBuildOptions(["--no-open"]), { name: "SyntaxError" });
});
