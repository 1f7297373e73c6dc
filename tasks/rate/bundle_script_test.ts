import assert from "node:assert/strict";
import { forBrowsers } from "./bundle_script.ts";

Deno.test("forBrowsers() refuses a bundle that needs Deno or a module of Node", () => {
  const harmless = 'typeof Deno=="object"&&Deno&&typeof Deno.version=="object";mount();';
  assert.equal(forBrowsers(harmless), harmless);
  assert.throws(() => forBrowsers('a();Deno.readFile("x");'), {
    message: "Cannot use the bundle: it contains Deno.readFile, which no browser has.",
  });
  assert.throws(() => forBrowsers('import "node:fs";'), {
    message: 'Cannot use the bundle: it contains "node:fs", which no browser has.',
  });
});
