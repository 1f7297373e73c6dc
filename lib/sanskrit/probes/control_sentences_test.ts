import assert from "node:assert/strict";
import { attestedSentences } from "../../pairs/certify.ts";
import { sentenceDifference } from "../../pairs/sentence_difference.ts";
import { GENERATED, VERSES } from "../contrasts/testdata/generated.ts";
import { toIast } from "../devanagari.ts";
import { illegalSequence } from "../devanagari_legality.ts";
import { controlContrasts } from "./control_sentences.ts";
import { templateOf } from "./control_templates.ts";
import { item } from "./testdata/items.ts";

const ITEMS = GENERATED.aStems.set.items;

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
