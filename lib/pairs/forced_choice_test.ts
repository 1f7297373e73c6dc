import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "yaml";
import {
  bothOrders,
  counterbalancedOrders,
  firstPairs,
  forcedChoiceTemplate,
  formatPrompt,
  grammaticalLetter,
  type InvalidReason,
  type Order,
  ORDERS,
  parseChoice,
  userTemplate,
} from "./forced_choice.ts";
import { madePairs, PHENOMENA, proposal } from "./testdata/norse.ts";

const NORSE = forcedChoiceTemplate("Old Norse");
const LIKA = { grammatical: "Hánum líkaði þat.", ungrammatical: "Hann líkaði þat." };

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

/** Answers by the letter they choose, or by the reason why none. */
const ANSWERS: Readonly<Record<"A" | "B" | InvalidReason, readonly string[]>> = parse(
  Deno.readTextFileSync(new URL("testdata/answers.yaml", import.meta.url)),
);

Deno.test("parseChoice() reads a letter where it is said, and keeps the text of every other answer", () => {
  for (const letter of ["A", "B"] as const) {
    for (const text of ANSWERS[letter]) {
      assert.deepEqual(parseChoice(text), { kind: "choice", letter }, text);
    }
  }
  for (const reason of ["empty", "refusal", "both_letters", "no_letter"] as const) {
    for (const raw of ANSWERS[reason]) {
      assert.deepEqual(parseChoice(raw), { kind: "invalid", raw, reason }, raw);
    }
  }
});

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

const groups = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 4 });

const pairsOf = (sizes: readonly number[]) =>
  sizes.flatMap((size, group) =>
    Array.from({ length: size }, (_, i) => ({ id: `${group}_${i}`, phenomenon: PHENOMENA[group]! }))
  );

Deno.test("Feature: hosted models, counterbalanced orders: one order a pair, half and half within each phenomenon and over all", () => {
  fc.assert(
    fc.property(groups, fc.nat(), (sizes, seed) => {
      const pairs = pairsOf(sizes);
      const plan = counterbalancedOrders(pairs, seed);
      const turned = counterbalancedOrders(pairs.toReversed(), seed);
      assert.ok(pairs.every(({ id }) => plan(id)[0] === turned(id)[0]));
      const difference = (own: typeof pairs) => {
        const orders = own.map(({ id }) => plan(id));
        assert.ok(orders.every(({ length }) => length === 1));
        const count = (order: Order) => orders.filter(([first]) => first === order).length;
        return Math.abs(count("A_gram") - count("B_gram"));
      };
      for (const name of PHENOMENA) {
        assert.ok(difference(pairs.filter(({ phenomenon }) => phenomenon === name)) <= 1);
      }
      assert.ok(difference(pairs) <= 1);
    }),
    { numRuns: 200 },
  );
});

Deno.test("firstPairs() takes the first pairs of each phenomenon in turn", () => {
  const pairs = madePairs(12).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const plan = firstPairs(bothOrders, pairs, 6);
  assert.deepEqual(pairs.filter(({ id }) => plan(id).length === 2).map(({ id }) => id), [
    "ON_ADJECTIVE_001",
    "ON_ADJECTIVE_002",
    "ON_MIDDLE_VOICE_001",
    "ON_MIDDLE_VOICE_002",
    "ON_QUIRKY_CASE_001",
    "ON_UMLAUT_001",
  ]);
});

Deno.test("userTemplate() has the sentences at {a} and {b}, and the language where it is named", () => {
  const text = "Zwei Sätze auf {language}.\n(A) {a}\n(B) {b}\nWelcher ist richtig?\n";
  const template = userTemplate(text, "Altnordisch");
  const prompt = formatPrompt(template, { ...LIKA, prefix: "Svá er sagt." }, "B_gram");
  assert.equal(
    prompt,
    "Zwei Sätze auf Altnordisch.\n(A) Svá er sagt. Hann líkaði þat.\n(B) Svá er sagt. Hánum líkaði " +
      "þat.\nWelcher ist richtig?",
  );
  for (const wrong of ["{a}", "{b} {a}", "{a} {b} {b}", text]) {
    assert.throws(() => userTemplate(wrong), /^SyntaxError: Cannot use the template: it /);
  }
});
