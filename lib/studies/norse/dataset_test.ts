import assert from "node:assert/strict";
import fc from "fast-check";
import { tally } from "../../figures/table.ts";
import { sentenceDifference, variantForm } from "../../pairs/pair.ts";
import { ADJECTIVES, cellsOf, type Strength } from "./adjective_forms.ts";
import { tokenise } from "./verdicts.ts";
import { findCandidates, type NorsePair, ONE_FEATURE, quotas } from "./selection.ts";
import {
  DATASET,
  FURTHER,
  readFurtherSet,
  readGenerationSettings,
  readNorseDataset,
  SENTENCES,
} from "./dataset.ts";
import { splitSentences } from "./corpus.ts";
import { ONLY_CASE } from "./quirky_case.ts";
import { correctMisprints, normaliseText } from "./orthography.ts";
import { generate, readPromptTemplates, readProposals } from "./proposals.ts";
import { PHENOMENA, type Phenomenon, REFUSALS } from "./rules.ts";
import { nominativesOf } from "./testdata/nominatives.ts";
import { sentencesOf } from "./testdata/sentence.ts";

const variants = (...texts: readonly string[]) => {
  const { certified, rejections } = findCandidates(sentencesOf(...texts));
  return {
    bad: certified.map(({ pair }) => pair.ungrammatical),
    reasons: rejections.map(({ reason }) => reason),
  };
};

Deno.test("findCandidates() refuses what the corpus has: the sentence, or the form in its place", () => {
  const attested = (...texts: readonly string[]) =>
    variants(...texts).reasons.includes("variant_attested_in_context");
  assert.ok(attested("Henni þótti þetta mikit.", "Hún þótti þetta mikit."));
  const one = "Eptir þat mæltu þeir, at henni þótti þetta mikit.";
  assert.ok(attested(one, "Nú mæltu þeir, at hún þótti þetta mikit, ok fór hann heim."));
  assert.ok(!attested(one, "Nú segja menn, at hún þótti þetta mikit, ok fór hann heim."));
});

/** Returns the quotas for these counts of candidates, each with its own lemma. */
const wantedOf = (...counts: readonly number[]) =>
  Object.values(
    quotas(PHENOMENA.flatMap((phenomenon, i) =>
      Array.from({ length: counts[i]! }, (_, n) =>
        ({ pair: { phenomenon }, certificate: { lemma: `${n}` } }) as unknown as NorsePair)
    )),
  );

