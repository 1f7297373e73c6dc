import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { sourcePassage, VERDICT_LABELS, type VerdictLabel } from "../types.ts";
import { LOG_ROW, lossRows, networkResults, trainingPairs } from "./fine_tuning.ts";
import type { KnowledgeCase } from "./knowledge_claims.ts";
import type { JudgedCase } from "./measures.ts";

function judged(label: VerdictLabel, said: VerdictLabel, cluster: string): JudgedCase {
  const probabilities = Object.fromEntries(
    VERDICT_LABELS.map((one) => [one, one === said ? 0.8 : 0.1]),
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

function figures(cases: readonly JudgedCase[], reading: "three-way" | "binary") {
  const rows = networkResults({ model: "net", set: "made", reading }, cases, randomSource("test"));
  return new Map(rows.map((row) => [row.metric, row]));
}

Deno.test("networkResults() gives what was worked out by hand for three labels and two", () => {
  const found = figures(CASES, "three-way");
  // Three of four at confidence 0.8: |0.75 − 0.8|. Brier: (3 · 0.06 + 1.46) / 4.
  assert.deepEqual([...found].map(([metric, { estimate }]) => [metric, estimate]), [
    ["accuracy", 0.75],
    ["balanced accuracy", 0.8333],
    ["precision", 1],
    ["recall", 0.5],
    ["calibration error", 0.05],
    ["Brier score", 0.41],
  ]);
  assert.deepEqual([found.get("recall")?.n, found.get("recall")?.clusters], [8, 2]);
  const { estimate, low, high } = figures(CASES, "binary").get("balanced accuracy")!;
  assert.deepEqual([estimate, low, high], [0.75, 0.75, 0.75]);
});

Deno.test("networkResults() says why a figure cannot be had, and counts unscored claims", () => {
  const never = [judged("supported", "refuted", "a"), judged("refuted", "refuted", "b")];
  const unread = { label: "refuted", cluster: "c", probabilities: undefined } as const;
  const rows = figures([...never, unread], "binary");
  assert.equal(rows.get("precision")?.estimate, "");
  assert.notEqual(rows.get("precision")?.note, "");
  assert.match(rows.get("accuracy")!.note, /1 claims too long/);
});

Deno.test("lossRows() tells batches of training from looks at development claims", () => {
  const log = [
    { step: 0, development_loss: 1.0986123, development_accuracy: 0.33333 },
    { step: 1, steps: 300, loss: 1.1 },
  ];
  assert.deepEqual(lossRows("net", 300, log.map((row) => LOG_ROW.parse(row))), [
    { model: "net", step: 0, steps: 300, split: "development", loss: 1.0986, accuracy: 0.3333 },
    { model: "net", step: 1, steps: 300, split: "train", loss: 1.1, accuracy: "" },
  ]);
});

const FRAME = { first: 101, separator: 102, longest: 12 };
const tokenise = (text: string) => text.split(/\s+/).map(({ length }) => length);

function knowledgeCase(claim: string, label: KnowledgeCase["label"]): KnowledgeCase {
  const how = { split: "train", kind: "prose", edit: "number", form: "sentence" } as const;
  const of = { cluster: "Nowhere", set: "made", passages: [sourcePassage("Rain.")] };
  return { id: `xx/p0/${label}`, claim, label, ...how, ...of };
}

const KNOWLEDGE_CASES = [
  knowledgeCase("It rains.", "supported"),
  knowledgeCase(Array(12).fill("a").join(" "), "refuted"),
  knowledgeCase("It snows.", "not enough info"),
];

Deno.test("trainingPairs() numbers labels and leaves out a claim without room for evidence", () => {
  const asked = { tokenise, frame: FRAME, shown: "evidence and claim" } as const;
  const pairs = trainingPairs(KNOWLEDGE_CASES, asked);
  assert.deepEqual(pairs, [
    { id: "xx/p0/supported", split: "train", label: 0, ids: [101, 5, 102, 2, 6, 102] },
    { id: "xx/p0/not enough info", split: "train", label: 2, ids: [101, 5, 102, 2, 6, 102] },
  ]);
});
