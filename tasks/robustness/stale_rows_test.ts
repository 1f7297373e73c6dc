import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readCsv } from "../../lib/files/csv.ts";
import { setRowsAside, staleBy } from "./stale_rows.ts";

const FORM = {
  columns: ["item", "settings"] as const,
  parse: (record: Readonly<Record<"item" | "settings", string>>) => record,
};

test("setRowsAside() moves rows of other settings where they are kept, and leaves the rest", () => {
  const folder = Deno.makeTempDirSync();
  try {
    const path = join(folder, "rows.csv");
    const aside = join(folder, "cache", "robustness");
    assert.equal(setRowsAside(path, FORM, () => () => true, aside), 0);
    Deno.writeTextFileSync(path, "item,settings\n1,old\n2,new\n3,old\n");
    assert.equal(setRowsAside(path, FORM, () => ({ settings }) => settings === "old", aside), 2);
    const items = (file: string) =>
      readCsv(file, FORM.columns, FORM.parse).rows.map((row) => row.item);
    assert.deepEqual(items(path), ["2"]);
    assert.deepEqual(items(join(aside, "other_rows.csv")), ["1", "3"]);
    assert.equal(setRowsAside(path, FORM, () => ({ settings }) => settings === "old", aside), 0);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

test("staleBy() takes with a row that ran out of time those that were asked together with it", () => {
  const rows = [
    { text: "a", status: "scored", settings: "new" },
    { text: "a", status: "time-out", settings: "new" },
    { text: "b", status: "scored", settings: "new" },
    { text: "c", status: "malformed answer", settings: "new" },
    { text: "d", status: "scored", settings: "old" },
  ];
  const isStale = staleBy<typeof rows[number]>(
    ({ text }) => text,
    ({ settings }) => settings === "new",
  )(rows);
  assert.deepEqual(rows.map(isStale), [true, true, false, false, true]);
});
