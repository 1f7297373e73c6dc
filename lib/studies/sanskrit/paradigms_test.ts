import assert from "node:assert/strict";
import {
  compoundMembers,
  decline,
  endingOf,
  formatCell,
  type ParadigmCell,
  parseCell,
} from "./paradigms.ts";
import { parse } from "yaml";
import { z } from "zod";
import { CASES, DECLENSION_CLASSES, type DeclensionClass, NUMBERS } from "./rules.ts";
import { fromIast } from "./sounds.ts";

/** Reads a file of testdata/, written by hand from the grammars. */
const golden = <Row>(file: string, row: z.ZodType<Row>) =>
  z.array(row).parse(parse(Deno.readTextFileSync(new URL(`testdata/${file}`, import.meta.url))));
const DECLENSION = z.enum(DECLENSION_CLASSES);
const GOLDEN = golden(
  "paradigms.yaml",
  z.object({ stem: z.string(), class: DECLENSION, script: z.string(), table: z.string() }),
);
const STEMS = golden(
  "stems.yaml",
  z.object({ class: DECLENSION, cells: z.string(), lines: z.string() }),
);

const lines = (table: string) => table.trim().split("\n").map((line) => line.trim().split(/\s+/u));

Deno.test("decline() gives all 24 cells, endingOf() their endings, as the grammars print them", () => {
  for (const { stem, class: name, script, table } of GOLDEN) {
    const forms = CASES.map((kase) =>
      NUMBERS.map((number) => {
        const cell = { case: kase, number };
        if (script === "endings") return endingOf(name, cell) || "-";
        const forms = decline(stem, name).forms(cell).join("/");
        return script === "IAST" ? forms : forms.split("/").map(fromIast).join("/");
      })
    );
    assert.deepEqual(forms, lines(table), `${stem} (${name}) in ${script}`);
  }
});

Deno.test("decline() gives the stems that were worked by hand", () => {
  for (const { class: name, cells, lines: table } of STEMS) {
    for (const [stem, ...expected] of lines(table)) {
      const { forms } = decline(stem!, name);
      const printed = cells.split(" ").map((cell) => fromIast(forms(parseCell(cell))[0]!));
      assert.deepEqual(printed, expected, stem);
    }
  }
});

const labels = (cells: readonly ParadigmCell[]) => cells.map(formatCell).join(" ");

Deno.test("cellsOf() names every cell that a form may be", () => {
  assert.equal(labels(decline("deva", "a_masculine").cellsOf("devau")), "nom.du acc.du voc.du");
  const phala = decline("phala", "a_neuter");
  assert.equal(labels(phala.cellsOf("phalam")), "nom.sg acc.sg");
  assert.equal(labels(phala.cellsOf("phale")), "nom.du acc.du loc.sg voc.du");
  const vidyā = decline("vidyā", "ā_feminine");
  assert.equal(labels(vidyā.cellsOf("vidyāyāḥ")), "abl.sg gen.sg");
  assert.equal(labels(vidyā.cellsOf("vidye")), "nom.du acc.du voc.sg voc.du");
  assert.equal(labels(decline("mati", "i_feminine").cellsOf("matyai")), "dat.sg");
  assert.equal(labels(phala.cellsOf("devau")), "");
});

Deno.test("decline() leaves both forms where only an earlier member has r or ṣ", () => {
  const { forms, cellsOf } = decline("karma-yoga", "a_masculine");
  assert.deepEqual(forms(parseCell("ins.sg")), ["karmayogena", "karmayogeṇa"]);
  assert.deepEqual(forms(parseCell("acc.pl")), ["karmayogān"]);
  assert.equal(labels(cellsOf("karmayogeṇa")), "ins.sg");
  const blocked = decline("sarva-bhūta", "a_neuter");
  assert.deepEqual(blocked.forms(parseCell("nom.pl")), ["sarvabhūtāni"]);
});

Deno.test("decline() refuses a stem that its class does not fit or that is no IAST", () => {
  const refused = (stem: string, name: DeclensionClass) => () => decline(stem, name);
  assert.throws(
    refused("rājan", "a_masculine"),
    /Cannot decline "rājan" as a_masculine: the stem must end in -a\./,
  );
  assert.throws(refused("deva", "ā_feminine"), RangeError);
  assert.throws(refused("rājan", "an_masculine"), /must end in -an after two consonants/);
  assert.throws(refused("", "a_masculine"), RangeError);
  assert.throws(refused("देव", "a_masculine"), SyntaxError);
});

/** By hand: stems with hyphens, and joined. */
const COMPOUNDS = `
  deva deva, kula-dharma kula-dharma, jñāna-agni jñān-āgni, vidyā-artha vidy-ārtha,
  parama-īśvara param-eśvara, puruṣa-uttama puruṣ-ottama, mahā-ṛṣi mah-arṣi,
  eka-eka ek-aika, ātma-aupamya ātm-aupamya, muni-indra mun-īndra, prati-ātman prat-yātman,
  guru-ukti gur-ūkti, guru-artha gur-vartha, pitṛ-artha pit-rartha, sad-artha sad-artha,
  deva-asura-īśa dev-āsur-eśa
`.trim().split(/,\s+/u).map((row) => row.split(" "));

Deno.test("compoundMembers() says what was worked by hand", () => {
  for (const [stem, members] of COMPOUNDS) assert.equal(compoundMembers(stem!).join("-"), members);
});

Deno.test("compoundMembers() refuses empty members and vowels that it has no rule for", () => {
  assert.throws(() => compoundMembers("kula-"), /Cannot join "kula-": a member is empty/);
  assert.throws(() => compoundMembers("-dharma"), RangeError);
  assert.throws(() => compoundMembers("go-īśa"), /Cannot join "go-īśa": write it as it is said/);
  assert.throws(() => compoundMembers("deva-Īśa"), SyntaxError);
});
