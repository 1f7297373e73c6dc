import assert from "node:assert/strict";
import fc from "fast-check";
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

/** Answers between bars. */
const split = (...rows: readonly string[]) => rows.flatMap((row) => row.split("|"));

const CHOICES: Readonly<Record<"A" | "B", readonly string[]>> = {
  A: split(
    "A|a| A\n|A.|**A**|(A)|'A'|a)|A: Hánum líkaði þat.|A. Hánum líkaði þat.",
    "A) Hánum líkaði þat.|a: Hánum líkaði þat.|A\n\nBecause líka takes a dative subject.",
    "A is correct.|Sentence A is clearly the grammatically correct one.",
    "Option A is correct, while option B is not.|Answer:A",
    "The answer is A because of the dative.",
  ),
  B: split(
    "B|b.|B!|[B]|`B`|“B”|The answer is B.|The answer is **B**.|the answer is: b|Answer: B",
    "Answer: b.|Option B|option b.|Option B: Hann líkaði þat.|Sentence B|Final answer - B",
    "The correct answer is option B.|The grammatically correct sentence is (B).",
    "B - the subject of líka is dative.|B, since A has a nominative.",
    "B. The verb takes a dative, unlike sentence A. So it is clear.|B. A is wrong.",
    "A is incorrect; B is correct.|$\\boxed{B}$|<think>A or B? A, I think. No.</think>\n\nB",
  ),
};

/** One of them is a Cyrillic А. */
const INVALID: Readonly<Record<InvalidReason, readonly string[]>> = {
  empty: split("| \n\t|**|<think>hmm</think>|<think>A or B|<think>B is correct. \nNo"),
  refusal: split(
    "I cannot judge Old Norse.|I can't answer that.|I’m sorry, the answer is B.",
    "As an AI, I have no view. A|I am unable to say which.",
  ),
  both_letters: split(
    "A or B|A/B|A B|A\nB|A and B|Neither A nor B|Both A and B are correct.",
    "The answer is A or B.|Answer with A or B only.",
    "A: Hánum líkaði þat. B: Hann líkaði þat.|A. Hánum líkaði þat. B. Hann líkaði þat.",
    "(A) Hánum líkaði þat (B) Hann líkaði þat|A. Hánum líkaði þat.\nB. Hann líkaði þat.",
    "Option A: Hánum líkaði þat. Option B: Hann líkaði þat.",
    "The answer is A. No, the answer is B.|A is grammatical, and B is also grammatical.",
    "I would say A but B will do",
  ),
  no_letter: split(
    "A language model cannot know.|A sentence is grammatical when it is well formed.",
    "The answer is a guess.|This is a hard one.|C|AB|ABBA|á|Á|a\u0301|Á: ok|ek á bók",
    "Hánum líkaði þat.|Ek á A ok|\u0410|The answer is not A.|Option A is not correct.",
    "A: incorrect|yes|1",
  ),
};

Deno.test("parseChoice() reads a letter where it is said, and keeps the text of every other answer", () => {
  for (const letter of ["A", "B"] as const) {
    for (const text of CHOICES[letter]) {
      assert.deepEqual(parseChoice(text), { kind: "choice", letter }, text);
    }
  }
  for (const reason of ["empty", "refusal", "both_letters", "no_letter"] as const) {
    for (const raw of INVALID[reason]) {
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
  assert.throws(() => firstPairs(bothOrders, pairs, 0), RangeError);
  assert.throws(() => firstPairs(bothOrders, pairs, 1.5), RangeError);
});
