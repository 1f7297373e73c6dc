import assert from "node:assert/strict";
import { refusalsOf } from "./rules.ts";
import { judged, verdictLine } from "./testdata/sentence.ts";
import { findUmlaut, UMLAUT_FORMS } from "./umlaut.ts";

const { find } = judged(findUmlaut);

/** Sentences, each with its pairs or reasons for refusal. */
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
  for (const [text, said] of SENTENCES) assert.equal(verdictLine(findUmlaut, text), said, text);
  const [seen] = judged(findUmlaut, ["hand"]).refusals("Hann tók hǫnd hennar.");
  assert.equal(seen, "hǫnd>hand a_form_occurs_in_the_saga");
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

/** Forms of the tables that give no pair here, chosen by hand. Neuter plurals are not included. */
const REFUSED = new Set(
  "hvǫss fǫgr svǫrin fǫnn grǫfinni grǫfin hǫllunum hǫllum hǫll ǫll ørlǫg".split(" "),
);
/** Similar words: no alternation with a, another vowel, or the a-form itself. */
const DECOYS = "kǫgurr hǫfuð fjǫturr hand sak handar hallar dagar mann sónu hóll søkk ørn orð";

Deno.test("Feature: old-norse-minimal-pairs, Property 10: every form of the tables changes ǫ to a, none refused but those listed, no other word changed", () => {
  for (const [form, { cell }] of UMLAUT_FORMS) {
    for (const text of FRAMES.map((frame) => frame(form))) {
      const { candidates, rejections } = find(text);
      const pairs = candidates.map(({ token, replacement }) => `${token.lower}>${replacement}`);
      if (cell.singular_has_a) assert.equal(rejections.length, 1, text);
      if (rejections.length > 0) assert.ok(REFUSED.has(form) || cell.singular_has_a, text);
      else assert.deepEqual(pairs, [`${form}>${form.replace("ǫ", "a")}`]);
      for (const { cellFrom, cellTo } of candidates) {
        assert.equal(cellTo, `${cellFrom}, without umlaut`);
      }
    }
  }
  for (const decoy of DECOYS.split(" ")) {
    for (const frame of FRAMES) {
      const { candidates, rejections } = find(frame(decoy));
      assert.deepEqual([candidates.length, rejections.length], [0, decoy.includes("ǫ") ? 1 : 0]);
    }
  }
});
