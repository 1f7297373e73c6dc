import assert from "node:assert/strict";
import fc from "fast-check";
import { sentencesOf } from "./sentences.ts";

const TABLE: readonly (readonly [string, string, readonly string[]])[] = [
  ["abbreviations", "Dr. Smith lives in the U.S. with Mr. Brown. He is 40.", [
    "Dr. Smith lives in the U.S. with Mr. Brown.",
    "He is 40.",
  ]],
  ["decimals", "It grew by 3.5 per cent. Then it fell.", [
    "It grew by 3.5 per cent.",
    "Then it fell.",
  ]],
  ["a quotation with two sentences", 'He said "Hi. You!" and left. She stayed.', [
    'He said "Hi. You!" and left.',
    "She stayed.",
  ]],
  ["bullets", "Facts:\n- Paris is a city.\n* Rome is a city\n• Oslo too", [
    "Facts:",
    "Paris is a city.",
    "Rome is a city",
    "Oslo too",
  ]],
  ["numbered lists", "1. Paris is a city.\n2) Rome is old.", ["Paris is a city.", "Rome is old."]],
  ["headings", "# Geography\nNorway is long.\n\n## People\nFew live there.", [
    "Geography",
    "Norway is long.",
    "People",
    "Few live there.",
  ]],
  ["block quotations", "> Norway is long.", ["Norway is long."]],
  [
    "wrapped lines",
    "Norway is a country in the north of Europe, and it\nis long. Oslo is\nits capital.",
    [
      "Norway is a country in the north of Europe, and it\nis long.",
      "Oslo is\nits capital.",
    ],
  ],
  ["a missing final stop", "Oslo is a city. It is big", ["Oslo is a city.", "It is big"]],
  ["brackets", "Oslo (see Fig. 2. There.) is big. Bergen is not.", [
    "Oslo (see Fig. 2. There.) is big.",
    "Bergen is not.",
  ]],
  ["footnotes", "He moved in 1977 [1]. He died [2].", ["He moved in 1977 [1].", "He died [2]."]],
  ["white space and marks alone", " \n\n--- … \n", []],
];

for (const [name, text, expected] of TABLE) {
  Deno.test(`sentencesOf() bears ${name}`, () => {
    assert.deepEqual(sentencesOf(text).map((sentence) => sentence.text), expected);
  });
}

Deno.test("sentencesOf() gives spans in order that say what stands there, in any text", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.constantFrom(
      '"',
      "“",
      "”",
      "(",
      ")",
      "\n",
      "\r\n",
      "- ",
      "1. ",
      "# ",
      ". ",
      "Dr. ",
      "Oslo ",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      let cursor = 0;
      for (const sentence of sentencesOf(text)) {
        assert.ok(sentence.start >= cursor && sentence.end > sentence.start);
        assert.equal(text.slice(sentence.start, sentence.end), sentence.text);
        cursor = sentence.end;
      }
    }),
    { numRuns: 200 },
  );
});
