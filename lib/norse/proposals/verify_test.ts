import assert from "node:assert/strict";
import fc from "fast-check";
import { readSentences } from "../acquisition.ts";
import { PHENOMENA, type Phenomenon } from "../candidate.ts";
import { findCandidates } from "../generation.ts";
import { normaliseText } from "../orthography.ts";
import { NORSE_PATHS } from "../paths.ts";
import { openRuleBook } from "../rule_book.ts";
import type { Sentence } from "../sentence.ts";
import type { ProposalRecord } from "./record.ts";
import { MODEL, trueAnswer } from "./testdata/proposing_model.ts";
import { verifyProposal } from "./verify.ts";

const FEATURE = "Feature: old-norse-minimal-pairs";
const HASH = "5".repeat(64);

const sentenceOf = (source: string): Sentence => ({
  ...{ id: "VS_01_001", chapter: 1, position: 1, source, normalised: normaliseText(source) },
});

const recordOf = (
  sentence: Sentence,
  phenomenon: Phenomenon,
  text: string,
  kind: ProposalRecord["kind"] = "answer",
): ProposalRecord => ({
  ...{ model: MODEL, promptSha256: HASH, sentenceId: sentence.id, phenomenon, kind, text },
  ...{ promptTokens: 1, replyTokens: 1, settings: {} },
});

/** The verdict on `target>replacement`, or on an answer as it is, about a sentence alone. */
function judge(source: string, phenomenon: Phenomenon, said: string, more: readonly string[] = []) {
  const sentence = sentenceOf(source);
  const [target, replacement] = said.split(">");
  const text = replacement === undefined ? said : JSON.stringify({ target, replacement });
  const rules = openRuleBook([sentence, ...more.map(sentenceOf)]);
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
  const [own] = findCandidates([sentenceOf("Henni þótti þetta mikit.")]).certified;
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
  const record = recordOf(sentence, "QUIRKY_CASE", "I cannot\nhelp.", "refusal");
  const verdict = verifyProposal(record, sentence, openRuleBook([sentence]));
  assert.ok(verdict.kind === "rejected");
  assert.equal(verdict.rejection.reason, "refused_to_answer");
  assert.equal(verdict.rejection.detail, `${MODEL}: I cannot help.`);
});

const saga = readSentences(NORSE_PATHS.sentences).slice(0, 400);
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
