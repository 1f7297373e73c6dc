import assert from "node:assert/strict";
import fc from "fast-check";
import { forcedChoiceTemplate, formatPrompt, ORDERS, templateHash } from "./forced_choice.ts";
import { grammaticalLetter } from "./forced_choice.ts";
import { proposal } from "./testdata/norse.ts";

const NORSE = forcedChoiceTemplate("Old Norse");
const LIKA = { grammatical: "Hánum líkaði þat.", ungrammatical: "Hann líkaði þat." };

Deno.test("formatPrompt() asks the specification's question in both orders", () => {
  assert.equal(
    formatPrompt(NORSE, LIKA, "A_gram"),
    "Which of the following Old Norse sentences is grammatically correct? " +
      "A: Hánum líkaði þat. B: Hann líkaði þat. Answer with A or B only.",
  );
  assert.equal(
    formatPrompt(NORSE, LIKA, "B_gram"),
    "Which of the following Old Norse sentences is grammatically correct? " +
      "A: Hann líkaði þat. B: Hánum líkaði þat. Answer with A or B only.",
  );
});

Deno.test("templateHash() is the SHA-256 of the template's UTF-8", () => {
  // printf '%s' "Which of … only." | sha256sum
  assert.equal(
    templateHash(NORSE),
    "f96e3e957e2f209d4395da02ea19bb5e367b41e1f44e93367e40b6fd10b9b12b",
  );
});

Deno.test("formatPrompt() puts sentences in to the letter, whatever they hold", () => {
  const odd = { grammatical: "$& $1 {sentence2}", ungrammatical: "{sentence1}" };
  assert.match(formatPrompt(NORSE, odd, "A_gram"), /A: \$& \$1 \{sentence2\} B: \{sentence1\} Ans/);
});

Deno.test("formatPrompt() refuses a template without its places", () => {
  for (const template of ["", "{sentence1}", "{sentence2} {sentence1}", `${NORSE}{sentence1}`]) {
    assert.throws(() => formatPrompt(template, LIKA, "A_gram"), SyntaxError);
  }
});

Deno.test("Feature: old-norse-minimal-pairs, Property 15: forced-choice prompt format", () => {
  fc.assert(
    fc.property(proposal, fc.constantFrom(...ORDERS), (pair, order) => {
      const prompt = formatPrompt(NORSE, pair, order);
      assert.ok(prompt.startsWith(
        "Which of the following Old Norse sentences is grammatically correct? A: ",
      ));
      assert.ok(prompt.endsWith(" Answer with A or B only."));
      const [, a, b] = /A: (.*) B: (.*) Answer/.exec(prompt) ?? [];
      assert.equal(grammaticalLetter(order) === "A" ? a : b, pair.grammatical);
      assert.equal(grammaticalLetter(order) === "A" ? b : a, pair.ungrammatical);
    }),
    { numRuns: 200 },
  );
});
