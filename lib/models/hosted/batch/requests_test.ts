import assert from "node:assert/strict";
import fc from "fast-check";
import { readRequestFile, requestFiles, requestLine } from "./requests.ts";

const request = (customId: string, content = "Which? A: ǫ B: ø") => ({
  customId,
  body: { model: "m", messages: [{ role: "user", content }] },
});

Deno.test("requestLine() writes one line as Groq reads it", () => {
  assert.equal(
    requestLine(request("ON_UMLAUT_001.A_gram.0", "two\nlines")),
    '{"custom_id":"ON_UMLAUT_001.A_gram.0","method":"POST","url":"/v1/chat/completions",' +
      '"body":{"model":"m","messages":[{"role":"user","content":"two\\nlines"}]}}\n',
  );
  assert.throws(() => requestLine(request("")), /its id must have 1 … 64 characters/);
  assert.throws(() => requestLine(request("x".repeat(65))), RangeError);
});

Deno.test("requestFiles() loses no request, keeps their order, and stays within the limits", () => {
  const contents = fc.uniqueArray(fc.string({ unit: "binary", maxLength: 40 }), { maxLength: 20 });
  const limits = fc.record({
    lines: fc.integer({ min: 1, max: 7 }),
    bytes: fc.integer({ min: 700, max: 2000 }),
  });
  fc.assert(
    fc.property(contents, limits, (contents, limits) => {
      const requests = contents.map((content, index) => request(`q${index}`, content));
      const files = requestFiles(requests, limits);
      assert.equal(files.join(""), requests.map(requestLine).join(""));
      for (const [index, file] of files.entries()) {
        const lines = file.split("\n").length - 1;
        const bytes = new TextEncoder().encode(file).length;
        assert.ok(lines >= 1 && lines <= limits.lines && bytes <= limits.bytes);
        const next = files[index + 1]?.split("\n")[0];
        const room = limits.bytes - bytes - new TextEncoder().encode(`${next}\n`).length;
        assert.ok(next === undefined || lines === limits.lines || room < 0, "it ends too soon");
        assert.equal(readRequestFile(file, "it").customIds.length, lines);
      }
    }),
    { numRuns: 150 },
  );
});

Deno.test("requestFiles() refuses an id that stands twice and a request above the limit", () => {
  assert.throws(
    () => requestFiles([request("a"), request("b"), request("a")]),
    /the id a stands twice/,
  );
  const limits = { lines: 9, bytes: 150 };
  assert.throws(
    () => requestFiles([request("a", "x".repeat(99))], limits),
    /request a: .* bytes are more than 150/,
  );
});

Deno.test("readRequestFile() names the line that is no request", () => {
  const whole = requestLine(request("a")) + requestLine(request("b"));
  assert.deepEqual(readRequestFile(whole, "it"), { customIds: ["a", "b"], hostModel: "m" });
  assert.throws(
    () => readRequestFile(whole.slice(0, -20), "job.jsonl"),
    /job\.jsonl: line 2 is no request/,
  );
  assert.throws(() => readRequestFile("\n", "job.jsonl"), /it holds no request/);
});
