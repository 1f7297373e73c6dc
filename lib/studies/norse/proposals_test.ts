import assert from "node:assert/strict";
import fc from "fast-check";
import { attestedSentences } from "../../pairs/certify.ts";
import { findCandidates, type NorsePair, openRuleBook } from "./selection.ts";
import { PROPOSER, type Sentence, SENTENCES, type Source } from "./dataset.ts";
import {
  generate,
  parseAnswer,
  type ProposalRecord,
  readPromptTemplates,
  verifyProposal,
} from "./proposals.ts";
import { PHENOMENA, type Phenomenon } from "./rules.ts";
import { MODEL, recordOf, trueAnswer } from "./testdata/proposing_model.ts";
import { sentencesOf } from "./testdata/sentence.ts";

const FEATURE = "Feature: old-norse-minimal-pairs";
const saga = SENTENCES.read();
const templates = readPromptTemplates();

/** Returns the verdict on `target>replacement`, or on a verbatim answer, in a corpus. */
function judge(source: string, phenomenon: Phenomenon, said: string, more: readonly string[] = []) {
  const [sentence, ...others] = sentencesOf(source, ...more);
  const [target, replacement] = said.split(">");
  const text = replacement === undefined ? said : JSON.stringify({ target, replacement });
  const rules = openRuleBook([sentence!, ...others]);
  return verifyProposal(recordOf(sentence!, phenomenon, text), sentence!, rules);
}

const reasonOf = (...args: Parameters<typeof judge>) => {
  const verdict = judge(...args);
  return verdict.kind === "rejected" ? verdict.rejection.reason : "confirmed";
};

Deno.test("prompts: examples are none of the saga's, two items and a none each, in the form asked for", () => {
  const known = attestedSentences(saga.map((s) => s.normalised));
  for (const phenomenon of PHENOMENA) {
    const { text } = templates[phenomenon];
    const shown = [...text.matchAll(/^Sentence: (?!\{sentence\})(.+)\n(.+)$/gmu)];
    assert.equal(shown.length, 3, phenomenon);
    assert.equal(shown.filter(([, , answer]) => answer === "none").length, 1, phenomenon);
    for (const [, sentence = "", answer = ""] of shown) {
      assert.ok(!known.has(sentence), sentence);
      const reason = reasonOf(sentence, phenomenon, answer);
      assert.doesNotMatch(reason, /target_|replacement_|unparsable|nothing_changed|other_f/u);
      if (phenomenon === "MIDDLE_VOICE") assert.match(reason, /confirmed|nothing_proposed/u);
    }
  }
});

const PROPOSAL = { kind: "proposal", target: "honum", replacement: "hann" };
const OBJECT = '{"target": "honum", "replacement": "hann", "reason": "dative"}';

Deno.test("parseAnswer() reads the object however it is wrapped", () => {
  const wrapped = [
    OBJECT,
    `\`\`\`json\n${OBJECT}\n\`\`\``,
    "{'target': 'honum', 'replacement': 'hann', 'reason': 'dative',}",
    "{target: “honum”, replacement: “hann”, reason: “dative”}",
    '{"target": "honum", "replacement": "hann", "reason": "dative"',
    '{"target": "honum,", "replacement": "**hann**", "reason": " dative "}',
    `{"proposal": ${OBJECT}}`,
    `<think>{"target": "mik", "replacement": "ek"} or none?</think>${OBJECT}`,
    `Perhaps {"target": "mik", "replacement": "ek", "reason": "x"}? No:\n${OBJECT}`,
    `none, or perhaps ${OBJECT}`,
    `${OBJECT}\n**Others:**\nNone.`,
  ];
  for (const text of wrapped) assert.deepEqual(parseAnswer(text), PROPOSAL, text);
  // Letters are composed, so that ǫ is one letter however it was sent.
  const answer = parseAnswer(JSON.stringify({ target: "sǫgu".normalize("NFD"), replacement: "x" }));
  assert.equal(answer.kind === "proposal" && answer.target, "sǫgu".normalize("NFC"));
});

