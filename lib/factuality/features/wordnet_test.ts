import assert from "node:assert/strict";
import { readWordNet } from "./wordnet.ts";

const RELATIONS = [
  ["begin", "start", "same"],
  ["dog", "poodle", "same"],
  ["poodle", "dog", "none"],
  ["produce", "production", "same"],
  ["hot", "cold", "opposite"],
  ["increase", "decrease", "opposite"],
  ["moist", "dry", "opposite"],
  ["oxygen", "hydrogen", "sibling"],
  ["monday", "tuesday", "sibling"],
  ["table", "justice", "none"],
  ["qwertyx", "cold", "none"],
] as const;

Deno.test("WordNet: how a claim's word and a source's word stand to one another", async () => {
  const wordnet = await readWordNet();
  for (const [claim, source, relation] of RELATIONS) {
    assert.equal(wordnet.relation(claim, source), relation, `${claim}, ${source}`);
  }
});
