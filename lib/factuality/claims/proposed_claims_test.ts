import assert from "node:assert/strict";
import { proposedClaims } from "./proposed_claims.ts";

const ANSWERS: readonly (readonly [string, string, readonly string[] | undefined])[] = [
  ["an object", '{"claims": ["A sang.", "B  danced."]}', ["A sang.", "B danced."]],
  ["prose around it", 'Sure!\n```json\n{"facts": ["A sang."]}\n```', ["A sang."]],
  ["a bare list", '["A sang.", "B danced."]', ["A sang.", "B danced."]],
  ["objects within the list", '{"claims": [{"text": "A sang."}]}', ["A sang."]],
  ["a list cut off", '["A sang.", "B dan', ["A sang."]],
  ["an empty list", '{"claims": []}', []],
  ["prose alone", "A sang.", undefined],
];

for (const [what, answer, expected] of ANSWERS) {
  Deno.test(`proposedClaims() reads ${what}`, () => {
    assert.deepEqual(proposedClaims(answer), expected);
  });
}
