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
      assert.deepEqual(files.flatMap(askedIds), requests.map(({ customId }) => customId));
    }),
    { numRuns: 150 },
  );
});
