import assert from "node:assert/strict";
import { replaceToken } from "./verdicts.ts";
import { findMiddleVoice, MIDDLE_PARSES, middleFormsOf } from "./middle_voice.ts";
import { MIDDLE_VERBS, REFUSALS } from "./rules.ts";
import { judged, verdictLine } from "./testdata/sentence.ts";

const { find } = judged(findMiddleVoice);

Deno.test("middleFormsOf() drops the -r of the present and has -umsk in the first person", () => {
  const forms = middleFormsOf({
    infinitive: "gera",
    present: "gerir",
    preterite: "gerði",
    preterite_plural: "gerðu",
    supine: "gert",
  }).map((form) => `${form.middle}<${form.active}`);
  assert.equal(
    forms.join(" "),
    "gerask<gera gerask<gera gerisk<gerir gerðisk<gerði gerðusk<gerðu gerðumsk<gerðum " +
      "gerðumsk<gerða gerzk<gert",
  );
});

/** Sentences, each with its pair or the reason for refusal. */
const SENTENCES = [
  // The active ending is restored, not merely the suffix stripped, in every frame.
  ["Teksk þar nú hǫrð orrosta.", "Teksk>tekr"],
  ["Ek hefi villzk á skóginum.", "villzk>villt"],
  ["Síðan fór ek til konungs, ok gerðumsk ek smiðr hans.", "gerðumsk>gerða"],
  ["Þá er vér fundumsk, þá fagnaði hún.", "fundumsk>fundum"],
  ["Nú gerisk Sigi gamall maðr.", "gerisk>gerir"],
  ["Eptir þetta tal leggsk Brynhildr í rekkju.", "leggsk>leggr"],
  ["Þat ráð lízk mér illa sett.", "lízk>lítr"],
  ["Tveir konungar bǫrðusk.", "bǫrðusk>bǫrðu"],
  ["En mér sýnask vegar hans ævar miklir.", "sýnask>sýna"],
  ["Ok má ekki forðask sitt aldrlag.", "forðask>forða"],
  // The active is grammatical, or there is none.
  ["Nú þykkisk Sigmundr vita, at hann kemr.", "active_licensed"],
  ["Hann finnr menn ok bersk við þá.", "active_licensed"],
  ["Tveir konungar bǫrðusk við menn.", "active_licensed"],
  ["Nú treystisk engi at ríða nema Sigurðr einn.", "active_licensed"],
  ["Nú eignaðisk hann lǫnd ok ríki ok fé.", "active_licensed"],
  ["Mér sýnisk sem hans ást sé þér gulli betri.", "active_licensed"],
  ["Ok þat mun þér illa gefask.", "active_licensed"],
  ["Talask nú við ok drekka.", "active_licensed"],
  ["Nú leggjask þeir ok á merkr.", "active_licensed"],
  ["Vill hann mægjask við konung.", "no_active_counterpart"],
  ["At þú ríðir á brott sem skjótask.", "not_a_middle"],
  ["Þá hleypask þeir.", "verb_not_in_table"],
  ["Nú tekr Sigi at leggjask í hernað.", "frame_not_found"],
  // What is subject of the middle could be object of the active: frændr, menn, þau, hann, a neuter.
  ["Hittask þá konungar í skógi.", "object_available"],
  ["Hittask opt frændr ok vinir.", "no_visible_nominative"],
  ["Hittask nú menn í skógi.", "no_visible_nominative"],
  ["Nú er þau systkin finnask, segir Sigmundr.", "no_visible_nominative"],
  ["Hittask þeir ok bǫrðusk frændr ok menn.", "Hittask>hitta no_visible_nominative"],
  // hann before a third singular is its subject, unless another nominative can be; a conjunct has the subject
  // of the one before it, unless something there can be an object.
  ["Hann sezk hjá henni.", "sezk>setr"],
  ["Hann nefndisk Gunnarr.", "object_available"],
  ["Nú sezk hann hjá henni.", "object_available"],
  ["Hann sezk ok konungr hjá henni.", "sezk>setr"],
  ["Fló haukr á turn ok settisk við glugg.", "settisk>setti"],
  ["Tók haukr hest ok settisk við glugg.", "no_visible_nominative"],
  ["Flugu haukar á turn ok settisk einn við glugg.", "no_visible_nominative"],
  // What a comparative is compared with shows the case of both.
  ["Gerisk hann nú meiri en faðir hans.", "Gerisk>gerir"],
  ["Gerisk þat nú meira en fé hans.", "no_visible_nominative"],
  // A noun behind a preposition is no object, nor what belongs to it; an accusative none of the dative's verbs.
  ["Brynhildr settisk undir vegg sinn.", "settisk>setti"],
  ["Brynhildr settisk sinn.", "object_available"],
  ["Konungr steypisk fyrir menn.", "steypisk>steypir"],
  ["Allir mundu berjask.", "active_licensed"],
  ["Konungr leynisk honum.", "object_available"],
  ["Engi fannsk sá enn um aldr.", "fannsk>fann"],
  ["Hann fannsk ok sá menn.", "fannsk>fann"],
  ["Munu stórtíðendi gerask í fǫr þinni.", "no_visible_nominative"],
  ["Vant gerisk nú at ráða.", "no_visible_nominative"],
  // An object is left out, or shared, or hidden in a comparative.
  ["Nú ferr hún í herbergi til hans, ok setjask til matar.", "no_visible_nominative"],
  ["Hún settisk upp ok sló sinn borða, svá at sundr gekk.", "object_available"],
  ["Brynhildr settisk undir skemmuvegg ok hafði margar harmtǫlur.", "settisk>setti"],
  ["Aldri finnsk þér vitrari kona.", "object_available"],
  ["Inn mesti kappi, er finnask mun í verǫldu.", "object_available"],
  ["At taka þá menn, er leynzk hǫfðu í forstofunni.", "object_available"],
  ["Nú verðr gnýr mikill, er eldrinn tók at æsask.", "object_available"],
  // At the head of a clause þá is 'then', elsewhere it may be 'them'.
  ["Þá lægðisk eldrinn.", "lægðisk>lægði"],
  ["Munu þá eigi yðrir jafningjar fásk.", "object_available"],
  // A preposition governs the pronoun.
  ["Konungr sezk hjá mik.", "sezk>setr"],
  // The accusative of what is said can be left out, but no accusative has a nominative predicate.
  ["Sigmundr konungr kveðsk koma mundu til orrostu.", "accusative_understood"],
  ["Hann kvaðsk kominn til ráða.", "accusative_understood"],
  ["Hann kveðsk vera ófúss.", "kveðsk>kveðr"],
  // Look-alikes in -st.
  ["Hann var fyrst ok bezt, en þú kaust ok veizt, ok ást brast.", ""],
] as const;

