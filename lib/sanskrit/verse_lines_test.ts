import assert from "node:assert/strict";
import { CLEANING_STEPS, cleanVerse, MISPRINTS } from "./verse_lines.ts";

const placesOf = (printed: string) => {
  const { places } = cleanVerse(printed);
  return CLEANING_STEPS.flatMap(({ id }, index) => places[index] ? [[id, places[index]]] : []);
};

Deno.test("cleanVerse() takes number and speaker away and cuts at the bars", () => {
  const { speaker, lines } = cleanVerse(
    "सञ्जय उवाच | दृष्ट्वा तु पाण्डवानीकं | आचार्यमुपसंगम्य राजा ||१-२||",
  );
  assert.equal(speaker, "सञ्जय उवाच");
  assert.deepEqual(lines, ["दृष्ट्वा तु पाण्डवानीकं", "आचार्यमुपसङ्गम्य राजा"]);
});

Deno.test("cleanVerse() finds a speaker between two lines, and the Lord's one word", () => {
  const middle = cleanVerse("कृपया परयाविष्टो | अर्जुन उवाच | दृष्ट्वेमं स्वजनं ||१-२८||");
  assert.deepEqual(middle.lines, ["कृपया परयाविष्टो", "दृष्ट्वेमं स्वजनं"]);
  assert.equal(middle.speaker, "अर्जुन उवाच");
  assert.equal(cleanVerse("श्रीभगवानुवाच | कुतस्त्वा ||२-२||").speaker, "श्रीभगवानुवाच");
});

Deno.test("cleanVerse() keeps उवाच where it is a word of the verse", () => {
  const { speaker, lines } = cleanVerse("भीष्मद्रोणप्रमुखतः | उवाच पार्थ पश्यैतान् ||१-२५||");
  assert.equal(speaker, "");
  assert.deepEqual(lines, ["भीष्मद्रोणप्रमुखतः", "उवाच पार्थ पश्यैतान्"]);
});

Deno.test("cleanVerse() removes Latin notes, wherever they stand", () => {
  assert.deepEqual(
    cleanVerse("विषयानिन्द्रियैश्चरन् | (or वियुक्तैस्तु) आत्मवश्यैर्विधेयात्मा ||२-६४||").lines,
    ["विषयानिन्द्रियैश्चरन्", "आत्मवश्यैर्विधेयात्मा"],
  );
  assert.deepEqual(cleanVerse("संशयः (orसंशयम्) ||८-७||").lines, ["संशयः"]);
});

Deno.test("cleanVerse() joins what the line break cut", () =>
  assert.deepEqual(
    cleanVerse("जीर्णा- न्यन्यानि | जिजीविषामस्- तेऽवस्थिताः ||२-२२||").lines,
    ["जीर्णान्यन्यानि", "जिजीविषामस्तेऽवस्थिताः"],
  ));

Deno.test("cleanVerse() writes the class nasal before stops inside words, and there only", () =>
  assert.deepEqual(
    cleanVerse("संग्रामं संज्ञितम् ओंकार संन्यासं संशयः संयमी किं कर्म ||१-१||").lines,
    ["सङ्ग्रामं सञ्ज्ञितम् ओङ्कार संन्यासं संशयः संयमी किं कर्म"],
  ));

Deno.test("cleanVerse() brings avagraha into one form", () =>
  assert.deepEqual(
    cleanVerse("हत्वाऽपि सोऽपि करिष्यस्यवशोपि ||१८-१||").lines,
    ["हत्वापि सोऽपि करिष्यस्यवशोऽपि"],
  ));

Deno.test("cleanVerse() counts the places of each step", () =>
  assert.deepEqual(
    placesOf("अर्जुन उवाच | संग्रामं अहंकारं | हत्वाऽपि (var हत्वा) लोकास्- तव ||११-२९||"),
    [
      ["VERSE_NUMBER", 1],
      ["LATIN_NOTE", 1],
      ["SPEAKER_LINE", 1],
      ["LINE_BREAK_HYPHEN", 1],
      ["CLASS_NASAL", 2],
      ["AVAGRAHA_AFTER_A", 1],
    ],
  ));

Deno.test("every cleaning step does to its example what it says", () => {
  for (const { id, example: [printed, cleaned], pattern, replacement } of CLEANING_STEPS) {
    assert.equal(printed.replace(pattern, replacement).trim(), cleaned, id);
  }
});

Deno.test("every misprint of the table is mended where it is printed", () => {
  for (const [printed, meant] of MISPRINTS) {
    assert.deepEqual(cleanVerse(`${printed} ||१-१||`).lines, [meant]);
  }
});
