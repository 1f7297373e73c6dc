import assert from "node:assert/strict";
import { faultLines, parseTable } from "./read_table.ts";

const CSV = { delimiter: ",", quotes: true } as const;
const TSV = { delimiter: "\t", quotes: false } as const;

Deno.test("parseTable() keeps quoted line breaks and knows each row's first line", () => {
  const { headings, lines } = parseTable('\ufeffa, b\r\n"1\n2",x\n\n3,"say ""y"""\n', "f.csv", CSV);
  assert.deepEqual(headings, ["a", "b"]);
  assert.deepEqual(lines, [
    { line: 2, cells: ["1\n2", "x"] },
    { line: 5, cells: ["3", 'say "y"'] },
  ]);
});

Deno.test("parseTable() reads quotation marks as text where there is no quoting", () => {
  const { lines } = parseTable('a\tb\n"Yes", he said\tx "\n', "f.tsv", TSV);
  assert.deepEqual(lines, [{ line: 2, cells: ['"Yes", he said', 'x "'] }]);
});

Deno.test("parseTable() names every line with too few or too many cells", () => {
  assert.throws(() => parseTable("a,b\n1\n1,2\n1,2,3\n", "f.csv", CSV), {
    name: "SyntaxError",
    message: "Cannot read f.csv: line 2 has 1 cells, the heading has 2; " +
      "line 4 has 3 cells, the heading has 2.",
  });
});

Deno.test("parseTable() says how to read a file whose quotation marks are text", () => {
  assert.throws(
    () => parseTable('a,b\nx "y,z\n', "f.csv", CSV),
    /^SyntaxError: Cannot read f.csv: .* read it with "quotes: false"\.$/s,
  );
});

Deno.test("parseTable() refuses an empty file", () => {
  assert.throws(() => parseTable("\n", "f.tsv", TSV), /f.tsv: it has no headings/);
});

Deno.test("faultLines() gives several faults a line each, and counts those after the tenth", () => {
  assert.equal(faultLines(["One."]), " One.");
  assert.equal(faultLines(["One.", "Two."]), "\n  One.\n  Two.");
  const many = faultLines(Array.from({ length: 12 }, (_, index) => `Row ${index + 1}.`));
  assert.equal(many.split("\n").length, 12);
  assert.ok(many.endsWith("\n  Row 10.\n  … and 2 more"));
});
