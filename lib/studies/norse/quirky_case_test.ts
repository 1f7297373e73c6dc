import assert from "node:assert/strict";
import fc from "fast-check";
import { matchCapital, replaceToken, wordsOf } from "./verdicts.ts";
import { findQuirkyCase, FRAMES, OBLIQUE, type ObliqueForm } from "./quirky_case.ts";
import { nominativesOf } from "./testdata/nominatives.ts";
import { judged } from "./testdata/sentence.ts";

const { find, pairs, refusals } = judged(findQuirkyCase);
const candidates = (text: string) => find(text).candidates;

/**
 * Examples of each kind of frame: rule, clause of the saga or a similar one, target, nominative.
 */
const FRAME_CLAUSES: readonly (readonly [string, string, string, string])[] = [
  ["QC_VERB_THYKKJA", "Henni þótti þetta mikit.", "Henni", "hún"],
  ["QC_VERB_SYNASK", "En konunginum sýndisk þat ráð at gifta hana.", "konunginum", "konungrinn"],
  ["QC_VERB_FALLASK", "Honum fellsk þat vel í skap.", "Honum", "hann"],
  ["QC_VERB_DREYMA", "Þat dreymdi mik, at ek sá hauk.", "mik", "ek"],
  ["QC_VERB_HARMA", "Þat harmar oss, er þér hlaupið.", "oss", "vér"],
  ["QC_VERB_THYKKJA", "Ef þér þykkir sem hún hafi boðit.", "þér", "þú"],
  ["QC_VERB_SKORTA", "Ekki ætla ek okkr mat skorta.", "okkr", "vit"],
  ["QC_VERB_GERA_STORM", "Nú gerði at þeim storm mikinn.", "storm", "stormr"],
  ["QC_IDIOM_VERDA_LITIT", "Honum varð opt litit til hennar.", "Honum", "hann"],
  ["QC_IDIOM_HVERFA", "Ok því næst hvarf Sigmundi skipit.", "Sigmundi", "sigmundr"],
  ["QC_PASSIVE_SEGJA", "Þá er Brynhildi sagt, at þær kómu.", "Brynhildi", "brynhildr"],
  ["QC_PASSIVE_AETLA", "Ǫðrum er þat ætlat.", "Ǫðrum", "annarr"],
  ["QC_PASSIVE_GEFA", "Þessum er nú nafn gefit.", "Þessum", "þessi"],
  ["QC_PASSIVE_VEITA", "Nú er veitt þeim, er oss hatar.", "þeim", "sá"],
  ["QC_PASSIVE_BREGDA", "Ef skjótt er brugðit ráðahag.", "ráðahag", "ráðahagr"],
  ["QC_PHRASE_TITT", "Sem þá var títt konungasonum.", "konungasonum", "konungasynir"],
  ["QC_PHRASE_BETRA", "Betra væri ykkr at berjask.", "ykkr", "þit"],
  ["QC_PHRASE_SKYLT", "Hún kvað þeim þat skylt.", "þeim", "þeir"],
];

Deno.test("findQuirkyCase() certifies a clause of every kind of frame", () => {
  for (const [rule, text, target, nominative] of FRAME_CLAUSES) {
    const pairs = candidates(text).map((c) => [c.rule, c.token.form, c.replacement]);
    assert.deepEqual(pairs, [[rule, target, nominative]], text);
  }
});

/** Traps of the research notes: clause, token, and reason for refusal. */
const TRAPS: readonly (readonly [string, string])[] = [
  ["Vant mun yðr at smíða.", "yðr:syncretic_with_nominative"],
  ["Þótti sér háðuliga svarat vera.", "sér:reflexive_has_no_nominative"],
  ["Skaltu vita, at grunar mik.", "mik:nominative_subject_attested"],
  ["Ǫrn þótti mér hér inn koma.", "mér:personal_reading_possible"],
  ["Þat harmar mik mest.", "mik:personal_reading_possible"],
  // A nominative dreamer is good with a form that agrees: Sigurðr dreymdi.
  ["Sigurð dreymdi um nótt.", "Sigurð:personal_reading_possible"],
  ["Mik dreymir um hana í nótt.", "Mik:nominative_subject_attested"],
  // ek kem(r) at því: the verb has a personal use, and later hands level its first person.
  ["Ok kemr mér at því, sem mælt er.", ""],
  ["Ef þér þykkir hún góð.", "þér:personal_reading_possible"],
  // verða e-m at e-u has its subject in the nominative, whatever befalls.
  ["Ok varð þeim þat at aldrlagi.", "þeim:nominative_subject_present"],
  ["En gull þetta mun þér at bana verða.", "þér:nominative_subject_present"],
  ["Ekki lér mér tveggja huga.", "mér:personal_reading_possible"],
  ["Þá tóksk henni vel at fagna.", "henni:personal_reading_possible"],
  ["Tak eigi herbergi, þótt þik nátti.", "þik:personal_reading_possible"],
  ["En eigi hlýddi honum at eta þat.", "honum:personal_reading_possible"],
  ["Lýkr svá leitinni.", "leitinni:personal_reading_possible"],
  ["Ef þessu er brugðit.", "þessu:neuter_agrees_with_participle"],
  ["Þat hlœgir mik.", "mik:object_of_active_verb"],
  ["Ok ferr þessu fram langar stundir.", "þessu:nominative_also_attested"],
  ["Aldri finnsk þér vitrari kona.", "þér:dative_of_comparison"],
  ["Sem færum er títt.", "færum:nominative_is_another_word"],
  ["Er þar af þeim ván.", "þeim:after_preposition"],
  ["Ok er því meiri harmr í hjarta mér.", ""],
  ["Er þat harmr í hjarta mér.", "mér:possessive_dative"],
  ["Eigi megu þér þat líka.", "þér:nominative_subject_present"],
  ["Hann þótti þeim vænn.", "þeim:nominative_subject_present"],
  ["Hefir hann þat allt sagt Guðrúnu.", ""],
  ["Eru engir konungar oss jafnir.", "oss:object_of_adjective"],
  ["Ok þarf honum eigi hugar at frýja.", "honum:object_of_infinitive"],
  ["Þínir brœðr lifa þér til gamans.", "þér:free_dative"],
  ["Kvað hann þeim mundu þat vel.", "þeim:accusative_with_infinitive"],
  ["Þótti honum ok svá henni þat illt.", "honum:coordinated_subject"],
  ["Þótti frændum þínum fyrrum þat illt.", "frændum:multi_token_subject"],
];

