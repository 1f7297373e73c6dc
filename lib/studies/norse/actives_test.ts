import assert from "node:assert/strict";
import { findActives, findProvenActives, VERB_FORMS } from "./actives.ts";
import { replaceToken } from "./verdicts.ts";
import { middleFormsOf } from "./middle_voice.ts";
import { ORDINARY_VERBS } from "./rules.ts";
import { judged, verdictLine } from "./testdata/sentence.ts";

/** Sentences, each with its pair or the reason for refusal. */
const SENTENCES = [
  // An object that is accusative and nothing else: pronoun, person, noun with its determiner, before a supine.
  ["Eptir þat ferr hún heim ok hittir hana.", "hittir>hittisk"],
  ["Nú kyssti hún Sigmund.", "kyssti>kysstisk"],
  ["Síðan át hún þann upp allan.", "át>ázk"],
  ["Því at Sigurðr hefir mik vélt.", "vélt>vélzk"],
  // Where the subject is stated, what may be nominative too is the object.
  ["Nú drap Sigurðr hann.", "drap>drapsk"],
  ["Nú drap hann.", "object_not_seen"],
  // Guðrúnu is dative too: hittask takes none, finnask and drepask do.
  ["Nú hitti hann Guðrúnu.", "hitti>hittisk"],
  ["Nú fann hann Guðrúnu.", "dative_possible"],
  ["Nú drap hann Fáfni.", "dative_possible"],
  // Several can send one another something; one cannot. leiðask 'loathe' has an accusative itself.
  ["Nú sendir konungr mik hingat.", "sendir>sendisk"],
  ["Nú sendu þeir mik hingat.", "reciprocal_with_object"],
  ["Nú leiddi hann mik heim.", ""],
  ["Ek drap hana.", "first_person"],
  ["Lét hann drepa þik.", "accusative_and_infinitive"],
  ["Þá er hann drepit sverði.", "participle"],
] as const;

Deno.test("findActives() adds -sk to a verb with an accusative object, and says why not elsewhere", () => {
  for (const [text, said] of SENTENCES) assert.equal(verdictLine(findActives, text), said, text);
});

Deno.test("Feature: old-norse-minimal-pairs, Property 12: -sk is added to every active whose middle is recorded, and to no other", () => {
  const { find } = judged(findProvenActives);
  const verbs = ORDINARY_VERBS.read();
  let count = 0;
  for (const verb of verbs) {
    const isRecorded = verb.middle_source !== "" && verb.middle !== "never";
    for (const cell of ["present", "preterite"] as const) {
      const active = verb[cell];
      const text = `Síðan ${active} konungr mik í hǫll sinni.`;
      const { candidates, rejections } = find(text);
      assert.deepEqual(rejections, [], "those are the reverse set's");
      assert.ok(candidates.length <= 1, text);
      for (const { token, replacement, errorType, checks } of candidates) {
        const infinitives = VERB_FORMS.get(active)!.map(({ verb }) => verb.infinitive);
        assert.ok(isRecorded || infinitives.length > 1, text);
        assert.equal(errorType, "active_to_middle");
        assert.ok(checks.some((check) => check.startsWith("a middle of ")), text);
        const forms = verbs.flatMap(middleFormsOf).filter((form) => form.active === active);
        assert.ok(forms.some(({ middle }) => middle === replacement), `${active}>${replacement}`);
        assert.match(replaceToken(text, token, replacement), /\p{L}[sz]k konungr mik/u);
        count++;
      }
    }
  }
  const recorded = verbs.filter(({ middle, middle_source }) =>
    middle.startsWith("object") && middle_source !== ""
  );
  assert.ok(recorded.length >= 40 && count >= 2 * recorded.length - 10, `${count}`);
  // Without an accusative nothing is made of any of them.
  for (const { preterite } of recorded) {
    assert.deepEqual(find(`Síðan ${preterite} konungr at kveldi.`).candidates, [], preterite);
  }
});
