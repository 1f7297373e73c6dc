import assert from "node:assert/strict";
import fc from "fast-check";
import { PHONEMES, phonemes } from "./phonemes.ts";
import { applyRetroflexion } from "./retroflexion.ts";

/** Worked by hand: the form with n, and as it is said. */
const WORDS: readonly (readonly [why: string, before: string, after: string])[] = [
  ["after ṣ, over a vowel", "puruṣena", "puruṣeṇa"],
  ["after r, over a vowel", "narānām", "narāṇām"],
  ["after r, over two vowels", "śarīrāni", "śarīrāṇi"],
  ["after ṛ", "pitṛnām", "pitṛṇām"],
  ["after ṝ", "pitṝnām", "pitṝṇām"],
  ["over a labial", "rāmena", "rāmeṇa"],
  ["over two labials and r again", "brahmanā", "brahmaṇā"],
  ["over a guttural", "mārgena", "mārgeṇa"],
  ["over kṣ, where ṣ is a trigger", "vṛkṣena", "vṛkṣeṇa"],
  ["over h", "grahena", "graheṇa"],
  ["over y", "sūryena", "sūryeṇa"],
  ["over v", "sarvena", "sarveṇa"],
  ["over anusvāra and h", "bṛṃhanam", "bṛṃhaṇam"],
  ["over ṅg", "raṅgena", "raṅgeṇa"],
  ["nn as one", "viṣanna", "viṣaṇṇa"],
  ["before y", "aranyena", "araṇyena"],
  ["not over th", "rathena", "rathena"],
  ["not over j", "arjunena", "arjunena"],
  ["not over dh", "krodhena", "krodhena"],
  ["not over ś", "darśanena", "darśanena"],
  ["not over s", "rasena", "rasena"],
  ["not over l", "śrīlena", "śrīlena"],
  ["not over ṇ", "prāṇena", "prāṇena"],
  ["not over ṣṇ", "kṛṣṇena", "kṛṣṇena"],
  ["not over ṭ", "kirīṭena", "kirīṭena"],
  ["not at the end", "narān", "narān"],
  ["not at the end after ṣ", "puruṣān", "puruṣān"],
  ["not before t", "kurvanti", "kurvanti"],
  ["not nn at the end", "kurvann", "kurvann"],
  ["never before the trigger", "narasya", "narasya"],
  ["without a trigger", "devena", "devena"],
  ["anew after a block", "śāstrena", "śāstreṇa"],
];

for (const [why, before, after] of WORDS) {
  Deno.test(`applyRetroflexion() ${before} → ${after}: ${why}`, () => {
    assert.equal(applyRetroflexion(before), after);
  });
}

Deno.test("applyRetroflexion() does not look across a compound's joint", () => {
  assert.equal(applyRetroflexion("sarva-bhāvena"), "sarva-bhāvena");
  assert.equal(applyRetroflexion("kula-dharmena"), "kula-dharmeṇa");
});

Deno.test("applyRetroflexion() refuses what is no IAST", () => {
  assert.throws(() => applyRetroflexion("नरेन"), SyntaxError);
});

/** Words in which the sounds that matter are frequent. */
const word = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("r", "ṣ", "ṛ", "n", "n", "a", "ā", "e", "m", "y") },
    { weight: 2, arbitrary: fc.constantFrom(...PHONEMES) },
  ),
  { maxLength: 12 },
).map((letters) => letters.join("").normalize("NFC"));

/** The rule stated anew, as a pattern over phonemes set off by spaces. */
const TRIGGERED =
  /(?:^| )(?:ṛ|ṝ|r|ṣ)(?: (?:a|ā|i|ī|u|ū|ṛ|ṝ|ḷ|ḹ|e|ai|o|au|k|kh|g|gh|ṅ|p|ph|b|bh|m|y|v|h|ṃ|m̐|ḥ))*$/u;
const LICENSED = /^(?:n )*(?:a|ā|i|ī|u|ū|ṛ|ṝ|ḷ|ḹ|e|ai|o|au|m|y|v)(?: |$)/u;

Deno.test("applyRetroflexion() changes exactly the n's that the rule names (property, 500 runs)", () => {
  fc.assert(
    fc.property(word, (text) => {
      const before = phonemes(text);
      const after = phonemes(applyRetroflexion(text));
      assert.equal(after.length, before.length);
      before.forEach((letter, at) => {
        if (letter !== "n") return assert.equal(after[at], letter);
        const ahead = before.slice(0, at).join(" ").replace(/(?: n)+$/u, "");
        const behind = before.slice(at + 1).join(" ");
        const due = TRIGGERED.test(ahead) && LICENSED.test(behind);
        assert.equal(after[at], due ? "ṇ" : "n", `${text} at ${at}`);
      });
    }),
    { numRuns: 500 },
  );
});

Deno.test("applyRetroflexion() leaves the last sound and any n before a stop (property, 200 runs)", () => {
  fc.assert(
    fc.property(word, fc.constantFrom("t", "d", "k", "p", "s", "r"), (text, stop) => {
      assert.ok(applyRetroflexion(`${text}an`).endsWith("n"));
      assert.ok(applyRetroflexion(`${text}an${stop}a`).endsWith(`n${stop}a`));
    }),
    { numRuns: 200 },
  );
});

Deno.test("applyRetroflexion() is done after once (property, 200 runs)", () => {
  fc.assert(
    fc.property(word, (text) => {
      const once = applyRetroflexion(text);
      assert.equal(applyRetroflexion(once), once);
    }),
    { numRuns: 200 },
  );
});
