import assert from "node:assert/strict";
import { calibrationClaims } from "./calibration_claims.ts";

Deno.test("calibrationClaims() refuses a number that quarters would not be whole of", async () => {
  const asked = calibrationClaims({ cacheDirectory: "nowhere", count: 10, seed: 1 });
  await assert.rejects(asked, /Cannot draw 10 claims: .* take a multiple of 4/);
});
