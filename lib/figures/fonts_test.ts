import assert from "node:assert/strict";
import fc from "fast-check";
import { Resvg } from "@resvg/resvg-js";
import { familyOf, FONT, layOutDevanagari, textWidth, wrapText } from "./fonts.ts";
import { DEVANAGARI_FAMILY, FONT_FAMILY } from "./theme.ts";

const STYLE = { size: 7.5 };
const MODEL = "meta-llama/llama-4-scout-17b-16e-instruct";

function pixels(letter: string): string {
  const text = `<text x="10" y="40" font-size="40" font-family="${
    familyOf(letter)
  }">${letter}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60">${text}</svg>`;
  return new Resvg(svg, { font: FONT }).render().pixels.toString("base64");
}

Deno.test("FONT has a shape of its own for every letter of Old Norse", () => {
  // A letter the font lacks is drawn as nothing or as the same box as U+E000, which no font assigns.
  const missing = pixels("\uE000");
  const nothing = pixels(" ");
  const letters = [..."ǫǪþÞðÐæÆœŒøØáéíóúýǿǽö–−…′κ"];
  const shapes = new Set(letters.map(pixels));
  assert.equal(shapes.size, letters.length);
  assert.equal(shapes.has(missing), false);
  assert.equal(shapes.has(nothing), false);
});

Deno.test("FONT shapes Devanagari: conjuncts are one sign, and no vowel sign is a box", () => {
  const width = (text: string) => textWidth(text, { size: 100 });
  // A conjunct is narrower than its letters apart, which the zero-width non-joiner forces.
  for (const sign of ["क्ष", "ज्ञ", "त्र", "श्र", "द्ध"]) {
    assert.ok(width(sign) < width(sign.replace("्", "्\u200c")), sign);
  }
  // The sign of short i is written before its consonant: no wider than both apart.
  assert.ok(width("कि") < width("क") + width("इ"));
  const shapes = ["\uE000", " ", ..."अआइईउऊऋएऐओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहऽ।॥"].map(pixels);
  assert.equal(new Set(shapes).size, shapes.length);
  assert.notEqual(pixels("क्ष"), pixels("क"));
});

Deno.test("layOutDevanagari() moves on by a syllable's vowel sign too", () => {
  const places = (line: string) => layOutDevanagari(line, { size: 100 }).syllables;
  assert.deepEqual(places("योग").map(({ text }) => text), ["यो", "ग"]);
  // ो has a stem of its own: a quarter of an em.
  assert.ok(places("योग")[1]!.x - places("यग")[1]!.x > 20);
});

Deno.test("familyOf() keeps Devanagari in lines of its own", () => {
  assert.equal(familyOf("kṣetra, 12 %"), FONT_FAMILY);
  assert.equal(familyOf("कुरुक्षेत्रे (1.1) ॥"), DEVANAGARI_FAMILY);
  assert.throws(() => familyOf("ins. देवेन"), /Cannot set "ins\. देवेन": Devanagari loses/);
  assert.throws(() => familyOf("देवः → देवम्"), RangeError);
});

Deno.test("wrapText() breaks after slashes and hyphens, keeps every letter and every line within its width", () => {
  assert.deepEqual(wrapText(MODEL, 90, STYLE), ["meta-llama/llama-4-scout-", "17b-16e-instruct"]);
  // A number stays with its per cent sign.
  const narrow = textWidth("pairs; 95 ", STYLE) + 1;
  assert.deepEqual(wrapText("pairs; 95 % intervals", narrow, STYLE), [
    "pairs;",
    "95 %",
    "intervals",
  ]);
  const text = fc.string({ unit: fc.constantFrom(..."aiWǫþ -/_"), maxLength: 40 });
  fc.assert(fc.property(text, fc.integer({ min: 12, max: 80 }), (words, width) => {
    const lines = wrapText(words, width, STYLE);
    const letters = (s: string) => s.replace(/\s/g, "");
    assert.equal(letters(lines.join("")), letters(words));
    for (const line of lines) assert.ok(textWidth(line, STYLE) <= width, `"${line}"`);
  }));
});
