import assert from "node:assert/strict";
import {
  applyRetroflexion,
  couldBeChanged,
  fromIast,
  graphemes,
  illegalSequence,
  isNeutral,
  phonemes,
  toIast,
  writtenInPlace,
} from "./sounds.ts";
import { VERSES as GITA } from "./verses.ts";

Deno.test("phonemes() reads aspirates and diphthongs as one phoneme each", () => {
  assert.deepEqual(phonemes("bhāṣaiḥ"), ["bh", "ā", "ṣ", "ai", "ḥ"]);
  assert.deepEqual(phonemes("kṣetrajña"), ["k", "ṣ", "e", "t", "r", "a", "j", "ñ", "a"]);
  assert.deepEqual(phonemes("ucchidya"), ["u", "c", "ch", "i", "d", "y", "a"]);
  assert.deepEqual(phonemes("so'pi"), ["s", "o", "'", "p", "i"]);
  assert.deepEqual(phonemes(""), []);
  assert.throws(() => phonemes("deva."), /Cannot read "deva\." as IAST: "\." is no letter/);
  assert.throws(() => phonemes("kula-dharma"), /"-" is no letter/);
  assert.throws(() => phonemes("देव"), SyntaxError);
});

const BOTH = `
  कर्मण्येवाधिकारस्ते karmaṇyevādhikāraste, सोऽपि so'pi,
  श्रद्धावाँल्लभते śraddhāvām\u0310llabhate, पितॄन् pitṝn,
  दुःखसंयोगवियोगं duḥkhasaṃyogaviyogaṃ, तेजोंऽशसम्भवम् tejoṃ'śasambhavam,
  ॐतत्सदिति oṃtatsaditi, ओमित्येकाक्षरं omityekākṣaraṃ, हृषीकेशः hṛṣīkeśaḥ
`.trim().split(/,\s+/u).map((row) => row.split(" "));

Deno.test("toIast() writes each letter of Devanagari as IAST does", () => {
  for (const [devanagari, iast] of [...BOTH, ["ॐ तत्", "oṃ tat"]]) {
    assert.equal(toIast(devanagari!), iast);
  }
});

Deno.test("toIast() and fromIast() give every line of the 701 verses back, and all are legal", () => {
  const verses = GITA.read();
  assert.equal(verses.length, 701);
  for (const { text } of verses.flatMap(({ lines }) => lines)) {
    assert.equal(fromIast(toIast(text)), text);
    assert.equal(illegalSequence(text), undefined, text);
    assert.equal(graphemes(text).join(""), text);
  }
});

Deno.test("graphemes() keeps clusters together and lone consonants apart", () => {
  assert.deepEqual(graphemes("कर्मण्ये"), ["क", "र्म", "ण्ये"]);
  assert.deepEqual(graphemes("तत्"), ["त", "त्"]);
  assert.deepEqual(graphemes("अंशः"), ["अं", "शः"]);
  assert.deepEqual(graphemes("सोऽपि ॐ"), ["सो", "ऽ", "पि", " ", "ॐ"]);
  assert.deepEqual(graphemes("स्त्र्यूर्क्"), ["स्त्र्यू", "र्क्"]);
});

Deno.test("illegalSequence() names what is wrong and where", () => {
  const cases = {
    "an independent vowel inside a word": "राजअस्य जअ, राजन्अः ्अ, प्रउग रउ",
    "two vowel signs": "फलाि ाि",
    "a virāma without a consonant": "का् ा्",
    "a vowel sign without a consonant": "अा अा, ि ि",
    "a candrabindu, anusvāra or visarga without a vowel": "राजःं ःं",
    "an avagraha after a virāma": "त्ऽ ्ऽ",
    "a character that is no letter of Sanskrit": "राज| |",
  };
  for (const [what, words] of Object.entries(cases)) {
    for (const [word, sequence] of words.split(", ").map((row) => row.split(" "))) {
      assert.equal(illegalSequence(word!), `"${sequence}": ${what}`);
    }
  }
});

