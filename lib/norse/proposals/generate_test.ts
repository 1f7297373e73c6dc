import assert from "node:assert/strict";
import fc from "fast-check";
import { readSentences } from "../acquisition.ts";
import { PHENOMENA, type Phenomenon } from "../candidate.ts";
import { findCandidates } from "../generation.ts";
import { NORSE_PATHS } from "../paths.ts";
import { openRuleBook } from "../rule_book.ts";
import type { Sentence } from "../sentence.ts";
import type { Source } from "./gather.ts";
import { generate } from "./generate.ts";
import { readPromptTemplates } from "./prompts.ts";
import type { ProposalRecord } from "./record.ts";
import { PROPOSER } from "./settings.ts";
import { trueAnswer } from "./testdata/proposing_model.ts";

const FEATURE = "Feature: old-norse-minimal-pairs";
const templates = readPromptTemplates();
const saga = readSentences(NORSE_PATHS.sentences).slice(0, 120);
const rules = openRuleBook(saga);
const ofRules = findCandidates(saga, rules);

const recordOf = (
  sentence: Sentence,
  phenomenon: Phenomenon,
  text: string,
  model: string = PROPOSER,
): ProposalRecord => ({
  ...{ model, promptSha256: templates[phenomenon].sha256, sentenceId: sentence.id, phenomenon },
  ...{ kind: "answer", text, promptTokens: 1, replyTokens: 1, settings: {} },
});

const settingsOf = (source: Source, answers: number) => ({
  ...{ source, seed: 1, answers, proposer: source === "rules" ? null : PROPOSER },
});

function made(source: Source, records: readonly ProposalRecord[]) {
  return generate({
    sentences: saga,
    records,
    templates,
    settings: settingsOf(source, records.length),
    rules,
  });
}

/** What a perfect proposer answers to these sentences. */
const perfect = (sentences: readonly Sentence[]) =>
  sentences.flatMap((sentence) =>
    PHENOMENA.map((phenomenon) =>
      recordOf(sentence, phenomenon, trueAnswer(sentence, phenomenon, rules))
    )
  );

Deno.test("generate() from rules rests on no proposal, and judges those on record all the same", () => {
  const { candidates, verdicts } = made("rules", perfect(saga.slice(0, 5)));
  assert.deepEqual(candidates, ofRules);
  assert.equal(verdicts.length, 20);
});

Deno.test("generate() rests on the first answers that its settings count, while asking goes on", () => {
  const records = perfect(saga.slice(0, 30));
  const some = records.slice(0, 60);
  const settings = settingsOf("llm", some.length);
  const of = (given: readonly ProposalRecord[]) =>
    generate({ sentences: saga, records: given, templates, settings, rules });
  assert.deepEqual(of(records).dataset, of(some).dataset);
  assert.equal(of(records).verdicts.length, records.length);
});

Deno.test("generate() from both names the proposer of what was proposed and takes it first", () => {
  const { candidates, dataset } = made("both", perfect(saga.slice(0, 30)));
  assert.equal(candidates.certified.length, ofRules.certified.length);
  const umlaut = (pairs: typeof candidates.certified) =>
    pairs.filter(({ pair }) => pair.phenomenon === "UMLAUT");
  const proposed = umlaut(candidates.certified)
    .filter(({ certificate }) => certificate.proposedBy === PROPOSER);
  assert.ok(proposed.length > 3);
  const plain = ({ certificate }: typeof proposed[number]) => ({
    ...{ ...certificate, proposedBy: "rules", promptSha256: "" },
  });
  const own = new Set(ofRules.certified.map(({ certificate }) => JSON.stringify(certificate)));
  for (const pair of proposed) assert.ok(own.has(JSON.stringify(plain(pair))));
  const ids = dataset.items.map(({ pair }) => pair.id);
  assert.equal(new Set(ids).size, ids.length);
});

Deno.test("generate() from a model takes its proposals alone, and refuses the rest with reasons", () => {
  const [spoilt, ...others] = perfect(saga.slice(0, 30)).filter(({ text }) => text !== "none");
  const records = [
    { ...spoilt!, text: '{"target": "no-such-word", "replacement": "x"}' },
    ...others,
  ];
  const { candidates, verdicts } = made("llm", records);
  assert.ok(candidates.certified.length > others.length / 2);
  for (const { certificate } of candidates.certified) {
    assert.equal(certificate.proposedBy, PROPOSER);
    assert.match(certificate.promptSha256, /^[0-9a-f]{64}$/);
  }
  assert.equal(verdicts.length, records.length);
  // One sentence of these is too long for any pair.
  const reasons = new Set(candidates.rejections.map(({ reason }) => reason));
  assert.deepEqual(reasons, new Set(["target_not_in_sentence", "sentence_too_long"]));
  assert.equal(candidates.certified.length + candidates.rejections.length, records.length);
  assert.ok(candidates.rejections.every(({ detail }) => detail.startsWith(PROPOSER)));
});

Deno.test("generate() refuses nothing where nothing was proposed, and counts the answer all the same", () => {
  const [sentence] = saga;
  const { candidates, verdicts } = made("llm", [recordOf(sentence!, "UMLAUT", "none")]);
  assert.deepEqual(candidates, { certified: [], rejections: [] });
  assert.equal(verdicts.length, 1);
});

Deno.test("generate() counts one model's answers to the templates as they are", () => {
  const sentence = saga[3]!;
  const old = { ...recordOf(sentence, "UMLAUT", "none"), promptSha256: "0".repeat(64) };
  const other = recordOf(sentence, "UMLAUT", "none", "another/model");
  const unknown = { ...recordOf(sentence, "UMLAUT", "none"), sentenceId: "VS_99_001" };
  assert.equal(made("llm", [old, other, unknown]).verdicts.length, 0);
});

Deno.test(`${FEATURE}, proposals: the order of arrival changes nothing, and no pair is the rules' to refuse`, () => {
  const few = saga.slice(0, 12);
  const own = openRuleBook(few);
  const datasetOf = (source: Source, records: readonly ProposalRecord[]) =>
    generate({
      ...{ records, templates, rules: own },
      sentences: few,
      settings: settingsOf(source, records.length),
    })
      .dataset;
  const records = perfect(few.slice(0, 9));
  const whole = JSON.stringify(datasetOf("both", records));
  assert.ok(whole.includes(PROPOSER), "some proposals are confirmed");
  const known = new Set(
    findCandidates(few, own).certified.map(({ certificate }) => certificate.sha256),
  );
  fc.assert(
    fc.property(
      fc.shuffledSubarray(records, { minLength: records.length }),
      fc.array(fc.tuple(fc.constantFrom(...few), fc.constantFrom(...PHENOMENA), fc.string())),
      (arrived, noise) => {
        assert.equal(JSON.stringify(datasetOf("both", arrived)), whole);
        const said = noise.map(([sentence, phenomenon, text]) =>
          recordOf(sentence, phenomenon, text)
        );
        for (const { certificate } of datasetOf("llm", [...arrived, ...said]).items) {
          assert.ok(known.has(certificate.sha256));
        }
      },
    ),
    { numRuns: 100 },
  );
});
