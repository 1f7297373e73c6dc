import assert from "node:assert/strict";
import fc from "fast-check";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import type { Phenomenon } from "../candidate.ts";
import type { ProposalRecord } from "../proposals/record.ts";
import type { Verdict } from "../proposals/verify.ts";
import { comparisonSection, type SourceComparison, validitySection } from "./source_comparison.ts";
import {
  diversityTable,
  expectedDistinct,
  originOfRefusal,
} from "./source_comparison_diversity.ts";
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

function item(
  n: number,
  proposedBy: string,
  lemma: string,
  chapter = n,
): DatasetItem<Phenomenon> {
  const id = `ON_UMLAUT_${String(n).padStart(3, "0")}`;
  return {
    pair: { id, phenomenon: "UMLAUT" },
    certificate: {
      ...{ pairId: id, source: { text: "V", chapter, sentence: 1 }, lemma, proposedBy },
      construction: "noun",
    },
  } as unknown as DatasetItem<Phenomenon>;
}

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

Deno.test("sections say in a plain sentence what is not there yet", () => {
  const input: SourceComparison = {
    ...{
      onRecord: 0,
      verdicts: [],
      found: ITEMS,
      items: ITEMS.slice(2),
      responses: [],
      proposer: PROPOSER,
    },
    ...{ panels: [], settings },
  };
  assert.match(
    validitySection(input),
    /^No model was asked for proposals yet\. .*asks a\/proposer\.$/,
  );
  const elsewhere = validitySection({ ...input, onRecord: 7 });
  assert.match(elsewhere, /^None of the 7 answers on record is one of a\/proposer to the prompts/);
  assert.match(comparisonSection(input), /^All 2 pairs come from the rules/);
  const proposed = { ...input, items: ITEMS.slice(0, 2) };
  assert.match(comparisonSection(proposed), /^All 2 pairs were proposed by a\/proposer/);
  const both = comparisonSection({ ...input, items: ITEMS });
  assert.match(both, /unavailable: a\/proposer is of no panel that is complete/);
  const others = comparisonSection({ ...input, items: ITEMS, unusable: "they belong to others" });
  assert.equal(others, "Nothing to compare them by yet: they belong to others");
  const judged = validitySection({ ...input, verdicts: [rejected("UMLAUT", "nothing_changed")] });
  assert.match(judged, /nothing_changed[^]*No proposal names a word that the tables lack/);
});

Deno.test("originOfRefusal() tells a proposal's refusal by the model's name", () => {
  const origin = (detail: string) => originOfRefusal({ detail });
  assert.equal(origin("openai/gpt-oss-120b"), "proposed");
  assert.equal(origin("openai/gpt-oss-120b: the rules expect menn"), "proposed");
  assert.equal(origin(""), "rules");
  assert.equal(origin("no weak declension"), "rules");
});
