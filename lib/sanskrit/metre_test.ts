import assert from "node:assert/strict";
import fc from "fast-check";
import { countSyllables, scan } from "./metre.ts";
import { SANSKRIT_PATHS } from "./paths.ts";
import { readVerses } from "./verses_file.ts";

Deno.test("countSyllables() counts vowels as they are written", () => {
  assert.equal(countSyllables("कर्मण्येवाधिकारस्ते"), 8);
  assert.equal(countSyllables("सोऽपि तत्"), 3);
  assert.equal(countSyllables("ॐतत्सदिति"), 5);
  assert.equal(countSyllables(""), 0);
});

Deno.test("scan() cuts a line of anuṣṭubh after eight syllables", () =>
  assert.deepEqual(scan(["कर्मण्येवाधिकारस्ते मा फलेषु कदाचन", "मा कर्मफलहेतुर्भूर्मा ते सङ्गोऽस्त्वकर्मणि"]), {
    padas: [
      ...["कर्मण्येवाधिकारस्ते", "मा फलेषु कदाचन"],
      "मा कर्मफलहेतुर्भूर्मा ते सङ्गोऽस्त्वकर्मणि",
    ],
    metre: "anuṣṭubh 8+8+16",
  }));

Deno.test("scan() allows a pāda of nine syllables (11.1)", () =>
  assert.equal(scan(["मदनुग्रहाय परमं गुह्यमध्यात्मसञ्ज्ञितम्"]).metre, "anuṣṭubh 9+8"));

Deno.test("scan() cuts triṣṭubh after eleven syllables or twelve", () => {
  assert.deepEqual(
    scan(["न रूपमस्येह तथोपलभ्यते नान्तो न चादिर्न च सम्प्रतिष्ठा"]),
    {
      padas: ["न रूपमस्येह तथोपलभ्यते", "नान्तो न चादिर्न च सम्प्रतिष्ठा"],
      metre: "triṣṭubh 12+11",
    },
  );
});

Deno.test("scan() leaves a line of one pāda whole (15.4)", () =>
  assert.equal(
    scan([
      "ततः पदं तत्परिमार्गितव्यं यस्मिन्गता न निवर्तन्ति भूयः",
      "तमेव चाद्यं पुरुषं प्रपद्ये",
      "यतः प्रवृत्तिः प्रसृता पुराणी",
    ]).metre,
    "triṣṭubh 11+11+11+11",
  ));

Deno.test("scan() gives every token of the 701 verses back, in its order (200 runs)", () => {
  const verses = readVerses(SANSKRIT_PATHS.verses);
  fc.assert(
    fc.property(fc.constantFrom(...verses), ({ lines, padas, metre }) => {
      const texts = lines.map(({ text }) => text);
      assert.deepEqual(scan(texts), { padas, metre });
      assert.equal(padas.join(" "), texts.join(" "));
    }),
    { numRuns: 200 },
  );
});
