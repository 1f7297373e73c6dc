import assert from "node:assert/strict";
import fc from "fast-check";
import type { StructuredModel, StructuredReply } from "../../models/model.ts";
import { promptTemplates } from "../judges/prompts.ts";
import { languageModelSplitter, proposedClaims } from "./model_splitter.ts";

const PROMPT = promptTemplates(
  `templates:
  - name: splitting
    description: Takes a text apart.
    answer: claims
    text: "{{candidate}} {{answer_format}}"`,
  "test.yaml",
).template("splitting");

const TEXT = "Ada Byron was born in London in 1815. She did not like rhyme, but wrote 3 notes. " +
  "She may have met the king.";

function answering(reply: StructuredReply): StructuredModel {
  return { name: "stub", settings: { seed: 1 }, concurrency: 1, ask: () => Promise.resolve(reply) };
}

async function split(text: string, statements: readonly string[]) {
  const answer = JSON.stringify({ claims: statements });
  const model = answering({ kind: "answer", text: answer, ended: "complete" });
  return await languageModelSplitter(model, PROMPT).split(text);
}

Deno.test("languageModelSplitter() keeps what its sentence says, with the place of its words", async () => {
  const statements = ["Ada Byron wrote 3 notes.", "Ada Byron was born in 1815."];
  const { claims, dropped } = await split(TEXT, statements);
  assert.deepEqual(dropped, []);
  const actual = claims.map(({ id, text, kind, spans }) => {
    const words = spans.map(({ start, end }) => TEXT.slice(start, end));
    return [id, text, kind, words.join("|")];
  });
  assert.deepEqual(actual, [
    ["c1", "Ada Byron was born in 1815.", "temporal", "Ada Byron|born|1815"],
    ["c2", "Ada Byron wrote 3 notes.", "numerical", "wrote 3 notes"],
  ]);
  const resolved = { kind: "pronoun resolved", pronoun: "She", to: "Ada Byron" };
  assert.deepEqual(claims[1]!.notes, [resolved]);
  const hedged = await split(TEXT, ["Ada Byron met the king.", "Ada Byron may have met the king."]);
  assert.deepEqual(hedged.claims.map(({ text, notCheckable }) => [text, notCheckable]), [
    ["Ada Byron may have met the king.", undefined],
  ]);
  assert.match(hedged.dropped[0]!.reason, /leaves out .*“may have met”/);
});

Deno.test("languageModelSplitter() drops a claim that adds something, or leaves out a negation", async () => {
  const lacking: readonly (readonly [string, RegExp])[] = [
    ["Ada Byron was born in 1816.", /“1816”/],
    ["Ada Byron was born in Paris.", /“Paris”/],
    ["Ada Byron was a mathematician.", /“mathematician”/],
    ["Ada Byron was not born in London.", /denies/],
    ["It is.", /no content words/],
  ];
  for (const [statement, reason] of lacking) {
    const { claims, dropped } = await split(TEXT, [statement]);
    assert.deepEqual(claims, [], statement);
    assert.match(dropped[0]!.reason, reason);
  }
  const { dropped } = await split("Ada did not like rhyme.", ["Ada liked rhyme."]);
  assert.match(dropped[0]!.reason, /leaves out a negation/);
});

Deno.test("languageModelSplitter() reads a cell with its row and column, and no other's", async () => {
  const table = "| Model | Storage | Price |\n|--|--|--|\n| Lumo One | 64 GB | 99 euros |";
  const statements = ["The Lumo One has a storage of 64 GB.", "The Lumo One has a price of 64 GB."];
  const answer = JSON.stringify({ claims: statements });
  const model = answering({ kind: "answer", text: answer, ended: "complete" });
  const { claims, dropped } = await languageModelSplitter(model, PROMPT).split(table);
  assert.deepEqual(claims.map(({ text }) => text), [statements[0]]);
  assert.match(dropped[0]!.reason, /does not say “price”/);
});

Deno.test("Requirements 9.1-9.2: languageModelSplitter() says where a model did not write all claims", async () => {
  const [one, many] = [["Ada Byron was born in 1815."], Array(40).fill("Ada Byron wrote 3 notes.")];
  const text = (claims: readonly string[]) => JSON.stringify({ claims });
  const replies: readonly (readonly [StructuredReply, boolean | undefined])[] = [
    [{ kind: "answer", text: text(one), ended: "complete" }, undefined],
    [{ kind: "answer", text: text(one).slice(0, -1), ended: "length" }, false],
    [{ kind: "answer", text: text(many), ended: "complete" }, false],
    [{ kind: "failure", message: "no whole answer", partialText: text(one).slice(0, -1) }, true],
  ];
  for (const [reply, mayPass] of replies) {
    const { claims, cut } = await languageModelSplitter(answering(reply), PROMPT).split(TEXT);
    assert.equal(claims.length, 1);
    assert.equal(cut?.isTransient, mayPass);
  }
});

Deno.test("Requirement 9.1: every proposed claim is kept or dropped with its reason", async () => {
  const word = fc.constantFrom(
    ..."Ada Byron was not born in London 1815 1816 king Paris met ?".split(" "),
  );
  const statement = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
  await fc.assert(fc.asyncProperty(fc.array(statement, { maxLength: 6 }), async (statements) => {
    const { claims, dropped } = await split(TEXT, statements);
    assert.equal(claims.length + dropped.length, statements.length);
    for (const { spans, sentence } of claims) {
      let cursor = sentence.start;
      for (const { start, end } of spans) {
        assert.ok(start >= cursor && end > start && end <= sentence.end);
        cursor = end;
      }
    }
  }));
});

const ANSWERS: readonly (readonly [string, string, readonly string[] | undefined])[] = [
  ["an object", '{"claims": ["A sang.", "B  danced."]}', ["A sang.", "B danced."]],
  ["prose around it", 'Sure!\n```json\n{"facts": ["A sang."]}\n```', ["A sang."]],
  ["a bare list", '["A sang.", "B danced."]', ["A sang.", "B danced."]],
  ["objects within the list", '{"claims": [{"text": "A sang."}]}', ["A sang."]],
  ["a list cut off", 'Here: {"claims": ["A sang.", "B dan', ["A sang."]],
  ["an empty list", '{"claims": []}', []],
  ["prose alone", "A sang.", undefined],
];

Deno.test("Requirement 9.1: proposedClaims() reads objects, bare lists, lists cut off, and no prose", () => {
  for (const [what, answer, expected] of ANSWERS) {
    assert.deepEqual(proposedClaims(answer), expected, what);
  }
});
