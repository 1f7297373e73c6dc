import assert from "node:assert/strict";
import { certifyContrasts, findContrasts, searchContrasts, variantReadings } from "./contrasts.ts";
import { breaks } from "./fixing.ts";
import type { NounToken } from "./nouns.ts";
import { formatCell, parseCell } from "./paradigms.ts";
import { toIast } from "./sounds.ts";
import { ALL_BEINGS, annotated, type HandMade, head, place, verseOf } from "./testdata/fixtures.ts";
import type { AnnotatedNoun, FixingWord } from "./treebank.ts";

/** What becomes of each cell: the form as written, or the reason why not. */
function outcomes(own: HandMade, isAddressable = false): Readonly<Record<string, string>> {
  const { candidates, rejections } = findContrasts(place(own, isAddressable));
  return Object.fromEntries([
    ...candidates.map(({ to, written }) => [formatCell(to), toIast(written)]),
    ...rejections.map(({ reason, detail }) => [
      / > (\S+?)(?::|$)/.exec(detail)?.[1],
      [reason, ...detail.split(": ").slice(1)].join(" "),
    ]),
  ]);
}

/** A noun of a line with what fixes it: `deva a_masculine gen.sg` as the first word. */
const noun = (text: string, own: string, ...fixedBy: readonly FixingWord[]): HandMade => {
  const [stem, declension, cell] = own.split(" ") as [string, HandMade["declension"], string];
  const token = text.split(" ").findIndex((word) => word.startsWith(stem.slice(0, -1))) + 1;
  return { text, token, stem, declension, cell, fixedBy };
};

