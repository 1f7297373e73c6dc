import assert from "node:assert/strict";
import fc from "fast-check";
import { wikiSections } from "./wiki_markup.ts";

Deno.test("wikiSections() keeps the words and drops what stands beside them", () => {
  const markup = `{{Infobox city|name={{lang|fr|X}}|map=[[File:a.png|thumb|A [[map]]]]}}
'''Paris''' is the [[capital city|capital]] of [[France]].<ref name="a">Book, p. 3</ref><ref name=b />
It covers {{convert|105|km2|mi2}}.<!-- check -->

{| class="wikitable"
|-
| cell || [[link]]
|}
== History ==
* Founded by the ''[https://example.org Parisii]'' &ndash; [[File:b.jpg|thumb|caption]]a tribe.
=== Later ===
[[Category:Cities]]
{{Main|Later history}}
`;
  assert.deepEqual(wikiSections(markup), [
    {
      heading: "",
      paragraphs: ["Paris is the capital of France.", "It covers 105 km2."],
    },
    { heading: "History", paragraphs: ["Founded by the Parisii – a tribe."] },
  ]);
});

Deno.test("wikiSections() survives marks without a partner", () => {
  const [section] = wikiSections("One {{open [[two|three\nfour}} }} ]] five");
  assert.match(section?.paragraphs.join(" ") ?? "", /One.*five/);
});

Deno.test("Requirement 6.1: wikiSections() leaves no mark-up of links or templates, however nested", () => {
  const piece = fc.constantFrom(
    "[[",
    "]]",
    "{{",
    "}}",
    "{|",
    "|}",
    "|",
    "word",
    "\n",
    "'''",
    "==",
    " ",
  );
  fc.assert(fc.property(fc.array(piece), (pieces) => {
    const text = wikiSections(pieces.join("")).flatMap(({ paragraphs }) => paragraphs).join("");
    assert.doesNotMatch(text, /\[\[|\]\]|\{\{|\}\}/);
  }));
});
