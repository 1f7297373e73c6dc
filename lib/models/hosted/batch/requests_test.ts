import assert from "node:assert/strict";
import fc from "fast-check";
import { byteLength } from "../../model.ts";
import { askedIds, requestFiles } from "./requests.ts";

const request = (customId: string, content = "Which? A: ǫ B: ø") => ({
  customId,
  body: { model: "m", messages: [{ role: "user", content }] },
});

Deno.test("requestFiles() loses no request, keeps their order, and stays within the limits (property)", () => {
  const contents = fc.uniqueArray(fc.string({ unit: "binary", maxLength: 40 }), { maxLength: 20 });
  const limits = fc.record({
    lines: fc.integer({ min: 1, max: 7 }),
    bytes: fc.integer({ min: 700, max: 2000 }),
  });
  fc.assert(
    fc.property(contents, limits, (contents, limits) => {
      const requests = contents.map((content, index) => request(`q${index}`, content));
      const files = requestFiles(requests, limits);
      assert.equal(files.join(""), requestFiles(requests).join(""));
      for (const [index, file] of files.entries()) {
        const lines = file.split("\n").length - 1;
        assert.ok(lines >= 1 && lines <= limits.lines && byteLength(file) <= limits.bytes);
        const next = files[index + 1]?.split("\n")[0];
        const room = limits.bytes - byteLength(`${file}${next}\n`);
        assert.ok(next === undefined || lines === limits.lines || room < 0, "it ends too soon");
        assert.equal(askedIds(file).length, lines);
      }
    }),
    { numRuns: 150 },
  );
});

Deno.test("requestFiles() says which request cannot be", () => {
  const write = (...requests: ReturnType<typeof request>[]) => () =>
    requestFiles(requests, { lines: 9, bytes: 250 });
  assert.throws(write(request("a"), request("b"), request("a")), /"a": the id stands twice/);
  assert.throws(write(request("")), /its id must have 1 … 64 characters/);
  assert.throws(write(request("x".repeat(65))), RangeError);
  assert.throws(write(request("a", "x".repeat(200))), /"a": .* bytes are more than 250/);
  assert.deepEqual(askedIds(requestFiles([request("a"), request("b")])[0]!), ["a", "b"]);
});
