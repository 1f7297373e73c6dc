import assert from "node:assert/strict";
import { attestedSentences } from "../../pairs/certify.ts";
import { sentenceDifference } from "../../pairs/pair.ts";
import { controlContrasts } from "./probes.ts";
import { illegalSequence, toIast } from "./sounds.ts";
import { nounItems } from "./generate.ts";
import { GENERATED, item, VERSES } from "./testdata/fixtures.ts";

const ITEMS = nounItems(GENERATED.set.items);

const sentences = (...given: Parameters<typeof item>) =>
  controlContrasts([item(...given)]).map(({ grammatical, ungrammatical }) =>
    `${toIast(grammatical)} | ${toIast(ungrammatical)}`
  )[0];

Deno.test("controlContrasts() has a frame for each case of persons and of things, with the pair's cells", () => {
  const cases: readonly (readonly [...Parameters<typeof item>, string])[] = [
    ["deva", "nom.pl.m", "acc.pl.m", "devāḥ sukhaṃ svapanti | devān sukhaṃ svapanti"],
    ["vidyā", "nom.sg.f", "acc.sg.f", "vidyā sarvatra pravartate | vidyāṃ sarvatra pravartate"],
    ["deva", "acc.sg.m", "nom.sg.m", "devaṃ pṛcchati sītā | devaḥ pṛcchati sītā"],
    ["vidyā", "acc.sg.f", "nom.sg.f", "vidyāṃ smarati rāmaḥ | vidyā smarati rāmaḥ"],
    ["deva", "ins.sg.m", "acc.sg.m", "devena saha hṛṣyati sītā | devaṃ saha hṛṣyati sītā"],
    ["phala", "ins.sg.n", "acc.sg.n", "phalena prīyate sītā | phalaṃ prīyate sītā"],
    ["deva", "dat.sg.m", "acc.sg.m", "devāya kupyati sītā | devaṃ kupyati sītā"],
    [
      ...["vidyā", "abl.sg.f", "nom.sg.f"] as const,
      "vidyāyāḥ pramādyati rāmaḥ | vidyā pramādyati rāmaḥ",
    ],
    ["deva", "gen.pl.m", "acc.pl.m", "devānāṃ samīpe tiṣṭhati sītā | devān samīpe tiṣṭhati sītā"],
    ["phala", "gen.sg.n", "acc.sg.n", "phalasya kṛte prayatate sītā | phalaṃ kṛte prayatate sītā"],
    ["deva", "loc.sg.m", "acc.sg.m", "deve snihyati sītā | devaṃ snihyati sītā"],
    ["vidyā", "loc.sg.f", "acc.sg.f", "vidyāyāṃ sajjate rāmaḥ | vidyāṃ sajjate rāmaḥ"],
  ];
  for (const [stem, from, to, expected] of cases) {
    assert.equal(sentences(stem, from, to), expected);
  }
});

Deno.test("controlContrasts() leaves out what no form breaks", () => {
  // phalam is nominative as well, devāḥ vocative as well, an accusative of time is no object,
  // naraḥ is a plural as well.
  assert.equal(sentences("phala", "acc.sg.n", "nom.sg.n"), undefined);
  assert.equal(sentences("deva", "acc.pl.m", "nom.pl.m"), undefined);
  assert.equal(sentences("niśā", "nom.sg.f", "acc.sg.f"), undefined);
  assert.equal(sentences("nara", "nom.pl.m", "nom.sg.m"), undefined);
});

Deno.test("controlContrasts() of number go both ways, as their pairs do", () => {
  const toSingular = "devāḥ kecit svapanti | devaḥ kecit svapanti";
  assert.equal(sentences("deva", "nom.pl.m", "nom.sg.m"), toSingular);
  const toPlural = "devaṃ kañcit pṛcchati sītā | devān kañcit pṛcchati sītā";
  assert.equal(sentences("deva", "gen.sg.m", "gen.pl.m"), toPlural);
  assert.equal(
    sentences("vidyā", "nom.sg.f", "nom.pl.f"),
    "vidyāḥ kāścit pravartante | vidyā kāścit pravartante",
    "vidyāḥ is a vocative as well",
  );
  assert.equal(sentences("phala", "acc.pl.n", "acc.sg.n"), undefined, "phalam may be an adverb");
});

Deno.test("control sentences are new, each once, and differ in one word of legal Devanagari", () => {
  const text = attestedSentences(VERSES.flatMap(({ lines }) => lines.map(({ text }) => text)));
  const records = controlContrasts(ITEMS);
  assert.ok(records.length >= 80, `${records.length}`);
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
