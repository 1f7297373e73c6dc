import assert from "node:assert/strict";
import { inFolder } from "../../pairs/testdata/folder.ts";
import { formatCell } from "../cell.ts";
import { readTreebank, tokenKey } from "./treebank_file.ts";

const HEADER =
  "verse,line,token,form,stem,declension,cell,relation,head_verse,head_line,head_token," +
  "head_word,head_readings,doubtful";
const AGREEMENT = "BG_02_30,b,2,सर्वाणि,sarva-x,a_neuter,acc.pl,agreement,BG_02_30,b,3,bhūtāni," +
  "nom.pl.n acc.pl.n,";
const OBJECT = "BG_02_30,b,2,सर्वाणि,sarva-x,a_neuter,acc.pl,object,BG_02_30,b,5,śocitum,,yes";
const ALONE = "BG_02_31,a,1,धर्मः,dharma,a_masculine,nom.sg,none,,,,,,";

const read = (rows: readonly string[], use: (nouns: ReturnType<typeof readTreebank>) => void) =>
  inFolder((at) => {
    Deno.writeTextFileSync(at("treebank.csv"), `${[HEADER, ...rows].join("\n")}\n`);
    use(readTreebank(at("treebank.csv")));
  });

Deno.test("readTreebank() joins the rows of one noun, in the order of the file", () =>
  read([AGREEMENT, OBJECT, ALONE], (nouns) => {
    assert.deepEqual(nouns.map(tokenKey), ["BG_02_30.b.2", "BG_02_31.a.1"]);
    const [first, second] = nouns;
    assert.deepEqual(first?.fixedBy.map(({ relation }) => relation), ["agreement", "object"]);
    assert.deepEqual(first?.fixedBy[0]?.readings, ["nom.pl.n", "acc.pl.n"]);
    assert.deepEqual(first?.fixedBy[1]?.readings, []);
    assert.equal(formatCell(first!.cell), "acc.pl");
    assert.equal(first?.gender, "neuter");
    assert.deepEqual(second?.fixedBy, []);
  }));

Deno.test("readTreebank() takes a doubt of one relation for a doubt of the noun", () =>
  read([AGREEMENT, OBJECT, ALONE], (nouns) => {
    assert.deepEqual(nouns.map(({ isDoubtful }) => isDoubtful), [true, false]);
  }));

const DAMAGED: readonly (readonly [what: string, row: string, message: RegExp])[] = [
  ["a declension", ALONE.replace("a_masculine", "a_male"), /"a_male" is no declension: a_masc/],
  ["a cell", ALONE.replace("nom.sg", "nom"), /"nom" is no cell/],
  ["a relation", AGREEMENT.replace("agreement", "friend"), /"friend" is no relation/],
  ["a head's word", AGREEMENT.replace("bhūtāni", ""), /a relation without its head/],
  ["a head's line", OBJECT.replace("BG_02_30,b,5", "BG_02_30,d,5"), /"BG_02_30" d is no line/],
  ["a head's position", OBJECT.replace("b,5", "b,0"), /"0" is no token's position/],
  ["a verse", ALONE.replace("BG_02_31", "BG_2_31"), /"BG_2_31" a is no line of the text/],
  ["a position", ALONE.replace("a,1", "a,1.5"), /"1\.5" is no token's position/],
  ["a form", ALONE.replace("धर्मः", ""), /form or stem is empty/],
  ["a stem", ALONE.replace("dharma", ""), /form or stem is empty/],
  ["a doubt", OBJECT.replace(/yes$/, "perhaps"), /doubtful is "perhaps": write yes, or nothing/],
];

for (const [what, row, message] of DAMAGED) {
  Deno.test(`readTreebank() refuses ${what} that is none, and names the line`, () =>
    inFolder((at) => {
      Deno.writeTextFileSync(at("treebank.csv"), `${HEADER}\n${row}\n`);
      assert.throws(() => readTreebank(at("treebank.csv")), (error: Error) => {
        assert.ok(error instanceof SyntaxError);
        assert.match(error.message, /treebank\.csv: line 2 is damaged/);
        assert.match(error.message, message);
        return true;
      });
    }));
}

Deno.test("readTreebank() refuses rows that say different things of one token", () =>
  inFolder((at) => {
    const other = OBJECT.replace("acc.pl", "nom.pl");
    Deno.writeTextFileSync(at("treebank.csv"), `${[HEADER, AGREEMENT, other].join("\n")}\n`);
    assert.throws(
      () => readTreebank(at("treebank.csv")),
      /its rows say different things of BG_02_30\.b\.2\./,
    );
  }));
