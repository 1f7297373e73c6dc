import assert from "node:assert/strict";
import { attestedSentences } from "../../pairs/certify.ts";
import { readSentences } from "../acquisition.ts";
import { PHENOMENA, type Phenomenon } from "../candidate.ts";
import { NORSE_PATHS } from "../paths.ts";
import { openRuleBook } from "../rule_book.ts";
import type { Sentence } from "../sentence.ts";
import { formatPrompt, parsePromptTemplate, readPromptTemplates } from "./prompts.ts";
import { verifyProposal } from "./verify.ts";

const templates = readPromptTemplates();

/** The worked examples of a template: sentence and answer. */
function examples(text: string): readonly (readonly [sentence: string, answer: string])[] {
  return [...text.matchAll(/^Sentence: (?!\{sentence\})(.+)\n(.+)$/gmu)]
    .map(([, sentence = "", answer = ""]) => [sentence, answer] as const);
}

const made = (normalised: string): Sentence => ({
  ...{ id: "VS_99_001", chapter: 99, position: 1, source: normalised, normalised },
});

Deno.test("prompts: no example is a sentence of the saga, and each holds two items and a none", () => {
  const saga = attestedSentences(readSentences(NORSE_PATHS.sentences).map((s) => s.normalised));
  for (const phenomenon of PHENOMENA) {
    const shown = examples(templates[phenomenon].text);
    assert.equal(shown.length, 3, phenomenon);
    assert.equal(shown.filter(([, answer]) => answer === "none").length, 1, phenomenon);
    for (const [sentence] of shown) assert.ok(!saga.has(sentence), sentence);
  }
});

/** What the rules make of an example, as if a model had answered so. */
function judgeExample(phenomenon: Phenomenon, text: string, answer: string) {
  const sentence = made(text);
  const record = {
    ...{ model: "m", promptSha256: templates[phenomenon].sha256, sentenceId: sentence.id },
    ...{ phenomenon, text: answer, promptTokens: 1, replyTokens: 1, settings: {} },
  };
  const rules = openRuleBook([sentence]);
  const verdict = verifyProposal({ ...record, kind: "answer" }, sentence, rules);
  if (verdict.kind === "rejected") return verdict.rejection.reason;
  return [verdict.kind, ...verdict.certified.certificate.marks].join(" ");
}

Deno.test("prompts: no example is refused for its form", () => {
  const formal = /target_|replacement_|unparsable|nothing_changed|other_f|another_f/u;
  for (const phenomenon of PHENOMENA) {
    for (const [text, answer] of examples(templates[phenomenon].text)) {
      assert.doesNotMatch(judgeExample(phenomenon, text, answer), formal, text);
    }
  }
});

Deno.test("prompts: no example of the middle voice has an active that could have an object", () => {
  const shown = examples(templates.MIDDLE_VOICE.text);
  assert.deepEqual(
    shown.map(([text, answer]) => judgeExample("MIDDLE_VOICE", text, answer)),
    ["confirmed", "confirmed", "nothing_proposed"],
  );
  const wrong = '{"target": "fundusk", "replacement": "fundu"}';
  assert.equal(
    judgeExample("MIDDLE_VOICE", "Skip þeira fundusk við eyna.", wrong),
    "confirmed object_possible",
    "skip is nominative and accusative: 'they found their ships'",
  );
});

Deno.test("formatPrompt() puts the sentence in its place, dollar signs and all", () => {
  const template = parsePromptTemplate("Ask: {sentence}!", "x.md");
  assert.equal(formatPrompt(template, made("Kostar $& ok $1.")), "Ask: Kostar $& ok $1.!");
});

Deno.test("parsePromptTemplate() refuses a template without its place, or with another", () => {
  for (const text of ["no place", "{sentence} {sentence}", "{sentence} {word}"]) {
    assert.throws(() => parsePromptTemplate(text, "x.md"), /Cannot read prompt x\.md/);
  }
});
