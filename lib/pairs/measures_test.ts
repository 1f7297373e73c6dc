import assert from "node:assert/strict";
import type { PairLikelihood } from "./answers.ts";
import { countRegions, REGION_MEASURES, regionDifferences, regionItems } from "./measures.ts";
import { withRegions } from "./measures.ts";
import { madeItems } from "./testdata/norse.ts";

const [MADE] = madeItems(1);

const itemOf = (grammatical: string, ungrammatical: string, sourceSpelling = grammatical) => {
  const pair = { ...MADE!.pair, id: "ON_UMLAUT_001", grammatical, ungrammatical };
  return { pair, certificate: { ...MADE!.certificate, sourceSpelling } };
};

const textsOf = (...item: Parameters<typeof itemOf>) =>
  regionItems([itemOf(...item)]).map(({ pair }) => {
    const { grammatical, ungrammatical } = pair.through ?? pair;
    return [pair.id.split(" ")[1], grammatical, ungrammatical];
  });

Deno.test("regionItems() cuts both members after the word that differs", () => {
  const source = "Þá tók hann „höndum“, ok fór.";
  const pair = ["Þá tók hann „hǫndum“, ok fór.", "Þá  tók hann „handum“, ok fór."] as const;
  assert.deepEqual(textsOf(...pair, source), [
    ["through", "Þá tók hann „hǫndum", "Þá  tók hann „handum"],
    ["alone", " hǫndum", " handum"],
    ["source", source, pair[0]],
  ]);
  // The sentences are scored as a whole in the same pass, the words alone are not of them.
  const [through, alone] = regionItems([itemOf(...pair)]);
  assert.deepEqual([through!.pair.grammatical, through!.pair.ungrammatical], pair);
  assert.deepEqual([alone!.pair.grammatical, alone!.pair.ungrammatical], [" hǫndum", " handum"]);
  // At the beginning no space precedes; nor is there a spelling to compare where it is the same,
  // or where the source has another number of words.
  assert.deepEqual(textsOf("Hánum líkaði.", "Hann líkaði."), [
    ["through", "Hánum", "Hann"],
    ["alone", "Hánum", "Hann"],
  ]);
  assert.equal(textsOf("Hánum líkaði.", "Hann líkaði.", "Hanum vel líkaði.").length, 2);
  // Several words that differ are one region; a word that one member lacks is none.
  assert.deepEqual(textsOf("Who did he hug after that?", "Who did he after hugging that?")[0], [
    "through",
    "Who did he hug after",
    "Who did he after hugging",
  ]);
  assert.deepEqual(textsOf("He did not go.", "He did go."), []);
});

const row = (pairId: string, good: number, bad: number): PairLikelihood => {
  const member = (logProbability: number) => ({ logProbability, tokens: 3, bytes: 9 });
  return { model: "m", pairId, grammatical: member(good), ungrammatical: member(bad) };
};

Deno.test("regionDifferences() parts a preference into the word, what follows and what it is alone", () => {
  // Of 5 nats by which the sentence loses the word loses 6 and the rest gains 1; alone it loses 8,
  // so that the sentence has brought the word 2 nearer.
  const [joined] = withRegions([row("p", -30, -25)], [
    row("p through", -18, -12),
    row("p alone", -17, -9),
    row("other through", 0, 0),
  ]);
  const nats = { total: -5, word: -6, rest: 1, alone: -8, in_context: 2 };
  const millionths = Object.entries(nats).map(([name, value]) => [name, value * 1_000_000]);
  assert.deepEqual(regionDifferences(joined!), Object.fromEntries(millionths));
  const counts = countRegions(joined!)!;
  const measured = REGION_MEASURES.map(({ name, of }) => [name, of(counts)]);
  assert.deepEqual(Object.fromEntries(measured), {
    likelihood_accuracy_word: 0,
    likelihood_accuracy_rest: 1,
    likelihood_accuracy_alone: 0,
    likelihood_accuracy_in_context: 1,
    likelihood_as_alone: 1,
  });
  // Half of what is needed is nothing.
  const [half] = withRegions([row("p", -30, -25)], [row("p through", -18, -12)]);
  assert.equal(countRegions(half!), undefined);
});
