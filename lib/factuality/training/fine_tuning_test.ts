import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { sourcePassage, VERDICT_LABELS, type VerdictLabel } from "../types.ts";
import { LOG_ROW, lossRows, networkResults, trainingPairs } from "./fine_tuning.ts";
import type { KnowledgeCase } from "./knowledge_claims.ts";
import type { JudgedCase } from "./measures.ts";

const SURE = 0.8;

function judged(label: VerdictLabel, said: VerdictLabel, cluster: string): JudgedCase {
  const probabilities = Object.fromEntries(
    VERDICT_LABELS.map((one) => [one, one === said ? SURE : 0.1]),
  ) as Record<VerdictLabel, number>;
  return { label, cluster, probabilities };
}

/** Of two supported claims one is found; the refuted one and the one without info are told apart. */
const CASES: readonly JudgedCase[] = ["a", "b"].flatMap((cluster) => [
  judged("supported", "supported", cluster),
  judged("supported", "refuted", cluster),
  judged("refuted", "refuted", cluster),
  judged("not enough info", "not enough info", cluster),
]);

const NAMES = { model: "net", set: "made", reading: "three-way" } as const;

function figures(cases: readonly JudgedCase[], reading: "three-way" | "binary") {
  const rows = networkResults({ ...NAMES, reading }, cases, randomSource("test"));
  return new Map(rows.map((row) => [row.metric, row]));
}

Deno.test("networkResults() gives what was worked out by hand for three labels", () => {
  const found = figures(CASES, "three-way");
  assert.equal(found.get("accuracy")?.estimate, 0.75);
  assert.equal(found.get("balanced accuracy")?.estimate, 0.8333);
  assert.equal(found.get("precision")?.estimate, 1);
  assert.equal(found.get("recall")?.estimate, 0.5);
  // Three of four at confidence 0.8: |0.75 − 0.8|.
  assert.equal(found.get("calibration error")?.estimate, 0.05);
  // (3 · 0.06 + 1.46) / 4.
  assert.equal(found.get("Brier score")?.estimate, 0.41);
  assert.deepEqual([found.get("recall")?.n, found.get("recall")?.clusters], [8, 2]);
});

Deno.test("networkResults() reads two labels at P(supported) 0.5, and gives intervals", () => {
  const row = figures(CASES, "binary").get("balanced accuracy");
  assert.equal(row?.estimate, 0.75);
  assert.deepEqual([row?.low, row?.high], [0.75, 0.75]);
});

Deno.test("networkResults() says why a figure cannot be had, and counts unscored claims", () => {
  const never = [judged("supported", "refuted", "a"), judged("refuted", "refuted", "b")];
  const unread = { label: "refuted", cluster: "c", probabilities: undefined } as const;
  const rows = figures([...never, unread], "binary");
  assert.equal(rows.get("precision")?.estimate, "");
  assert.notEqual(rows.get("precision")?.note, "");
  assert.match(rows.get("accuracy")!.note, /1 claims too long/);
});

const LOG = [
  { step: 0, development_loss: 1.0986123, development_accuracy: 0.33333 },
  { step: 1, steps: 300, loss: 1.1 },
];

Deno.test("lossRows() tells batches of training from looks at development claims", () => {
  assert.deepEqual(lossRows("net", 300, LOG.map((row) => LOG_ROW.parse(row))), [
    { model: "net", step: 0, steps: 300, split: "development", loss: 1.0986, accuracy: 0.3333 },
    { model: "net", step: 1, steps: 300, split: "train", loss: 1.1, accuracy: "" },
  ]);
});

const FRAME = { first: 101, separator: 102, longest: 12 };
const tokenise = (text: string) => text.split(/\s+/).map(({ length }) => length);

function knowledgeCase(claim: string, label: KnowledgeCase["label"]): KnowledgeCase {
  return {
    id: `xx/p0/${label}`,
    claim,
    label,
    split: "train",
    kind: "prose",
    edit: "number",
    form: "sentence",
    cluster: "Nowhere",
    set: "made",
    passages: [sourcePassage("Rain.")],
  };
}

const KNOWLEDGE_CASES = [
  knowledgeCase("It rains.", "supported"),
  knowledgeCase(Array(12).fill("a").join(" "), "refuted"),
  knowledgeCase("It snows.", "not enough info"),
];

Deno.test("trainingPairs() numbers labels and leaves out a claim without room for evidence", () => {
  const pairs = trainingPairs(KNOWLEDGE_CASES, {
    tokenise,
    frame: FRAME,
    shown: "evidence and claim",
  });
  assert.deepEqual(pairs, [
    { id: "xx/p0/supported", split: "train", label: 0, ids: [101, 5, 102, 2, 6, 102] },
    { id: "xx/p0/not enough info", split: "train", label: 2, ids: [101, 5, 102, 2, 6, 102] },
  ]);
});
