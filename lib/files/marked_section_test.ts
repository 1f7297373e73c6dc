import assert from "node:assert/strict";
import { replaceMarkedSection } from "./marked_section.ts";

const DOCUMENT =
  "# Results\n\n<!-- begin norse (generated, edits are lost) -->\nold\n<!-- end norse -->\n\nMore.\n";

Deno.test("replaceMarkedSection() exchanges only what stands between the markers", () => {
  const replaced = replaceMarkedSection(DOCUMENT, "norse", "new $1 $&\n");
  assert.equal(replaced, DOCUMENT.replace("\nold\n", () => "\n\nnew $1 $&\n\n"));
  assert.equal(replaceMarkedSection(replaced, "norse", "new $1 $&"), replaced);
});

Deno.test("replaceMarkedSection() refuses a document without the markers", () => {
  assert.throws(() => replaceMarkedSection(DOCUMENT, "sanskrit", "x"), /section "sanskrit"/);
  assert.throws(() => replaceMarkedSection(DOCUMENT + DOCUMENT, "norse", "x"), SyntaxError);
});
