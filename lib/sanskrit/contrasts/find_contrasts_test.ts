import assert from "node:assert/strict";
import { formatCell } from "../cell.ts";
import { toIast } from "../devanagari.ts";
import { findContrasts, neighbouringCells } from "./find_contrasts.ts";
import { ALL_BEINGS, annotated, type HandMade, head, place } from "./testdata/nouns.ts";

/** What becomes of each cell: the form as written, or the reason why not. */
function outcomes(own: HandMade, isAddressable = false): Readonly<Record<string, string>> {
  const { candidates, rejections } = findContrasts(place(own, isAddressable));
  return Object.fromEntries([
    ...candidates.map(({ to, written }) => [formatCell(to), toIast(written)]),
    ...rejections.map(({ reason, detail }) => [
      / > (\S+?)(?::|$)/.exec(detail)?.[1],
      [reason, ...detail.split(": ").slice(1)].join(" "),
    ]),
  ]);
}

Deno.test("neighbouringCells() differ in case alone or in number alone, and are no vocatives", () => {
  const cells = neighbouringCells(annotated(ALL_BEINGS)).map(formatCell);
  assert.deepEqual(
    cells,
    ["nom.pl", "acc.sg", "acc.du", "ins.pl", "dat.pl", "abl.pl", "gen.pl", "loc.pl"],
  );
});

Deno.test("findContrasts() breaks agreement in every cell whose form the adjective does not share", () => {
  assert.deepEqual(outcomes(ALL_BEINGS), {
    "nom.pl": "same_form",
    "acc.sg": "bhūtaṃ",
    "acc.du": "bhūte",
    "ins.pl": "bhūtaiḥ",
    "dat.pl": "bhūtebhyaḥ",
    "abl.pl": "bhūtebhyaḥ",
    "gen.pl": "bhūtānāṃ",
    "loc.pl": "bhūteṣu",
  });
});

Deno.test("findContrasts() names the strongest head that the new form breaks, and what else it changes", () => {
  const { candidates } = findContrasts(place(ALL_BEINGS));
  const of = (cell: string) => candidates.find(({ to }) => formatCell(to) === cell);
  assert.equal(of("gen.pl")?.fixedBy.word, "sarvāṇi");
  assert.deepEqual(of("acc.sg")?.marks, ["metre_changed"]);
  assert.deepEqual(of("gen.pl")?.marks, []);
  assert.deepEqual(of("acc.du")?.marks, ["metre_changed", "vocative_homonym"]);
  assert.equal(of("acc.sg")?.phenomenon, "number");
  assert.equal(of("ins.pl")?.phenomenon, "case");
});

Deno.test("findContrasts() refuses a form that its adjective agrees with as well", () => {
  // dhīmataḥ is genitive and ablative: devād dhīmataḥ would be as good as devasya dhīmataḥ.
  const own: HandMade = {
    ...{ text: "devasya dhīmataḥ", token: 1, stem: "deva", declension: "a_masculine" },
    cell: "gen.sg",
    fixedBy: [head("agreement", "dhīmataḥ", "gen.sg.m abl.sg.m acc.pl.m nom.pl.m", 2)],
  };
  assert.equal(outcomes(own)["abl.sg"], "head_agrees_with_it dhīmataḥ");
  assert.equal(outcomes(own)["loc.sg"], "deve");
});

Deno.test("findContrasts() refuses a form that its adjective may agree with behind sandhi", () => {
  // Before bh- kāḥ would be written kā as well: kā bhāṣāḥ, “which languages?”.
  const asked = (text: string): HandMade => ({
    ...{ text, token: 2, stem: "bhāṣā", declension: "ā_feminine", cell: "nom.sg" },
    fixedBy: [head("agreement", "kā", "nom.sg.f")],
  });
  assert.equal(outcomes(asked("kā bhāṣā paśya"))["nom.pl"], "head_agrees_with_it kā");
  // At its own line's end the same adjective hides nothing.
  const last: HandMade = {
    ...asked("bhāṣā paramā"),
    ...{ token: 1, fixedBy: [head("agreement", "paramā", "nom.sg.f", 2)] },
  };
  assert.equal(outcomes(last)["nom.pl"], "bhāṣāḥ");
});

