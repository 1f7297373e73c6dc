import assert from "node:assert/strict";
import { VERBS } from "./rules.ts";
import { fromIast } from "./sounds.ts";
import { VERSES } from "./testdata/fixtures.ts";
import {
  conjugate,
  contrastVerb,
  exchangeForm,
  type ParsedVerb,
  type VerbCell,
  verbContrasts,
} from "./verbs.ts";

const ALL = VERBS.read();
const verbOf = (stem: string, conjugation: string) =>
  ALL.find((verb) => verb.stem === stem && verb.conjugation === conjugation)!;

/** Forms of Whitney's tables, §§ 611–801. */
const FORMS = [
  ["gacch present_active", "gacchāmi gacchasi gacchati gacchāvaḥ gacchāmaḥ gacchatha gacchanti"],
  ["āp nu_present_active", "āpnomi āpnoṣi āpnoti āpnuvaḥ āpnumaḥ āpnutha āpnuvanti"],
  ["k kṛ_present_active", "karomi karoṣi karoti kurvaḥ kurmaḥ kurutha kurvanti"],
  ["v vid_perfect", "veda vettha veda vidva vidma vida viduḥ"],
  ["ā ās_present", "āse āsse āste āsvahe āsmahe ādhve āsate"],
] as const;

Deno.test("conjugate() gives the forms of Whitney's tables", () => {
  const cells: readonly VerbCell[] = ["1.sg", "2.sg", "3.sg", "1.du", "1.pl", "2.pl", "3.pl"];
  for (const [verb, forms] of FORMS) {
    const [stem, conjugation] = verb.split(" ") as [string, string];
    const own = verbOf(stem, conjugation);
    assert.equal(cells.map((cell) => conjugate(own, cell)).join(" "), forms);
  }
  assert.equal(conjugate(verbOf("ā", "ah_perfect"), "1.sg"), undefined);
});

Deno.test("exchangeForm() changes one token and keeps the sandhi around the verb", () => {
  const cases = [
    ["vāsudevo'smi", "asmi", "asti", undefined, "vāsudevo'sti"],
    ["tadocyate", "ucyate", "ucyante", undefined, "tadocyante"],
    ["sṛjāmyaham", "sṛjāmi", "sṛjati", undefined, "sṛjatyaham"],
    ["yadocyata", "ucyate", "ucyante", "iti", "yadocyanta"],
    ["labhet", "labhet", "labheyuḥ", undefined, "labheyuḥ"],
    // Before m the visarga would be r and written together.
    ["uvāca", "uvāca", "ūcuḥ", "madhusūdanaḥ", undefined],
    ["dadhmau", "dadhmau", "dadhmuḥ", "mahāśaṅkhaṃ", undefined],
    ["dadhmau", "dadhmau", "dadhmuḥ", "pratāpavān", "dadhmuḥ"],
  ] as const;
  for (const [token, from, to, next, expected] of cases) {
    assert.equal(exchangeForm(token, from, to, next), expected, token);
  }
});

/** A line in IAST whose second word is the subject of its last. */
const parsed = (own: Partial<ParsedVerb>): ParsedVerb => ({
  ...{ verse: "BG_01_01", line: "a", token: 3, verb: "gacchati", cell: "3.sg", subject: "naraḥ" },
  ...{ subject_token: 2, readings: "nom.sg.m", kind: "noun", addressable: true, another: "" },
  ...{ doubtful: false, ...own },
});
const GACCH = verbOf("gacch", "present_active");
const outcome = (line: string, own: Partial<ParsedVerb>, to: VerbCell, verb = GACCH) => {
  const found = contrastVerb(parsed(own), verb, fromIast(line), to);
  return typeof found === "string" ? found : found[0];
};

Deno.test("contrastVerb() changes a singular subject's verb, and refuses each trap", () => {
  const plural = { verb: "gacchanti", cell: "3.pl", readings: "nom.pl.m,voc.pl.m" } as const;
  const of = { subject: "narāḥ", ...plural };
  assert.equal(outcome("vanaṃ naraḥ gacchati", {}, "3.pl"), "gacchanti");
  assert.equal(outcome("vanaṃ naraḥ gacchati", { doubtful: true }, "3.pl"), "reader_in_doubt");
  assert.equal(outcome("vanaṃ naraḥ gacchati", { another: "pl" }, "3.pl"), "another_subject");
  assert.equal(outcome("vanaṃ narāḥ gacchanti", of, "3.sg"), "vocative_reading");
  assert.equal(
    outcome("vane ye gacchanti", { ...plural, subject: "ye", kind: "pronoun" }, "3.sg"),
    "participle_reading",
  );
  const books = {
    ...plural,
    subject: "phalāni",
    readings: "nom.pl.n,acc.pl.n",
    addressable: false,
  };
  assert.equal(outcome("na phalāni gacchanti", books, "3.sg"), "object_reading");
  // Before a vowel ya is yaḥ or ye.
  const hidden = { token: 2, subject: "yaḥ", subject_token: 1, kind: "pronoun" as const };
  assert.equal(
    outcome("ya āste", { ...hidden, verb: "āste" }, "3.pl", verbOf("ā", "ās_present")),
    "subject_hidden_by_sandhi",
  );
  // bhuñjate is an epic singular too, and abruvan “not speaking”.
  const [eats, said] = [{ verb: "bhuṅkte" }, { verb: "abravīt" }];
  const [bhuj, brū] = [verbOf("bhu", "bhuj_present_middle"), verbOf("abr", "brū_imperfect")];
  assert.equal(outcome("vanaṃ naraḥ bhuṅkte", eats, "3.pl", bhuj), "thematic_reading");
  assert.equal(outcome("vanaṃ naraḥ abravīt", said, "3.pl", brū), "participle_reading");
  const copula = verbOf("bhav", "present_active");
  assert.equal(
    outcome("vanaṃ naraḥ bhavati", { verb: "bhavati" }, "3.pl", copula),
    "predicate_reading",
  );
});

Deno.test("verbContrasts() of the Gītā: no cell of the wrong form is the right one, and none stands in the text", () => {
  const { certified, rejections } = verbContrasts({ verses: VERSES });
  assert.ok(certified.length > 200, `${certified.length}`);
  for (const { pair, certificate: { cellFrom, cellTo } } of certified) {
    assert.ok(!cellTo.split("/").includes(cellFrom), pair.ungrammatical);
  }
  assert.ok(rejections.every(({ reason }) => reason !== "variant_attested"));
});
