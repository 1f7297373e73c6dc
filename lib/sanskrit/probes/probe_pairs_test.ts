import assert from "node:assert/strict";
import { MADE_SETS } from "../evaluation/testdata/made_sets.ts";
import { probePairs } from "./probe_pairs.ts";

Deno.test("probePairs() has controls, bare forms, the pairs in IAST, and i-stems, in this order", () => {
  assert.deepEqual(
    probePairs(MADE_SETS).map(({ id, grammatical, ungrammatical }) => [
      ...[id, grammatical, ungrammatical],
    ]),
    [
      ["control_0001", "देवेन सह तिष्ठति सीता", "देवे सह तिष्ठति सीता"],
      ["bare_0001", "देवेन", "देवे"],
      [
        "iast_0001",
        "dharmakṣetre kurukṣetre devena saha",
        "dharmakṣetre kurukṣetre deve saha",
      ],
      ["istem_0001", "देवेन रामो गच्छति", "देवे रामो गच्छति"],
    ],
  );
});
