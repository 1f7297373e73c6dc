import assert from "node:assert/strict";
import fc from "fast-check";
import { byteLength } from "../../model.ts";
import { askedIds, readOutcome, requestFiles } from "./files.ts";
import { resultLine } from "./testdata/fake_host.ts";

const line = (id: string, text: string) => JSON.stringify(resultLine(id, { text }));
const read = (asked: string, output: readonly string[], errors: readonly string[] = []) =>
  readOutcome({ output: output.join("\n"), errors: errors.join("\n"), asked: asked.split("") });

Deno.test("readOutcome() gives no letter where a line is cut, strange, unasked or contradicted", () => {
  const cut = line("b", "B").slice(0, -30);
  const odd = ["", "null", "[1]", '{"custom_id":7}', cut, line("z", "A"), line("y", "")];
  const outcome = read("abcde", [...odd, line("d", "A"), line("d", "B"), line("e", "B")]);
  assert.deepEqual([...outcome.replies.keys()], ["e"]);
  assert.deepEqual(outcome.problems.map(({ where, message }) => `${where}: ${message}`), [
    ...[2, 3, 4, 5].map((line) => `output.jsonl, line ${line}: the line is no result of a batch`),
    "output.jsonl, line 6: the id z was not asked",
    "output.jsonl, line 7: the id y was not asked",
    "d: two answers stand under one id",
    "a: the batch returned no line for it",
    "b: the batch returned no line for it",
    "c: the batch returned no line for it",
  ]);
});

Deno.test("readOutcome() of any damage: no reply that was not given, none lost that stands whole", () => {
  const ids = "abcdef";
  const whole = [...ids].map((id, index) => line(id, index % 2 ? "A" : "B")).join("\n");
  const cuts = fc.array(fc.tuple(fc.nat(whole.length), fc.nat(40), fc.string({ maxLength: 3 })), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(cuts, (cuts) => {
      const damaged = cuts.reduce(
        (text, [at, drop, junk]) => text.slice(0, at) + junk + text.slice(at + drop),
        whole,
      );
      const { replies } = readOutcome({ output: damaged, errors: "", asked: [...ids] });
      const standing = damaged.split("\n");
      for (const [index, id] of [...ids].entries()) {
        const given = line(id, index % 2 ? "A" : "B");
        // Damage may hit the answer's own letters: then another text is what the host wrote.
        const isAlone = standing.filter((l) => l.includes(`"${id}"`)).length === 1;
        if (isAlone && standing.includes(given)) {
          assert.equal(replies.get(id)?.text, index % 2 ? "A" : "B");
        }
        if (!damaged.includes(`"custom_id":"${id}"`)) assert.ok(!replies.has(id));
      }
    }),
    { numRuns: 500 },
  );
});

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
