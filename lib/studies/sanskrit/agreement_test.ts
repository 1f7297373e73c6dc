import assert from "node:assert/strict";
import { contrastModifier, formsOf, modifierContrasts, type ParsedModifier } from "./agreement.ts";
import { parseCell } from "./paradigms.ts";
import { MODIFIERS } from "./rules.ts";
import { fromIast, toIast } from "./sounds.ts";
import { VERSES } from "./testdata/fixtures.ts";

const ALL = MODIFIERS.read();
const modifier = (stem: string) => ALL.find((row) => row.stem === stem)!;

Deno.test("formsOf() takes each gender from its own table", () => {
  const cases = [
    ["parama", "feminine", "acc.sg", "paramām"],
    ["rājasa", "feminine", "acc.sg", "rājasīm"],
    ["sarva", "feminine", "loc.pl", "sarvāsu"],
    ["sarva", "neuter", "loc.sg", "sarvasmin"],
    ["idam", "feminine", "nom.sg", "iyam"],
    ["ubha", "masculine", "nom.du", "ubhau"],
  ] as const;
  for (const [stem, gender, cell, form] of cases) {
    assert.equal(formsOf(modifier(stem), gender, parseCell(cell))[0], form);
  }
});

const parsed = (given: Partial<ParsedModifier>): ParsedModifier => ({
  ...{ verse: "BG_01_01", line: "a", token: 1, modifier: "parama", cell: "acc.sg.m" },
  ...{ noun: "puruṣam", noun_token: 2, role: "attribute", another: "", doubtful: false, ...given },
});
const outcome = (
  line: string,
  given: Partial<ParsedModifier> = {},
  ...others: readonly string[]
) => {
  const lines = [line, ...others].map(fromIast);
  const outcome = contrastModifier(
    parsed(given),
    modifier(given.modifier ?? "parama"),
    lines[0]!,
    lines,
  );
  return "written" in outcome ? outcome.written : outcome[0];
};

Deno.test("contrastModifier() changes the gender, of a dual the number, and refuses each trap", () => {
  assert.equal(outcome("paramaṃ puruṣaṃ paśyati"), "paramāṃ");
  assert.equal(outcome("paramaṃ puruṣaṃ paśyati", { doubtful: true }), "reader_in_doubt");
  assert.equal(outcome("paramaṃ puruṣaṃ paśyati", { another: "devīm" }), "another_noun");
  const apart = { noun_token: 3 };
  assert.equal(outcome("paramaṃ sā puruṣaṃ paśyati", apart), "apart_from_its_noun");
  assert.equal(outcome("paramaṃ ca puruṣaṃ paśyati", apart), "paramāṃ");
  // paramaṃ gatim: “very much to the goal”.
  const goal = { cell: "acc.sg.f", noun: "gatim" };
  assert.equal(outcome("paramāṃ gatiṃ yāti", goal), "adverb_reading");
  // puṣpitaṃ vācaṃ vadanti: “floridly”, a participle too.
  const speech = { modifier: "puṣpita", cell: "acc.sg.f", noun: "vācam" };
  assert.equal(outcome("puṣpitāṃ vācaṃ vadanti", speech), "adverb_reading");
  const happiness = { cell: "nom.sg.n", noun: "sukham", token: 2, noun_token: 1 };
  assert.equal(outcome("sukhaṃ paramam", happiness), "adverb_reading");
  // padaṃ gacchanty anāmayām: “to a place they go, to the path without illness”.
  assert.equal(outcome("paramaṃ puruṣaṃ yāti", {}), "another_noun");
  const named = { modifier: "yogasañjñita", noun: "viyogam", token: 2, noun_token: 1 };
  assert.equal(outcome("viyogaṃ yogasañjñitam", named), "form_of_another_word");
  // Nouns of the verse that the reader overlooked: of the lexicon, or in -ti by their look.
  const work = { cell: "nom.sg.n", noun: "karma", token: 2, noun_token: 1 };
  assert.equal(outcome("karma paramam", work), "paramā");
  assert.equal(outcome("karma paramam", work, "śauryaṃ tejo dhṛtirdākṣyaṃ"), "another_noun");
  assert.equal(outcome("karma paramam", work, "śamo damaḥ kṣāntirārjavam"), "another_noun");
  // An oblique attribute may be left over as a noun, a demonstrative always.
  const oblique = { cell: "ins.sg.m", noun: "mohena" };
  assert.equal(outcome("parameṇa mohena bhārata", oblique), "stands_alone");
  const this_ = { modifier: "idam", cell: "acc.sg.n", noun: "jñānam" };
  assert.equal(outcome("idaṃ jñānam upāśritya", this_), "stands_alone");
  // kulakṣayakṛtāṃ is also “of those who destroy the family”.
  const destroyed = { modifier: "kulakṣayakṛta", noun: "doṣam" };
  assert.equal(outcome("kulakṣayakṛtaṃ doṣaṃ", destroyed), "form_of_another_word");
  // paramā before a voiced sound is paramāḥ as well; -ānām is of all genders.
  const first = { cell: "nom.sg.m", noun: "gajaḥ" };
  assert.equal(outcome("paramo gajaḥ paśyati", first), "hidden_by_sandhi");
  assert.equal(outcome("paramāṇāṃ gajānāṃ", { cell: "gen.pl.m" }), "same_form");
  const dual = { modifier: "śruta", cell: "nom.du.m", token: 2, noun_token: 1 };
  assert.equal(outcome("gajau śrutau", dual), "śrutaḥ");
  assert.equal(outcome("ubhau gajau", { modifier: "ubha", cell: "nom.du.m" }), "ubhe");
});

Deno.test("modifierContrasts() of the Gītā: no cell of the wrong form is the right one", () => {
  const { certified, rejections } = modifierContrasts({ verses: VERSES });
  assert.ok(certified.length > 100, `${certified.length}`);
  assert.ok(rejections.some(({ reason }) => reason === "another_noun"));
  for (const { pair, certificate: { cellFrom, cellTo } } of certified) {
    assert.ok(!cellTo.split("/").includes(cellFrom), toIast(pair.ungrammatical));
  }
});
