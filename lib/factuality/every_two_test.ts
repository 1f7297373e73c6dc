import assert from "node:assert/strict";
import { everyTwo } from "./every_two.ts";

Deno.test("everyTwo() gives every two once, in their order", () => {
  assert.deepEqual(everyTwo(["x", "y", "z"]), [["x", "y"], ["x", "z"], ["y", "z"]]);
  assert.deepEqual(everyTwo(["x"]), []);
});
