import assert from "node:assert/strict";
import fc from "fast-check";
import { refusalsOf } from "./rules.ts";
import { judged, saidOf } from "./testdata/sentence.ts";
import { findUmlaut, UMLAUT_FORMS } from "./umlaut.ts";

const { find } = judged(findUmlaut);

/** A sentence, and its pairs or the reasons for which it gives none. */
const SENTENCES = [
  ["Þær gengu inn í þá ina fǫgru hǫll.", "fǫgru>fagru hǫll>hall"],
  ["Hann tók hǫndina.", "hǫndina>handina"],
  ["Þat er upphaf sǫgu þessar.", "sǫgu>sagu"],
  ["Sá vǫxtr er eptir hætti lyngorma.", "vǫxtr>vaxtr"],
  ["Fá menn fellusk øxarhǫmrum.", "øxarhǫmrum>øxarhamrum"],
  ["Ǫrn þótti mér hér inn koma.", "Ǫrn>arn"],
  ["Veiðifǫngin fœrði hann feðr sínum.", "Veiðifǫngin>veiðifangin"],
  ["Hann mœtir einum gǫmlum manni.", "gǫmlum>gamlum"],
  ["Ylgr ein kom gǫmul.", "gǫmul>gamul"],
  ["Ok er vér gǫngum akrinn.", "gǫngum>gangum"],
  ["Tveir konungar bǫrðusk.", "bǫrðusk>barðusk"],
  ["Signý varð vǫr við.", "a_form_is_another_word"],
  ["Þeir gengu inn í hǫll konungs.", "a_form_is_another_word"],
  ["Svá var fǫst brynja.", "a_form_is_another_cell"],
  ["Vegligan grǫft.", "a_form_is_an_attested_variant"],
  ["Ok ǫll vel skipuð.", "a_form_is_an_intensifier"],
  // A neuter plural only where a neighbour forces the plural.
  ["Hann eignaðisk lǫnd ok ríki.", "a_form_is_the_singular"],
  ["Þetta spyrsk um ǫll lǫnd.", "ǫll>all lǫnd>land"],
  ["Eigi vil ek drepa bǫrn þín.", "bǫrn>barn"],
  // "Báru þau barn" is 'they bore a child': þau may be the subject.
  ["Báru þau bǫrn mjǫk af.", "a_form_is_the_singular no_alternation_with_a"],
  // The island Sǫk, the noun sǫk.
  ["Við ey þá, er Sǫk heitir.", "proper_name"],
  ["Of mína sǫk.", "sǫk>sak"],
  ["Hǫggr Hǫgni hǫfuð.", "no_alternation_with_a proper_name no_alternation_with_a"],
  ["Þar er kǫgurr.", "stem_not_in_table"],
  ["Várum hǫndǫll.", "several_hooked_vowels"],
] as const;

Deno.test("findUmlaut() reverts words of each pattern with their endings, and says what it refuses", () => {
  for (const [text, said] of SENTENCES) assert.equal(saidOf(findUmlaut, text), said, text);
  const [seen] = judged(findUmlaut, ["hand"]).refusals("Hann tók hǫnd hennar.");
  assert.equal(seen, "hǫnd>hand a_form_occurs_in_the_saga");
});

Deno.test("findUmlaut() marks what Old Norwegian would spell with a, and explains itself", () => {
  const one = (text: string) => find(text).candidates[0]!;
  assert.deepEqual(one("Borghildr bar mǫnnum drykk.").marks, ["regular_in_old_norwegian"]);
  assert.deepEqual(one("Hann tók hǫnd hennar.").marks, []);
  const { construction, tier } = one("Hans skjǫldr var rauðr.");
  assert.deepEqual([construction, tier], ["breaking", 3]);
  assert.equal(
    one("Þat vissu vér fyrir fám dǫgum.").explanation,
    "In Old Icelandic a becomes ǫ before a u in the next syllable: the dative plural of dagr " +
      "'day', which has a in dagar, is dǫgum, never dagum.",
  );
});

Deno.test("UMLAUT_FORMS: no accepted a-form is a lemma or base form of the tables", () => {
  const entries = [...UMLAUT_FORMS.values()];
  const real = new Set(entries.flatMap(({ stem: { lemma, base_form } }) => [lemma, base_form]));
  const refusalOf = refusalsOf("UMLAUT");
  for (const { form, cell } of entries) {
    if (cell.singular_has_a || refusalOf(form, "")) continue;
    assert.ok(!real.has(form.replace("ǫ", "a")), `${form} reverts to a real form`);
  }
});

const FRAMES = [
  (w: string) => `Nú er þat sagt, at ${w} mun þar.`,
  (w: string) => `Hann kom þar, ${w}, ok mælti:`,
  (w: string) => `${w.charAt(0).toUpperCase()}${w.slice(1)} er nefndr til þess.`,
  (w: string) => `Siggeirr konungr fór með ${w}.`,
];

Deno.test("Feature: old-norse-minimal-pairs, Property 10: Umlaut vowel transformation", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...UMLAUT_FORMS.keys()),
      fc.constantFrom(...FRAMES),
      (form, frame) => {
        const text = frame(form);
        const { candidates, rejections } = find(text);
        assert.equal(candidates.length + rejections.length, 1);
        for (const { token, replacement, cellFrom, cellTo } of candidates) {
          assert.equal(replacement, token.lower.replace("ǫ", "a"));
          assert.equal(cellTo, `${cellFrom}, without umlaut`);
        }
      },
    ),
    { numRuns: 300 },
  );
});
