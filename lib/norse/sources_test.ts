import assert from "node:assert/strict";
import fc from "fast-check";
import type { Response } from "../pairs/answers.ts";
import type { DatasetItem } from "../pairs/dataset.ts";
import { ORDERS } from "../pairs/forced_choice.ts";
import type { Verdict } from "./proposals.ts";
import type { Phenomenon } from "./rules.ts";
import {
  accuracyByOrigin,
  diversityOf,
  expectedDistinct,
  lackingWords,
  originOfRefusal,
  ownAdvantage,
  validityOf,
} from "./sources.ts";
import { recordOf } from "./testdata/proposing_model.ts";
import { sentenceOf } from "./testdata/sentence.ts";

const PROPOSER = "a/proposer";
const settings = { seed: 1, resamples: 200 };

/** Pair `n` of a phenomenon; lemmas are many, so that resamples rarely lack one origin. */
function item(phenomenon: Phenomenon, n: number, isProposed: boolean): DatasetItem<Phenomenon> {
  return {
    pair: { id: `${phenomenon}_${n}`, phenomenon },
    certificate: { lemma: `lemma${n}`, proposedBy: isProposed ? PROPOSER : "rules" },
  } as unknown as DatasetItem<Phenomenon>;
}

/** Umlaut: pairs 1–12 proposed, 13–16 the rules'. Middle voice: 1–4 proposed, 5–16 the rules'. */
const ITEMS = [
  ...Array.from({ length: 16 }, (_, i) => item("UMLAUT", i + 1, i < 12)),
  ...Array.from({ length: 16 }, (_, i) => item("MIDDLE_VOICE", i + 1, i < 4)),
];

/** Answers to every pair, right in so many of the two orders. */
const answers = (model: string, right: (item: DatasetItem<Phenomenon>) => number): Response[] =>
  ITEMS.flatMap((made) =>
    ORDERS.map((order, place) => {
      const correct = place < right(made);
      const response = (order === "A_gram") === correct ? "A" : "B";
      return { model, pairId: made.pair.id, order, correct, response };
    })
  );

const isUmlaut = ({ pair }: DatasetItem<Phenomenon>) => pair.phenomenon === "UMLAUT";

const isProposed = ({ certificate }: DatasetItem<Phenomenon>) =>
  certificate.proposedBy === PROPOSER;

const inputOf = (responses: readonly Response[], asked: readonly string[]) => {
  return { items: ITEMS, responses, panels: [{ asked }], proposer: PROPOSER, settings };
};

Deno.test("ownAdvantage() of a model better at what it proposes most is zero within a phenomenon", () => {
  // Twice as good at umlaut as the other, whose pairs stand at 12 of 16 proposals; on its own and
  // the rules' pairs alike. Over all pairs: own (24 + 4)/32 − (8 + 12)/32, other (12 + 4)/32 − (4 + 12)/32.
  const responses = [
    ...answers(PROPOSER, (made) => (isUmlaut(made) ? 2 : 1)),
    ...answers("b", () => 1),
  ];
  const { measure, phenomena, pairs } = ownAdvantage(inputOf(responses, [PROPOSER, "b"]));
  assert.ok(measure.kind === "interval");
  assert.deepEqual([measure.low, measure.estimate, measure.high], [0, 0, 0]);
  assert.deepEqual(phenomena, ["UMLAUT", "MIDDLE_VOICE"]);
  assert.deepEqual(pairs, { rules: 16, proposed: 16 });
});

Deno.test("ownAdvantage() weighs phenomena by proposed pairs, worked by hand", () => {
  const responses = [
    // Umlaut: 1 on proposed, 1/2 on the rules'; middle voice 1/2 on both.
    ...answers(PROPOSER, (made) => (isUmlaut(made) && isProposed(made) ? 2 : 1)),
    ...answers("b", () => 1), // no difference anywhere
    ...answers("c", (made) => (isProposed(made) ? 1 : 2)), // −1/2 in both
  ];
  const models = [PROPOSER, "b", "c"];
  const { measure } = ownAdvantage(inputOf(responses, models));
  // Others: −1/4. Umlaut 1/2 + 1/4, middle voice 0 + 1/4; (12 · 0.75 + 4 · 0.25) / 16 = 0.625.
  assert.ok(measure.kind !== "unavailable" && Math.abs(measure.estimate - 0.625) < 1e-12);
});

Deno.test("ownAdvantage() compares only questions that all models answered", () => {
  const all = [
    ...answers(PROPOSER, (made) => (isProposed(made) ? 2 : 1)),
    ...answers("b", () => 1),
  ];
  // The other order of each model: nothing in common, as many answers for each.
  const apart = all.filter(({ model, order }) => (model === "b") === (order === "B_gram"));
  const none = ownAdvantage(inputOf(apart, [PROPOSER, "b"])).measure;
  assert.ok(none.kind === "unavailable");
  assert.match(none.reason, /no phenomenon has pairs of both origins/);
  // One order of all pairs, where the proposer is right throughout and so is b.
  const first = all.filter(({ order }) => order === "A_gram");
  const one = ownAdvantage(inputOf(first, [PROPOSER, "b"]));
  assert.ok(one.measure.kind !== "unavailable" && one.measure.estimate === 0);
});

Deno.test("ownAdvantage() is unavailable where nobody can be compared", () => {
  const reason = (input: ReturnType<typeof inputOf>) => {
    const { measure } = ownAdvantage(input);
    return measure.kind === "unavailable" ? measure.reason : measure.kind;
  };
  const own = answers(PROPOSER, () => 2);
  assert.match(reason({ ...inputOf(own, [PROPOSER]), panels: [] }), /of no panel that is complete/);
  assert.match(reason(inputOf(own, [PROPOSER])), /no other model/);
  const both = inputOf([...own, ...answers("b", () => 1)], [PROPOSER, "b"]);
  const proposed = { ...both, items: ITEMS.filter(isProposed) };
  assert.match(reason(proposed), /no phenomenon has pairs of both origins/);
});

