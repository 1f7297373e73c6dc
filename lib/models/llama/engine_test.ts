import assert from "node:assert/strict";
import { chooseStartToken } from "./engine.ts";

const none = { bos: undefined, eos: undefined, endOfText: undefined, addBos: false };

Deno.test("chooseStartToken() takes BOS where the file asks for it", () => {
  const gemma = { ...none, bos: 2, eos: 1, addBos: true };
  assert.deepEqual(chooseStartToken(gemma), { id: 2, source: "bos" });
  assert.deepEqual(chooseStartToken({ ...gemma, endOfText: 7 }), { id: 2, source: "bos" });
});

Deno.test("chooseStartToken() prefers the separator of documents to a BOS nobody asked for", () => {
  const smollm2 = { bos: 1, eos: 2, endOfText: 0, addBos: false };
  assert.deepEqual(chooseStartToken(smollm2), { id: 0, source: "end-of-text" });
});
