import assert from "node:assert/strict";
import { CELLS, formatCell, parseCell } from "./cell.ts";

Deno.test("formatCell() and parseCell() name all 24 cells and give them back", () => {
  assert.equal(CELLS.length, 24);
  assert.deepEqual(CELLS.slice(0, 4).map(formatCell), ["nom.sg", "nom.du", "nom.pl", "acc.sg"]);
  for (const cell of CELLS) assert.equal(parseCell(formatCell(cell)), cell);
});

Deno.test("parseCell() refuses what is no cell and shows what one is", () => {
  for (const text of ["", "gen", "sg.gen", "gen.sg.m", "Gen.sg"]) {
    assert.throws(() => parseCell(text), {
      name: "SyntaxError",
      message: /is no cell: write it as gen\.sg \(nom\.sg, /,
    });
  }
});