const DEVA_KAROTI = noun(
  "devaḥ karoti",
  "deva a_masculine nom.sg",
  head("subject", "karoti", "3.sg"),
);
/** Why, the noun in its line, and what becomes of some of its cells: `cell outcome; cell outcome`. */
const CASES: readonly (readonly [why: string, HandMade, outcomes: string])[] = [
  [
    "agreement breaks in every cell whose form the adjective does not share; a dative or ablative is free",
    ALL_BEINGS,
    "nom.pl same_form; acc.du bhūte; ins.pl bhūtaiḥ; dat.pl relation_leaves_it_open; " +
    "abl.pl relation_leaves_it_open; gen.pl bhūtānāṃ; loc.pl bhūteṣu",
  ],
  ["bhūtam is nominative too, and then the subject", ALL_BEINGS, "acc.sg finds_a_verb paśyati"],
  [
    "svapno na vimuñcati: the nominative finds its verb in the next line",
    noun(
      "svapnaṃ bhayaṃ ca na vimuñcati durmedhā",
      "svapna a_masculine acc.sg",
      head("object", "vimuñcati", "3.sg", 5),
    ),
    "nom.sg finds_a_verb vimuñcati; gen.sg relation_leaves_it_open",
  ],
  [
    "devaḥ pauruṣaṃ ca: an accusative in -am passes for a nominative, and an instrumental may always be added",
    noun(
      "devaḥ pauruṣaṃ ca",
      "deva a_masculine nom.sg",
      head("coordinated", "pauruṣam", "nom.sg.n acc.sg.n", 2),
    ),
    "acc.sg relation_leaves_it_open; ins.sg relation_leaves_it_open",
  ],
  [
    "a nominative without any verb may be predicated",
    noun("śucau deśe", "deśa a_masculine loc.sg", head("agreement", "śucau", "loc.sg.m")),
    "nom.sg finds_a_verb no verb; acc.sg deśam",
  ],
  [
    "jayati may have an object, jāyate none",
    noun("devaḥ jayati", "deva a_masculine nom.sg", head("subject", "jayati", "3.sg")),
    "acc.sg finds_a_verb jayati",
  ],
  [
    "jāyate has no object",
    noun("devaḥ jāyate", "deva a_masculine nom.sg", head("subject", "jāyate", "3.sg")),
    "acc.sg devaṃ; gen.sg relation_leaves_it_open",
  ],
  [
    "bandho is “O kinsman” as well",
    noun("bandhaṃ vetsi", "bandha a_masculine acc.sg", head("object", "vetsi", "2.sg", 2)),
    "nom.sg form_of_another_word bandho is also “O kinsman”, the vocative of bandhu",
  ],
  [
    "rūpāṇi ghoram: the modifier becomes an adverb",
    noun(
      "rūpaṃ ghoraṃ paśyasi",
      "rūpa a_neuter acc.sg",
      head("agreement", "ghoram", "acc.sg.m nom.sg.n acc.sg.n", 2),
    ),
    "acc.pl relation_leaves_it_open",
  ],
  [
    "śamau kāraṇam ucyate: the verb may agree with the predicate noun",
    noun(
      "śamaḥ kāraṇam ucyate",
      "śama a_masculine nom.sg",
      head("predicate", "kāraṇam", "nom.sg.n acc.sg.n", 2),
      head("subject", "ucyate", "3.sg", 3),
    ),
    "nom.pl relation_leaves_it_open; acc.sg śamaṃ",
  ],
  [
    "an oblique adjective may be left behind as a noun: no free dative, and no number, is an error",
    noun(
      "kṛpayā parayā yuktaḥ",
      "kṛpā ā_feminine ins.sg",
      head("agreement", "parayā", "ins.sg.f", 2),
    ),
    "dat.sg relation_leaves_it_open; ins.pl relation_leaves_it_open; acc.sg kṛpāṃ",
  ],
  [
    "an ablative is free: devād would leave dhīmataḥ as a noun, or agree with it",
    noun(
      "devasya dhīmataḥ",
      "deva a_masculine gen.sg",
      head("agreement", "dhīmataḥ", "gen.sg.m abl.sg.m acc.pl.m nom.pl.m", 2),
    ),
    "abl.sg relation_leaves_it_open; loc.sg deve",
  ],
  [
    "before bh- kāḥ would be written kā as well: kā bhāṣāḥ, “which languages?”",
    noun("kā bhāṣā paśya", "bhāṣā ā_feminine nom.sg", head("agreement", "kā", "nom.sg.f")),
    "nom.pl head_agrees_with_it kā",
  ],
  [
    "at its own line's end an adjective hides nothing",
    noun("bhāṣā paramā", "bhāṣā ā_feminine nom.sg", head("agreement", "paramā", "nom.sg.f", 2)),
    "nom.pl bhāṣāḥ",
  ],
  [
    "no free ablative or genitive breaks a predicate, the accusative does",
    noun("sā vidyā paramā", "vidyā ā_feminine nom.sg", head("predicate", "paramā", "nom.sg.f")),
    "abl.sg relation_leaves_it_open; gen.sg relation_leaves_it_open; acc.sg vidyāṃ",
  ],
  ["the vocative of a thing is none", DEVA_KAROTI, "nom.pl devāḥ"],
  [
    "before bh devaḥ is written devo",
    noun("devena bhavāmi", "deva a_masculine ins.sg", head("agreement", "tena", "ins.sg.m")),
    "nom.sg devo; gen.sg devasya; acc.sg devaṃ",
  ],
  [
    "before bh the visarga of devaiḥ is r and joined",
    noun("devāḥ bhavāmi", "deva a_masculine nom.pl", head("agreement", "te", "nom.pl.m")),
    "ins.pl sandhi_would_change",
  ],
  [
    "coordinated subjects add up",
    noun(
      "droṇaḥ ca karṇaḥ ca gacchataḥ",
      "droṇa a_masculine nom.sg",
      head("coordinated", "karṇaḥ", "nom.sg.m"),
      head("subject", "gacchataḥ", "3.du"),
    ),
    "nom.pl relation_leaves_it_open; gen.sg relation_leaves_it_open",
  ],
  [
    "tān … narādhamam: a pronoun is an object of its own, and takes the other modifiers with it",
    noun(
      "tān krūrān devān kṣipāmi",
      "deva a_masculine acc.pl",
      head("agreement", "tān", "acc.pl.m"),
      head("agreement", "krūrān", "acc.pl.m", 2),
    ),
    "acc.sg relation_leaves_it_open; gen.pl devānāṃ",
  ],
  [
    "prakṛtiṃ yānti … nigrahāḥ: another verb may have it for a subject",
    noun(
      "prakṛtiṃ yānti kṣaṇena devaḥ karoti",
      "deva a_masculine nom.sg",
      head("subject", "karoti", "3.sg", 5),
    ),
    "nom.pl finds_a_verb yānti",
  ],
  [
    "rasyāḥ snigdhāḥ … āhāraḥ: what is tasty may be called a food, where no verb says otherwise",
    noun("rasyāḥ devāḥ", "deva a_masculine nom.pl", head("agreement", "rasyāḥ", "nom.pl.m")),
    "nom.sg finds_a_verb no verb",
  ],
  [
    "iti devaḥ: a sentence of its own",
    noun(
      "śakra indra iti devāḥ bahuvidhāḥ",
      "deva a_masculine nom.pl",
      head("agreement", "bahuvidhāḥ", "nom.pl.m", 5),
    ),
    "nom.sg relation_leaves_it_open iti",
  ],
  [
    "puṇyo devāḥ … asmi: “I” may be called many things",
    noun(
      "puṇyaḥ devaḥ tejaścāsmi",
      "deva a_masculine nom.sg",
      head("agreement", "puṇyaḥ", "nom.sg.m"),
    ),
    "nom.pl relation_leaves_it_open “I am” or “thou art”; acc.sg devaṃ",
  ],
  [
    "senayor madhye rathaḥ: “between the armies is the chariot; draw it up”",
    noun(
      "senayoḥ madhye rathaṃ sthāpaya",
      "ratha a_masculine acc.sg",
      head("object", "sthāpaya", "2.sg", 4),
    ),
    "nom.sg finds_a_verb is madhye",
  ],
  [
    "janaḥ is a collective as well, and vāyavaḥ “of the wind”",
    noun("janāḥ yānti", "jana a_masculine nom.pl", head("subject", "yānti", "3.pl", 2)),
    "nom.sg form_of_another_word a collective singular may have a plural verb “the folk praise thee”",
  ],
  [
    "dṛṣṭvā and dhātā may govern an accusative",
    noun("dhātā devaḥ", "deva a_masculine nom.sg", head("apposition", "dhātā", "nom.sg.m")),
    "acc.sg finds_a_verb dhātā",
  ],
  [
    "objects leave the number open, and a free genitive breaks nothing",
    { ...ALL_BEINGS, fixedBy: [head("object", "paśyati", "3.sg")] },
    "acc.sg relation_leaves_it_open; gen.pl relation_leaves_it_open",
  ],
];

