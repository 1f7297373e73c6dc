import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../files/testdata/folder.ts";
import { attestedSentences } from "../pairs/certify.ts";
import { findCandidates, openRuleBook } from "./candidates.ts";
import { type Sentence, SENTENCES } from "./dataset_tables.ts";
import { formatPrompt, parseAnswer, readPromptTemplates, verifyProposal } from "./proposals.ts";
import { PHENOMENA, type Phenomenon } from "./rules.ts";
import { MODEL, recordOf, trueAnswer } from "./testdata/proposing_model.ts";
import { sentenceOf, sentencesOf } from "./testdata/sentence.ts";

const templates = readPromptTemplates();

/** The worked examples of a template: sentence and answer. */
function examples(text: string): readonly (readonly [sentence: string, answer: string])[] {
  return [...text.matchAll(/^Sentence: (?!\{sentence\})(.+)\n(.+)$/gmu)]
    .map(([, sentence = "", answer = ""]) => [sentence, answer] as const);
}

Deno.test("prompts: no example is a sentence of the saga, and each holds two items and a none", () => {
  const saga = attestedSentences(SENTENCES.read().map((s) => s.normalised));
  for (const phenomenon of PHENOMENA) {
    const shown = examples(templates[phenomenon].text);
    assert.equal(shown.length, 3, phenomenon);
    assert.equal(shown.filter(([, answer]) => answer === "none").length, 1, phenomenon);
    for (const [sentence] of shown) assert.ok(!saga.has(sentence), sentence);
  }
});

/** What the rules make of an example, as if a model had answered so. */
function judgeExample(phenomenon: Phenomenon, text: string, answer: string) {
  const sentence = sentenceOf(text);
  const rules = openRuleBook([sentence]);
  const verdict = verifyProposal(recordOf(sentence, phenomenon, answer), sentence, rules);
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
  const prompt = formatPrompt(templates, {
    phenomenon: "UMLAUT",
    sentence: sentenceOf("Kostar $& ok $1."),
  });
  assert.ok(prompt.includes("Kostar $& ok $1.") && !prompt.includes("{sentence}"));
});

Deno.test("readPromptTemplates() refuses a template without its place, or with another", () => {
  for (const text of ["no place", "{sentence} {sentence}", "{sentence} {word}"]) {
    inFolder((folder) => {
      for (const name of ["quirky_case", "adjective", "umlaut", "middle_voice"]) {
        Deno.writeTextFileSync(join(folder, `${name}.md`), text);
      }
      assert.throws(() => readPromptTemplates(folder), /Cannot read prompt .*quirky_case\.md/);
    });
  }
});

const FEATURE = "Feature: old-norse-minimal-pairs";
const PROPOSAL = { kind: "proposal", target: "honum", replacement: "hann" };
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

const HASH = "5".repeat(64);

/** The verdict on `target>replacement`, or on an answer as it is, about a sentence alone. */
function judge(source: string, phenomenon: Phenomenon, said: string, more: readonly string[] = []) {
  const [sentence, ...others] = sentencesOf(source, ...more);
  assert.ok(sentence);
  const [target, replacement] = said.split(">");
  const text = replacement === undefined ? said : JSON.stringify({ target, replacement });
  const rules = openRuleBook([sentence, ...others]);
  return verifyProposal(recordOf(sentence, phenomenon, text), sentence, rules);
}

const reasonOf = (...args: Parameters<typeof judge>) => {
  const verdict = judge(...args);
  return verdict.kind === "rejected" ? verdict.rejection.reason : "confirmed";
};

Deno.test("verifyProposal() confirms what the rules would certify, under the model's name", () => {
  const verdict = judge("Henni þótti þetta mikit.", "QUIRKY_CASE", "Henni>Hún");
  assert.ok(verdict.kind === "confirmed");
  const { pair, certificate } = verdict.certified;
  assert.equal(pair.ungrammatical, "Hún þótti þetta mikit.");
  assert.equal(certificate.proposedBy, MODEL);
  assert.equal(certificate.promptSha256, HASH);
  const [own] = findCandidates(sentencesOf("Henni þótti þetta mikit.")).certified;
  assert.deepEqual(
    { ...certificate, proposedBy: "rules", promptSha256: "" },
    own?.certificate,
    "all else is what the rules' own certificate says",
  );
});

Deno.test("verifyProposal() takes a capital less or more for the same word", () => {
  assert.equal(reasonOf("Henni þótti þetta mikit.", "QUIRKY_CASE", "henni>hún"), "confirmed");
});

