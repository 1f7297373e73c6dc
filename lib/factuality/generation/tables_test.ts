import assert from "node:assert/strict";
import * as tables from "./tables.ts";

Deno.test("every table that ships is read and written again to the byte, no key twice", () => {
  for (const one of tables.TABLES.filter((one) => "read" in one)) {
    const table = one as typeof tables.QUESTIONS;
    const rows = table.read();
    assert.equal(table.format(rows), Deno.readTextFileSync(table.path), table.path);
    assert.equal(new Set(rows.map(table.keyOf)).size, rows.length, table.path);
  }
});
