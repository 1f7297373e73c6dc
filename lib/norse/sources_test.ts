import assert from "node:assert/strict";
import type { Response } from "../pairs/answers.ts";
import type { DatasetItem } from "../pairs/dataset.ts";
import { ORDERS } from "../pairs/forced_choice.ts";
import type { Verdict } from "./proposals.ts";
import type { Phenomenon } from "./rules.ts";
import {
  accuracyByOrigin,
  diversityOf,
  lackingWords,
  ownAdvantage,
  validityOf,
} from "./sources.ts";
import { recordOf } from "./testdata/proposing_model.ts";
import { sentenceOf } from "./testdata/sentence.ts";

const PROPOSER = "a/proposer";
const settings = { seed: 1, resamples: 200 };

const source = { text: "V", chapter: 1, sentence: 1 };

/** Pair `n` of a phenomenon; lemmas are many, so that resamples rarely lack one origin. */
function item(phenomenon: Phenomenon, n: number, isProposed: boolean): DatasetItem<Phenomenon> {
  return {
    pair: { id: `${phenomenon}_${n}`, phenomenon, target: `word${n}`, errorType: "made" },
    certificate: {
      lemma: `lemma${n}`,
      proposedBy: isProposed ? PROPOSER : "rules",
      source: { ...source, sentence: n },
    },
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

Deno.test("ownAdvantage() weighs phenomena by proposed pairs, worked by hand", () => {
  const responses = [
    // Umlaut: 1 on proposed, 1/2 on the rules'; middle voice 1/2 on both.
    ...answers(PROPOSER, (made) => (isUmlaut(made) && isProposed(made) ? 2 : 1)),
    ...answers("b", () => 1), // no difference anywhere
    ...answers("c", (made) => (isProposed(made) ? 1 : 2)), // −1/2 in both
  ];
  const { measure } = ownAdvantage(inputOf(responses, [PROPOSER, "b", "c"]));
  // Others: −1/4. Umlaut 1/2 + 1/4, middle voice 0 + 1/4; (12 · 0.75 + 4 · 0.25) / 16 = 0.625.
  assert.ok(measure.kind !== "unavailable" && Math.abs(measure.estimate - 0.625) < 1e-12);
  // The other order of one model: no question that all of them answered.
  const apart = responses.filter(({ model, order }) => (model === "b") === (order === "B_gram"));
  const none = ownAdvantage(inputOf(apart, [PROPOSER, "b"])).measure;
  assert.ok(none.kind === "unavailable");
  assert.match(none.reason, /no phenomenon has pairs of both origins/);
  assert.equal(ownAdvantage(inputOf(responses, [PROPOSER])).measure.kind, "unavailable");
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

/** A verdict on `candidate reason`; the rules confirm where no reason is given. */
function verdict(phenomenon: Phenomenon, said = "", proposed = true): Verdict {
  const [candidate = "", reason = ""] = said.split(" ");
  const record = recordOf(sentenceOf("x"), phenomenon, "");
  const rejection = { source, phenomenon, candidate, reason, detail: PROPOSER };
  const kind = said === "" ? "confirmed" : "rejected";
  return { kind, record, proposed, rejection } as Verdict;
}

Deno.test("validityOf() is confirmed of what was proposed; none and silence are no proposals", () => {
  const [all, , adjective, umlaut] = validityOf([
    verdict("UMLAUT"),
    verdict("UMLAUT"),
    verdict("ADJECTIVE"),
    verdict("UMLAUT", "x>y other_form_expected"),
    verdict("ADJECTIVE", " nothing_proposed", false),
    verdict("ADJECTIVE", " unparsable_answer", false),
  ]);
  assert.deepEqual([all?.answers, all?.proposed, all?.confirmed], [6, 4, 3]);
  // Wilson, 3 of 4: (0.75 + z²/8 ± z √(0.1875/4 + z²/64)) / (1 + z²/4) with z = 1.96.
  assert.ok(all?.share.kind === "interval");
  assert.equal(all.share.low.toFixed(3), "0.301");
  assert.equal(all.share.high.toFixed(3), "0.954");
  assert.deepEqual([adjective?.proposed, adjective?.confirmed], [1, 1]);
  assert.deepEqual([umlaut?.proposed, umlaut?.confirmed], [3, 2]);
  const words = lackingWords([
    verdict("QUIRKY_CASE", "Henni>hún unknown_to_the_tables"),
    verdict("QUIRKY_CASE", "henni>hún unknown_to_the_tables"),
    verdict("UMLAUT", "flǫtr>flatr stem_not_in_table"),
    verdict("UMLAUT", "x>y other_form_expected"),
  ]).map((row) => row.join(" "));
  const found = ["henni>hún unknown_to_the_tables 2", "flǫtr>flatr stem_not_in_table 1"];
  assert.deepEqual(words, found, "the words that the tables lack");
});

Deno.test("diversityOf() compares among equally many pairs, worked by hand", () => {
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
  // Of a a b, two drawn: {a,a} once and {a,b} twice, so (1 + 2 + 2) / 3.
  assert.ok(Math.abs(lemmas[0]!.amongDrawn - 5 / 3) < 1e-12);
});
