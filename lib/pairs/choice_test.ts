import assert from "node:assert/strict";
import fc from "fast-check";
import { type InvalidReason, parseChoice } from "./choice.ts";

const CHOICES: Readonly<Record<"A" | "B", readonly string[]>> = {
  A: [
    "A",
    "a",
    " A\n",
    "A.",
    "**A**",
    "(A)",
    "'A'",
    "a)",
    "A: Hánum líkaði þat.",
    "A. Hánum líkaði þat.",
    "A) Hánum líkaði þat.",
    "a: Hánum líkaði þat.",
    "A\n\nBecause líka takes a dative subject.",
    "A is correct.",
    "Sentence A is clearly the grammatically correct one.",
    "Option A is correct, while option B is not.",
    "Answer:A",
    "The answer is A because of the dative.",
  ],
  B: [
    "B",
    "b.",
    "B!",
    "[B]",
    "`B`",
    "“B”",
    "The answer is B.",
    "The answer is **B**.",
    "the answer is: b",
    "Answer: B",
    "Answer: b.",
    "Option B",
    "option b.",
    "Option B: Hann líkaði þat.",
    "Sentence B",
    "Final answer - B",
    "The correct answer is option B.",
    "The grammatically correct sentence is (B).",
    "B - the subject of líka is dative.",
    "B, since A has a nominative.",
    "B. The verb takes a dative, unlike sentence A. So it is clear.",
    "B. A is wrong.",
    "A is incorrect; B is correct.",
    "$\\boxed{B}$",
    "<think>A or B? A, I think. No.</think>\n\nB",
  ],
};

const INVALID: Readonly<Record<InvalidReason, readonly string[]>> = {
  empty: ["", " \n\t", "**", "<think>hmm</think>", "<think>A or B", "<think>B is correct. \nNo"],
  refusal: [
    "I cannot judge Old Norse.",
    "I can't answer that.",
    "I’m sorry, the answer is B.",
    "As an AI, I have no view. A",
    "I am unable to say which.",
  ],
  both_letters: [
    "A or B",
    "A/B",
    "A B",
    "A\nB",
    "A and B",
    "Neither A nor B",
    "Both A and B are correct.",
    "The answer is A or B.",
    "Answer with A or B only.",
    "A: Hánum líkaði þat. B: Hann líkaði þat.",
    "A. Hánum líkaði þat. B. Hann líkaði þat.",
    "(A) Hánum líkaði þat (B) Hann líkaði þat",
    "A. Hánum líkaði þat.\nB. Hann líkaði þat.",
    "Option A: Hánum líkaði þat. Option B: Hann líkaði þat.",
    "The answer is A. No, the answer is B.",
    "A is grammatical, and B is also grammatical.",
    "I would say A but B will do",
  ],
  no_letter: [
    "A language model cannot know.",
    "A sentence is grammatical when it is well formed.",
    "The answer is a guess.",
    "This is a hard one.",
    "C",
    "AB",
    "ABBA",
    "á",
    "Á",
    "a\u0301",
    "Á: ok",
    "ek á bók",
    "Hánum líkaði þat.",
    "Ek á A ok",
    "А", // Cyrillic
    "The answer is not A.",
    "Option A is not correct.",
    "A: incorrect",
    "yes",
    "1",
  ],
};

for (const letter of ["A", "B"] as const) {
  Deno.test(`parseChoice() reads ${letter} where it is said`, () => {
    for (const text of CHOICES[letter]) {
      assert.deepEqual(parseChoice(text), { kind: "choice", letter }, text);
    }
  });
}

for (const reason of ["empty", "refusal", "both_letters", "no_letter"] as const) {
  Deno.test(`parseChoice() keeps the text of an answer without a choice: ${reason}`, () => {
    for (const raw of INVALID[reason]) {
      assert.deepEqual(parseChoice(raw), { kind: "invalid", raw, reason }, raw);
    }
  });
}

Deno.test("parseChoice() never finds a letter in words of Old Norse alone", () => {
  const word = fc.stringMatching(/^[a-záéíóúýæœøǫþð]{2,8}$/u);
  const sentence = fc.array(fc.oneof(word, fc.constantFrom("á", "í", "Á", "ok")), { minLength: 1 });
  fc.assert(
    fc.property(sentence, (words) => {
      assert.equal(parseChoice(words.join(" ") + ".").kind, "invalid");
    }),
    { numRuns: 200 },
  );
});

Deno.test("parseChoice() ends for any text and keeps it when invalid", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const choice = parseChoice(text);
      if (choice.kind === "invalid") assert.equal(choice.raw, text);
    }),
    { numRuns: 200 },
  );
});
