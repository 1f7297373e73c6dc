import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { readJsonLines } from "../../files/json.ts";
import { claimKind, notCheckable, sentencesOf } from "./sentences.ts";

/** Texts, their parts, and their sentences separated by bars. */
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
  [
    "numbers at the start of a wrapped line",
    "In that year the number of members of the society was\n12. The next year it was\n\n3. Ten\n4. Oslo",
    "In that year the number of members of the society was\n12.|The next year it was|Ten|Oslo",
  ],
  [
    "lists behind a line without a colon",
    "These are the towns that were founded in those hundred years\n1. Oslo is old\n2. Rome",
    "These are the towns that were founded in those hundred years|Oslo is old|Rome",
  ],
  ["a missing final stop", "Oslo is a city. It is big", "Oslo is a city.|It is big"],
  ["brackets", "Oslo (see Fig. 2. There.) is. It is.", "Oslo (see Fig. 2. There.) is.|It is."],
  ["footnotes", "He moved in 1977 [1]. He died [2].", "He moved in 1977 [1].|He died [2]."],
  [
    "days with a full stop",
    "Am 14. März öffnete sie. She came on 17. May 1931 and sold 12. May was worse.",
    "Am 14. März öffnete sie.|She came on 17. May 1931 and sold 12.|May was worse.",
  ],
  [
    "degrees, watts and etc. at the end",
    "It fell to -5 °C. Snow came. Keep it below 25 °C. Velotrin is old. It needs 10 W. The lamp is red. " +
    "It has oil, gas, etc. Prices are low.",
    "It fell to -5 °C.|Snow came.|Keep it below 25 °C.|Velotrin is old.|It needs 10 W.|The lamp is red.|" +
    "It has oil, gas, etc.|Prices are low.",
  ],
  [
    "initials and titles",
    "Anna Berg, Ph.D., is 40. She holds a Ph.D., and he a B.A.; both are old. J. R. Tolkien came.",
    "Anna Berg, Ph.D., is 40.|She holds a Ph.D., and he a B.A.; both are old.|J. R. Tolkien came.",
  ],
  [
    "Roman numbers at the end",
    "He fought in World War I. In 1918, he left. He was Harald V. The crown fell.",
    "He fought in World War I.|In 1918, he left.|He was Harald V.|The crown fell.",
  ],
  [
    "abbreviations before numbers",
    "Berlin has ca. 3.7 million people. See Fig. 3. It is No. 5. Ten came.",
    "Berlin has ca. 3.7 million people.|See Fig. 3.|It is No. 5.|Ten came.",
  ],
  ["white space and marks alone", " \n\n--- … \n", ""],
];

Deno.test("sentencesOf() bears abbreviations, quotations, lists, headings, wrapped lines, brackets and footnotes", () => {
  for (const [name, text, expected] of TABLE) {
    assert.equal(sentencesOf(text).map((sentence) => sentence.text).join("|"), expected, name);
  }
});

Deno.test("sentencesOf() cuts what has no full stop at white space, so that it can be compared", () => {
  const text = "the fjord is long and ".repeat(2_000).trim();
  const found = sentencesOf(text);
  assert.equal(found.map(({ text }) => text).join(" "), text);
  assert.ok(found.every(({ text }) => text.length <= 8_000));
  assert.ok(sentencesOf("x".repeat(20_000)).every(({ text }) => text.length <= 8_000));
});

Deno.test("sentencesOf() gives spans in order that say what stands there, in any text", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.constantFrom(...'"|“|”|(|)|\n|\r\n|- |1. |# |. |Dr. |Oslo |: '.split("|")),
    fc.constantFrom("|", "|-|", "| a | b |\n"),
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

Deno.test("claimKind() and notCheckable() tell statements apart as a reader did", () => {
  const file = join(import.meta.dirname!, "testdata/statements.jsonl");
  const row = z.tuple([z.string(), z.string()]);
  const { rows } = readJsonLines(file, (line) => row.parse(line));
  assert.equal(rows.length, 72);
  for (const [expected, statement] of rows) {
    const isKind = /^(?:temporal|numerical|factual)$/.test(expected);
    const found = isKind ? claimKind(statement) : notCheckable(statement) ?? "checkable";
    assert.equal(found, expected, statement);
  }
});

Deno.test("notCheckable() takes a second and not a minute of a table without a full stop", () => {
  const begun = performance.now();
  assert.equal(notCheckable("1905, Oslo, river, ".repeat(8_000)), "fragment");
  assert.equal(notCheckable(`It was in ${"1905, Oslo, river, ".repeat(8_000)}.`), undefined);
  assert.ok(performance.now() - begun < 8_000);
});