Deno.test("parseAnswer() tells none from silence and from prose", () => {
  const nones = [
    "None.",
    "```\nnone\n```",
    "The verb is personal here.\n\nnone",
    '{"target": null, "replacement": null, "reason": "no subject"}',
    '{"target": "none", "replacement": ""}',
    `${OBJECT}\n\nBut that is an object.\nnone`,
    "None. (tjóa takes a dative, but þér stands more than once.)",
    "none\n\nhallkvæmask exists in -sk only.",
    "**Final answer:** none",
    '{"answer": "none"}',
    '{"target": "honum", "replacement": null}',
    "Candidates:\nnone",
  ];
  for (const text of nones) assert.deepEqual(parseAnswer(text), { kind: "none" }, text);
  const prose = ["{}", "honum > hann", "none of them counts", "nonetheless, þér", "{ target"];
  for (const text of prose) assert.equal(parseAnswer(text).kind, "unparsable", text);
  assert.deepEqual(parseAnswer(" \n"), { kind: "unparsable", detail: "the answer is empty" });
});

Deno.test("verifyProposal() confirms what the rules would certify, under the model's name", () => {
  const verdict = judge("Henni þótti þetta mikit.", "QUIRKY_CASE", "henni>hún");
  assert.ok(verdict.kind === "confirmed");
  const { pair, certificate } = verdict.certified;
  assert.equal(pair.ungrammatical, "Hún þótti þetta mikit.");
  assert.deepEqual([certificate.proposedBy, certificate.promptSha256], [MODEL, "5".repeat(64)]);
  const [first] = findCandidates(sentencesOf("Henni þótti þetta mikit.")).certified;
  const plain = { ...certificate, proposedBy: "rules", promptSha256: "" };
  assert.deepEqual(plain, first?.certificate, "all else is what the rules' own certificate says");
});

Deno.test("verifyProposal() says of every refusal why", () => {
  const þótti = "Henni þótti þetta mikit.";
  const cases: readonly (readonly [string, Phenomenon, string, string])[] = [
    [þótti, "QUIRKY_CASE", "none", "nothing_proposed"],
    [þótti, "QUIRKY_CASE", "Henni becomes Hún", "unparsable_answer"],
    [þótti, "QUIRKY_CASE", "Henni þótti>Hún þótti", "target_not_in_sentence"],
    [þótti, "QUIRKY_CASE", "Henni>Hún sjálf", "replacement_not_one_word"],
    [þótti, "QUIRKY_CASE", "Henni>henni", "nothing_changed"],
    [þótti, "QUIRKY_CASE", "Henni>Hann", "other_form_expected"],
    [þótti, "QUIRKY_CASE", "þetta>þessi", "unknown_to_the_tables"],
    ["Ambáttin hefir svǫr fyrir þeim.", "QUIRKY_CASE", "þeim>þeir", "not_its_frame"],
    ["Hann tók þar marga dýrgripi.", "ADJECTIVE", "marga>mǫrgu", "unknown_to_the_tables"],
    ["Henni þótti henni líkt.", "QUIRKY_CASE", "henni>hún", "target_ambiguous"],
    // The nominative plural þér is the dative singular too.
    ["Yðr þótti þetta mikit.", "QUIRKY_CASE", "Yðr>Þér", "syncretic_with_nominative"],
    ["Þar fell gǫfugr maðr.", "UMLAUT", "gǫfugr>gafugr", "no_alternation_with_a"],
  ];
  const verdicts = cases.map(([source, phenomenon, said]) => [
    ...[source, phenomenon, said],
    reasonOf(source, phenomenon, said),
  ]);
  assert.deepEqual(verdicts, cases);
  const elsewhere = ["Hún þótti þetta mikit."];
  const same = reasonOf(þótti, "QUIRKY_CASE", "Henni>Hún", elsewhere);
  assert.equal(same, "variant_attested_in_context");
});

const beginning = saga.slice(0, 200);
const rules = openRuleBook(beginning);
const ofRules = findCandidates(beginning, rules);

/** Arbitrary answers: noise, JSON of any shape, the sentence's words, corrupted true answers. */
function answersTo(sentence: Sentence, phenomenon: Phenomenon): fc.Arbitrary<string> {
  const truth = trueAnswer(sentence, phenomenon, rules);
  const words = [...sentence.normalised.matchAll(/\p{L}+/gu)].map(([word]) => word);
  const word = fc.oneof(fc.constantFrom(...words), fc.string());
  const mangled = fc.tuple(fc.nat(truth.length), fc.nat(truth.length), fc.string({ maxLength: 4 }))
    .map(([from, to, put]) => truth.slice(0, from) + put + truth.slice(to));
  const proposal = fc.record({ target: word, replacement: word, reason: fc.string() })
    .map((value) => JSON.stringify(value));
  return fc.oneof(fc.constant(truth), mangled, proposal, fc.json(), fc.string({ unit: "binary" }));
}