Deno.test("findContrasts() gives what was worked by hand", () => {
  for (const [why, own, expected] of CASES) {
    const found = outcomes(own);
    for (const [cell = "", ...outcome] of expected.split("; ").map((said) => said.split(" "))) {
      assert.equal(found[cell], outcome.join(" "), `${why}: ${cell}`);
    }
  }
  assert.equal(outcomes(DEVA_KAROTI, true)["nom.pl"], "vocative_reading");
});

Deno.test("findContrasts() names the strongest head that the new form breaks, and what else it changes", () => {
  const { candidates } = findContrasts(place(ALL_BEINGS));
  const of = (cell: string) => candidates.find(({ to }) => formatCell(to) === cell);
  assert.equal(of("gen.pl")?.fixedBy.word, "mahānti");
  assert.deepEqual([of("acc.sg")?.marks, of("gen.pl")?.marks], [undefined, []]);
  assert.deepEqual(of("acc.du")?.marks, ["metre_changed", "vocative_homonym"]);
  assert.deepEqual([of("acc.du")?.phenomenon, of("ins.pl")?.phenomenon], ["number", "case"]);
});

const NOUN = annotated(ALL_BEINGS);
const ENTRY = { stem: "bhūta", declension: "a_neuter", isAddressable: false } as const;

const TOKEN: NounToken = {
  ...{ line: NOUN.line, token: 2, form: NOUN.form, entry: ENTRY },
  cells: [parseCell("nom.pl"), parseCell("acc.pl")],
};

const VERSES = [verseOf(ALL_BEINGS.text, "na hanyate")];

const search = (noun: AnnotatedNoun, token: NounToken | undefined = TOKEN, stems = [ENTRY]) =>
  searchContrasts({
    ...{ verses: VERSES, treebank: [noun], stems: new Set(stems) },
    extracted: token ? [token] : [],
  });

const reasonsOf = (found: ReturnType<typeof search>) =>
  found.rejections.map(({ phenomenon, reason }) => `${phenomenon} ${reason}`);

