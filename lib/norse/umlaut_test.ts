import assert from "node:assert/strict";
import fc from "fast-check";
import { refusalsOf } from "./rules.ts";
import { judged } from "./testdata/sentence.ts";
import { findUmlaut, UMLAUT_FORMS } from "./umlaut.ts";

const { find, pairs: pairsOf, refusals: reasonsOf } = judged(findUmlaut);

Deno.test("findUmlaut() reverts words of each pattern and keeps their endings", () => {
  const expected: readonly (readonly [string, string])[] = [
    ["Þær gengu inn í þá ina fǫgru hǫll.", "fǫgru>fagru hǫll>hall"],
    ["Hann tók hǫndina.", "hǫndina>handina"],
    ["Þat er upphaf sǫgu þessar.", "sǫgu>sagu"],
    ["Sá vǫxtr er eptir hætti lyngorma.", "vǫxtr>vaxtr"],
    ["Fá menn fellusk øxarhǫmrum.", "øxarhǫmrum>øxarhamrum"],
    ["Ǫrn þótti mér hér inn koma.", "Ǫrn>arn"],
    ["Engi má við skǫpum vinna.", "skǫpum>skapum"],
    ["Veiðifǫngin fœrði hann feðr sínum.", "Veiðifǫngin>veiðifangin"],
    ["Þeir unnu mǫrg frægðarverk.", "mǫrg>marg"],
    ["Hann mœtir einum gǫmlum manni.", "gǫmlum>gamlum"],
    ["Ylgr ein kom gǫmul.", "gǫmul>gamul"],
    ["Ok er vér gǫngum akrinn.", "gǫngum>gangum"],
    ["Var hún því kǫlluð Brynhildr.", "kǫlluð>kalluð"],
    ["Tveir konungar bǫrðusk.", "bǫrðusk>barðusk"],
  ];
  for (const [text, pairs] of expected) assert.equal(pairsOf(text).join(" "), pairs);
});

Deno.test("findUmlaut() refuses forms whose a-form is another word or cell", () => {
  for (
    const [text, reason] of [
      ["Signý varð vǫr við.", "vǫr>var a_form_is_another_word"],
      ["Þeir hǫfðu engan slíkan sét.", "hǫfðu>hafðu a_form_is_another_word"],
      ["Svá var fǫst brynja.", "fǫst>fast a_form_is_another_cell"],
      ["Vegligan grǫft.", "grǫft>graft a_form_is_an_attested_variant"],
      ["Þeir gengu inn í hǫll konungs.", "hǫll>hall a_form_is_another_word"],
      ["Ok ǫll vel skipuð.", "ǫll>all a_form_is_an_intensifier"],
    ] as const
  ) {
    assert.deepEqual(pairsOf(text), []);
    assert.deepEqual(reasonsOf(text), [reason]);
  }
});

Deno.test("findUmlaut() takes a neuter plural only where a neighbour forces the plural", () => {
  assert.deepEqual(pairsOf("Hann eignaðisk lǫnd ok ríki."), []);
  assert.deepEqual(reasonsOf("Hann eignaðisk lǫnd ok ríki."), [
    "lǫnd>land a_form_is_the_singular",
  ]);
  assert.deepEqual(pairsOf("Þetta spyrsk um ǫll lǫnd."), ["ǫll>all", "lǫnd>land"]);
  assert.deepEqual(pairsOf("Eigi vil ek drepa bǫrn þín."), ["bǫrn>barn"]);
  // "Báru þau barn" is 'they bore a child': þau may be the subject.
  assert.deepEqual(pairsOf("Báru þau bǫrn mjǫk af."), []);
});

Deno.test("findUmlaut() refuses ǫ that is no umlaut of a, and names", () => {
  const text = "Mjǫk hǫggr Hǫgni hǫfuð jǫtuns fyrir Sinfjǫtla ok ǫl, ǫrvar, bǫl, gǫfugt trǫll.";
  assert.deepEqual(pairsOf(text), []);
  const reasons = find(text).rejections.map((r) => r.reason);
  assert.deepEqual(new Set(reasons), new Set(["no_alternation_with_a", "proper_name"]));
  assert.equal(reasons.length, 11);
});

Deno.test("findUmlaut() tells the island Sǫk from the noun sǫk", () => {
  assert.deepEqual(reasonsOf("Við ey þá, er Sǫk heitir."), ["Sǫk>sak proper_name"]);
  assert.deepEqual(pairsOf("Of mína sǫk."), ["sǫk>sak"]);
});

Deno.test("findUmlaut() refuses an a-form that the saga itself has, and unknown stems", () => {
  assert.deepEqual(judged(findUmlaut, ["hand"]).refusals("Hann tók hǫnd hennar."), [
    "hǫnd>hand a_form_occurs_in_the_saga",
  ]);
  assert.deepEqual(reasonsOf("Þar er kǫgurr."), ["kǫgurr>kagurr stem_not_in_table"]);
  assert.deepEqual(reasonsOf("Mǫnnum hǫndǫll."), ["hǫndǫll>handǫll several_hooked_vowels"]);
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
