import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { tally } from "../figures/table.ts";
import { inFolder } from "../files/testdata/folder.ts";
import type { CertifiedPair } from "../pairs/certify.ts";
import { sentenceDifference, variantForm } from "../pairs/pair.ts";
import {
  contextWindows,
  findCandidates,
  isAttestedInContext,
  openRuleBook,
  quotas,
} from "./candidates.ts";
import {
  generate,
  PROPOSER,
  readGenerationSettings,
  readNorseDataset,
  settingsOf,
  type Source,
  writeNorseDataset,
} from "./dataset.ts";
import { CERTIFICATES, PAIRS, REJECTIONS, type Sentence, SENTENCES } from "./dataset_tables.ts";
import { type ProposalRecord, readPromptTemplates, readProposals } from "./proposals.ts";
import { PHENOMENA, type Phenomenon, REFUSALS } from "./rules.ts";
import { recordOf as answered, trueAnswer } from "./testdata/proposing_model.ts";
import { sentencesOf } from "./testdata/sentence.ts";
import { tablesIn } from "./testdata/tables.ts";
import { tokenise } from "./tokens.ts";

const variants = (...texts: readonly string[]) => {
  const { certified, rejections } = findCandidates(sentencesOf(...texts));
  return {
    bad: certified.map(({ pair }) => pair.ungrammatical),
    reasons: rejections.map(({ reason }) => reason),
  };
};

Deno.test("findCandidates() runs all four rules over a sentence and certifies", () => {
  const { bad } = variants("Henni þótti þetta mikit.", "Hann sezt hjá henni.");
  assert.deepEqual(bad, ["Hún þótti þetta mikit.", "Hann setr hjá henni."]);
});

Deno.test("findCandidates() refuses a variant that is itself a sentence of the corpus", () => {
  const { bad, reasons } = variants("Henni þótti þetta mikit.", "Hún þótti þetta mikit.");
  assert.deepEqual(bad, []);
  assert.ok(reasons.includes("variant_attested_in_context"), reasons.join());
});

Deno.test("findCandidates() refuses what stands between the same neighbours elsewhere", () => {
  const { bad, reasons } = variants(
    "Eptir þat mæltu þeir, at henni þótti þetta mikit.",
    "Nú segja menn, at hún þótti þetta mikit, ok fór hann heim.",
  );
  assert.deepEqual(bad.filter((text) => text.startsWith("Eptir")), [
    "Eptir þat mæltu þeir, at hún þótti þetta mikit.",
  ]);
  assert.ok(!reasons.includes("variant_attested_in_context"));
  const same = variants(
    "Eptir þat mæltu þeir, at henni þótti þetta mikit.",
    "Nú mæltu þeir, at hún þótti þetta mikit, ok fór hann heim.",
  );
  assert.ok(same.reasons.includes("variant_attested_in_context"));
});

Deno.test("findCandidates() leaves sentences out in which the one word would drown", () => {
  const long = `${"ok fór hann heim ".repeat(25)}ok þótti henni þetta mikit.`;
  const { bad, reasons } = variants(long);
  assert.deepEqual(bad, []);
  assert.ok(reasons.includes("sentence_too_long"));
});

Deno.test("isAttestedInContext() compares two neighbours a side, edges included", () => {
  const windows = contextWindows(["Hann fór heim."]);
  const found = (variant: string) =>
    isAttestedInContext(variant, tokenise(variant)[0]!, tokenise(variant)[0]!.form, windows);
  assert.equal(found("Hann fór heim."), true);
  assert.equal(found("Hann fór nú."), false);
});

/** Candidates of a phenomenon, each of a lemma of its own. */
const supply = (counts: Readonly<Record<Phenomenon, number>>): CertifiedPair<Phenomenon>[] =>
  PHENOMENA.flatMap((phenomenon) =>
    Array.from({ length: counts[phenomenon] }, (_, n) => ({
      kind: "certified",
      pair: { phenomenon, grammatical: "a", ungrammatical: "b", target: "a", errorType: "x" },
      certificate: { lemma: `${phenomenon}${n}` },
      tier: 1,
      tokenIndex: 0,
    } as unknown as CertifiedPair<Phenomenon>))
  );

Deno.test("quotas() gives a quarter each where there is enough", () => {
  const counts = { QUIRKY_CASE: 200, ADJECTIVE: 200, UMLAUT: 200, MIDDLE_VOICE: 200 };
  assert.deepEqual(Object.values(quotas(supply(counts), 500)), [125, 125, 125, 125]);
});

