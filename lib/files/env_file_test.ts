import assert from "node:assert/strict";
import { parseEnvFile } from "./env_file.ts";

Deno.test("parseEnvFile() gives names, values and lines", () => {
  const text = "\uFEFF# keys\r\nexport ONE=\"a b\" # first\r\n\r\n  TWO = c#d\nTHREE: 'e'\nFOUR=\n";
  assert.deepEqual(parseEnvFile(text, ".env"), [
    { name: "ONE", value: "a b", line: 2 },
    { name: "TWO", value: "c", line: 4 },
    { name: "THREE", value: "e", line: 5 },
    { name: "FOUR", value: "", line: 6 },
  ]);
  assert.deepEqual(parseEnvFile("", ".env"), []);
});

Deno.test("parseEnvFile() refuses a name that stands twice, without showing a value", () => {
  assert.throws(() => parseEnvFile("A=secret1\nB=1\nA=secret2\n", "my.env"), {
    name: "SyntaxError",
    message: "Cannot read my.env: A stands twice, on lines 1 and 3; remove one, or give it the " +
      "next number",
  });
});
