import assert from "node:assert/strict";
import { sourcePassage } from "../retrieval/passage.ts";
import type { KnowledgeCase } from "../training/knowledge_case.ts";
import { formatTrainingPairs, trainingPairs } from "./training_pairs.ts";

const FRAME = { first: 101, separator: 102, longest: 12 };
const tokenise = (text: string) => text.split(/\s+/).map(({ length }) => length);

function knowledgeCase(claim: string, label: KnowledgeCase["label"]): KnowledgeCase {
  return {
    ...{ id: `xx/p0/${label}`, claim, label, split: "train", kind: "prose", edit: "number" },
    ...{ form: "sentence", cluster: "Nowhere", set: "made", passages: [sourcePassage("Rain.")] },
  };
}

const CASES = [
  knowledgeCase("It rains.", "supported"),
  knowledgeCase(Array(12).fill("a").join(" "), "refuted"),
  knowledgeCase("It snows.", "not enough info"),
];

Deno.test("trainingPairs() numbers labels and leaves out a claim without room for evidence", () => {
  const pairs = trainingPairs(CASES, { tokenise, frame: FRAME, shown: "evidence and claim" });
  assert.deepEqual(pairs, [
    {
      ...{ id: "xx/p0/supported", split: "train", label: 0 },
      ids: [101, 5, 102, 2, 6, 102],
    },
    {
      ...{ id: "xx/p0/not enough info", split: "train", label: 2 },
      ids: [101, 5, 102, 2, 6, 102],
    },
  ]);
});

Deno.test("trainingPairs() blanks the evidence for the check of claims alone", () => {
  const pairs = trainingPairs(CASES, { tokenise, frame: FRAME, shown: "claim only" });
  assert.deepEqual(pairs.map(({ ids }) => ids), [[101, 102, 2, 6, 102], [101, 102, 2, 6, 102]]);
});

Deno.test("formatTrainingPairs() writes one JSON object a line", () => {
  const pair = { id: "a", split: "test", label: 1, ids: [1, 2] } as const;
  const text = formatTrainingPairs([pair, pair]);
  assert.deepEqual(text.trimEnd().split("\n").map((line) => JSON.parse(line)), [pair, pair]);
});
