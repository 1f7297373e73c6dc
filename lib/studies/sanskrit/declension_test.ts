import assert from "node:assert/strict";
import fc from "fast-check";
import { contrastDeclensions, declensionContrasts } from "./declension.ts";
import { LEXICON } from "./nouns.ts";
import { CELLS, decline, otherDeclension, parseCell } from "./paradigms.ts";
import { recordOfItem } from "./records.ts";
import { type DeclensionClass, GENDERS, NOUN_GENDERS } from "./rules.ts";
import { fromIast, illegalSequence } from "./sounds.ts";
import { annotated, noun, SOURCES, TREEBANK, verseOf, VERSES } from "./testdata/fixtures.ts";

/**
 * Returns the contrast of `jñāna a_neuter nom.sg` before a word. It is like `jñāno m`, or the
 * refusal.
 */
function outcomes(noun: string, next?: string, isWritten?: (form: string) => boolean) {
  const [stem = "", declension, cell = ""] = noun.split(" ");
  const parsed = { stem, declension: declension as DeclensionClass, cell: parseCell(cell) };
  return contrastDeclensions(parsed, next, isWritten)
    .map((outcome) =>
      "written" in outcome ? `${outcome.written} ${outcome.gender[0]}` : outcome[0]
    );
}

Deno.test("contrastDeclensions() gives the cell another gender's ending, as sandhi writes it", () => {
  // jñānam: the feminine jñānā is the name of a Śakti.
  assert.deepEqual(outcomes("jñāna a_neuter nom.sg"), ["jñānaḥ m", "attested_gender"]);
  assert.deepEqual(outcomes("jñāna a_neuter nom.sg", "jñeyaṃ"), ["jñāno m", "attested_gender"]);
  assert.deepEqual(outcomes("ācārya a_masculine nom.pl"), ["attested_gender", "ācāryāṇi n"]);
  assert.deepEqual(outcomes("yajña a_masculine acc.sg", "viddhi"), ["yajñāṃ f", "same_form"]);
  // tattvayā is also tat tvayā.
  assert.deepEqual(outcomes("tattva a_neuter ins.sg"), ["same_form", "form_of_another_word"]);
  assert.deepEqual(outcomes("spṛhā ā_feminine nom.sg"), ["spṛhaḥ m", "spṛham n"]);
  assert.deepEqual(outcomes("devatā ā_feminine acc.pl"), ["devatān m", "devatāni n"]);
});

Deno.test("contrastDeclensions() refuses twins, two genders, bahuvrīhis and homonyms", () => {
  const cases: readonly (readonly [noun: string, ...reasons: string[]])[] = [
    // dharmāṇi is of the Vedic neuter dharman, so the sheet's example is none.
    ["dharma a_masculine nom.pl", "attested_gender", "attested_gender"],
    // Two genders: lokāni; but no feminine lokā.
    ["loka a_masculine nom.pl", "same_form", "attested_gender"],
    ["loka a_masculine loc.sg", "lokāyām f", "attested_gender"],
    // Twins: krodhā and doṣā are words.
    ["krodha a_masculine acc.sg", "attested_gender", "attested_gender"],
    ["vidyā ā_feminine nom.sg", "attested_gender", "attested_gender"],
    // Adjectives: sukhaḥ “pleasant”.
    ["sukha a_neuter nom.sg", "attested_gender", "attested_gender"],
    // Bahuvrīhis, written with a hyphen in the lexicon or not.
    ["karma-bandha a_masculine acc.sg", "compound"],
    ["ajñāna a_neuter nom.sg", "attested_gender", "attested_gender"],
    // yajñā: an old instrumental or plural.
    ["yajña a_masculine nom.sg", "bare_stem", "same_form"],
    // siddhine may be of an adjective in -in.
    ["siddhi i_feminine dat.sg", "no_other_declension"],
    ["karman an_neuter ins.sg", "no_other_declension"],
    ["kaunteya a_masculine nom.sg", "gender_not_looked_up"],
    // śvapākāyām: what a person does may be said of a woman.
    ["śvapāka a_masculine loc.sg", "adjectival_feminine", "same_form"],
  ];
  for (const [noun, ...reasons] of cases) assert.deepEqual(outcomes(noun), reasons, noun);
  assert.deepEqual(outcomes("yajña a_masculine acc.sg", "eva"), [
    ...["sandhi_would_change", "same_form"],
  ]);
  const written = (form: string) => form === "yajñām";
  assert.deepEqual(outcomes("yajña a_masculine acc.sg", undefined, written), [
    ...["form_of_another_word", "same_form"],
  ]);
});

