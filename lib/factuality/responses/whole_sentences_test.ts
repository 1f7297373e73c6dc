import assert from "node:assert/strict";
import { wholeSentences } from "./whole_sentences.ts";

Deno.test("wholeSentences() leaves out the sentence that was cut off", () => {
  assert.equal(
    wholeSentences(" Kenya is dry.\n\nIt exports tea. Its capi"),
    "Kenya is dry. It exports tea.",
  );
  assert.equal(wholeSentences("It has U.S. bases. And"), "It has U.S. bases.");
  assert.equal(wholeSentences("Kenya is"), "Kenya is");
  assert.equal(wholeSentences(""), "");
});