Deno.test(`${FEATURE}, proposals: nothing is confirmed that the rules would not certify, whatever is said`, () => {
  const question = fc.tuple(fc.constantFrom(...beginning), fc.constantFrom(...PHENOMENA))
    .chain(([sentence, phenomenon]) =>
      fc.tuple(fc.constant(sentence), fc.constant(phenomenon), answersTo(sentence, phenomenon))
    );
  const known = new Set(ofRules.certified.map(({ certificate }) => certificate.sha256));
  let confirmed = 0;
  fc.assert(
    fc.property(question, ([sentence, phenomenon, text]) => {
      const verdict = verifyProposal(recordOf(sentence, phenomenon, text), sentence, rules);
      if (verdict.kind === "rejected") {
        assert.match(verdict.rejection.reason, /^[a-z_]+$/);
        assert.ok(!/[\n\r]/.test(verdict.rejection.candidate + verdict.rejection.detail));
      } else {
        confirmed += 1;
        assert.ok(known.has(verdict.certified.certificate.sha256));
      }
    }),
    { numRuns: 1000, seed: 20261122 },
  );
  assert.ok(confirmed > 20, `the property is idle: ${confirmed} confirmed`);
});

/** Returns a record of the proposer with the current templates. */
const record = (sentence: Sentence, phenomenon: Phenomenon, text: string, model = PROPOSER) =>
  recordOf(sentence, phenomenon, text, model, templates[phenomenon].sha256);

/** Returns a perfect proposer's answers to these sentences. */
const perfect = (sentences: readonly Sentence[]) =>
  sentences.flatMap((sentence) =>
    PHENOMENA.map((name) => record(sentence, name, trueAnswer(sentence, name, rules)))
  );

function generated(source: Source, records: readonly ProposalRecord[], answers = records.length) {
  const settings = { source, seed: 1, answers, proposer: source === "rules" ? null : PROPOSER };
  return generate({ sentences: beginning, records, templates, settings, rules });
}

const proposedBy = (pairs: readonly NorsePair[]) =>
  new Set(pairs.map(({ certificate }) => certificate.proposedBy));

Deno.test("generate() takes a source's pairs: the rules', a model's, or both under their names", () => {
  const records = perfect(beginning.slice(0, 30));
  const byRules = generated("rules", records);
  assert.deepEqual(byRules.candidates, ofRules);
  assert.equal(byRules.verdicts.length, records.length, "those on record are judged all the same");
  const [spoilt, ...others] = records.filter(({ text }) => text !== "none");
  const wrong = { ...spoilt!, text: '{"target": "no-such-word", "replacement": "x"}' };
  const llm = generated("llm", [wrong, ...others]).candidates;
  assert.deepEqual(proposedBy(llm.certified), new Set([PROPOSER]));
  assert.equal(llm.certified.length + llm.rejections.length, others.length + 1);
  assert.ok(llm.certified.length > others.length / 2);
  assert.ok(llm.rejections.some(({ reason }) => reason === "target_not_in_sentence"));
  assert.ok(llm.rejections.every(({ detail }) => detail.startsWith(PROPOSER)));
  const both = generated("both", records).candidates;
  assert.equal(both.certified.length, ofRules.certified.length);
  assert.deepEqual(proposedBy(both.certified), new Set(["rules", PROPOSER]));
});

Deno.test("generate() rests on the first answers that its settings count, and on current ones alone", () => {
  const records = perfect(beginning.slice(0, 30));
  const some = records.slice(0, 60);
  assert.deepEqual(generated("llm", records, 60).dataset, generated("llm", some).dataset);
  assert.equal(generated("llm", records, 60).verdicts.length, records.length);
  const sentence = beginning[3]!;
  const none = record(sentence, "UMLAUT", "none");
  const old = { ...none, promptSha256: "0".repeat(64) };
  const unknown = { ...none, sentenceId: "VS_99_001" };
  const other = record(sentence, "UMLAUT", "none", "another/model");
  const { candidates, verdicts } = generated("llm", [old, other, unknown, none]);
  assert.equal(verdicts.length, 1);
  assert.deepEqual(candidates, { certified: [], rejections: [] }, "none is no refusal");
});
