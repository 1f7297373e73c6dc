import assert from "node:assert/strict";
import { parseNotebook } from "./nbformat.ts";
import { serialiseNotebook } from "./serialise.ts";

const notebook = (cells: readonly unknown[]) =>
  JSON.stringify({ nbformat: 4, nbformat_minor: 4, metadata: {}, cells });
const markdown = (id?: string) => ({ cell_type: "markdown", metadata: {}, source: "x", id });

Deno.test("parseNotebook() keeps ids, and gives missing and doubled ones a place-bound id", () => {
  const cells = ["b", undefined, "b", "cell-05", undefined].map(markdown);
  const ids = parseNotebook(notebook(cells), "t").cells.map(({ id }) => id);
  assert.deepEqual(ids, ["b", "cell-02", "cell-03", "cell-05", "cell-05x"]);
});

Deno.test("parseNotebook() names the file that is no notebook", () => {
  assert.throws(() => parseNotebook("{", "11_a.ipynb"), /Cannot read notebook 11_a.ipynb/);
  const third = JSON.stringify({ nbformat: 3, metadata: {}, cells: [] });
  assert.throws(() => parseNotebook(third, "11_a.ipynb"), SyntaxError);
});

Deno.test("serialiseNotebook() writes what it reads, however the text was laid out", () => {
  const text = serialiseNotebook(parseNotebook(notebook(["a", "b"].map(markdown)), "t"), new Map());
  assert.equal(serialiseNotebook(parseNotebook(text, "t"), new Map()), text);
  const layout = JSON.stringify(JSON.parse(text), null, 4);
  assert.equal(serialiseNotebook(parseNotebook(layout, "t"), new Map()), text);
});

Deno.test("serialiseNotebook() splits texts into lines and leaves binary values whole", () => {
  const { cells, metadata } = parseNotebook(
    notebook([{ cell_type: "code", metadata: {}, source: "a\n\nb\n", id: "c" }]),
    "t",
  );
  const data = { "text/html": "<p>\n</p>", "image/png": "iVBO\n", "application/json": { b: 1 } };
  const outputs = [{ output_type: "display_data" as const, data, metadata: {} }];
  const text = serialiseNotebook(
    { cells, metadata },
    new Map([["c", { executionCount: 1, outputs }]]),
  );
  const [cell] = JSON.parse(text).cells;
  assert.deepEqual(cell.source, ["a\n", "\n", "b\n"]);
  assert.deepEqual(cell.outputs[0].data, { ...data, "text/html": ["<p>\n", "</p>"] });
});
