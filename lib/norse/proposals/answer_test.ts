import assert from "node:assert/strict";
import fc from "fast-check";
import { parseAnswer } from "./answer.ts";

const FEATURE = "Feature: old-norse-minimal-pairs";
const PROPOSAL = { kind: "proposal", target: "honum", replacement: "hann", reason: "dative" };
const OBJECT = '{"target": "honum", "replacement": "hann", "reason": "dative"}';

Deno.test("parseAnswer() reads the object however it is wrapped", () => {
  const wrapped = [
    OBJECT,
    `\`\`\`json\n${OBJECT}\n\`\`\``,
    `Here is the item:\n\n${OBJECT}\n\nI hope it helps.`,
    "{'target': 'honum', 'replacement': 'hann', 'reason': 'dative',}",
    "{target: “honum”, replacement: “hann”, reason: “dative”}",
    '{"target": "honum", "replacement": "hann", "reason": "dative"',
    '{"target": "honum,", "replacement": "**hann**", "reason": " dative "}',
    `[${OBJECT}]`,
    `{"proposal": ${OBJECT}}`,
    `<think>{"target": "mik", "replacement": "ek"} or none?</think>${OBJECT}`,
    `Perhaps {"target": "mik", "replacement": "ek", "reason": "x"}? No:\n${OBJECT}`,
    `none of the others; ${OBJECT}`,
    `none, or perhaps ${OBJECT}`,
    `${OBJECT}\n\nOther candidates:\nnone`,
    `${OBJECT}\n**Others:**\nNone.`,
  ];
  for (const text of wrapped) assert.deepEqual(parseAnswer(text), PROPOSAL, text);
});

Deno.test("parseAnswer() composes letters, so that ǫ is one letter however it was sent", () => {
  const sent = JSON.stringify({ target: "sǫgu".normalize("NFD"), replacement: "sagu" });
  const answer = parseAnswer(sent);
  assert.equal(answer.kind === "proposal" && answer.target, "sǫgu".normalize("NFC"));
});

Deno.test("parseAnswer() tells none from silence and from prose", () => {
  const nones = [
    "none",
    "None.",
    "**none**",
    '"none"',
    "```\nnone\n```",
    "The verb is personal here.\n\nnone",
    '{"target": null, "replacement": null, "reason": "no subject"}',
    '{"target": "none", "replacement": ""}',
    `${OBJECT}\n\nBut that is an object.\nnone`,
    "None.\n\n(tjóa takes a dative, but þér stands more than once.)",
    "None. (tjóa takes a dative, but þér stands more than once.)",
    "none — Góðr vinr is a form of address.",
    "none\n\nhallkvæmask exists in -sk only.",
    "none (rœða við fits as well)",
    "none: no quirky subject",
    "Answer: none",
    "**Final answer:** none",
    "The subject is nominative.\nThe answer is none.",
    '{"answer": "none"}',
    '{"target": "honum", "replacement": "none", "reason": "an object"}',
    '{"target": "honum", "replacement": null}',
    '```json\n{"target": "honum", "replacement": null}\n```',
    "Candidates:\nnone",
  ];
  for (const text of nones) assert.deepEqual(parseAnswer(text), { kind: "none" }, text);
  for (
    const text of [
      "",
      "{}",
      "honum > hann",
      "none of them counts",
      "nonetheless, þér",
      "{ target",
      '{"a": 1}',
    ]
  ) {
    assert.equal(parseAnswer(text).kind, "unparsable", text);
  }
  assert.deepEqual(parseAnswer(" \n"), { kind: "unparsable", detail: "the answer is empty" });
});

Deno.test(`${FEATURE}, whatever a model answers: parseAnswer() never throws and quotes one short line`, () => {
  const mangled = fc.tuple(fc.nat(OBJECT.length), fc.nat(OBJECT.length), fc.string()).map(
    ([from, to, inserted]) => OBJECT.slice(0, from) + inserted + OBJECT.slice(to),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json(), mangled), (text) => {
      const answer = parseAnswer(text);
      if (answer.kind === "unparsable") {
        assert.ok([...answer.detail].length <= 80 && !answer.detail.includes("\n"));
      }
      if (answer.kind === "proposal") {
        assert.equal(answer.target, answer.target.replace(/^\P{L}+(?=\p{L})/u, ""));
      }
    }),
    { numRuns: 500 },
  );
});
