import assert from "node:assert/strict";
import { selectNotebooks } from "./select.ts";

const NAMES = ["00_tour", "11_norse_acquisition", "12_norse_generation", "21_sanskrit_acquisition"];

Deno.test("selectNotebooks() takes numbers, words and paths, in the notebooks' order", () => {
  assert.deepEqual(selectNotebooks(NAMES, []), NAMES);
  assert.deepEqual(selectNotebooks(NAMES, ["12", "00"]), [NAMES[0], NAMES[2]]);
  assert.deepEqual(selectNotebooks(NAMES, ["1"]), [NAMES[1], NAMES[2]]);
  assert.deepEqual(selectNotebooks(NAMES, ["norse"]), [NAMES[1], NAMES[2]]);
  assert.deepEqual(selectNotebooks(NAMES, ["acquisition"]), [NAMES[1], NAMES[3]]);
  assert.deepEqual(selectNotebooks(NAMES, ["notebooks/00_tour.ipynb"]), [NAMES[0]]);
});

Deno.test("selectNotebooks() refuses a name that selects nothing", () => {
  assert.throws(() => selectNotebooks(NAMES, ["11", "greek"]), /"greek" begins none of 00_tour/);
});
