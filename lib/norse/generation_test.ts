import assert from "node:assert/strict";
import fc from "fast-check";
import type { CertifiedPair } from "../pairs/certify.ts";
import { EXCEPTIONS } from "./adjective/exclusions.ts";
import { readSentences } from "./acquisition.ts";
import { PHENOMENA, type Phenomenon } from "./candidate.ts";
import { contextWindows, isAttestedInContext } from "./context.ts";
import { findCandidates, quotas } from "./generation.ts";
import { REFUSED_IN_SENTENCE } from "./middle_voice/refusals.ts";
import { normaliseText } from "./orthography.ts";
import { NORSE_PATHS } from "./paths.ts";
import { QUIRKY_EXCEPTIONS } from "./quirky_case/lures.ts";
import type { Sentence } from "./sentence.ts";
import { tokenise } from "./tokens.ts";

const sentences = (...texts: readonly string[]): readonly Sentence[] =>
  texts.map((source, index) => ({
    id: `VS_01_${String(index + 1).padStart(3, "0")}`,
    ...{ chapter: 1, position: index + 1, source, normalised: normaliseText(source) },
  }));

const variants = (...texts: readonly string[]) => {
  const { certified, rejections } = findCandidates(sentences(...texts));
  return {
    bad: certified.map(({ pair }) => pair.ungrammatical),
    reasons: rejections.map(({ reason }) => reason),
  };
};

Deno.test("findCandidates() runs all four rules over a sentence and certifies", () => {
  const { bad } = variants("Henni þótti þetta mikit.", "Hann sezt hjá henni.");
  assert.deepEqual(bad, ["Hún þótti þetta mikit.", "Hann setr hjá henni."]);
});

Deno.test("findCandidates() refuses a variant that is itself a sentence of the corpus", () => {
  const { bad, reasons } = variants("Henni þótti þetta mikit.", "Hún þótti þetta mikit.");
  assert.deepEqual(bad, []);
  assert.ok(reasons.includes("variant_attested_in_context"), reasons.join());
});

Deno.test("findCandidates() refuses what stands between the same neighbours elsewhere", () => {
  const { bad, reasons } = variants(
    "Eptir þat mæltu þeir, at henni þótti þetta mikit.",
    "Nú segja menn, at hún þótti þetta mikit, ok fór hann heim.",
  );
  assert.deepEqual(bad.filter((text) => text.startsWith("Eptir")), [
    "Eptir þat mæltu þeir, at hún þótti þetta mikit.",
  ]);
  assert.ok(!reasons.includes("variant_attested_in_context"));
  const same = variants(
    "Eptir þat mæltu þeir, at henni þótti þetta mikit.",
    "Nú mæltu þeir, at hún þótti þetta mikit, ok fór hann heim.",
  );
  assert.ok(same.reasons.includes("variant_attested_in_context"));
});

Deno.test("findCandidates() leaves sentences out in which the one word would drown", () => {
  const long = `${"ok fór hann heim ".repeat(25)}ok þótti henni þetta mikit.`;
  const { bad, reasons } = variants(long);
  assert.deepEqual(bad, []);
  assert.ok(reasons.includes("sentence_too_long"));
});

Deno.test("isAttestedInContext() compares two neighbours a side, edges included", () => {
  const windows = contextWindows(["Hann fór heim."]);
  const found = (variant: string) =>
    isAttestedInContext(variant, tokenise(variant)[0]!, tokenise(variant)[0]!.form, windows);
  assert.equal(found("Hann fór heim."), true);
  assert.equal(found("Hann fór nú."), false);
});

/** Candidates of a phenomenon, each of a lemma of its own. */
const supply = (counts: Readonly<Record<Phenomenon, number>>): CertifiedPair<Phenomenon>[] =>
  PHENOMENA.flatMap((phenomenon) =>
    Array.from({ length: counts[phenomenon] }, (_, n) => ({
      kind: "certified",
      pair: { phenomenon, grammatical: "a", ungrammatical: "b", target: "a", errorType: "x" },
      certificate: { lemma: `${phenomenon}${n}` },
      tier: 1,
      tokenIndex: 0,
    } as unknown as CertifiedPair<Phenomenon>))
  );

Deno.test("quotas() gives a quarter each where there is enough", () => {
  const counts = { QUIRKY_CASE: 200, ADJECTIVE: 200, UMLAUT: 200, MIDDLE_VOICE: 200 };
  assert.deepEqual(Object.values(quotas(supply(counts), 500)), [125, 125, 125, 125]);
});

Deno.test("quotas() lets the others make up what one lacks, a tenth at most", () => {
  const counts = { QUIRKY_CASE: 118, ADJECTIVE: 300, UMLAUT: 300, MIDDLE_VOICE: 120 };
  assert.deepEqual(Object.values(quotas(supply(counts), 500)), [118, 131, 131, 120]);
  const scarce = { QUIRKY_CASE: 90, ADJECTIVE: 300, UMLAUT: 300, MIDDLE_VOICE: 90 };
  assert.deepEqual(Object.values(quotas(supply(scarce), 500)), [113, 137, 137, 113]);
});

Deno.test("quotas() refuses a target that cannot be shared out", () => {
  assert.throws(() => quotas([], 5), /Cannot share 5 pairs out evenly/);
});

Deno.test("quotas() sums to the target and stays within a tenth, whatever the supply", () => {
  const count = fc.integer({ min: 113, max: 400 });
  fc.assert(
    fc.property(count, count, count, count, (a, b, c, d) => {
      fc.pre(a + b + c + d >= 600);
      const counts = { QUIRKY_CASE: a, ADJECTIVE: b, UMLAUT: c, MIDDLE_VOICE: d };
      const wanted = Object.values(quotas(supply(counts), 500));
      const possible = Math.min(500, [a, b, c, d].reduce((sum, n) => sum + Math.min(n, 137), 0));
      assert.equal(wanted.reduce((sum, n) => sum + n, 0), possible);
      for (const n of wanted) assert.ok(n >= 113 && n <= 137);
    }),
    { numRuns: 100 },
  );
});

Deno.test("exceptions by sentence name a sentence of the saga that holds their word", () => {
  const texts = new Map(readSentences(NORSE_PATHS.sentences).map((s) => [s.id, s.normalised]));
  const named = [
    ...[...EXCEPTIONS.keys(), ...REFUSED_IN_SENTENCE.keys()].map((key) => key.split(" ")),
    ...QUIRKY_EXCEPTIONS.map(({ sentence, token }) => [sentence, token]),
  ];
  for (const [id = "", word = ""] of named) {
    const words = tokenise(texts.get(id) ?? "").map(({ lower }) => lower);
    assert.ok(words.includes(word), `${id} ${word}`);
  }
});
