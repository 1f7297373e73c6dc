import assert from "node:assert/strict";
import { replaceToken } from "./candidate.ts";
import { findMiddleVoice, MIDDLE_READINGS, middleFormsOf } from "./middle_voice.ts";
import { MIDDLE_VERBS } from "./rules.ts";
import { judged, saidOf } from "./testdata/sentence.ts";

const { find } = judged(findMiddleVoice);
const marksOf = (text: string) => find(text).candidates.map(({ marks }) => marks);

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

/** A sentence, and its pair or the reason for which it gives none. */
const SENTENCES = [
  // The active ending is restored, not merely the suffix stripped, in every frame.
  ["Teksk þar nú hǫrð orrosta.", "Teksk>tekr"],
  ["Ek hefi barizk hundrað sinnum.", "barizk>barit"],
  ["At taka þá menn, er leynzk hǫfðu í forstofunni.", "leynzk>leynt"],
  ["Síðan fór ek til konungs, ok gerðumsk ek smiðr hans.", "gerðumsk>gerða"],
  ["Þá er vér fundumsk, þá fagnaði hún.", "fundumsk>fundum"],
  ["Nú gerisk Sigi gamall maðr.", "gerisk>gerir"],
  ["Eptir þetta tal leggsk Brynhildr í rekkju.", "leggsk>leggr"],
  ["Mér sýnisk sem hans ást sé þér gulli betri.", "sýnisk>sýnir"],
  ["Þess let ek þik, ok iðrask muntu, ef þú gerir þat.", "iðrask>iðra"],
  // The active is grammatical, or there is none.
  ["Nú þykkisk Sigmundr vita, at hann kemr.", "active_licensed"],
  ["Vill hann mægjask við konung.", "no_active_counterpart"],
  ["Hann finnr menn ok bersk við þá.", "active_is_another_word"],
  ["At þú ríðir á brott sem skjótask.", "not_a_middle"],
  ["Þá hleypask þeir.", "verb_not_in_table"],
  // "þá barði hann nú hart": hann could be whom he beat.
  ["Þá barðisk hann nú hart.", "object_available"],
  ["Inn mesti kappi, er finnask mun í verǫldu.", "gap_could_be_object"],
  ["Vant gerisk nú at ráða.", "impersonal_active"],
  ["Hann kvaðsk vilja mann eiga.", "accusative_could_be_subject"],
  ["Nú tekr Sigi at leggjask í hernað.", "frame_not_found"],
  ["Nú talask þeir við brœðr.", "object_available"],
  // A preposition governs the pronoun.
  ["Engi mátti við hana jafnask.", "jafnask>jafna"],
  // A coordinate verb, at, or a neuter nominative gives the active an object.
  ["Hún settisk upp ok sló sinn borða, svá at sundr gekk.", "object_available"],
  ["Ok virðisk mér, at sú muni œðri.", "object_available"],
  ["En konunginum sýndisk þat ráð at gifta hana.", "object_available"],
  ["Nú verðr gnýr mikill, er eldrinn tók at æsask.", "gap_could_be_object"],
  ["Nú leggjask þeir ok á merkr.", "active_licensed"],
  // No subject of the infinitive, so no obstacle.
  ["Þrællinn œpir hátt, kveðsk illt hljóta af ófriði þeira.", "kveðsk>kveðr"],
  ["Konungar kváðusk allt vilja til fá.", "kváðusk>kváðu"],
  // Look-alikes in -st.
  ["Hann var fyrst ok bezt, en þú kaust ok veizt, ok ást brast.", ""],
] as const;

Deno.test("findMiddleVoice() restores the active where the clause shuts it out, and says why it does not", () => {
  for (const [text, said] of SENTENCES) assert.equal(saidOf(findMiddleVoice, text), said, text);
  const read = saidOf(findMiddleVoice, "Ger grǫf eina ok sezk þar í.", "VS_18_005");
  assert.equal(read, "object_available", "only reading can judge it");
  assert.deepEqual(marksOf("Konungar kváðusk allt vilja til fá."), [[]]);
});

Deno.test("findMiddleVoice() marks a pair whose object a reader must look for, and puts it last", () => {
  for (
    const text of [
      "Nú er þau systkin finnask, segir Sigmundr.",
      "Munu stórtíðendi gerask í fǫr þinni.",
      "Þat er fram komit, er fyrir lǫngu var spát ok vér hǫfum dulizk við.",
      "Siti sá engi heima, er berjask vill.",
      "Brynhildr settisk undir skemmuvegg sinn ok hafði margar harmtǫlur.",
    ]
  ) {
    assert.deepEqual(marksOf(text), [["object_possible"]], text);
    const { candidates } = find(text);
    assert.deepEqual(candidates.map(({ tier }) => tier), [3], text);
  }
});

Deno.test("findMiddleVoice() explains a pair in plain English", () => {
  const [candidate] = find("Tveir konungar bǫrðusk.").candidates;
  assert.equal(candidate?.lemma, "berjask");
  assert.equal(candidate?.rule, "MV_BERJASK");
  assert.equal(
    candidate?.explanation,
    "The -sk of berjask 'fight' turns the action back on its subject or leaves the doer out; the " +
      "active berja 'beat' needs an accusative object, and the clause has none: bǫrðusk, not bǫrðu.",
  );
});

Deno.test("middle_verbs.csv: no verb stands twice", () => {
  const ids = MIDDLE_VERBS.read().map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});

const FRAMES = [
  (w: string) => `Tveir konungar ${w} þar.`,
  (w: string) => `Nú ${w} þeir í hǫll konungs.`,
  (w: string) => `Allir munu ${w} um aptan.`,
  (w: string) => `${w.charAt(0).toUpperCase()}${w.slice(1)} nú menn, ok ferr sá heim.`,
  (w: string) => `Síðan ${w} ek til matar.`,
];

/** Forms of the tables that make no pair anywhere: the refusals say why of each. */
const REFUSED = new Set(
  ("bersk minnizk minnisk opnask girnisk sverjask rœðask " +
    "mœtask mœtisk mœttisk mœttusk mœttumsk mœtzk").split(" "),
);
/** Words in -sk, -zk or with an sk that are no middle verbs; and actives of verbs that are. */
const DECOYS =
  "fiskr fisk fiska askr ask disk rǫsk rǫskr íslenzk dǫnsk danskr ensk frísk þýzk œsk " +
  "mask maðkr beisk grœnlenzk finna settu gerir bǫrðu taka berr";

Deno.test("Feature: old-norse-minimal-pairs, Properties 11 and 12: -sk is found in every verb of the tables and removed; words such as fiskr are none", () => {
  for (const [form, readings] of MIDDLE_READINGS) {
    const followed = readings.flatMap(({ verb }) => verb.words.slice(0, 1))
      .flatMap((
        word,
      ) => [`Menn ${form} ${word}.`, `Síðan ${form} ek ${word}.`, `Vér ${form} ${word}.`]);
    const texts = [...FRAMES.map((frame) => frame(form)), ...followed];
    const made = texts.flatMap((text) => {
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
    assert.equal(made.length > 0, !REFUSED.has(form), form);
  }
  for (const decoy of DECOYS.split(" ")) {
    for (const frame of FRAMES) {
      const { candidates, rejections } = find(frame(decoy));
      const looksLikeOne = /\p{L}{2}[sz]k$/u.test(decoy);
      assert.deepEqual([candidates.length, rejections.length], [0, looksLikeOne ? 1 : 0], decoy);
    }
  }
});
