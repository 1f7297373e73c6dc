import assert from "node:assert/strict";
import { illegalSequence } from "./devanagari_legality.ts";

Deno.test("illegalSequence() is undefined for words, lines and the empty text", () => {
  for (const text of ["", "राजस्य", "अथ चेत्त्वमिमं", "ॐतत्सदिति", "तेजोंऽशसम्भवम्", "इमाँल्लोकान्न", "त इमे"]) {
    assert.equal(illegalSequence(text), undefined, text);
  }
});

Deno.test("illegalSequence() names what is wrong and where", () => {
  assert.equal(illegalSequence("राजअस्य"), '"जअ": an independent vowel inside a word');
  assert.equal(illegalSequence("राजन्अः"), '"्अ": an independent vowel inside a word');
  assert.equal(illegalSequence("प्रउग"), '"रउ": an independent vowel inside a word');
  assert.equal(illegalSequence("फलाि"), '"ाि": two vowel signs');
  assert.equal(illegalSequence("का्"), '"ा्": a virāma without a consonant');
  assert.equal(illegalSequence("अा"), '"अा": a vowel sign without a consonant');
  assert.equal(illegalSequence("ि"), '"ि": a vowel sign without a consonant');
  assert.match(illegalSequence("राजःं") ?? "", /^"ःं": a candrabindu, anusvāra or visarga without/);
  assert.equal(illegalSequence("त्ऽ"), '"्ऽ": an avagraha after a virāma');
  assert.equal(illegalSequence("राज|"), '"|": a character that is no letter of Sanskrit');
});

Deno.test("illegalSequence() names the first of several", () =>
  assert.equal(illegalSequence("फलाि राजए"), '"ाि": two vowel signs'));
