import assert from "node:assert/strict";
import { inFolder, test } from "../../pairs/testdata/folder.ts";
import { nounsInSandhi } from "./nouns.ts";
import { decline, formatCell } from "./paradigms.ts";
import { toIast } from "./sounds.ts";
import { readTreebank, tokenKey } from "./treebank.ts";
import { VERSES as GITA } from "./verses.ts";

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
    // A doubt of one relation is a doubt of the noun.
    assert.deepEqual(nouns.map(({ isDoubtful }) => isDoubtful), [true, false]);
  }));

test("readTreebank() refuses a cell that is none and a relation without its head, and names the line", (at) => {
  const damaged = [
    [ALONE.replace("nom.sg", "nom"), /line 2 is damaged.*"nom" is no cell/s],
    [AGREEMENT.replace("bhūtāni", ""), /line 2 is damaged.*a relation without its head/s],
  ] as const;
  for (const [row, message] of damaged) {
    Deno.writeTextFileSync(at("treebank.csv"), `${HEADER}\n${row}\n`);
    assert.throws(() => readTreebank(at("treebank.csv")), message);
  }
});

Deno.test("readTreebank() refuses rows that say different things of one token", () =>
  inFolder((at) => {
    const other = OBJECT.replace("acc.pl", "nom.pl");
    Deno.writeTextFileSync(at("treebank.csv"), `${[HEADER, AGREEMENT, other].join("\n")}\n`);
    assert.throws(
      () => readTreebank(at("treebank.csv")),
      /its rows say different things of BG_02_30\.b\.2\./,
    );
  }));

const TREEBANK = readTreebank();

const TOKENS: ReadonlyMap<string, string> = new Map(
  GITA.read().flatMap(({ id, lines }) =>
    lines.flatMap(({ label, text }) =>
      text.split(" ").map((token, at) => [`${id}.${label}.${at + 1}`, token] as const)
    )
  ),
);

Deno.test("treebank.csv: every noun is the token at its position, in a form of its cell; every head is in the text", () => {
  assert.ok(TREEBANK.length >= 900);
  const inSandhi = new Set(nounsInSandhi(TREEBANK, GITA.read()).map(tokenKey));
  assert.ok(inSandhi.size >= 80, `${inSandhi.size} in sandhi`);
  for (const noun of TREEBANK) {
    const key = tokenKey(noun);
    assert.equal(TOKENS.get(key), noun.form, key);
    const forms = decline(noun.stem, noun.declension).forms(noun.cell);
    const isWhole = forms.includes(toIast(noun.form).replace(/ṃ$/u, "m"));
    assert.ok(isWhole || inSandhi.has(key), key);
    assert.ok(noun.fixedBy.every((head) => TOKENS.has(tokenKey(head))), key);
  }
});
