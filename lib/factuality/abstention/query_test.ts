import assert from "node:assert/strict";
import { type AbstentionQuery, queriesCsv, readQueries } from "./query.ts";

const QUERY: AbstentionQuery = {
  ...{ id: "lake-invented-1", kind: "lake", exists: false, name: "Lake Hapaijar" },
  question: "Where is Lake Hapaijar?",
};

Deno.test("readQueries() reads what queriesCsv() writes", () => {
  const path = Deno.makeTempFileSync();
  Deno.writeTextFileSync(path, queriesCsv([QUERY]));
  assert.deepEqual(readQueries(path), [QUERY]);
  Deno.removeSync(path);
});

Deno.test("readQueries() names the file and line of a damaged query", () => {
  const path = Deno.makeTempFileSync();
  Deno.writeTextFileSync(path, queriesCsv([QUERY]).replace("lake,", "pond,"));
  assert.throws(() => readQueries(path), /line 2 is damaged/);
  Deno.removeSync(path);
});
