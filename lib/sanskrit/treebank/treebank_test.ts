import assert from "node:assert/strict";
import { formatCell } from "../cell.ts";
import { toIast } from "../devanagari.ts";
import { decline } from "../paradigms.ts";
import { SANSKRIT_PATHS } from "../paths.ts";
import { readVerses } from "../verses_file.ts";
import { readTreebank, tokenKey } from "./treebank_file.ts";

const TREEBANK = readTreebank(SANSKRIT_PATHS.treebank);
const TOKENS: ReadonlyMap<string, string> = new Map(
  readVerses(SANSKRIT_PATHS.verses).flatMap(({ id, lines }) =>
    lines.flatMap(({ label, text }) =>
      text.split(" ").map((token, at) => [`${id}.${label}.${at + 1}`, token] as const)
    )
  ),
);

Deno.test("treebank.csv: every noun is the token that stands in its place in verses.csv", () => {
  assert.ok(TREEBANK.length >= 900);
  for (const noun of TREEBANK) assert.equal(TOKENS.get(tokenKey(noun)), noun.form, tokenKey(noun));
});

Deno.test("treebank.csv: every noun's form is one that its paradigm has in its cell", () => {
  for (const noun of TREEBANK) {
    const forms = decline(noun.stem, noun.declension).forms(noun.cell);
    const form = toIast(noun.form).replace(/ṃ$/u, "m");
    assert.ok(forms.includes(form), `${tokenKey(noun)} ${form} ${formatCell(noun.cell)}`);
  }
});

Deno.test("treebank.csv: every word that fixes a cell stands in the text", () => {
  for (const noun of TREEBANK) {
    for (const { line, token } of noun.fixedBy) {
      const at = tokenKey({ line, token });
      assert.ok(TOKENS.has(at), `${tokenKey(noun)}: head at ${at}`);
    }
  }
});
