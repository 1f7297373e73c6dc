import assert from "node:assert/strict";
import { calibrationClaims } from "./judges.ts";

Deno.test("calibrationClaims() refuses a number that quarters would not be whole of", async () => {
  await assert.rejects(calibrationClaims(10), /Cannot draw 10 claims: .* take a multiple of 4/);
});
