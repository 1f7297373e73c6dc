import assert from "node:assert/strict";
import { readWordNet } from "./wordnet.ts";

const wordnet = await readWordNet();

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

for (const [claim, source, relation] of RELATIONS) {
  Deno.test(`WordNet: a claim's "${claim}" and a source's "${source}" are ${relation}`, () => {
    assert.equal(wordnet.relation(claim, source), relation);
  });
}
