import assert from "node:assert/strict";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import { attestedSentences } from "../../pairs/certify.ts";
import { sentenceDifference } from "../../pairs/sentence_difference.ts";
import type { Phenomenon } from "../contrasts/candidate.ts";
import { GENERATED, VERSES } from "../contrasts/testdata/generated.ts";
import { toIast } from "../devanagari.ts";
import { illegalSequence } from "../devanagari_legality.ts";
import { controlContrasts } from "./control_sentences.ts";
import { templateOf } from "./control_templates.ts";
import { bareForms } from "./bare_forms.ts";
import { transliterated } from "./transliterated.ts";

const ITEMS = GENERATED.aStems.set.items;
const [FIRST] = ITEMS;

/** A pair about a stem and two cells with their gender: `item("deva", "gen.sg.m", "acc.sg.m")`. */
function item(lemma: string, cellFrom: string, cellTo: string): DatasetItem<Phenomenon> {
  const phenomenon = cellFrom.slice(0, 3) === cellTo.slice(0, 3) ? "number" : "case";
  return {
    pair: { ...FIRST!.pair, phenomenon },
    certificate: { ...FIRST!.certificate, lemma, cellFrom, cellTo },
  };
}

const sentences = (...own: Parameters<typeof item>) =>
  controlContrasts([item(...own)]).map(({ grammatical, ungrammatical }) =>
    `${toIast(grammatical)} | ${toIast(ungrammatical)}`
  )[0];

Deno.test("controlContrasts() has a frame for each case, with the pair's noun and cells", () => {
  assert.equal(sentences("deva", "nom.pl.m", "acc.pl.m"), "devāḥ prakāśante | devān prakāśante");
  assert.equal(
    sentences("deva", "acc.sg.m", "nom.sg.m"),
    "devaṃ paśyati sītā | devaḥ paśyati sītā",
  );
  assert.equal(
    sentences("phala", "ins.sg.n", "gen.sg.n"),
    "phalena saha nṛtyati sītā | phalasya saha nṛtyati sītā",
  );
  assert.equal(
    sentences("deva", "dat.sg.m", "acc.sg.m"),
    "devāya kupyati sītā | devaṃ kupyati sītā",
  );
  assert.equal(
    sentences("vidyā", "abl.sg.f", "loc.sg.f"),
    "vidyāyāḥ prabhṛti nṛtyati sītā | vidyāyāṃ prabhṛti nṛtyati sītā",
  );
  assert.equal(
    sentences("deva", "gen.pl.m", "acc.pl.m"),
    "devānāṃ kṛte nṛtyati sītā | devān kṛte nṛtyati sītā",
  );
  assert.equal(
    sentences("deva", "loc.sg.m", "acc.sg.m"),
    "deve snihyati sītā | devaṃ snihyati sītā",
  );
});

Deno.test("controlContrasts() takes the first case that breaks the frame where the pair's would not", () => {
  // “Sītā sees by means of the fruit” is a sentence; phalam is nominative as well as accusative.
  assert.equal(
    sentences("deva", "acc.sg.m", "ins.sg.m"),
    "devaṃ paśyati sītā | devaḥ paśyati sītā",
  );
  assert.equal(
    sentences("phala", "acc.sg.n", "nom.sg.n"),
    "phalaṃ paśyati sītā | phalasya paśyati sītā",
  );
});

Deno.test("controlContrasts() lets no vocative save the wrong member", () => {
  // devāḥ paśyati sītā: “O gods, Sītā sees”.
  assert.equal(
    sentences("deva", "acc.pl.m", "nom.pl.m"),
    "devān paśyati sītā | devānāṃ paśyati sītā",
  );
});

Deno.test("controlContrasts() leaves out what no form breaks, and refuses a vocative", () => {
  // devau is nominative and accusative, devayoḥ genitive and locative.
  assert.equal(sentences("deva", "acc.du.m", "nom.du.m"), undefined);
  assert.throws(() => templateOf({ case: "vocative", number: "singular" }), RangeError);
});

Deno.test("controlContrasts() of number have sarva beside the noun, in its gender, case and number", () => {
  const own = (...cells: Parameters<typeof item>) => sentences(...cells)?.split(" | ");
  assert.deepEqual(own("deva", "nom.pl.m", "nom.sg.m"), [
    "devāḥ sarve prakāśante",
    "devaḥ sarve prakāśante",
  ]);
  assert.deepEqual(own("phala", "acc.pl.n", "acc.sg.n"), [
    "phalāni sarvāṇi paśyati sītā",
    "phalaṃ sarvāṇi paśyati sītā",
  ]);
  assert.deepEqual(own("vidyā", "gen.sg.f", "gen.pl.f"), [
    "vidyāyāḥ sarvasyāḥ kṛte nṛtyati sītā",
    "vidyānāṃ sarvasyāḥ kṛte nṛtyati sītā",
  ]);
});

Deno.test("control sentences are new, each once, and differ in one word of legal Devanagari", () => {
  const text = attestedSentences(VERSES.flatMap(({ lines }) => lines.map(({ text }) => text)));
  const records = controlContrasts(ITEMS);
  assert.ok(records.length >= 300, `${records.length}`);
  const members = records.map(({ grammatical, ungrammatical }) =>
    `${grammatical}|${ungrammatical}`
  );
  assert.equal(new Set(members).size, records.length);
  for (const { grammatical, ungrammatical, metadata } of records) {
    const difference = sentenceDifference(grammatical, ungrammatical);
    assert.ok(difference.kind === "one_token", `${grammatical} | ${ungrammatical}`);
    assert.deepEqual([difference.from, difference.to], [metadata.target, metadata.variant]);
    for (const member of [grammatical, ungrammatical]) {
      assert.equal(illegalSequence(member), undefined);
      assert.equal(text.has(member), false, member);
      assert.doesNotMatch(member, /म् [कपस]/u);
    }
  }
});

Deno.test("bareForms() are the two forms in pausa, each pair of forms once, ids counting up", () => {
  const records = bareForms([
    item("deva", "acc.sg.m", "gen.sg.m"),
    item("deva", "acc.sg.m", "gen.sg.m"),
    item("kula-dharma", "nom.pl.m", "nom.sg.m"),
  ]);
  assert.deepEqual(
    records.map(({ id, grammatical, ungrammatical }) => [id, grammatical, ungrammatical]),
    [
      ["bare_0001", "देवम्", "देवस्य"],
      ["bare_0002", "कुलधर्माः", "कुलधर्मः"],
    ],
  );
  assert.equal(records[0]?.context, "");
  assert.equal(records[1]?.stem, "कुलधर्म");
});

Deno.test("transliterated() changes the script and the id, nothing else", () => {
  const [own] = transliterated([{ ...FIRST!.pair, id: "morph_0017" }]);
  assert.equal(own?.id, "iast_0017");
  assert.equal(own?.grammatical, toIast(FIRST!.pair.grammatical));
  assert.equal(own?.errorType, FIRST!.pair.errorType);
  const difference = sentenceDifference(own!.grammatical, own!.ungrammatical);
  assert.equal(difference.kind === "one_token" && difference.from, own!.target);
});