Deno.test("quotas() lets the others make up what one lacks, a tenth at most", () => {
  const counts = { QUIRKY_CASE: 118, ADJECTIVE: 300, UMLAUT: 300, MIDDLE_VOICE: 120 };
  assert.deepEqual(Object.values(quotas(supply(counts), 500)), [118, 131, 131, 120]);
  const scarce = { QUIRKY_CASE: 90, ADJECTIVE: 300, UMLAUT: 300, MIDDLE_VOICE: 90 };
  assert.deepEqual(Object.values(quotas(supply(scarce), 500)), [113, 137, 137, 113]);
});

Deno.test("quotas() refuses a target that cannot be shared out", () => {
  assert.throws(() => quotas([], 5), /Cannot share 5 pairs out evenly/);
});

Deno.test("quotas() sums to the target and stays within a tenth, whatever the supply", () => {
  const count = fc.integer({ min: 113, max: 400 });
  fc.assert(
    fc.property(count, count, count, count, (a, b, c, d) => {
      fc.pre(a + b + c + d >= 600);
      const counts = { QUIRKY_CASE: a, ADJECTIVE: b, UMLAUT: c, MIDDLE_VOICE: d };
      const wanted = Object.values(quotas(supply(counts), 500));
      const possible = Math.min(500, [a, b, c, d].reduce((sum, n) => sum + Math.min(n, 137), 0));
      assert.equal(wanted.reduce((sum, n) => sum + n, 0), possible);
      for (const n of wanted) assert.ok(n >= 113 && n <= 137);
    }),
    { numRuns: 100 },
  );
});

Deno.test("refusals.csv: what holds in one sentence names one of the saga that has the word", () => {
  const texts = new Map(SENTENCES.read().map((s) => [s.id, s.normalised]));
  for (const { sentence, pattern } of REFUSALS.read()) {
    const words = tokenise(texts.get(sentence) ?? "").map(({ lower }) => lower);
    assert.ok(sentence === "" || words.includes(pattern.source), `${sentence} ${pattern.source}`);
  }
});

const FEATURE = "Feature: old-norse-minimal-pairs";
const saga = SENTENCES.read();
const items = readNorseDataset();
const templates = readPromptTemplates();
const anyItem = fc.constantFrom(...items);

const of = (phenomenon: string) =>
  fc.constantFrom(...items.filter(({ pair }) => pair.phenomenon === phenomenon));

const RUNS = { numRuns: 500 };

Deno.test("generate() gives the committed files from the committed sentences and answers, to the byte", () => {
  const settings = readGenerationSettings();
  const { dataset } = generate({ sentences: saga, records: readProposals(), templates, settings });
  const texts = [
    [PAIRS.path, PAIRS.format(dataset.items.map(({ pair }) => pair))],
    [CERTIFICATES.path, CERTIFICATES.format(dataset.items.map((item) => item.certificate))],
    [REJECTIONS.path, REJECTIONS.format(dataset.rejections)],
  ] as const;
  for (const [path, text] of texts) assert.ok(Deno.readTextFileSync(path) === text, path);
});

