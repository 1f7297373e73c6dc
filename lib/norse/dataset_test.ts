import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { formatCsv } from "../files/csv.ts";
import {
  CERTIFICATE_COLUMNS,
  certificateRow,
  PAIR_COLUMNS,
  pairRow,
  REJECTION_COLUMNS,
  rejectionRow,
} from "../pairs/pair_files.ts";
import { sentenceDifference, variantForm } from "../pairs/sentence_difference.ts";
import { tally } from "../figures/markdown_table.ts";
import { readSentences } from "./acquisition.ts";
import { PHENOMENA } from "./candidate.ts";
import { readNorseDataset, writeNorseDataset } from "./dataset.ts";
import { NORSE_PATHS } from "./paths.ts";
import { generate } from "./proposals/generate.ts";
import { readPromptTemplates } from "./proposals/prompts.ts";
import { readProposals } from "./proposals/record.ts";
import { readGenerationSettings } from "./proposals/settings.ts";

const FEATURE = "Feature: old-norse-minimal-pairs";
const sentences = readSentences(NORSE_PATHS.sentences);
const items = readNorseDataset();
const anyItem = fc.constantFrom(...items);
const of = (phenomenon: string) =>
  fc.constantFrom(...items.filter(({ pair }) => pair.phenomenon === phenomenon));
const RUNS = { numRuns: 500 };

Deno.test("generate() gives the committed files from the committed sentences and answers, to the byte", () => {
  const { records } = readProposals();
  const [templates, settings] = [readPromptTemplates(), readGenerationSettings()];
  const { dataset } = generate({ sentences, records, templates, settings });
  const pairs = dataset.items.map(({ pair }) => pairRow(pair));
  const certificates = dataset.items.map(({ certificate }) => certificateRow(certificate));
  const texts = [
    [NORSE_PATHS.pairs, formatCsv(PAIR_COLUMNS, pairs)],
    [NORSE_PATHS.certificates, formatCsv(CERTIFICATE_COLUMNS, certificates)],
    [NORSE_PATHS.rejections, formatCsv(REJECTION_COLUMNS, dataset.rejections.map(rejectionRow))],
  ] as const;
  for (const [path, text] of texts) assert.ok(Deno.readTextFileSync(path) === text, path);
});

Deno.test(`${FEATURE}, Property 1: no committed sentence holds verse marks, notes or line numbers`, () => {
  assert.ok(sentences.length >= 500);
  fc.assert(
    fc.property(fc.constantFrom(...sentences), ({ source, normalised }) => {
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

Deno.test(`${FEATURE}, Property 14: writing anew over any part of the files doubles and loses nothing`, () => {
  const folder = Deno.makeTempDirSync({ prefix: "norse-dataset-" });
  try {
    const paths = {
      pairs: join(folder, "pairs.csv"),
      certificates: join(folder, "certificates.csv"),
      rejections: join(folder, "rejections.csv"),
    };
    const some = items.slice(0, 12);
    const write = () => writeNorseDataset({ items: some, rejections: [] }, "test", paths);
    write();
    const whole = Deno.readTextFileSync(paths.pairs);
    fc.assert(
      fc.property(fc.nat({ max: whole.length }), (cut) => {
        Deno.writeTextFileSync(paths.pairs, whole.slice(0, cut));
        write();
        assert.equal(Deno.readTextFileSync(paths.pairs), whole);
        assert.equal(readNorseDataset(paths).length, some.length);
      }),
      { numRuns: 100 },
    );
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