/** Splits lines of comma-separated words; a stroke is undefined. */
const rowsOf = (table: string) =>
  table.trim().split(/,\s+/u).map((row) =>
    row.split(" ").map((word) => word === "-" ? undefined : word)
  );

/** By hand: pausal form, next word, and spelling (undefined if it cannot be separate). */
const PLACES = rowsOf(`
  devaḥ - devaḥ, devam - devam, devān - devān, devam gacchati devaṃ, phalam hitvā phalaṃ,
  devam āha -, devena saha devena, devena āha -, deve tiṣṭhati deve, deve api -,
  devau gacchataḥ devau, devau āhatuḥ -, vidyayā chāyā -, devasya cchāyā -,
  devāḥ paśyanti devāḥ, devaiḥ phalati devaiḥ, devāḥ gacchanti -, agniḥ dahati -, saḥ karoti -,
  eṣaḥ puruṣaḥ -, saḥ - saḥ,
  devān paśyati -, devān tu -, devāt prajāyate -, devāt bibheti -
`);

Deno.test("writtenInPlace() gives what was worked by hand", () => {
  for (const [pausal, next, written] of PLACES) {
    assert.equal(writtenInPlace(pausal!, next), written, `${pausal} ${next}`);
  }
  const before = {
    devaḥ: "k kh p ph ś ṣ s",
    devo: "g gh ṅ j jh ñ ḍ ḍh ṇ d dh n b bh m y r l v h",
    "": "c ch ṭ ṭh t th a ā i ī u ū ṛ ṝ ḷ ḹ e ai o au '",
  };
  for (const [written, initials] of Object.entries(before)) {
    for (const initial of initials.split(" ")) {
      assert.equal(writtenInPlace("devaḥ", `${initial}ka`) ?? "", written, initial);
    }
  }
  assert.throws(() => writtenInPlace("devaḥ", ""), /the next word is empty/);
  assert.throws(() => writtenInPlace("", "devaḥ"), /the word is empty/);
});

/**
 * Word, next word, and certainty of its pausal form: from the Gītā's first chapters, then invented.
 */
const WRITTEN = rowsOf(`
  kurukṣetre samavetā sure, samavetā yuyutsavaḥ unsure, yuyutsavaḥ - sure,
  pāṇḍavānīkaṃ vyūḍhaṃ sure, saubhadro draupadeyāśca unsure, sarva eva unsure,
  krodhaḥ sthitadhīrmunirucyate sure, dhārtarāṣṭrān kapidhvajaḥ unsure, prabhāṣeta - sure,
  agne rājati unsure, agnī rājataḥ unsure, deva rājati sure, sa karoti unsure,
  viṣṇo kuru sure, vidyā tasya sure, devān mā unsure, devaṃ - unsure, tad - unsure
`);

Deno.test("isNeutral() holds where no other pausal form is written so", () => {
  for (const [written, next, expected] of WRITTEN) {
    assert.equal(isNeutral(written!, next), expected === "sure", `${written} ${next}`);
  }
  const unsure = rowsOf("sarva eva, devaḥ gacchati, devān karoti");
  for (const [written, next] of unsure) assert.equal(couldBeChanged(written!, next), true, written);
  const unvoiced = "k kh c ṭ ṭh t th p ph ś ṣ s";
  const initials = `${unvoiced} ch g gh ṅ j jh ñ ḍ ḍh ṇ d dh n b bh m y r l v h`.split(" ");
  const keeping = initials.filter((initial) => isNeutral("vidyā", `${initial}a`));
  assert.equal(keeping.join(" "), unvoiced);
  // Before r a short vowel has lost nothing, or it would be long; at a line's end only these stand.
  const finals = (next: string | undefined, all: string) =>
    all.split(" ").filter((final) => isNeutral(`dev${final}`, next)).join(" ");
  assert.equal(finals("rājati", "a i u ṛ ḷ ā ī ū ṝ ḹ e ai o au"), "a i u ṛ ḷ");
  const atEnd = "a i u ṛ ḷ ā ī ū ṝ ḹ e ai o au aḥ ak aṭ at ap aṅ an am";
  assert.equal(finals(undefined, `${atEnd} aṃ ac aj ad ab as aś aṇ ar al`), atEnd);
});