Deno.test("searchContrasts() reads on where the sentence does: a verb of the next verse may take the form", () => {
  const inLine = head("apposition", "śikhaṇḍī", "nom.sg.m");
  const next = { verse: "BG_01_02", label: "a" } as const;
  const inNext = { ...head("subject", "viśanti", "3.pl"), line: next };
  const outcome = (...fixedBy: readonly FixingWord[]) => {
    const text = "śikhaṇḍī rathaḥ";
    const own = annotated({
      ...{ text, token: 2, stem: "ratha", declension: "a_masculine", cell: "nom.sg" },
      fixedBy,
    });
    const entry = { stem: "ratha", declension: "a_masculine", isAddressable: false } as const;
    const token = { ...TOKEN, form: own.form, entry, cells: [parseCell("nom.sg")] };
    const { rejections, candidates } = searchContrasts({
      ...{ verses: [verseOf(text)], treebank: [own], extracted: [token], stems: new Set([entry]) },
    });
    const refused = rejections.find(({ detail }) => detail.startsWith("nom.sg > acc.sg"));
    return refused?.detail.split(": ")[1] ??
      candidates.filter(({ to }) => formatCell(to) === "acc.sg").length;
  };
  assert.equal(outcome(inLine), 1);
  assert.equal(outcome(inLine, inNext), "viśanti");
});

const refusedAs = (reason: string) => [`case ${reason}`, `number ${reason}`].toSorted();

Deno.test("searchContrasts() refuses a noun once for each phenomenon, with the reason", () => {
  const elsewhere = { ...NOUN.fixedBy[0]!, line: { ...NOUN.line, label: "b" } as const };
  const doubtful = search({ ...NOUN, isDoubtful: true });
  const cases: readonly (readonly [string, ReturnType<typeof search>])[] = [
    ["reader_in_doubt", doubtful],
    ["extracted_otherwise", search({ ...NOUN, stem: "sarva-bhūta" })],
    ["extracted_otherwise", search({ ...NOUN, cell: parseCell("gen.pl") })],
    ["stem_without_evidence", search(NOUN, TOKEN, [])],
    ["not_the_paradigm_form", search({ ...NOUN, form: "भूतेन" })],
    ["nothing_fixes_the_cell", search({ ...NOUN, fixedBy: [head("adjunct", "x")] })],
    ["fixed_from_another_line", search({ ...NOUN, fixedBy: [elsewhere] })],
  ];
  for (const [reason, found] of cases) {
    assert.deepEqual(reasonsOf(found).toSorted(), refusedAs(reason));
    assert.deepEqual(found.candidates, []);
  }
});

Deno.test("certifyContrasts() keeps what a reader found wrong, and says why not the rest", () => {
  const ratings = { भूते: "wrong", भूतैः: "doubtful", भूतानां: "acceptable" } as const;
  const { certified, rejections } = certifyContrasts(
    search(NOUN),
    VERSES,
    ({ written }) => ratings[written as keyof typeof ratings],
    new Set<string>(),
  );
  assert.deepEqual(certified.map(({ pair }) => toIast(pair.ungrammatical)), [
    "mahānti bhūte paśyati",
  ]);
  assert.deepEqual(certified[0]?.certificate.marks, ["metre_changed", "vocative_homonym"]);
  const reasons = rejections.map(({ candidate, reason }) => `${toIast(candidate)} ${reason}`);
  assert.ok(reasons.includes("bhūtāni>bhūtaiḥ reader_in_doubt_of_variant"));
  assert.ok(reasons.includes("bhūtāni>bhūtānāṃ reader_finds_a_reading"));
  assert.ok(reasons.includes("bhūtāni>bhūteṣu not_read"));
});

Deno.test("breaks() lets a head fix the number only where all its readings have the noun's", () => {
  const to = parseCell("acc.sg");
  assert.equal(breaks(NOUN, head("agreement", "mahānti", "nom.pl.n acc.pl.n"), to), true);
  assert.equal(breaks(NOUN, head("agreement", "x", "acc.pl.n acc.sg.n"), to), false);
  assert.equal(breaks(NOUN, head("agreement", "x"), to), false, "a head without a form of its own");
  assert.equal(breaks(NOUN, head("object", "x", "3.pl"), to), false);
});

const { candidates } = findContrasts(place(ALL_BEINGS));
const [first] = candidates;
const token = "BG_01_01.a.2";

Deno.test("variantReadings() takes the most lenient of several readings, in any order", () => {
  const written = first!.written;
  const wrong = { token, written, rating: "wrong" } as const;
  const doubtful = { ...wrong, rating: "doubtful" } as const;
  const acceptable = { ...wrong, rating: "acceptable" } as const;
  assert.equal(variantReadings([wrong])(first!), "wrong");
  assert.equal(variantReadings([doubtful, wrong])(first!), "doubtful");
  assert.equal(variantReadings([wrong, acceptable, doubtful])(first!), "acceptable");
});