Deno.test("verifyProposal() says of every refusal why", () => {
  const þótti = "Henni þótti þetta mikit.";
  const cases: readonly (readonly [string, Phenomenon, string, string])[] = [
    [þótti, "QUIRKY_CASE", "none", "nothing_proposed"],
    [þótti, "QUIRKY_CASE", "Henni becomes Hún", "unparsable_answer"],
    [þótti, "QUIRKY_CASE", "honum>hann", "target_not_in_sentence"],
    [þótti, "QUIRKY_CASE", "Henni þótti>Hún þótti", "target_not_in_sentence"],
    [þótti, "QUIRKY_CASE", "Henni>Hún sjálf", "replacement_not_one_word"],
    [þótti, "QUIRKY_CASE", "Henni>", "replacement_not_one_word"],
    [þótti, "QUIRKY_CASE", "Henni>henni", "nothing_changed"],
    [þótti, "QUIRKY_CASE", "Henni>Hann", "changes_another_feature"],
    [þótti, "QUIRKY_CASE", "Henni>Henna", "other_form_expected"],
    [þótti, "QUIRKY_CASE", "þetta>þessi", "form_unknown_to_the_lexicon"],
    [þótti, "MIDDLE_VOICE", "þótti>þykkir", "not_a_middle_verb"],
    [þótti, "UMLAUT", "þótti>þatti", "no_umlaut_by_the_tables"],
    [þótti, "ADJECTIVE", "þetta>þessa", "not_an_adjective"],
    ["Ambáttin hefir svǫr fyrir þeim.", "QUIRKY_CASE", "þeim>þeir", "after_preposition"],
    ["Þú þorir at bera vápn á mik.", "QUIRKY_CASE", "mik>ek", "after_preposition"],
    ["Hún hratt hverjum frá sér.", "QUIRKY_CASE", "sér>hún", "after_preposition"],
    ["Hann tók sér sverð.", "QUIRKY_CASE", "sér>hann", "reflexive_has_no_nominative"],
    ["Ok þjónuðu allir þeim.", "QUIRKY_CASE", "þeim>þeir", "not_the_subject_by_the_rules"],
    ["Hann sagði bónda tíðendi.", "QUIRKY_CASE", "bónda>bóndi", "not_the_subject_by_the_rules"],
    ["Hann hafði eitt auga.", "ADJECTIVE", "eitt>eina", "not_an_adjective"],
    ["Þar dvelsk hann þrjár nætr.", "ADJECTIVE", "þrjár>þrjú", "not_an_adjective"],
    ["Sú hǫll stóð þar.", "ADJECTIVE", "sú>sá", "not_an_adjective"],
    ["Ófúss em ek þessarar ferðar.", "ADJECTIVE", "þessarar>þessa", "not_an_adjective"],
    ["Þeir hǫfðu alls fimm hundruð.", "ADJECTIVE", "alls>alla", "not_an_adjective"],
    ["Hann tók þar marga dýrgripi.", "ADJECTIVE", "marga>mǫrgu", "pronominal_adjective"],
    ["Segir fall margs annars.", "ADJECTIVE", "margs>marga", "pronominal_adjective"],
    ["Svanhildr var þar upp fœdd.", "ADJECTIVE", "fœdd>fœdda", "participle"],
    ["Hún mun ór landi send ok gift.", "ADJECTIVE", "gift>gipta", "participle"],
    ["Eruð þó at engu búnir.", "ADJECTIVE", "búnir>búnu", "participle"],
    ["Þeir hǫfðu af brugðit boði.", "ADJECTIVE", "brugðit>brugðna", "participle"],
    ["Hann átti prúðan hest.", "ADJECTIVE", "prúðan>prúða", "adjective_unknown_to_the_lexicon"],
    ["Henni þótti henni líkt.", "QUIRKY_CASE", "henni>hún", "target_ambiguous"],
    ["Henni batnaði skjótt.", "QUIRKY_CASE", "Henni>Hún", "verb_unknown_to_the_lexicon"],
    ["Hann bað þess, at henni þótti.", "QUIRKY_CASE", "hann>ek", "not_the_subject_by_the_rules"],
    ["Hann átti þar stóran hest.", "ADJECTIVE", "stóran>stóri", "changes_another_feature"],
    ["Hann átti þar stóran hest.", "ADJECTIVE", "stóran>stóran", "nothing_changed"],
    ["Menn kǫlluðu hann ríkan.", "UMLAUT", "kǫlluðu>kallaði", "changes_another_feature"],
    ["Menn kǫlluðu hann ríkan.", "UMLAUT", "kǫlluðu>kölluðu", "other_form_expected"],
    ["Hann sezk hjá henni.", "MIDDLE_VOICE", "sezk>settisk", "changes_another_feature"],
    ["Hann sezk hjá henni.", "MIDDLE_VOICE", "sezk>sitr", "other_form_expected"],
    ["Hann kómsk brott síðan.", "MIDDLE_VOICE", "kómsk>kom", "verb_not_in_table"],
  ];
  const found = cases.map(([source, phenomenon, said]) => [
    ...[source, phenomenon, said],
    reasonOf(source, phenomenon, said),
  ]);
  assert.deepEqual(found, cases);
});

