import assert from "node:assert/strict";
import { abstentionReadersSentence, readSecondLabels } from "./second_labels.ts";

const first = new Map(
  [["a", "abstains"], ["b", "answers"], ["c", "answers"], ["d", "abstains"]] as const,
);

Deno.test("two readers of abstentions are compared, by hand", () => {
  const second = [...first.keys()].map((key) => ({
    key,
    label: key === "d" ? "answers" as const : first.get(key)!,
  }));
  // Po 3/4, Pe 2/4·1/4 + 2/4·3/4 = 1/2: κ = 1/2.
  assert.match(abstentionReadersSentence(second, first), /3 of 4 answers.*κ 0\.50/);
  assert.throws(
    () => abstentionReadersSentence([{ key: "e", label: "answers" }], first),
    /the first did not label e/,
  );
});

Deno.test("every answer that the second reader labelled has a label of the first", () => {
  assert.match(abstentionReadersSentence(), new RegExp(`of ${readSecondLabels().length} answers`));
});
