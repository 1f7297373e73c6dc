import assert from "node:assert/strict";
import { join } from "node:path";
import { checkNotebooks, inWords } from "./check.ts";

type CellSource = readonly ["markdown" | "code", string];
const TEXT: CellSource = ["markdown", "Text."];

/** What is found in a project of these notebooks, one line each; `lib/m.ts` exports `known`. */
async function findingsIn(notebooks: Readonly<Record<string, readonly CellSource[]>>) {
  const root = Deno.makeTempDirSync({ prefix: "touchstone-" });
  try {
    for (const folder of ["notebooks", "lib"]) Deno.mkdirSync(join(root, folder));
    Deno.writeTextFileSync(join(root, "lib", "m.ts"), "export const known = 1;\n");
    for (const [name, cells] of Object.entries(notebooks)) {
      const json = {
        nbformat: 4,
        metadata: { touchstone: {} },
        cells: cells.map(([cell_type, source]) => ({ cell_type, source, metadata: {} })),
      };
      Deno.writeTextFileSync(join(root, "notebooks", `${name}.ipynb`), JSON.stringify(json));
    }
    const lines = (await checkNotebooks(root)).map(inWords);
    const left = [...Deno.readDirSync(join(root, "notebooks"))].map(({ name }) => name);
    assert.deepEqual(left.filter((name) => !name.endsWith(".ipynb")), [], "no file is left behind");
    return lines;
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

Deno.test("checkNotebooks() accepts cells that share names and await at the top", async () => {
  const first: CellSource = ["code", 'import { known } from "../lib/m.ts";'];
  const second: CellSource = [
    "code",
    "await Promise.resolve(known);\nDeno.jupyter.html`<b>b</b>`;",
  ];
  assert.deepEqual(await findingsIn({ "01_a": [TEXT, first, TEXT, second, TEXT] }), []);
});

Deno.test("checkNotebooks() names notebook, cell and line of a misspelt import and a wrong type", async () => {
  const misspelt: CellSource = ["code", '// a\nimport { knwon } from "../lib/m.ts";\nknwon;'];
  const wrong: CellSource = ["code", 'const n: number = "s";\nn;'];
  const lines = await findingsIn({ "01_a": [TEXT, misspelt, TEXT], "02_b": [TEXT, TEXT, wrong] });
  assert.equal(lines.length, 2, lines.join("\n"));
  assert.match(lines[0]!, /^01_a, cell 2, line 2: TS2\d+: .*has no exported member.*'knwon'/);
  assert.match(lines[1]!, /^02_b, cell 3, line 1: TS2322: Type 'string' is not assignable/);
});

Deno.test("checkNotebooks() names a constant that two cells declare", async () => {
  const cell: CellSource = ["code", "const twice = 1;\ntwice;"];
  const lines = (await findingsIn({ "01_a": [TEXT, cell, TEXT, cell, TEXT] }))
    .filter((line) => line.includes("TS2451"));
  assert.deepEqual(lines.map((line) => line.split(": ")[0]), [
    "01_a, cell 2, line 1",
    "01_a, cell 4, line 1",
  ]);
});

Deno.test("checkNotebooks() names a cell that cannot be parsed, and a module that is not there", async () => {
  const lines = await findingsIn({ "01_a": [TEXT, TEXT, ["code", "\nconst x = ;"]] });
  assert.match(lines.join("\n"), /^01_a, cell 3, line 2: SyntaxError: Expression expected/);
  const missing = await findingsIn({ "01_a": [TEXT, TEXT, ["code", 'import "../lib/none.ts";']] });
  assert.match(missing.join("\n"), /01_a, cell 3, line 1: .*none.ts/);
});

Deno.test("checkNotebooks() names a cell that is not formatted", async () => {
  const good: CellSource = ["code", "const one = 1;"];
  const bad: CellSource = ["code", "one+1"];
  const lines = await findingsIn({ "01_a": [TEXT, good, TEXT, bad, TEXT] });
  assert.deepEqual(lines, ["01_a, cell 4: not formatted: deno fmt notebooks"]);
});

Deno.test("checkNotebooks() asks for short functions, short cells, text and mapped imports", async () => {
  const lines = (text: string, n: number) => Array.from({ length: n }, () => text).join("\n");
  const found = await findingsIn({
    "01_long_function": [TEXT, TEXT, ["code", `const f = () => {\n${lines("1;", 4)}\n};\nf();`]],
    "02_long_cell": [TEXT, TEXT, ["code", lines("1;", 16)]],
    "03_little_text": [TEXT, ["code", "1;"]],
    "04_npm": [TEXT, TEXT, ["code", 'import { z } from "npm:zod@4.6.7";\nz;']],
  });
  const expected = [
    /^03_little_text: it has 1 Markdown cells and 1 code cells/m,
    /^02_long_cell, cell 3: 16 lines of code, more than 15/m,
    /^01_long_function, cell 3, line 1: a function of 6 lines, more than 5/m,
    /^04_npm, cell 3, line 1: a package is named with its registry/m,
  ];
  for (const pattern of expected) assert.match(found.join("\n"), pattern);
});