Deno.test("verifyProposal() names the verb of the word's own clause, known or unknown", () => {
  const detailOf = (...args: Parameters<typeof judge>) => {
    const verdict = judge(...args);
    return verdict.kind === "rejected" && verdict.rejection.detail;
  };
  const far = "Hann bað þess, at henni þótti.";
  assert.equal(detailOf(far, "QUIRKY_CASE", "hann>ek"), `${MODEL}: hann`);
  assert.equal(
    detailOf("Henni þótti gott, ok henni batnaði skjótt við Sigurð.", "QUIRKY_CASE", "Sigurð>x"),
    `${MODEL}: sigurð`,
  );
  assert.equal(detailOf("Henni batnaði skjótt.", "QUIRKY_CASE", "Henni>Hún"), `${MODEL}: batnaði`);
});

Deno.test("verifyProposal() gives the rule's own reason where it refused that word", () => {
  // The nominative plural þér is the dative singular too.
  assert.equal(
    reasonOf("Yðr þótti þetta mikit.", "QUIRKY_CASE", "Yðr>Þér"),
    "syncretic_with_nominative",
  );
  assert.equal(
    reasonOf("Þar fell gǫfugr maðr.", "UMLAUT", "gǫfugr>gafugr"),
    "no_alternation_with_a",
  );
});

Deno.test("verifyProposal() leaves a confirmed form to the same context check", () => {
  const elsewhere = ["Hún þótti þetta mikit."];
  assert.equal(
    reasonOf("Henni þótti þetta mikit.", "QUIRKY_CASE", "Henni>Hún", elsewhere),
    "variant_attested_in_context",
  );
});

Deno.test("verifyProposal() names the model and the form expected, and tells what was proposed", () => {
  const verdict = judge("Henni þótti þetta mikit.", "QUIRKY_CASE", "Henni>Henna");
  assert.ok(verdict.kind === "rejected");
  assert.equal(verdict.rejection.detail, `${MODEL}: the rules expect hún`);
  assert.equal(verdict.rejection.candidate, "Henni>henna");
  assert.equal(verdict.proposed, true);
  const none = judge("Henni þótti þetta mikit.", "QUIRKY_CASE", "none");
  assert.ok(none.kind === "rejected" && !none.proposed);
  assert.equal(none.rejection.detail, MODEL);
});

Deno.test("verifyProposal() records a refusal as what it is", () => {
  const sentence = sentenceOf("Henni þótti þetta mikit.");
  const record = recordOf(sentence, "QUIRKY_CASE", "I cannot\nhelp.", { kind: "refusal" });
  const verdict = verifyProposal(record, sentence, openRuleBook([sentence]));
  assert.ok(verdict.kind === "rejected");
  assert.equal(verdict.rejection.reason, "refused_to_answer");
  assert.equal(verdict.rejection.detail, `${MODEL}: I cannot help.`);
});

const saga = SENTENCES.read().slice(0, 400);
const rules = openRuleBook(saga);

const byRules = new Set(
  findCandidates(saga, rules).certified.map(({ pair }) =>
    JSON.stringify([pair.phenomenon, pair.grammatical, pair.ungrammatical])
  ),
);

/** Anything a model may say: noise, JSON of any shape, words of the sentence, true answers mangled. */
function answersTo(sentence: Sentence, phenomenon: Phenomenon): fc.Arbitrary<string> {
  const truth = trueAnswer(sentence, phenomenon, rules);
  const words = [...sentence.normalised.matchAll(/\p{L}+/gu)].map(([word]) => word);
  const word = fc.oneof(fc.constantFrom(...words), fc.string());
  const mangled = fc.tuple(fc.nat(truth.length), fc.nat(truth.length), fc.string({ maxLength: 4 }))
    .map(([from, to, put]) => truth.slice(0, from) + put + truth.slice(to));
  const made = fc.record({ target: word, replacement: word, reason: fc.string() })
    .map((value) => JSON.stringify(value));
  return fc.oneof(fc.constant(truth), mangled, made, fc.json(), fc.string({ unit: "binary" }));
}

Deno.test(`${FEATURE}, proposals: nothing is confirmed that the rules would not certify, whatever is said`, () => {
  const question = fc.tuple(fc.constantFrom(...saga), fc.constantFrom(...PHENOMENA))
    .chain(([sentence, phenomenon]) =>
      fc.tuple(fc.constant(sentence), fc.constant(phenomenon), answersTo(sentence, phenomenon))
    );
  let confirmed = 0;
  fc.assert(
    fc.property(question, ([sentence, phenomenon, text]) => {
      const verdict = verifyProposal(recordOf(sentence, phenomenon, text), sentence, rules);
      if (verdict.kind === "rejected") {
        assert.match(verdict.rejection.reason, /^[a-z_]+$/);
        assert.ok(!/[\n\r]/.test(verdict.rejection.candidate + verdict.rejection.detail));
        return;
      }
      confirmed += 1;
      const { pair } = verdict.certified;
      assert.ok(
        byRules.has(JSON.stringify([pair.phenomenon, pair.grammatical, pair.ungrammatical])),
      );
    }),
    { numRuns: 1000, seed: 20261122 },
  );
  assert.ok(confirmed > 20, `the property is idle: ${confirmed} confirmed`);
});
