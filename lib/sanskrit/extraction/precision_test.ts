import assert from "node:assert/strict";
import { SANSKRIT_PATHS } from "../paths.ts";
import { readTreebank } from "../treebank/treebank_file.ts";
import { readVerses } from "../verses_file.ts";
import { decline } from "../paradigms.ts";
import { extractNouns } from "./extract_nouns.ts";
import { LEXICON } from "./lexicon.ts";
import { extractionPrecision } from "./precision.ts";

const VERSES = readVerses(SANSKRIT_PATHS.verses);
const TREEBANK = readTreebank(SANSKRIT_PATHS.treebank);
const EXTRACTION = extractNouns(VERSES, LEXICON);

Deno.test("of the tokens extracted from the Gītā 98 in a hundred are what the treebank says", () => {
  const { agreeing, extracted } = extractionPrecision(EXTRACTION.tokens, TREEBANK);
  assert.ok(extracted >= 900, `${extracted} tokens`);
  assert.ok(agreeing / extracted >= 0.98, `${agreeing} of ${extracted}`);
});

Deno.test("extractionPrecision() counts a token that the treebank has otherwise, or not at all", () => {
  const { tokens } = EXTRACTION;
  const [first, second, third] = TREEBANK;
  const treebank = [
    { ...first!, stem: "other" },
    { ...second!, cell: { case: "vocative", number: "dual" } as const },
    third!,
  ];
  const own = tokens.filter(({ line, token }) =>
    TREEBANK.slice(0, 4).some((noun) =>
      noun.line.verse === line.verse && noun.line.label === line.label && noun.token === token
    )
  );
  assert.equal(own.length, 4);
  const { agreeing, extracted, otherwise } = extractionPrecision(own, treebank);
  assert.deepEqual([agreeing, extracted, otherwise.length], [1, 4, 3]);
});

Deno.test("the lexicon: every stem can be declined, none stands twice in one declension", () => {
  const names = LEXICON.map(({ stem, declension }) => `${stem.replaceAll("-", "")} ${declension}`);
  assert.equal(new Set(names).size, names.length);
  for (const { stem, declension } of LEXICON) decline(stem, declension);
});
