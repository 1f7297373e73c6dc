import assert from "node:assert/strict";
import { sentenceDifference } from "../../pairs/sentence_difference.ts";
import { GENERATED } from "../contrasts/testdata/generated.ts";
import { toIast } from "../devanagari.ts";
import { transliterated } from "./transliterated.ts";

const [FIRST] = GENERATED.aStems.set.items;

Deno.test("transliterated() changes the script and the id, nothing else", () => {
  const [own] = transliterated([{ ...FIRST!.pair, id: "morph_0017" }]);
  assert.equal(own?.id, "iast_0017");
  assert.equal(own?.grammatical, toIast(FIRST!.pair.grammatical));
  assert.equal(own?.errorType, FIRST!.pair.errorType);
  const difference = sentenceDifference(own!.grammatical, own!.ungrammatical);
  assert.equal(difference.kind === "one_token" && difference.from, own!.target);
});
