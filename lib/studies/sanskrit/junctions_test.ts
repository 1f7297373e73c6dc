import assert from "node:assert/strict";
import { exchangeNoun } from "./junctions.ts";

/** Cases: word, both pausal forms, next word, and the result (or nothing). */
const CASES = `
  a visarga before a voiced sound
    gandho | gandhaḥ gandham | bhavati | gandhaṃ
  an elided a comes back
    kālo'smi | kālaḥ kālam |  | kālamasmi
  and goes
    yogamavāpsyasi | yogam yogaḥ |  | yogo'vāpsyasi
  r before a vowel
    buddhirekeha | buddhiḥ buddhim | kurunandana | buddhimekeha
  an n before c
    guṇāṃścaiva | guṇān guṇāḥ | viddhi | guṇāścaiva
  and before t
    putrāstathaiva | putrāḥ putrān | ca | putrāṃstathaiva
  vowels that merge
    māyāmetāṃ | māyām māyā | taranti | māyaitāṃ
  a first vowel that has merged with the word before
    nābhāvo | abhāvaḥ abhāvam | vidyate | nābhāvaṃ
  another word before it
    kāmātkrodho'bhijāyate | krodhaḥ krodham |  | kāmātkrodhamabhijāyate
  before a vowel -am would be joined to what stands apart
    yoga | yogaḥ yogam | ucyate | -
  -iḥ before a voiced consonant would be joined
    prakṛtiṃ | prakṛtim prakṛtiḥ | viddhi | -
  a dual in -ī is joined to no vowel
    buddhirekeha | buddhiḥ buddhī | kurunandana | - | dual
  a word that does not hold the form
    devo | gandhaḥ gandham | bhavati | -
  what holds it twice
    yogamayogamayaṃ | yogam yogaḥ |  | -
`.trim().split(/\n {2}(?=\S)/u).map((row) => row.trim().split(/\n {4}/u));

Deno.test("exchangeNoun() spells the other form as the edition would, or not at all", () => {
  for (const [why, line] of CASES) {
    const [token, forms, next, expected, dual] = line!.split(" | ").map((part) => part.trim());
    const [from, to] = forms!.split(" ");
    const changed = exchangeNoun(token!, from!, to!, next || undefined, dual !== undefined);
    assert.equal(changed, expected === "-" ? undefined : expected, why);
  }
});

Deno.test("exchangeNoun() gives the word back for the same form, and the inverse exchange undoes it", () => {
  for (
    const [token, from, to] of [
      ["kālo'smi", "kālaḥ", "kālam"],
      ["buddhirekeha", "buddhiḥ", "buddhim"],
      ["vedāśca", "vedāḥ", "vedān"],
    ] as const
  ) {
    assert.equal(exchangeNoun(token, from, from, undefined), token);
    const other = exchangeNoun(token, from, to, undefined)!;
    assert.equal(exchangeNoun(other, to, from, undefined), token);
  }
});
