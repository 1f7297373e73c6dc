import assert from "node:assert/strict";
import { evidencePassage } from "../../labelled_case.ts";
import type { CaseLabel } from "../../types.ts";
import { lengthsOf } from "../../verifiers/testdata/tiny_models.ts";
import { randomSource } from "../../../stats/random.ts";
import { lossRows, mixedWithOthers, silentCases, trainingPairs } from "./pairs.ts";

const FRAME = { first: 101, separator: 102, longest: 12 };

const pairsOf = (claim: string, label: CaseLabel, source: string) => {
  const passages = [evidencePassage("made", "1", source)];
  const claimCase = { id: "1", claim, label, passages, cluster: "c", set: "made" } as const;
  return trainingPairs({ ...claimCase, split: "train" }, lengthsOf, FRAME);
};

Deno.test("trainingPairs() show the window nearest to the claim, and number the labels", () => {
  const labels = ["supported", "refuted", "not enough info", "not supported"] as const;
  const pairs = labels.map((label) => pairsOf("It rains.", label, "Rain."));
  assert.deepEqual(pairs.map((own) => own.map(({ label }) => label)), [[0], [1], [2], [3]]);
  const ids = [101, 5, 102, 2, 6, 102];
  assert.deepEqual(pairs[0], [{ id: "1", split: "train", source: "made", label: 0, ids }]);
});

Deno.test("trainingPairs() show a further window for what is not supported", () => {
  // Seven words of the source have room: half of the long sentence, the half that speaks of zinc.
  const source = `${"Zinc ".repeat(40).trim()}. ${"Copper zinc ".repeat(20).trim()}.`;
  const [only, ...none] = pairsOf("Zinc it.", "supported", source);
  assert.deepEqual(only!.ids.slice(0, 8), [101, ...Array(7).fill(4)]);
  assert.deepEqual(none, []);
  const labels = pairsOf("Zinc it.", "refuted", source).map(({ label }) => label);
  assert.deepEqual(labels, [1, 3]);
});

Deno.test("mixedWithOthers() hide a case's evidence among that of other clusters, never among text that names no one", () => {
  const made = (id: string, source: string) => {
    const passages = [evidencePassage("made", id, source)];
    const given = { id, claim: `Claim ${id}.`, label: "supported", passages, cluster: id } as const;
    return { ...given, set: "made", split: "development" } as const;
  };
  const cases = [
    made("1", "Rain fell on Oslo."),
    made("2", "In 1914 it fell."),
    made("3", "A man plays."),
  ];
  const hidden = mixedWithOthers(cases, randomSource("among"));
  assert.deepEqual(hidden.map((one) => one?.id), ["1", "2", "3"].map((id) => `${id}/among others`));
  const texts = hidden.map((one) => one!.passages[0]!.text);
  const holding = (part: string) => texts.map((text) => text.split(part).length - 1);
  assert.equal(holding("A man plays.").join(), "0,0,1");
  assert.deepEqual([holding("Rain fell on Oslo.")[0], holding("In 1914 it fell.")[1]], [1, 1]);
  assert.ok(texts.every((text) => text.split(/\s+/).length >= 60));
  assert.deepEqual(mixedWithOthers(cases, randomSource("among")), hidden);
  assert.deepEqual(mixedWithOthers(cases.slice(0, 1), randomSource("among")), [undefined]);
  const same = cases.map((one) => ({ ...one, claim: "One claim of all." }));
  assert.deepEqual(mixedWithOthers(same, randomSource("among")), [undefined, undefined, undefined]);
});

Deno.test("silentCases() shows a fifth of the claims with others' texts that share a word, none that shares most", () => {
  const made = (id: number, claim: string, source: string) => {
    const passages = [evidencePassage("made", String(id), source)];
    const given = { id: String(id), claim, label: "supported", passages } as const;
    return { ...given, cluster: `c${id}`, set: "made", split: "train" } as const;
  };
  const cases = Array.from({ length: 50 }, (_, id) => {
    const town = `Town${String.fromCharCode(65 + id % 10)}`;
    return made(id, `Zinc comes from ${town} ${id}.`, `In ${town} stands mill ${id}.`);
  });
  const silent = silentCases(cases, randomSource("silent"));
  assert.ok(silent.length > 0 && silent.length <= 10);
  let near = 0;
  for (const { id, label, claim, passages: [source] } of silent) {
    assert.equal(label, "not enough info");
    const own = cases.find((one) => `${one.id}/silent` === id)!;
    assert.equal(own.claim, claim);
    assert.ok(!source!.text.includes(own.passages[0]!.text));
    if (source!.text.includes(claim.split(" ")[3]!)) near++;
  }
  assert.ok(near >= silent.length / 2);
  assert.deepEqual(silentCases(cases, randomSource("silent")), silent);
  // The one text there is has two of three words.
  const text = "A zinc mill stands in Oslo.";
  const alike = cases.map((_, id) => made(id, `Zinc mill ${id}.`, text));
  assert.deepEqual(silentCases(alike, randomSource("silent")), []);
});

Deno.test("lossRows() gives the mean of fifty batches, and development as it came", () => {
  const batches = Array.from({ length: 60 }, (_, i) => (
    { step: i + 1, steps: 60, loss: i < 50 ? i % 2 : 4 }
  ));
  const development = { step: 60, development_loss: 0.12345, development_accuracy: 0.75 };
  const common = { model: "net", steps: 60 };
  assert.deepEqual(lossRows("net", [...batches, development]), [
    { ...common, step: 50, split: "train", loss: 0.5, accuracy: "" },
    { ...common, step: 60, split: "train", loss: 4, accuracy: "" },
    { ...common, step: 60, split: "development", loss: 0.1235, accuracy: 0.75 },
  ]);
});