Deno.test("quotas() gives a quarter each, or lets the others make up what one lacks", () => {
  assert.deepEqual(wantedOf(200, 200, 200, 200), [125, 125, 125, 125]);
  assert.deepEqual(wantedOf(118, 300, 300, 120), [118, 131, 131, 120]);
  assert.deepEqual(wantedOf(95, 300, 300, 41), [95, 182, 182, 41]);
  const count = fc.integer({ min: 0, max: 400 });
  fc.assert(
    fc.property(fc.tuple(count, count, count, count), (counts) => {
      const wanted = wantedOf(...counts);
      const possible = counts.reduce((sum, n) => sum + n, 0);
      assert.equal(wanted.reduce((sum, n) => sum + n, 0), Math.min(500, possible));
      wanted.forEach((n, i) => assert.ok(n <= counts[i]! && n >= Math.min(125, counts[i]!)));
    }),
    { numRuns: 200 },
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
type Item = (typeof items)[number];
const of = (phenomenon: Phenomenon) => items.filter(({ pair }) => pair.phenomenon === phenomenon);

Deno.test("generate() gives the committed files from the committed sentences and answers, to the byte", () => {
  const settings = readGenerationSettings();
  const { pairs, certificates, rejections } = DATASET;
  const input = { sentences: saga, records: readProposals(), templates: readPromptTemplates() };
  const furtherOnRecord = FURTHER.pairs.read();
  const { dataset } = generate({ ...input, settings, onRecord: pairs.read(), furtherOnRecord });
  const texts = [
    [FURTHER.pairs.path, FURTHER.pairs.format(dataset.further.map(({ pair }) => pair))],
    [
      FURTHER.certificates.path,
      FURTHER.certificates.format(dataset.further.map(({ certificate }) => certificate)),
    ],
    [pairs.path, pairs.format(dataset.items.map(({ pair }) => pair))],
    [certificates.path, certificates.format(dataset.items.map((item) => item.certificate))],
    [rejections.path, rejections.format(dataset.rejections)],
  ] as const;
  for (const [path, text] of texts) assert.ok(Deno.readTextFileSync(path) === text, path);
});

Deno.test(`${FEATURE}, Property 1: no committed sentence holds verse marks, notes or line numbers`, () => {
  assert.ok(saga.length >= 500);
  for (const { source, normalised } of saga) {
    assert.doesNotMatch(source + normalised, /[\d*[\]<>"†]|--/u);
  }
});

Deno.test(`${FEATURE}, Property 2: of each committed sentence only ö, æ, the -st of verbs and misprints were respelt`, () => {
  const changes = new Set(["öǫ", "öø", "ÖǪ", "ÖØ", "æœ", "ÆŒ", "tk"]);
  for (const { id, source: printed, normalised } of saga) {
    const source = correctMisprints(printed).mended;
    assert.equal(normalised.length, source.length, id);
    for (let i = 0; i < source.length; i++) {
      const change = source.charAt(i) + normalised.charAt(i);
      if (change[0] !== change[1]) assert.ok(changes.has(change), `${id}: ${change}`);
      if (change === "tk") assert.match(source.slice(i - 1), /^[sz]t(?!\p{L})/u, id);
    }
    assert.doesNotMatch(normalised, /[öäđɖǽӕ]/iu, id);
    assert.equal(normaliseText(printed), normalised, id);
    assert.deepEqual(correctMisprints(normalised).notes, [], id);
  }
});

Deno.test(`${FEATURE}, Property 3: no committed sentence goes on behind a mark that ends one`, () => {
  for (const { id, source } of saga) assert.deepEqual(splitSentences(source), [source], id);
});

Deno.test(`${FEATURE}, Property 4: balanced phenomenon distribution, 113 to 137 of each among 500`, () => {
  assert.equal(items.length, 500);
  for (const phenomenon of PHENOMENA) {
    const { length } = of(phenomenon);
    assert.ok(length >= 113 && length <= 137, `${phenomenon}: ${length}`);
  }
  // Of any supply from which this can be had, it is had.
  const supply = fc.integer({ min: 113, max: 300 });
  const balanced = fc.tuple(supply, supply, supply, supply)
    .filter((counts) => counts.reduce((sum, n) => sum + Math.min(n, 137), 0) >= 500);
  fc.assert(
    fc.property(balanced, (counts) => {
      const wanted = wantedOf(...counts);
      assert.equal(wanted.reduce((sum, n) => sum + n), 500);
      for (const n of wanted) assert.ok(n >= 113 && n <= 137, `${counts} give ${wanted}`);
    }),
    { numRuns: 100 },
  );
});

Deno.test(`${FEATURE}, Property 13: ID format consistency, numbered from 001`, () => {
  for (const phenomenon of PHENOMENA) {
    of(phenomenon).forEach(({ pair }, index) => {
      assert.equal(pair.id, `ON_${phenomenon}_${String(index + 1).padStart(3, "0")}`);
    });
  }
});

Deno.test("further pairs: adjectives and umlaut of the same rules, in no other set, no lemma too often", () => {
  const further = readFurtherSet();
  assert.ok(further.length > 100);
  const used = new Set(items.map(({ pair }) => pair.ungrammatical));
  const caps: Readonly<Record<string, number>> = { ADJECTIVE: 8, UMLAUT: 10 };
  for (const { pair } of further) {
    assert.match(pair.id, /^ONF_(?:ADJECTIVE|UMLAUT)_\d{3}$/u);
    assert.ok(!used.has(pair.ungrammatical), pair.id);
  }
  const lemmas = [...items, ...further].filter(({ pair }) => pair.phenomenon in caps)
    .map(({ pair, certificate }) => `${pair.phenomenon} ${certificate.lemma}`);
  for (const [lemma, count] of tally(lemmas)) {
    assert.ok(count <= caps[lemma.split(" ")[0]!]!, `${lemma}: ${count}`);
  }
});

Deno.test("committed pairs with one feature broken in every dialect are those that no mark says more of", () => {
  for (const { pair, certificate: { marks } } of items) {
    const more = /_clash$|^modifier_keeps_case$|^regular_in_old_norwegian$/u;
    assert.equal(marks.includes(ONE_FEATURE), !marks.some((mark) => more.test(mark)), pair.id);
  }
});

Deno.test("committed pairs of quirky case: twenty of a lemma at most; with an agreeing nominative no subject; those that change case alone are named", () => {
  const items = of("QUIRKY_CASE");
  const lemmas = tally(items.map(({ certificate }) => certificate.lemma));
  for (const [lemma, count] of lemmas) assert.ok(count <= (lemma === "þykkja" ? 20 : 10), lemma);
  for (const { pair: { id }, certificate: { marks, explanation } } of items) {
    const roles = marks.filter((mark) => mark.startsWith("role_"));
    assert.equal(roles.length, 1, id);
    assert.ok(roles[0] === "role_subject" || !explanation.includes("its subject"), id);
  }
  const alone = items.filter(({ certificate }) => certificate.marks.includes(ONLY_CASE));
  for (const item of items) {
    const { pair: { id }, certificate: { marks } } = item;
    const breaksMore = marks.some((mark) => /_clash$|^modifier_keeps_case$/u.test(mark));
    assert.equal(alone.includes(item), !breaksMore, id);
  }
  assert.ok(alone.length > 0 && alone.every(({ pair }) => pair.phenomenon === "QUIRKY_CASE"));
});

Deno.test(`${FEATURE}, Properties 5, 6 and 7: members differ in the target alone, no field is empty`, () => {
  for (const { pair, certificate } of items) {
    const difference = sentenceDifference(pair.grammatical, pair.ungrammatical);
    assert.equal(difference.kind === "one_token" && difference.from, pair.target);
    const { lemma, rule, cellFrom, cellTo, explanation, sourceSpelling } = certificate;
    const fields = [lemma, rule, cellFrom, cellTo, explanation, sourceSpelling];
    for (const value of [...Object.values(pair), ...fields]) assert.notEqual(value, "");
    assert.ok(certificate.checks.length >= 5);
  }
});

Deno.test(`${FEATURE}, Properties 8 and 9: the case of subjects, the strength of adjectives changes alone`, () => {
  for (const { pair, certificate: { cellFrom, cellTo } } of of("QUIRKY_CASE")) {
    const [kase, ...features] = cellFrom.split(".");
    assert.ok(kase === "dat" || kase === "acc", `${pair.id}: ${cellFrom}`);
    assert.equal(cellTo, ["nom", ...features].join("."));
    const nominatives = nominativesOf(pair.target.toLowerCase(), kase);
    const variant = variantForm(pair).toLowerCase();
    assert.ok(nominatives.includes(variant), `${pair.id}: ${pair.target} > ${variant}`);
  }
  for (const { pair, certificate: { lemma, cellFrom, cellTo } } of of("ADJECTIVE")) {
    const [from, to] = [cellFrom.split("."), cellTo.split(".")];
    assert.deepEqual([from[0], to[0]].sort(), ["strong", "weak"]);
    assert.deepEqual(from.slice(1), to.slice(1));
    // Each member has a form of its strength in a cell of the certificate.
    for (
      const [form, [strength, ...cell]] of [[pair.target, from], [variantForm(pair), to]] as const
    ) {
      const [cases, ...features] = cell;
      const cells = cases!.split("|").map((one) => [one, ...features].join("."));
      const cellsOfForm = ADJECTIVES.filter((one) => one.lemma === lemma)
        .flatMap((one) => cellsOf(one, strength as Strength, form.toLowerCase()));
      assert.ok(
        cells.every((one) => cellsOfForm.some((cell) => cell === one)),
        `${pair.id}: ${form}`,
      );
    }
  }
});

Deno.test(`${FEATURE}, Properties 10, 11 and 12: ǫ becomes a, and -sk goes or comes`, () => {
  const plain = (form: string) => form.replace(/ǫ/gu, "a").replace(/Ǫ/gu, "A");
  for (const { pair } of of("UMLAUT")) {
    assert.match(pair.target, /ǫ/iu);
    assert.equal(variantForm(pair), plain(pair.target));
  }
  for (const { pair, certificate: { marks } } of of("MIDDLE_VOICE")) {
    const toActive = pair.errorType === "middle_to_active";
    const [middle, active] = toActive
      ? [pair.target, variantForm(pair)]
      : [variantForm(pair), pair.target];
    assert.match(middle, /[sz]k$/u);
    assert.doesNotMatch(active, /[sz]k$/u);
    assert.ok(marks.includes(toActive ? "direction_to_active" : "direction_to_middle"), pair.id);
  }
});

Deno.test("committed certificates write names with their capital", () => {
  const names = /(?<!\p{L})(?:sigurð|sigmund|brynhild|guðrún|gunnar|hǫgn|siggeir|fáfn|atl[ai])/u;
  for (const { certificate: { pairId, explanation, checks } } of [...items, ...readFurtherSet()]) {
    assert.doesNotMatch([explanation, ...checks].join(" "), names, pairId);
  }
});

Deno.test("committed pairs are diverse: two a sentence at most, no lemma or direction too often", () => {
  const place = ({ certificate: { source } }: Item) => `${source.chapter}.${source.sentence}`;
  for (const [where, count] of tally(items.map(place))) assert.ok(count <= 2, where);
  assert.equal(new Set(items.map(({ pair }) => pair.ungrammatical)).size, items.length);
  const adjectives = of("ADJECTIVE");
  const share = (test: (item: Item) => boolean) =>
    adjectives.filter(test).length / adjectives.length;
  assert.ok(share(({ certificate }) => certificate.lemma === "mikill") <= 0.15);
  assert.ok(share(({ pair }) => pair.errorType === "weak_to_strong") >= 0.2);
  assert.ok(share(({ pair }) => pair.errorType === "strong_to_weak") >= 0.3);
});