Deno.test("contrastDeclensions() gives no form of the noun's own genders, whatever noun and cell", () => {
  const simple = LEXICON.filter(({ stem, declension }) =>
    otherDeclension(declension, "neuter") !== undefined && !stem.includes("-")
  );
  fc.assert(
    fc.property(fc.constantFrom(...simple), fc.constantFrom(...CELLS), (entry, cell) => {
      const { stem, declension } = entry;
      for (const outcome of contrastDeclensions({ stem, declension, cell }, undefined)) {
        if (!("written" in outcome)) continue;
        assert.deepEqual(decline(stem, declension).cellsOf(outcome.form), []);
        assert.ok(
          !NOUN_GENDERS.read().find((row) => row.stem === stem)!.genders
            .includes(outcome.gender),
        );
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("noun_genders.csv has each noun once, and the lexicon's gender among its genders", () => {
  const rows = NOUN_GENDERS.read();
  assert.equal(new Set(rows.map(({ stem }) => stem)).size, rows.length);
  for (const { stem, genders } of rows) {
    const entry = LEXICON.find((it) => it.stem === stem);
    assert.ok(entry, `${stem} is not in the lexicon`);
    assert.ok(
      genders.some((gender) => otherDeclension(entry.declension, gender) === entry.declension),
    );
  }
});

const FOUND = declensionContrasts(SOURCES);

Deno.test("declensionContrasts() finds 120 pairs or more, of 60 stems, both ways between genders", () => {
  assert.ok(FOUND.certified.length >= 120, `${FOUND.certified.length}`);
  assert.ok(new Set(FOUND.certified.map(({ certificate }) => certificate.lemma)).size >= 60);
  const changes = new Set(FOUND.certified.map(({ pair }) => pair.errorType));
  const all = GENDERS.flatMap((from) =>
    GENDERS.filter((to) => to !== from).map((to) => `${from}_to_${to}`)
  );
  assert.deepEqual([...changes].sort(), all.sort());
  for (const { pair } of FOUND.certified) {
    assert.equal(illegalSequence(pair.ungrammatical), undefined);
  }
});

Deno.test("a declension's record has one case and number, two genders and both endings", () => {
  const example = FOUND.certified.find(({ pair, certificate }) =>
    certificate.lemma === "jñāna" && pair.target === "ज्ञानं"
  )!;
  const { metadata, phenomenon } = recordOfItem({
    pair: { id: "morph_0001", ...example.pair },
    certificate: { pairId: "morph_0001", ...example.certificate },
  });
  assert.equal(phenomenon, "declension");
  assert.deepEqual(metadata, {
    ...{ stem_class: "a-stem", gender: "neuter", incorrect_gender: "masculine" },
    ...{ number: "singular", correct_case: "nominative", incorrect_case: "nominative" },
    ...{ correct_number: "singular", incorrect_number: "singular", incorrect_cells: ["nom.sg.m"] },
    ...{ ending_from: "म्", ending_to: "ः", target: "ज्ञानं", variant: "ज्ञानो" },
  });
});

Deno.test("declensionContrasts() leaves a noun alone that is written together with its neighbour", () => {
  const [free, joined] = ["yajñaṃ viddhi", "yajñamiti"].map((line) => verseOf(line));
  const handMade = noun("yajñaṃ viddhi", "yajña a_masculine acc.sg", "object viddhi 2.sg");
  const parsed = annotated({ ...handMade, token: 1 });
  const entry = LEXICON.find(({ stem }) => stem === "yajña")!;
  const token = { ...parsed, entry, cells: [parsed.cell] };
  const contrasts = declensionContrasts({
    verses: [free!],
    treebank: [parsed],
    extracted: [token],
  });
  assert.equal(contrasts.certified.length, 1);
  const form = fromIast("yajñamiti");
  const { certified, rejections } = declensionContrasts({
    verses: [joined!],
    treebank: [{ ...parsed, form }],
    extracted: [{ ...token, form }],
  });
  assert.equal(certified.length, 0);
  assert.deepEqual(rejections.map(({ reason }) => reason), ["sandhi_would_change"]);
});

Deno.test("declensionContrasts() uses no noun of which the reader was in doubt", () => {
  const doubtful = TREEBANK.map((noun) => ({ ...noun, isDoubtful: true }));
  const { certified, rejections } = declensionContrasts({ verses: VERSES, treebank: doubtful });
  assert.equal(certified.length, 0);
  assert.deepEqual([...new Set(rejections.map(({ reason }) => reason))], ["reader_in_doubt"]);
});
