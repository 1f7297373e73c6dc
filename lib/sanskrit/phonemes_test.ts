import assert from "node:assert/strict";
import fc from "fast-check";
import { CONSONANTS, PHONEMES, phonemes, VOICED, VOWELS } from "./phonemes.ts";

Deno.test("phonemes() reads aspirates and diphthongs as one phoneme each", () => {
  assert.deepEqual(phonemes("bhāṣaiḥ"), ["bh", "ā", "ṣ", "ai", "ḥ"]);
  assert.deepEqual(phonemes("kṣetrajña"), ["k", "ṣ", "e", "t", "r", "a", "j", "ñ", "a"]);
  assert.deepEqual(phonemes("ucchidya"), ["u", "c", "ch", "i", "d", "y", "a"]);
  assert.deepEqual(phonemes("so'pi"), ["s", "o", "'", "p", "i"]);
  assert.deepEqual(phonemes(""), []);
});

Deno.test("phonemes() reads decomposed letters as composed ones", () => {
  assert.deepEqual(phonemes("ṛṣīṇām".normalize("NFD")), ["ṛ", "ṣ", "ī", "ṇ", "ā", "m"]);
  assert.deepEqual(phonemes("sam̐"), ["s", "a", "m̐"]);
});

Deno.test("phonemes() names the letter that is no IAST", () => {
  assert.throws(() => phonemes("deva."), /Cannot read "deva\." as IAST: "\." is no letter/);
  assert.throws(() => phonemes("Rāma"), /"R" is no letter/);
  assert.throws(() => phonemes("kula-dharma"), /"-" is no letter/);
  assert.throws(() => phonemes("देव"), SyntaxError);
  assert.throws(() => phonemes("xyz"), SyntaxError);
});

Deno.test("classes: 14 vowels, 33 consonants, 20 of them voiced", () => {
  assert.deepEqual([VOWELS.size, CONSONANTS.size, VOICED.size], [14, 33, 20]);
  for (const voiced of ["g", "dh", "ṇ", "m", "y", "h"]) assert.ok(VOICED.has(voiced));
  for (const unvoiced of ["k", "th", "ś", "ṣ", "s"]) assert.ok(!VOICED.has(unvoiced));
});

Deno.test("phonemes() joined again are the word (property, 200 runs)", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PHONEMES)), (letters) => {
      const word = letters.join("").normalize("NFC");
      assert.equal(phonemes(word).join(""), word);
    }),
    { numRuns: 200 },
  );
});