Deno.test(`${FEATURE}, Property 1: no committed sentence holds verse marks, notes or line numbers`, () => {
  assert.ok(saga.length >= 500);
  fc.assert(
    fc.property(fc.constantFrom(...saga), ({ source, normalised }) => {
      assert.doesNotMatch(source + normalised, /[\d*[\]<>"†]|--/u);
    }),
    RUNS,
  );
});

Deno.test(`${FEATURE}, Property 4: the committed 500 pairs are balanced within a tenth`, () => {
  assert.equal(items.length, 500);
  const counts = tally(items.map(({ pair }) => pair.phenomenon));
  assert.equal(counts.length, PHENOMENA.length);
  for (const [phenomenon, count] of counts) {
    assert.ok(Math.abs(count - 125) <= 12.5, `${phenomenon}: ${count}`);
  }
});

Deno.test(`${FEATURE}, Properties 5 and 7: members of a committed pair differ in the target alone`, () => {
  fc.assert(
    fc.property(anyItem, ({ pair }) => {
      const difference = sentenceDifference(pair.grammatical, pair.ungrammatical);
      assert.equal(difference.kind, "one_token");
      assert.equal(difference.kind === "one_token" && difference.from, pair.target);
    }),
    RUNS,
  );
});

Deno.test(`${FEATURE}, Property 6: committed pairs and certificates leave no field empty`, () => {
  fc.assert(
    fc.property(anyItem, ({ pair, certificate }) => {
      for (const value of Object.values(pair)) assert.notEqual(value, "");
      const { lemma, rule, cellFrom, cellTo, explanation, sourceSpelling } = certificate;
      for (const value of [lemma, rule, cellFrom, cellTo, explanation, sourceSpelling]) {
        assert.notEqual(value, "");
      }
      assert.ok(certificate.checks.length >= 5);
    }),
    RUNS,
  );
});

Deno.test(`${FEATURE}, Property 8: quirky subjects go from dative or accusative to nominative`, () => {
  fc.assert(
    fc.property(of("QUIRKY_CASE"), ({ certificate }) => {
      assert.match(certificate.cellFrom, /^(?:dat|acc)\./);
      assert.equal(
        certificate.cellTo,
        certificate.cellFrom.replace(/^(?:dat|acc)/, "nom"),
        "person, number and gender stay",
      );
    }),
    RUNS,
  );
});

Deno.test(`${FEATURE}, Property 9: adjectives change between strong and weak in the same cell`, () => {
  fc.assert(
    fc.property(of("ADJECTIVE"), ({ certificate: { cellFrom, cellTo } }) => {
      const [from, to] = [cellFrom.split("."), cellTo.split(".")];
      assert.deepEqual([from[0], to[0]].sort(), ["strong", "weak"]);
      assert.deepEqual(from.slice(1), to.slice(1));
    }),
    RUNS,
  );
});

Deno.test(`${FEATURE}, Property 10: u-umlaut pairs change ǫ to a and keep the rest of the word`, () => {
  fc.assert(
    fc.property(of("UMLAUT"), ({ pair }) => {
      const variant = variantForm(pair);
      assert.ok(/ǫ/iu.test(pair.target));
      const plain = (form: string) => form.replace(/ǫ/gu, "a").replace(/Ǫ/gu, "A");
      assert.equal(plain(variant), plain(pair.target));
      assert.notEqual(variant, pair.target);
    }),
    RUNS,
  );
});

Deno.test(`${FEATURE}, Properties 11 and 12: middle verbs end in -sk, their variants do not`, () => {
  fc.assert(
    fc.property(of("MIDDLE_VOICE"), ({ pair }) => {
      assert.match(pair.target, /[sz]k$/u);
      assert.doesNotMatch(variantForm(pair), /[sz]k$/u);
    }),
    RUNS,
  );
});

Deno.test(`${FEATURE}, Property 13: committed ids follow the pattern and count up from 001`, () => {
  for (const phenomenon of PHENOMENA) {
    const own = items.filter(({ pair }) => pair.phenomenon === phenomenon);
    own.forEach(({ pair }, index) => {
      assert.equal(pair.id, `ON_${phenomenon}_${String(index + 1).padStart(3, "0")}`);
    });
  }
});

Deno.test("committed pairs: at most two a sentence, no token twice in a phenomenon", () => {
  const place = ({ certificate: { source } }: typeof items[number]) =>
    `${source.chapter}.${source.sentence}`;
  for (const [where, count] of tally(items.map(place))) assert.ok(count <= 2, where);
  const texts = items.map(({ pair }) => pair.ungrammatical);
  assert.equal(new Set(texts).size, texts.length);
});

Deno.test("committed adjectives: mikill makes at most 15 per cent, each direction at least 30", () => {
  const own = items.filter(({ pair }) => pair.phenomenon === "ADJECTIVE");
  const share = (test: (item: typeof own[number]) => boolean) =>
    own.filter(test).length / own.length;
  assert.ok(share(({ certificate }) => certificate.lemma === "mikill") <= 0.15);
  assert.ok(share(({ pair }) => pair.errorType === "weak_to_strong") >= 0.3);
  assert.ok(share(({ pair }) => pair.errorType === "strong_to_weak") >= 0.3);
});

Deno.test(`${FEATURE}, Property 14: writing anew over any part of the files doubles and loses nothing`, () =>
  inFolder((folder) => {
    const tables = tablesIn(folder);
    const some = items.slice(0, 12);
    const write = () => writeNorseDataset({ items: some, rejections: [] }, "test", tables);
    write();
    const whole = Deno.readTextFileSync(tables.pairs.path);
    fc.assert(
      fc.property(fc.nat({ max: whole.length }), (cut) => {
        Deno.writeTextFileSync(tables.pairs.path, whole.slice(0, cut));
        write();
        assert.equal(Deno.readTextFileSync(tables.pairs.path), whole);
        assert.equal(readNorseDataset(tables).length, some.length);
      }),
      { numRuns: 100 },
    );
  }));

Deno.test("readGenerationSettings() refuses what is no such file, naming the remedy", () =>
  inFolder((folder) => {
    const path = join(folder, "generation.json");
    assert.deepEqual(readGenerationSettings(path), settingsOf("rules"), "where there is no file");
    for (
      const text of ["{", "{}", '{"source":"rules","seed":1,"proposer":"a/model","answers":0}']
    ) {
      Deno.writeTextFileSync(path, text);
      assert.throws(() => readGenerationSettings(path), /deno task generate/);
    }
  }));

const beginning = saga.slice(0, 120);
const rules = openRuleBook(beginning);
const ofRules = findCandidates(beginning, rules);

/** A record of the proposer to the templates as they are. */
const recordOf = (sentence: Sentence, phenomenon: Phenomenon, text: string, model = PROPOSER) =>
  answered(sentence, phenomenon, text, { model, promptSha256: templates[phenomenon].sha256 });

const settingsWith = (source: Source, answers: number) => {
  return { source, seed: 1, answers, proposer: source === "rules" ? null : PROPOSER };
};

function made(source: Source, records: readonly ProposalRecord[]) {
  const settings = settingsWith(source, records.length);
  return generate({ sentences: beginning, records, templates, settings, rules });
}

/** What a perfect proposer answers to these sentences. */
const perfect = (sentences: readonly Sentence[]) =>
  sentences.flatMap((sentence) =>
    PHENOMENA.map((phenomenon) =>
      recordOf(sentence, phenomenon, trueAnswer(sentence, phenomenon, rules))
    )
  );

Deno.test("generate() from rules rests on no proposal, and judges those on record all the same", () => {
  const { candidates, verdicts } = made("rules", perfect(beginning.slice(0, 5)));
  assert.deepEqual(candidates, ofRules);
  assert.equal(verdicts.length, 20);
});

Deno.test("generate() rests on the first answers that its settings count, while asking goes on", () => {
  const records = perfect(beginning.slice(0, 30));
  const some = records.slice(0, 60);
  const settings = settingsWith("llm", some.length);
  const of = (given: readonly ProposalRecord[]) =>
    generate({ sentences: beginning, records: given, templates, settings, rules });
  assert.deepEqual(of(records).dataset, of(some).dataset);
  assert.equal(of(records).verdicts.length, records.length);
});

Deno.test("generate() from both names the proposer of what was proposed and takes it first", () => {
  const { candidates, dataset } = made("both", perfect(beginning.slice(0, 30)));
  assert.equal(candidates.certified.length, ofRules.certified.length);
  const umlaut = (pairs: typeof candidates.certified) =>
    pairs.filter(({ pair }) => pair.phenomenon === "UMLAUT");
  const proposed = umlaut(candidates.certified)
    .filter(({ certificate }) => certificate.proposedBy === PROPOSER);
  assert.ok(proposed.length > 3);
  const plain = ({ certificate }: typeof proposed[number]) => ({
    ...certificate,
    proposedBy: "rules",
    promptSha256: "",
  });
  const own = new Set(ofRules.certified.map(({ certificate }) => JSON.stringify(certificate)));
  for (const pair of proposed) assert.ok(own.has(JSON.stringify(plain(pair))));
  const ids = dataset.items.map(({ pair }) => pair.id);
  assert.equal(new Set(ids).size, ids.length);
});

Deno.test("generate() from a model takes its proposals alone, and refuses the rest with reasons", () => {
  const [spoilt, ...others] = perfect(beginning.slice(0, 30)).filter(({ text }) => text !== "none");
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
  const [sentence] = beginning;
  const { candidates, verdicts } = made("llm", [recordOf(sentence!, "UMLAUT", "none")]);
  assert.deepEqual(candidates, { certified: [], rejections: [] });
  assert.equal(verdicts.length, 1);
});

Deno.test("generate() counts one model's answers to the templates as they are", () => {
  const sentence = beginning[3]!;
  const old = { ...recordOf(sentence, "UMLAUT", "none"), promptSha256: "0".repeat(64) };
  const other = recordOf(sentence, "UMLAUT", "none", "another/model");
  const unknown = { ...recordOf(sentence, "UMLAUT", "none"), sentenceId: "VS_99_001" };
  assert.equal(made("llm", [old, other, unknown]).verdicts.length, 0);
});

Deno.test(`${FEATURE}, proposals: the order of arrival changes nothing, and no pair is the rules' to refuse`, () => {
  const few = beginning.slice(0, 12);
  const own = openRuleBook(few);
  const datasetOf = (source: Source, records: readonly ProposalRecord[]) =>
    generate({
      records,
      templates,
      rules: own,
      sentences: few,
      settings: settingsWith(source, records.length),
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
