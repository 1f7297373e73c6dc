import assert from "node:assert/strict";
import {
  declarationOf,
  type Json,
  parseNotebook,
  selectNotebooks,
  serialiseNotebook,
} from "./nbformat.ts";

const notebook = (cells: readonly unknown[]) =>
  JSON.stringify({ nbformat: 4, nbformat_minor: 4, metadata: {}, cells });

const markdown = (id?: string) => ({ cell_type: "markdown", metadata: {}, source: "x", id });

Deno.test("parseNotebook() keeps ids, and gives missing and doubled ones a place-bound id", () => {
  const cells = ["b", undefined, "b", "cell-05", undefined].map(markdown);
  const ids = parseNotebook(notebook(cells), "t").cells.map(({ id }) => id);
  assert.deepEqual(ids, ["b", "cell-02", "cell-03", "cell-05", "cell-05x"]);
});

Deno.test("serialiseNotebook() writes what it reads, however the text was laid out", () => {
  const text = serialiseNotebook(parseNotebook(notebook(["a", "b"].map(markdown)), "t"), new Map());
  const layout = JSON.stringify(JSON.parse(text), null, 4);
  assert.equal(serialiseNotebook(parseNotebook(layout, "t"), new Map()), text);
  assert.throws(() => parseNotebook("{", "11_a.ipynb"), /Cannot read notebook 11_a.ipynb/);
});

const declare = (touchstone: Json) => declarationOf({ cells: [], metadata: { touchstone } }, "11");

Deno.test("declarationOf() refuses paths outside the project, folders and unknown words", () => {
  assert.deepEqual(declare({}), { reads: [], writes: [] });
  for (const path of ["/etc/x", "../x", "data/../../x", "data/", "data\\x", ""]) {
    assert.throws(() => declare({ writes: [path] }), /Cannot run 11: .*"touchstone"/, path);
  }
  assert.throws(() => declare({ write: [] }), SyntaxError);
});

const NAMES = ["00_tour", "11_norse_acquisition", "12_norse_generation", "21_sanskrit_acquisition"];

Deno.test("selectNotebooks() takes numbers, words and paths, in the notebooks' order", () => {
  const cases: readonly (readonly [readonly string[], readonly number[]])[] = [
    [[], [0, 1, 2, 3]],
    [["12", "00"], [0, 2]],
    [["1"], [1, 2]],
    [["norse"], [1, 2]],
    [["acquisition"], [1, 3]],
    [["notebooks/00_tour.ipynb"], [0]],
  ];
  for (const [wanted, places] of cases) {
    assert.deepEqual(selectNotebooks(NAMES, wanted), places.map((place) => NAMES[place]));
  }
  assert.throws(() => selectNotebooks(NAMES, ["11", "greek"]), /"greek" begins none of 00_tour/);
});
