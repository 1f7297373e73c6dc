import assert from "node:assert/strict";
import fc from "fast-check";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import { type Order, ORDERS } from "../../pairs/forced_choice.ts";
import type { Response } from "../../pairs/responses.ts";
import type { Phenomenon } from "../candidate.ts";
import type { ProposalRecord } from "../proposals/record.ts";
import type { Verdict } from "../proposals/verify.ts";
import { comparisonSection, type SourceComparison, validitySection } from "./source_comparison.ts";
import { accuracyByOrigin, ownAdvantage } from "./source_comparison_difficulty.ts";
import { diversityTable, expectedDistinct } from "./source_comparison_diversity.ts";
import { lackingWords, validityOf, validityTable } from "./source_comparison_validity.ts";

const PROPOSER = "a/proposer";
const settings = { seed: 1, resamples: 200 };

const record = (phenomenon: Phenomenon): ProposalRecord => ({
  ...{ model: PROPOSER, promptSha256: "5".repeat(64), sentenceId: "VS_01_001", phenomenon },
  ...{ kind: "answer", text: "", promptTokens: 1, replyTokens: 1, settings: {} },
});

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

function item(n: number, proposedBy: string, lemma: string, chapter = n): DatasetItem {
  const id = `ON_UMLAUT_${String(n).padStart(3, "0")}`;
  return {
    pair: { id },
    certificate: {
      ...{ pairId: id, source: { text: "V", chapter, sentence: 1 }, lemma, proposedBy },
      construction: "noun",
    },
  } as unknown as DatasetItem;
}

const answer = (model: string, n: number, correct: boolean, order: Order): Response => ({
  ...{ model, pairId: `ON_UMLAUT_${String(n).padStart(3, "0")}`, order, correct },
  response: (order === "A_gram") === correct ? "A" : "B",
});

/** Answers in both orders to pairs 1, 2, …, each `right` in none, one or both of them. */
const answers = (model: string, right: readonly number[]) =>
  right.flatMap((times, index) =>
    ORDERS.map((order, place) => answer(model, index + 1, place < times, order))
  );

/** Pairs 1 and 2 were proposed, 3 and 4 are the rules'. */
const ITEMS = [1, 2, 3, 4].map((n) => item(n, n < 3 ? PROPOSER : "rules", `lemma${n % 2}`));

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
  assert.match(validityTable(verdicts), /\| All \| 6 \| 4 \| 3 \| 75\.0 \[30\.1, 95\.4\] \|/);
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

Deno.test("diversityTable() compares among equally many pairs", () => {
  const certificates = (items: readonly DatasetItem[]) => items.map((made) => made.certificate);
  const table = diversityTable([
    {
      name: "rules",
      certificates: certificates([1, 2, 3].map((n) => item(n, "rules", n === 3 ? "b" : "a", 1))),
    },
    { name: "proposed", certificates: certificates([4, 5].map((n) => item(n, PROPOSER, "a"))) },
  ]);
  assert.match(table, /among 2 pairs/);
  assert.match(table, /\| rules \| 3 \| lemmas \| 2 \| 0\.67 \| 1\.7 \|/);
  assert.match(table, /\| proposed \| 2 \| chapters \| 2 \| 1\.00 \| 2\.0 \|/);
});

Deno.test("accuracyByOrigin() counts each model on each kind of pairs; unasked models have none", () => {
  const responses = answers("m", [2, 1, 2, 0]);
  const rows = accuracyByOrigin({ items: ITEMS, responses, models: ["m", "idle"], settings });
  const estimate = (index: number) => {
    const value = rows[index]?.value;
    return value?.kind === "unavailable" ? value.kind : value?.estimate;
  };
  // Rules' pairs 3 and 4: 2 of 4; proposed ones 1 and 2: 3 of 4.
  assert.deepEqual([0, 1, 2, 3].map(estimate), [0.5, 0.75, "unavailable", "unavailable"]);
});

Deno.test("ownAdvantage() is the difference of the differences, worked by hand", () => {
  const responses = [
    ...answers(PROPOSER, [2, 2, 1, 1]), // proposed 4/4, rules 2/4: +0.5
    ...answers("b", [2, 1, 1, 1]), // proposed 3/4, rules 2/4
    ...answers("c", [1, 1, 2, 2]), // proposed 2/4, rules 4/4; b and c: 5/8 − 6/8 = −0.125
  ];
  const models = [PROPOSER, "b", "c", "idle"];
  const input = { items: ITEMS, responses, models, proposer: PROPOSER, settings };
  const found = ownAdvantage(input);
  assert.ok(found.kind === "interval");
  assert.ok(Math.abs(found.estimate - 0.625) < 1e-12);
  assert.ok(found.low <= 0.625 && 0.625 <= found.high);
  // A pair that one of the models has not answered counts for none.
  const fewer = responses.filter(({ model, pairId }) => model !== "c" || !pairId.endsWith("4"));
  const without = ownAdvantage({ ...input, responses: fewer });
  // Without pair 4: own 4/4 − 1/2, others 5/8 − 3/4.
  assert.ok(without.kind !== "unavailable" && Math.abs(without.estimate - 0.625) < 1e-12);
});

Deno.test("ownAdvantage() is unavailable where nobody can be compared", () => {
  const input = { items: ITEMS, models: [PROPOSER, "b"], proposer: PROPOSER, settings };
  const reason = (responses: readonly Response[], items = ITEMS) => {
    const found = ownAdvantage({ ...input, items, responses });
    return found.kind === "unavailable" ? found.reason : found.kind;
  };
  assert.match(reason([]), /has not been asked/);
  assert.match(reason(answers(PROPOSER, [2, 2, 2, 2])), /no other model/);
  const all = [...answers(PROPOSER, [2, 2, 2, 2]), ...answers("b", [2, 2, 2, 2])];
  assert.match(reason(all, ITEMS.slice(0, 2)), /not defined/);
});

Deno.test("sections say in a plain sentence what is not there yet", () => {
  const input: SourceComparison = {
    ...{ verdicts: [], found: ITEMS, items: ITEMS.slice(2), responses: [], proposer: PROPOSER },
    ...{ models: [PROPOSER], others: ["local"], settings },
  };
  assert.match(validitySection(input), /^No proposal is on record: a\/proposer was not asked/);
  assert.match(comparisonSection(input), /^All 2 pairs come from the rules/);
  const proposed = { ...input, items: ITEMS.slice(0, 2) };
  assert.match(comparisonSection(proposed), /^All 2 pairs were proposed by a\/proposer/);
  const both = comparisonSection({ ...input, items: ITEMS });
  assert.match(both, /unavailable: a\/proposer has not been asked/);
  const judged = validitySection({ ...input, verdicts: [rejected("UMLAUT", "nothing_changed")] });
  assert.match(judged, /nothing_changed[^]*No proposal names a word that the tables lack/);
});