Deno.test("findMiddleVoice() restores the active where the clause shuts it out, and says why it does not", () => {
  for (const [text, said] of SENTENCES) {
    assert.equal(verdictLine(findMiddleVoice, text), said, text);
  }
  const read = verdictLine(findMiddleVoice, "Fundusk þeir þar.", "VS_09_068");
  assert.equal(read, "object_available", "only reading can judge it");
});

Deno.test("middle_verbs.csv: no verb occurs twice", () => {
  const ids = MIDDLE_VERBS.read().map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});

const FRAMES = [
  (w: string) => `Tveir konungar ${w} þar.`,
  (w: string) => `Nú ${w} þeir í hǫll konungs.`,
  (w: string) => `Allir munu ${w} um aptan.`,
  (w: string) => `${w.charAt(0).toUpperCase()}${w.slice(1)} nú menn, ok ferr sá heim.`,
  (w: string) => `Síðan ${w} ek til matar.`,
  (w: string) => `Þá munda ek eða þeir ${w} vera gamall.`,
  (w: string) => `Ok ek ok vér ${w} vera drukknir.`,
];

/** Words with -sk, -zk or sk that are no middle verbs. Actives of middle verbs are included. */
const DECOYS =
  "fiskr fisk fiska askr ask disk rǫsk rǫskr íslenzk dǫnsk danskr ensk frísk þýzk œsk " +
  "mask maðkr beisk grœnlenzk finna settu gerir bǫrðu taka berr";

const FEATURE = "Feature: old-norse-minimal-pairs";
/** Forms refused everywhere: bersk belongs to bera too. */
const REFUSED = REFUSALS.read()
  .filter(({ phenomenon, sentence }) => phenomenon === "MIDDLE_VOICE" && sentence === "")
  .map(({ pattern }) => new RegExp(`^(?:${pattern.source})$`, "u"));

Deno.test(`${FEATURE}, Properties 11 and 12: -sk is found in every verb of the tables and removed; words such as fiskr are none`, () => {
  for (const [form, readings] of MIDDLE_PARSES) {
    if (REFUSED.some((pattern) => pattern.test(form))) continue;
    const followed = readings.flatMap(({ verb }) => verb.words.slice(0, 1))
      .flatMap((
        word,
      ) => [`Menn ${form} ${word}.`, `Síðan ${form} ek ${word}.`, `Vér ${form} ${word}.`]);
    const texts = [...FRAMES.map((frame) => frame(form)), ...followed];
    const pairs = texts.flatMap((text) => {
      const { candidates, rejections } = find(text);
      assert.equal(candidates.length + rejections.length, 1);
      // A capital changes nothing.
      assert.equal(find(text.toLowerCase()).candidates.length, candidates.length, text);
      for (const { token, lemma, replacement, cellTo } of candidates) {
        const reading = readings.find(({ verb, active, cell }) =>
          `${verb.infinitive}sk` === lemma && active === replacement && cellTo === `${cell}.active`
        );
        assert.ok(reading, `${form}: ${replacement} ${cellTo}`);
        assert.match(token.lower, /[sz]k$/u);
        assert.doesNotMatch(replaceToken(text, token, replacement), /\p{L}{2}[sz]k(?!\p{L})/u);
      }
      return candidates;
    });
    assert.ok(pairs.length > 0, form);
  }
  for (const decoy of DECOYS.split(" ")) {
    for (const frame of FRAMES) {
      const { candidates, rejections } = find(frame(decoy));
      const looksLikeOne = /\p{L}{2}[sz]k$/u.test(decoy);
      assert.deepEqual([candidates.length, rejections.length], [0, looksLikeOne ? 1 : 0], decoy);
    }
  }
});
