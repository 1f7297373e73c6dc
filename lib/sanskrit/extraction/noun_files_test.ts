import assert from "node:assert/strict";
import { inFolder } from "../../pairs/testdata/folder.ts";
import { parseCell } from "../cell.ts";
import type { NounToken } from "./extract_nouns.ts";
import { attestedNouns } from "./attested_nouns.ts";
import { writeNouns, writeNounTokens } from "./noun_files.ts";

const ENTRY = { stem: "karma-yoga", declension: "a_masculine", isAddressable: false } as const;
const token = (verse: string, form: string, cell: string): NounToken => ({
  ...{ line: { verse, label: "b" }, token: 2, form, entry: ENTRY },
  cells: cell.split("/").map(parseCell),
});
const TOKENS = [
  token("BG_03_03", "कर्मयोगेन", "ins.sg"),
  token("BG_03_03", "कर्मयोगेन", "ins.sg"),
  token("BG_05_02", "कर्मयोगः", "nom.sg"),
];

Deno.test("writeNouns() has a stem a row, each cell with its verses once", () =>
  inFolder((at) => {
    writeNouns(at("nouns.csv"), attestedNouns(TOKENS, 10).nouns);
    assert.equal(
      Deno.readTextFileSync(at("nouns.csv")),
      "stem,devanagari,gender,stem_class,tokens,attested_cells,evidence,confidence\n" +
        "karma-yoga,कर्मयोग,masculine,a-stem,3,ins.sg 3.3; nom.sg 5.2,several cells,high\n",
    );
  }));

Deno.test("writeNounTokens() has a token a row with what it may be", () =>
  inFolder((at) => {
    writeNounTokens(at("tokens.csv"), [token("BG_05_02", "कर्मयोगौ", "nom.du/acc.du")]);
    assert.equal(
      Deno.readTextFileSync(at("tokens.csv")),
      "verse,line,token,form,stem,gender,stem_class,cells\n" +
        "BG_05_02,b,2,कर्मयोगौ,karma-yoga,masculine,a-stem,nom.du/acc.du\n",
    );
  }));
