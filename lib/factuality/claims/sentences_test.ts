import assert from "node:assert/strict";
import fc from "fast-check";
import type { ClaimKind, NotCheckable } from "../types.ts";
import { claimKind, notCheckable, sentencesOf } from "./sentences.ts";

/** What a text has, and its sentences with a bar between them. */
const TABLE: readonly (readonly [string, string, string])[] = [
  [
    "abbreviations",
    "Dr. Smith lives in the U.S. with Mr. Brown. He is 40.",
    "Dr. Smith lives in the U.S. with Mr. Brown.|He is 40.",
  ],
  ["decimals", "It grew by 3.5 per cent. Then it fell.", "It grew by 3.5 per cent.|Then it fell."],
  [
    "quotations",
    'He said "Hi. You!" and left. She came.',
    'He said "Hi. You!" and left.|She came.',
  ],
  ["bullets", "Facts:\n- Paris is.\n* Rome is\n• Oslo too", "Facts:|Paris is.|Rome is|Oslo too"],
  ["numbered lists", "1. Paris is a city.\n2) Rome is old.", "Paris is a city.|Rome is old."],
  ["headings", "# North\nIt is long.\n\n## People\nFew.", "North|It is long.|People|Few."],
  ["block quotations", "> Norway is long.", "Norway is long."],
  [
    "wrapped lines",
    "Norway is a country in the north of Europe, and it\nis long. Oslo is\nits capital.",
    "Norway is a country in the north of Europe, and it\nis long.|Oslo is\nits capital.",
  ],
  ["a missing final stop", "Oslo is a city. It is big", "Oslo is a city.|It is big"],
  ["brackets", "Oslo (see Fig. 2. There.) is. It is.", "Oslo (see Fig. 2. There.) is.|It is."],
  ["footnotes", "He moved in 1977 [1]. He died [2].", "He moved in 1977 [1].|He died [2]."],
  ["white space and marks alone", " \n\n--- … \n", ""],
];

Deno.test("sentencesOf() bears abbreviations, quotations, lists, headings, wrapped lines, brackets and footnotes", () => {
  for (const [name, text, expected] of TABLE) {
    assert.equal(sentencesOf(text).map((sentence) => sentence.text).join("|"), expected, name);
  }
});

Deno.test("sentencesOf() gives spans in order that say what stands there, in any text", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.constantFrom(...'"|“|”|(|)|\n|\r\n|- |1. |# |. |Dr. |Oslo '.split("|")),
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

/** Statements with a bar between them. */
const STATEMENTS: Readonly<Record<NotCheckable | "checkable", string>> = {
  question: 'Where is Oslo?|"Who are you?"',
  opinion: "I think it is old.|Oslo is beautiful.|Everyone should visit Oslo.|" +
    "In my opinion, it is old.|The film is a must-see.",
  hedge: "He may have been a spy.|It might rain.|She was probably ill.|" +
    "He is believed to have died.|It is unclear where he lived.|" +
    "As an AI language model, I am not a person.|I'm sorry, but I cannot find him.",
  instruction: "Please see the list.|Visit the museum.|Don't go there.",
  fragment: "The history of Norway|Population: 5 million|born in 1900",
  checkable: "In May 2020, he left.|She was born on May 3, 1946.|" +
    'He is better known as Scientist.|He wrote "Where Are You?".|' +
    "She is one of the best-known singers.|The book details her life in the city.|" +
    "Carlos should not be confused with his brother.|She believed that people should vote.|" +
    "He lived on Great Portland Street.",
};

Deno.test("notCheckable() tells questions, opinions, hedges, instructions and fragments from statements", () => {
  for (const [reason, statements] of Object.entries(STATEMENTS)) {
    for (const one of statements.split("|")) {
      assert.equal(notCheckable(one) ?? "checkable", reason, one);
    }
  }
});

const KINDS: Readonly<Record<ClaimKind, string>> = {
  temporal: "Ada Lovelace was born on 10 December 1815.|He played for the club until 1999.|" +
    "The war lasted for six years.|The castle was built in the late 1970s.|" +
    "He was born on May 3, 1946.|The treaty was signed on 2020-05-01.|" +
    "He has lived there for over a decade.",
  numerical: "Norway has 5.4 million inhabitants.|Unemployment was 3.5% in 2020.|" +
    "He won the title twice.|The fee was $100 million.|He sold more than 20 books in 1999.|" +
    "Half of the land is forest.",
  factual: "One of his books is a novel.|The virus COVID-19 spread.|He flew a Boeing 747.|" +
    "May is a name.|He may be a painter.|He lives in Prague [3].",
};

Deno.test("claimKind() tells times, quantities and neither", () => {
  for (const [kind, statements] of Object.entries(KINDS)) {
    for (const one of statements.split("|")) assert.equal(claimKind(one), kind, one);
  }
});