Deno.test("accuracyByOrigin() keeps phenomena apart, with n and lemmas", () => {
  const responses = answers("m", (made) => (isUmlaut(made) ? 2 : isProposed(made) ? 1 : 0));
  const rows = accuracyByOrigin({ items: ITEMS, responses, panels: [{ asked: ["m"] }], settings });
  const estimates = rows.flatMap(({ phenomenon, value, n, clusters }) =>
    value.kind === "unavailable" ? [] : [`${phenomenon} ${value.estimate} ${n} ${clusters}`]
  );
  assert.deepEqual(estimates, [
    "UMLAUT rules 1 8 4",
    "UMLAUT proposed 1 24 12",
    "MIDDLE_VOICE rules 0 24 12",
    "MIDDLE_VOICE proposed 0.5 8 4",
  ]);
});

const record = (phenomenon: Phenomenon) => recordOf(sentenceOf("x"), phenomenon, "");
const source = { text: "V", chapter: 1, sentence: 1 };

function rejected(
  phenomenon: Phenomenon,
  reason: string,
  proposed = true,
  candidate = "x>y",
): Verdict {
  const rejection = { source, phenomenon, candidate, reason, detail: PROPOSER };
  return { kind: "rejected", record: record(phenomenon), rejection, proposed };
}

const confirmed = (phenomenon: Phenomenon) =>
  ({ kind: "confirmed", record: record(phenomenon) }) as Verdict;

Deno.test("validityOf() is confirmed of what was proposed; none and silence are no proposals", () => {
  const verdicts = [
    ...[confirmed("UMLAUT"), confirmed("UMLAUT"), confirmed("ADJECTIVE")],
    rejected("UMLAUT", "other_form_expected"),
    rejected("ADJECTIVE", "nothing_proposed", false),
    rejected("ADJECTIVE", "unparsable_answer", false),
  ];
  const [all, , adjective, umlaut] = validityOf(verdicts);
  assert.deepEqual([all?.answers, all?.proposed, all?.confirmed], [6, 4, 3]);
  // Wilson, 3 of 4: (0.75 + z²/8 ± z √(0.1875/4 + z²/64)) / (1 + z²/4) with z = 1.96.
  assert.ok(all?.share.kind === "interval");
  assert.equal(all.share.low.toFixed(3), "0.301");
  assert.equal(all.share.high.toFixed(3), "0.954");
  assert.deepEqual([adjective?.proposed, adjective?.confirmed], [1, 1]);
  assert.deepEqual([umlaut?.proposed, umlaut?.confirmed], [3, 2]);
  assert.equal(validityOf([])[0]?.share.kind, "unavailable");
});

Deno.test("lackingWords() lists what the tables do not know, most frequent first", () => {
  const words = lackingWords([
    rejected("QUIRKY_CASE", "verb_unknown_to_the_lexicon", true, "Henni>hún"),
    rejected("QUIRKY_CASE", "verb_unknown_to_the_lexicon", true, "henni>hún"),
    rejected("UMLAUT", "stem_not_in_table", true, "flǫtr>flatr"),
    rejected("UMLAUT", "other_form_expected"),
  ]);
  assert.deepEqual(words, [
    ["henni>hún", "verb_unknown_to_the_lexicon", 2],
    ["flǫtr>flatr", "stem_not_in_table", 1],
  ]);
});

Deno.test("expectedDistinct() gives the values worked by hand", () => {
  // Of a a b, two drawn: {a,a} once and {a,b} twice, so (1 + 2 + 2) / 3.
  assert.ok(Math.abs(expectedDistinct([2, 1], 2) - 5 / 3) < 1e-12);
  assert.equal(expectedDistinct([2, 1], 3), 2);
  assert.equal(expectedDistinct([2, 1], 0), 0);
  assert.throws(() => expectedDistinct([1], 2), RangeError);
});

Deno.test("expectedDistinct() grows with the draw, up to what there is", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (occurrences) => {
      const total = occurrences.reduce((sum, n) => sum + n, 0);
      let before = 0;
      for (let drawn = 1; drawn <= total; drawn++) {
        const now = expectedDistinct(occurrences, drawn);
        assert.ok(now >= before - 1e-9 && now <= Math.min(drawn, occurrences.length) + 1e-9);
        before = now;
      }
      assert.ok(Math.abs(before - occurrences.length) < 1e-9);
    }),
    { numRuns: 100 },
  );
});

Deno.test("diversityOf() compares among equally many pairs", () => {
  const certificates = (...lemmas: readonly string[]) =>
    lemmas.map((lemma) => ({ lemma, construction: "noun", source }));
  const rows = diversityOf({
    rules: certificates("a", "a", "b"),
    proposed: certificates("a", "c"),
  });
  const lemmas = rows.filter(({ trait }) => trait === "lemmas");
  assert.deepEqual(lemmas.map(({ n, different, drawn }) => [n, different, drawn]), [
    [3, 2, 2],
    [2, 2, 2],
  ]);
  assert.ok(Math.abs(lemmas[0]!.amongDrawn - 5 / 3) < 1e-12);
});

Deno.test("originOfRefusal() tells a proposal's refusal by the model's name", () => {
  const origin = (detail: string) => originOfRefusal({ detail }, "openai/gpt-oss-120b");
  assert.equal(origin("openai/gpt-oss-120b"), "proposed");
  assert.equal(origin("openai/gpt-oss-120b: the rules expect menn"), "proposed");
  assert.equal(origin(""), "rules");
  assert.equal(origin("no weak declension"), "rules");
});
