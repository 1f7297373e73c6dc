import assert from "node:assert/strict";
import fc from "fast-check";
import { inertText } from "./inert_text.ts";

Deno.test("inertText() disarms every beginning that a spreadsheet may run", () => {
  const dangerous = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =1", "＝1", "\0=1", "﻿=1"];
  for (const text of dangerous) assert.ok(inertText(text).startsWith("'"), JSON.stringify(text));
  assert.equal(inertText("\r\n=1"), "' =1");
  assert.equal(inertText("plain = text, naïve"), "plain = text, naïve");
  assert.equal(inertText("two\nlines"), "two lines");
});

Deno.test("inertText() gives one line that never begins as a formula does", () => {
  const part = fc.oneof(
    fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", "\0", " "),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }).map((parts) => parts.join("")), (text) => {
      const inert = inertText(text);
      assert.doesNotMatch(inert, /^[=+\-@\t\r\n]/);
      assert.doesNotMatch(inert, /[\r\n]/);
      assert.equal(inert.replace(/\s/g, "").replace(/^'/, "").length <= text.length, true);
    }),
    { numRuns: 500 },
  );
});
