import assert from "node:assert/strict";
import { developmentQueries } from "./query_split.ts";

const QUERIES = Array.from({ length: 30 }, (_, i) => ({ id: `lake-invented-${i}` }));

Deno.test("developmentQueries() takes a third, the same whatever the order", () => {
  const taken = developmentQueries(QUERIES);
  assert.equal(taken.size, 10);
  assert.deepEqual(developmentQueries(QUERIES.toReversed()), taken);
});