/** By hand: the form with n, and the correct form. */
const WORDS = rowsOf(`
  puruṣena puruṣeṇa, narānām narāṇām, śarīrāni śarīrāṇi, pitṛnām pitṛṇām, pitṝnām pitṝṇām,
  rāmena rāmeṇa, brahmanā brahmaṇā, mārgena mārgeṇa, vṛkṣena vṛkṣeṇa, grahena graheṇa,
  sūryena sūryeṇa, sarvena sarveṇa, bṛṃhanam bṛṃhaṇam, raṅgena raṅgeṇa, viṣanna viṣaṇṇa,
  aranyena araṇyena, rathena rathena, arjunena arjunena, krodhena krodhena,
  darśanena darśanena, rasena rasena, śrīlena śrīlena, prāṇena prāṇena, kṛṣṇena kṛṣṇena,
  kirīṭena kirīṭena, narān narān, puruṣān puruṣān, kurvanti kurvanti, kurvann kurvann,
  narasya narasya, devena devena, śāstrena śāstreṇa, karma-yogena karma-yogena,
  karma-rāmena karma-rāmeṇa
`);

Deno.test("applyRetroflexion() gives what was worked by hand", () => {
  for (const [before, after] of WORDS) assert.equal(applyRetroflexion(before!), after);
  const changing = (all: string, form: (sound: string) => string) =>
    all.split(" ").filter((sound) => applyRetroflexion(form(sound)).includes("ṇ")).join(" ");
  const vowels = "a ā i ī u ū ṛ ṝ ḷ ḹ e ai o au";
  const through = `${vowels} k kh g gh ṅ p ph b bh m y v h ṃ m̐ ḥ`;
  const blocking = "c ch j jh ñ ṭ ṭh ḍ ḍh t th d dh l ś s";
  assert.equal(changing(`${through} ${blocking}`, (sound) => `r${sound}ena`), through);
  const following = `${vowels} m y v`;
  assert.equal(changing(`${following} k c t d p r l s h ṃ`, (sound) => `rān${sound}`), following);
  assert.equal(changing("ṛ ṝ r ṣ l ḷ d ś", (sound) => `${sound}ena`), "ṛ ṝ r ṣ");
});

const LINES = GITA.read().flatMap(({ id, lines }) =>
  lines.map(({ text }) => ({ id, words: text.split(" ").map(toIast) }))
);

Deno.test("the Gītā bears out where a visarga stays and -m is -ṃ, but for two pādas' ends", () => {
  const others = LINES.flatMap(({ id, words }) =>
    words.flatMap((word, at) => {
      const next = words[at + 1];
      const isOurs = next !== undefined && /[ḥṃm]$/u.test(word);
      return isOurs && !isNeutral(word, next) ? [`${id} ${word} ${next}`] : [];
    })
  );
  assert.deepEqual(others, [
    "BG_11_46 cakrahastaṃ icchāmi",
    "BG_15_03 suvirūḍhamūlaṃ asaṅgaśastreṇa",
  ]);
});

const NASAL_ENDING = /^(.*)(e[nṇ]a|ā[nṇ]i|[āīūṝ][nṇ]ā[mṃ]|i[nṇ]ā)$/u;

Deno.test("the Gītā has ṇ in an ending just where the rule has it, but across a compound's joint", () => {
  const checked = LINES.flatMap(({ id, words }) =>
    words.flatMap((word) => {
      const [, base, ending] = NASAL_ENDING.exec(word) ?? [];
      if (base === undefined || ending === undefined) return [];
      const expected = applyRetroflexion(base + ending.replace("ṇ", "n"));
      return [{ place: `${id} ${word}`, agrees: expected.slice(base.length) === ending }];
    })
  );
  assert.equal(checked.length, 285);
  assert.deepEqual(checked.filter(({ agrees }) => !agrees).map(({ place }) => place), [
    "BG_03_03 karmayogena",
    "BG_13_25 karmayogena",
    "BG_15_19 sarvabhāvena",
    "BG_18_62 sarvabhāvena",
  ]);
});
