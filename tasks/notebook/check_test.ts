import assert from "node:assert/strict";
import { join } from "node:path";
import { sha256Hex } from "../../lib/files/atomic.ts";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { checkNotebooks } from "./check.ts";

type CellSource = readonly ["markdown" | "code", string];
const TEXT: CellSource = ["markdown", "Text."];

/**
 * Returns the findings in a project of these notebooks, one line each; `lib/m.ts` exports `known`.
 */
function findingsIn(notebooks: Readonly<Record<string, readonly CellSource[]>>) {
  return inFolder(async (root) => {
    for (const folder of ["notebooks", "lib"]) Deno.mkdirSync(join(root, folder));
    Deno.writeTextFileSync(join(root, "lib", "m.ts"), "export const known = 1;\n");
    for (const [name, sources] of Object.entries(notebooks)) {
      const cells = sources.map(([cell_type, source]) => ({ cell_type, source, metadata: {} }));
      const json = JSON.stringify({ nbformat: 4, metadata: { touchstone: {} }, cells });
      Deno.writeTextFileSync(join(root, "notebooks", `${name}.ipynb`), json);
    }
    const lines = await checkNotebooks(root);
    const left = [...Deno.readDirSync(join(root, "notebooks"))].map(({ name }) => name);
    assert.deepEqual(left.filter((name) => !name.endsWith(".ipynb")), [], "no file is left behind");
    return lines;
  });
}

Deno.test("checkNotebooks() names notebook, cell and line of what does not fit its type", async () => {
  const shared: CellSource = ["code", 'import { known } from "../lib/m.ts";'];
  const awaiting: CellSource = [
    "code",
    "await Promise.resolve(known);\nDeno.jupyter.html`<b>b</b>`;",
  ];
  const misspelt: CellSource = ["code", '// a\nimport { knwon } from "../lib/m.ts";\nknwon;'];
  const wrong: CellSource = ["code", 'const n: number = "s";\nn;'];
  const twice: CellSource = ["code", "const twice = 1;\ntwice;"];
  const lines = await findingsIn({
    "00_good": [TEXT, shared, TEXT, awaiting, TEXT],
    "01_a": [TEXT, misspelt, TEXT],
    "02_b": [TEXT, TEXT, wrong],
    "03_c": [TEXT, twice, TEXT, twice, TEXT],
  });
  const expected = [
    /^01_a, cell 2, line 2: TS2\d+: .*has no exported member.*'knwon'/,
    /^02_b, cell 3, line 1: TS2322: Type 'string' is not assignable/,
    /^03_c, cell 4, line 1: Redeclaration is not allowed/,
    /^03_c, cell 2, line 1: TS2451/,
    /^03_c, cell 4, line 1: TS2451/,
  ];
  assert.equal(lines.length, expected.length, lines.join("\n"));
  for (const line of expected) assert.ok(lines.some((found) => line.test(found)), `${line}`);
});

Deno.test("checkNotebooks() names a cell that cannot be parsed, and a module that is not there", async () => {
  for (
    const [source, found] of [
      ['import "../lib/none.ts";', /^01_a, cell 3, line 1: .*none.ts/],
      ["\nconst x = ;", /^01_a, cell 3, line 2: SyntaxError: Expression expected/],
    ] as const
  ) assert.match((await findingsIn({ "01_a": [TEXT, TEXT, ["code", source]] })).join("\n"), found);
});

Deno.test("checkNotebooks() asks for format, short functions, cells and tables, text and mapped imports", async () => {
  const lines = (text: string, n: number) => Array.from({ length: n }, () => text).join("\n");
  const table = (rows: number) => `| a |\n| --- |\n${"| 1 |\n".repeat(rows)}`;
  const found = await findingsIn({
    "01_long_function": [TEXT, TEXT, ["code", `const f = () => {\n${lines("1;", 4)}\n};\nf();`]],
    "02_long_cell": [TEXT, TEXT, ["code", lines("1;", 16)]],
    "03_little_text": [TEXT, ["code", "1;"]],
    "04_npm": [TEXT, TEXT, ["code", 'import { z } from "npm:zod@4.6.7";\nz;']],
    "05_spaced": [TEXT, ["code", "const one = 1;"], TEXT, ["code", "one+1"], TEXT],
    "06_table": [["markdown", table(31)], ["markdown", table(30)]],
    "07_wide": [["markdown", `${"| a ".repeat(8)}|\n${"| - ".repeat(8)}|\n${"| 1 ".repeat(8)}|`]],
  });
  const expected = [
    /^03_little_text: it has 1 Markdown cells and 1 code cells/m,
    /^02_long_cell, cell 3: 16 lines of code, more than 15/m,
    /^01_long_function, cell 3, line 1: a function of 6 lines, more than 5/m,
    /^04_npm, cell 3, line 1: .*\(no-import-prefix\)/m,
    /^05_spaced, cell 4: not formatted: deno fmt notebooks/m,
    /^06_table, cell 1: a table of 31 rows, more than 30: name its file/m,
    /^07_wide, cell 1: a table of 8 columns, more than 7: split it/m,
  ];
  for (const pattern of expected) assert.match(found.join("\n"), pattern);
});

Deno.test("checkNotebooks() names a notebook whose files have changed since its last run", () =>
  inFolder(async (root) => {
    for (const folder of ["notebooks", "data"]) Deno.mkdirSync(join(root, folder));
    Deno.writeTextFileSync(join(root, "data", "t.csv"), "1");
    const lastRead = (file: string, content: string) => {
      const touchstone = { reads: [file], sha256: { [file]: sha256Hex(content) } };
      const cells = [{ cell_type: "markdown", source: "Text.", metadata: {} }];
      const json = JSON.stringify({ nbformat: 4, metadata: { touchstone }, cells });
      Deno.writeTextFileSync(join(root, "notebooks", "01_a.ipynb"), json);
      return checkNotebooks(root);
    };
    const stale = (file: string) => [
      `01_a: its last run read another ${file} than is there now: run it again`,
    ];
    assert.deepEqual(await lastRead("data/t.csv", "1"), []);
    assert.deepEqual(await lastRead("data/t.csv", "2"), stale("data/t.csv"));
    assert.deepEqual(await lastRead("data/gone.csv", "1"), stale("data/gone.csv"));
  }));
