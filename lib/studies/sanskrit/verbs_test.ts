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
    const entry = verbOf(stem, conjugation);
    assert.equal(cells.map((cell) => conjugate(entry, cell)).join(" "), forms);
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
const parsed = (given: Partial<ParsedVerb>): ParsedVerb => ({
  ...{ verse: "BG_01_01", line: "a", token: 3, verb: "gacchati", cell: "3.sg", subject: "bālaḥ" },
  ...{ subject_token: 2, readings: "nom.sg.m", kind: "noun", addressable: true, another: "" },
  ...{ joined: "", doubtful: false, ...given },
});
const GACCH = verbOf("gacch", "present_active");
const [BHUJ, BRU] = [verbOf("bhu", "bhuj_present_middle"), verbOf("abr", "brū_imperfect")];
const BHU = verbOf("bhav", "present_active");
const outcome = (line: string, given: Partial<ParsedVerb>, to: VerbCell, verb: typeof GACCH) => {
  const outcome = contrastVerb(parsed(given), verb, fromIast(line), to);
  return typeof outcome === "string" ? outcome : outcome[0];
};

const PLURAL = { verb: "gacchanti", cell: "3.pl", readings: "nom.pl.m,voc.pl.m" } as const;
const THOSE = { subject: "ye", kind: "pronoun" } as const;
const FRUITS = { subject: "phalāni", readings: "nom.pl.n,acc.pl.n", addressable: false };
/** A subject ya before a vowel: yaḥ or ye. */
const WHO = { token: 2, verb: "āste", subject: "yaḥ", subject_token: 1, kind: "pronoun" } as const;

const WHO_GOES = { subject: "yaḥ", subject_token: 3, kind: "pronoun" } as const;
const IDLE = { subject_token: 3, kind: "adjective" } as const;
const WISH = verbOf("icch", "present_active");
const I_WISH: Partial<ParsedVerb> = {
  ...{ token: 1, verb: "icchāmi", cell: "1.sg", subject: "aham", subject_token: 3 },
  ...{ readings: "1.sg", kind: "pronoun" },
};

Deno.test("contrastVerb() changes a singular subject's verb, and refuses each trap", () => {
  const cases: readonly (readonly [...Parameters<typeof outcome>, expected: string])[] = [
    ["vanaṃ bālaḥ gacchati", {}, "3.pl", GACCH, "gacchanti"],
    ["vanaṃ bālaḥ gacchati", { doubtful: true }, "3.pl", GACCH, "reader_in_doubt"],
    ["vanaṃ bālaḥ gacchati", { another: "pl" }, "3.pl", GACCH, "another_subject"],
    ["vanaṃ narāḥ gacchanti", { ...PLURAL, subject: "narāḥ" }, "3.sg", GACCH, "vocative_reading"],
    ["vane ye gacchanti", { ...PLURAL, ...THOSE }, "3.sg", GACCH, "participle_reading"],
    ["na phalāni gacchanti", { ...PLURAL, ...FRUITS }, "3.sg", GACCH, "object_reading"],
    ["ya āste", WHO, "3.pl", verbOf("ā", "ās_present"), "subject_hidden_by_sandhi"],
    // Neuters of the verse, its subject with another, and the plural of nṛ could all be a plural's subject.
    ["karmāṇi bālaḥ gacchati", {}, "3.pl", GACCH, "another_subject"],
    ["kṣetraṃ bālaḥ tathā gacchati", { token: 4 }, "3.pl", GACCH, "another_subject"],
    ["vanaṃ bālaḥ gacchati phalaṃ ca", {}, "3.pl", GACCH, "another_subject"],
    ["vanaṃ naraḥ gacchati", { subject: "naraḥ" }, "3.pl", GACCH, "another_subject"],
    // So could te, a plural of the lexicon, and what may be one before a voiced sound; but who is left over?
    ["yadā te bālaḥ gacchati", { subject_token: 3, token: 4 }, "3.pl", GACCH, "another_subject"],
    ["guṇā bālaḥ gacchati", {}, "3.pl", GACCH, "another_subject"],
    ["guṇāḥ bālaḥ gacchati", {}, "3.pl", GACCH, "another_subject"],
    ["avyaktā bālaḥ gacchati", {}, "3.pl", GACCH, "another_subject"],
    ["vane te yaḥ gacchati", { ...WHO_GOES, token: 4 }, "3.pl", GACCH, "gacchanti"],
    ["sa vanaṃ bālaḥ gacchati", { ...IDLE, token: 4 }, "3.pl", GACCH, "another_subject"],
    // icchati tvāṃ draṣṭum ahaṃ tathaiva: “I likewise”.
    ["icchāmi tvāṃ ahaṃ tathaiva", I_WISH, "3.sg", WISH, "another_subject"],
    // bhuñjate is an epic singular too, and abruvan “not speaking”.
    ["vanaṃ bālaḥ bhuṅkte", { verb: "bhuṅkte" }, "3.pl", BHUJ, "thematic_reading"],
    ["vanaṃ bālaḥ abravīt", { verb: "abravīt" }, "3.pl", BRU, "participle_reading"],
    ["vanaṃ bālaḥ bhavati", { verb: "bhavati" }, "3.pl", BHU, "predicate_reading"],
  ];
  for (const [line, given, to, verb, expected] of cases) {
    assert.equal(outcome(line, given, to, verb), expected, line);
  }
});

Deno.test("verbContrasts() of the Gītā: no cell of the wrong form is the right one, and none is in the text", () => {
  const { certified, rejections } = verbContrasts({ verses: VERSES });
  assert.ok(certified.length > 150, `${certified.length}`);
  for (const { pair, certificate: { cellFrom, cellTo } } of certified) {
    assert.ok(!cellTo.split("/").includes(cellFrom), pair.ungrammatical);
  }
  assert.ok(rejections.every(({ reason }) => reason !== "variant_attested"));
});
