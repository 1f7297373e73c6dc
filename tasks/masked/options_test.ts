import assert from "node:assert/strict";
import { MASKED_OPTIONS, MASKED_USAGE, readMaskedOptions } from "./options.ts";

Deno.test("readMaskedOptions() reads what to do, and refuses to do nothing", () => {
  const options = readMaskedOptions(["--check", "--held-out"]);
  assert.deepEqual(options, { install: false, check: true, heldOut: true });
  assert.throws(() => readMaskedOptions([]), {
    name: "SyntaxError",
    message: /^Cannot tell what to do: .*\n\ndeno task masked: /,
  });
  assert.throws(() => readMaskedOptions(["--odd"]), { name: "SyntaxError" });
});

Deno.test("deno task masked --help prints every option", () => {
  for (const name of Object.keys(MASKED_OPTIONS)) {
    assert.match(MASKED_USAGE, new RegExp(`--${name} `));
  }
});