Deno.test("findContrasts() refuses a feminine ablative where the genitive is left open", () => {
  // The ablative breaks a predicate, the genitive of the same form need not.
  const own: HandMade = {
    ...{ text: "sā vidyā paramā", token: 2, stem: "vidyā", declension: "ā_feminine" },
    cell: "nom.sg",
    fixedBy: [head("predicate", "paramā", "nom.sg.f")],
  };
  assert.equal(outcomes(own)["abl.sg"], "another_cell_fits gen.sg");
  assert.equal(outcomes(own)["gen.sg"], "relation_leaves_it_open");
  assert.equal(outcomes(own)["acc.sg"], "vidyāṃ");
});

Deno.test("findContrasts() refuses the neuter dual where its form is an open locative", () => {
  const own: HandMade = {
    ...{ text: "phalam mahat", token: 1, stem: "phala", declension: "a_neuter", cell: "nom.sg" },
    fixedBy: [head("predicate", "mahat", "nom.sg.n acc.sg.n")],
  };
  assert.equal(outcomes(own)["nom.du"], "another_cell_fits loc.sg");
  assert.equal(outcomes(own)["nom.pl"], "phalāni");
  assert.equal(outcomes(own)["acc.sg"], "same_form");
});

Deno.test("findContrasts() refuses a vocative of who can be spoken to, and marks that of things", () => {
  const own: HandMade = {
    ...{ text: "devaḥ karoti", token: 1, stem: "deva", declension: "a_masculine" },
    cell: "nom.sg",
    fixedBy: [head("subject", "karoti", "3.sg")],
  };
  assert.equal(outcomes(own, true)["nom.pl"], "vocative_reading");
  assert.equal(outcomes(own)["nom.pl"], "devāḥ");
});

Deno.test("findContrasts() refuses what sandhi would write otherwise", () => {
  // Before g the visarga of devaiḥ becomes r and is joined, the t of devāt becomes d; devaḥ is devo.
  const own: HandMade = {
    ...{ text: "devena gacchati", token: 1, stem: "deva", declension: "a_masculine" },
    cell: "ins.sg",
    fixedBy: [head("governed", "saha", "ins")],
  };
  assert.equal(outcomes(own)["nom.sg"], "devo");
  assert.equal(outcomes(own)["abl.sg"], "sandhi_would_change");
  assert.equal(outcomes(own)["gen.sg"], "devasya");
  assert.equal(outcomes(own)["acc.sg"], "devaṃ");
});

Deno.test("findContrasts() leaves the number open under coordination, objects and added-up subjects", () => {
  const subject = (readings: string): HandMade => ({
    ...{ text: "droṇaḥ ca karṇaḥ ca gacchataḥ", token: 1, stem: "droṇa" },
    ...{ declension: "a_masculine", cell: "nom.sg" },
    fixedBy: [head("coordinated", "karṇaḥ", "nom.sg.m"), head("subject", "gacchataḥ", readings)],
  });
  assert.equal(outcomes(subject("3.du"))["nom.pl"], "relation_leaves_it_open");
  assert.equal(outcomes(subject("3.du"))["gen.sg"], "droṇasya");
  const object: HandMade = { ...ALL_BEINGS, fixedBy: [head("object", "paśyati", "3.sg")] };
  assert.equal(outcomes(object)["acc.sg"], "relation_leaves_it_open");
  assert.equal(outcomes(object)["gen.pl"], "bhūtānāṃ");
});

Deno.test("findContrasts() takes no head from another line, and none that fixes nothing", () => {
  const [agreement] = ALL_BEINGS.fixedBy;
  const elsewhere = { ...agreement!, line: { verse: "BG_01_01", label: "b" } as const };
  const own = { ...ALL_BEINGS, fixedBy: [elsewhere, head("adjunct", "paśyati")] };
  assert.deepEqual(findContrasts(place(own)).candidates, []);
});
