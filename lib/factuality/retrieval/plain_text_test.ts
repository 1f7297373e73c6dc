import assert from "node:assert/strict";
import { decodeEntities, plainText } from "./plain_text.ts";

Deno.test("plainText() keeps sub-regions apart and drops tags", () => {
  const html = "<strong>metropolitan France:</strong> Western Europe<br><br><strong>Reunion:" +
    "</strong> an island.<br><br>Note: <1%";
  assert.equal(
    plainText(html),
    "metropolitan France: Western Europe; Reunion: an island. Note: <1%",
  );
});

Deno.test("plainText() sets nothing before a text that begins with a line break", () => {
  assert.equal(plainText("<p><em><br>2025: </em>Friedrich&nbsp;MERZ</p>"), "2025: Friedrich MERZ");
});

Deno.test("decodeEntities() knows HTML's names and numbers and leaves what is none", () => {
  assert.equal(
    decodeEntities("Proven&ccedil;al &#8217;&#x2013; AT&T &foo;"),
    "Provençal ’– AT&T &foo;",
  );
});
