import assert from "node:assert/strict";
import { join } from "node:path";
import { readTable, resumeTable, type TableShape } from "./resumable_table.ts";

interface Row {
  readonly [key: string]: string | number;
  readonly id: string;
  readonly settings: string;
}

async function withTable(work: (table: TableShape<Row>) => void): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    work({
      path: join(folder, "rows.csv"),
      columns: ["id", "settings"],
      parseRow: ({ id, settings }) => ({ id: id!, settings: settings! }),
      maker: "deno task x",
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("resumeTable() goes on after the rows that still hold, and takes the others out", async () => {
  await withTable((table) => {
    {
      using open = resumeTable(table, () => true);
      for (const id of ["a", "b"]) open.append({ id, settings: id === "a" ? "old" : "new" });
    }
    {
      using open = resumeTable(table, ({ settings }) => settings === "new");
      assert.deepEqual(open.rows.map(({ id }) => id), ["b"]);
      open.append({ id: "a", settings: "new" });
    }
    assert.deepEqual(readTable(table).map(({ id }) => id), ["b", "a"]);
  });
});

Deno.test("resumeTable() takes rows that no longer hold out of a table with a torn line, too", async () => {
  await withTable((table) => {
    Deno.writeTextFileSync(table.path, 'id,settings\na,old\nb,new\n"c');
    using open = resumeTable(table, ({ settings }) => settings === "new");
    assert.deepEqual(open.rows.map(({ id }) => id), ["b"]);
  });
});
