import assert from "node:assert/strict";
import { test } from "node:test";
import { randomSource } from "../../stats/random.ts";
import { composeSources } from "./contexts.ts";

test("composeSources() never gives a web page without a word, whatever was taken out of it", () => {
  const lone = {
    before: [],
    target: undefined,
    after: [],
    title: "Oz",
    section: "Flag",
    others: [],
  };
  for (let seed = 0; seed < 200; seed++) {
    const [page] = composeSources("web", lone, randomSource(seed));
    assert.notEqual(page!.text, "");
  }
});