Deno.test("findQuirkyCase() refuses each trap with its reason", () => {
  for (const [text, expected] of TRAPS) {
    assert.deepEqual(pairs(text), [], text);
    assert.equal(refusals(text).join(), expected.replace(":", " "), text);
  }
  // After a comma `at` is the conjunction.
  assert.deepEqual(pairs("Fyrir því, at honum var svá varit."), ["honum>hann"]);
  // What holds in one sentence holds only there.
  const text = "Konu þá, er honum þótti við sitt hœfi.";
  assert.deepEqual(refusals(text, "VS_02_008"), ["honum excluded_sentence"]);
  assert.equal(candidates(text).length, 1);
});

const RUNS = { numRuns: 200 };
const ROWS = [...OBLIQUE.values()];
const PERSONS = ROWS.filter((row) => !row.thing);

const exchangeable = (row: ObliqueForm) =>
  row.nominative !== row.form && row.nominative !== "þér" && row.nominative !== "færi";

/** lízk is the 2nd singular too, and "þú lízk" is personal: 'you seem'. */
const isPersonal = ({ person, number }: ObliqueForm, text: string) =>
  person === 2 && number === "sg" && text.includes(" lízk ");

/** Clauses with a subject slot, each with the case that its verb requires. */
const DATIVE_CLAUSES = [
  ["", "fellsk þat vel í skap"],
  ["", "varð opt litit til hallar"],
  ["", "var sagt, at konungr kom"],
  ["", "þótti þat ráð gott"],
  ["Ekki er", "leitt at berjask"],
  ["Nú líkar", "þat"],
  ["Þat ráð lízk", "illa sett"],
  ["Nú er segir frá því, at", "var svá varit"],
] as const;

const ACCUSATIVE_CLAUSES = [
  ["", "skorti ekki"],
  ["Eigi varir", "þess"],
  ["Eigi skorti", "hug"],
] as const;

const OPENINGS = ["Þat var um aptaninn, ok svá er ritat; ", "Nú líðr sá vetr; ", ""];
const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const clausesFor = ({ cases }: ObliqueForm) =>
  cases.includes("accusative") && !cases.includes("dative") ? ACCUSATIVE_CLAUSES : DATIVE_CLAUSES;

Deno.test("Feature: old-norse-minimal-pairs, Properties 7 and 8: of every person in every clause the subject's case changes, and nothing else", () => {
  const generated = PERSONS.flatMap((row) =>
    clausesFor(row).flatMap(([before, after]) => {
      const clause = capitalised(`${before} ${row.form} ${after}.`.trim());
      return OPENINGS.map((open) => ({ row, text: open + clause }));
    })
  );
  for (const { row, text } of generated) {
    const { candidates, rejections } = find(text);
    const target = candidates.find((c) => c.token.lower === row.form);
    if (!exchangeable(row) || isPersonal(row, text)) {
      assert.equal(target, undefined, text);
      assert.ok(rejections.some((r) => r.candidate.toLowerCase() === row.form), text);
      continue;
    }
    const { token, replacement, errorType, cellFrom, cellTo } = target!;
    const [from, to] = errorType.split("_to_");
    assert.equal(to, "nominative");
    assert.ok(from === "dative" || from === "accusative", errorType);
    const nominatives = nominativesOf(row.form, from === "dative" ? "dat" : "acc");
    assert.ok(nominatives.includes(replacement), `${row.form} > ${replacement}`);
    assert.deepEqual([cellTo.slice(0, 3), cellTo.slice(3)], ["nom", cellFrom.slice(3)]);
    const [before, after] = [text, replaceToken(text, token, replacement)].map(wordsOf);
    const changed = after!.filter((form, i) => form !== before![i]);
    assert.deepEqual(changed, [matchCapital(token.form, replacement)]);
  }
});

Deno.test("findQuirkyCase() certifies no noun phrase after a preposition, with any verb", () => {
  const preposition = fc.constantFrom("með", "frá", "hjá", "til", "við", "undir", "at");
  const verb = fc.constantFrom(
    ...FRAMES.filter(({ rule }) => rule.startsWith("QC_VERB")).flatMap(({ heads }) => heads),
  );
  fc.assert(
    fc.property(fc.constantFrom(...ROWS), preposition, verb, (row, word, head) => {
      for (const text of [`Þat ${head} ${word} ${row.form}.`, `Þat ${word} ${row.form} ${head}.`]) {
        const { candidates } = find(text);
        assert.deepEqual(candidates.map((c) => c.token.form), [], text);
      }
    }),
    RUNS,
  );
});
