import assert from "node:assert/strict";
import { openOwnPairs } from "./own_pairs.ts";
import { pairsOfRules, writeRulePairs } from "./rule_folder.ts";
import { type At, test } from "./testdata/folder.ts";

const SENTENCES = `sentence
Der Hund schläft im Garten.
Die Kinder spielen auf der Straße.
Sie singt ein Lied.
"Spielt das Kind, so lacht es."
Draußen spielen Anna und Paul.
Der Hund liegt im Haus.
Die Kinder gehen.
`;
const FORMS = `lemma,cell,form
schlafen,3sg,schläft
schlafen,3pl,schlafen
spielen,3sg,spielt
spielen,3pl,spielen
singen,3sg,singt
singen,3pl,singen
lachen,3sg,lacht
lachen,3pl,lachen
liegen,3sg,liegt
gehen,3pl,gehen
gehen,inf,gehen
gehen,3sg,geht
`;
const CONTRASTS = `source: Seven sentences
contrasts:
  - phenomenon: AGREEMENT
    rule: DE_VERB_NUMBER
    from: 3sg
    to: 3pl
    reverse: true
    explanation: The verb must agree with its subject in number.
    unless:
      sie_is_she_or_they: '\\bsie\\b'
      two_subjects_after_the_verb: ' und '
`;

function write(at: At, changed: Readonly<Record<string, string>> = {}): string {
  Deno.mkdirSync(at("rules"), { recursive: true });
  const files = { "sentences.csv": SENTENCES, "forms.csv": FORMS, "contrasts.yaml": CONTRASTS };
  for (const [name, text] of Object.entries({ ...files, ...changed })) {
    Deno.writeTextFileSync(at(`rules/${name}`), text);
  }
  return at("rules");
}

test("pairsOfRules() makes certified pairs of tables, and accounts for every rejection", async (at) => {
  const { items, rejections } = pairsOfRules(write(at));
  const pairs = items.map(({ pair, certificate: { cellFrom } }) =>
    `${pair.id} ${cellFrom}: ${pair.ungrammatical}`
  );
  assert.deepEqual(pairs, [
    "AGREEMENT_0001 3sg: Der Hund schlafen im Garten.",
    "AGREEMENT_0002 3pl: Die Kinder spielt auf der Straße.",
    "AGREEMENT_0003 3sg: Spielen das Kind, so lacht es.",
    "AGREEMENT_0004 3sg: Spielt das Kind, so lachen es.",
  ]);
  assert.deepEqual(rejections.map(({ candidate, reason }) => `${candidate} ${reason}`), [
    "singt sie_is_she_or_they",
    "spielen two_subjects_after_the_verb",
    "liegt no_form",
    "gehen several_readings",
  ]);
  const [{ certificate }] = items as [(typeof items)[number]];
  assert.deepEqual([certificate.lemma, certificate.checks.length], ["schlafen", 5]);
  writeRulePairs(at("out"), { items, rejections });
  // What is written is what `evaluate --pairs` reads, its direction and clusters included.
  const own = await openOwnPairs(at("out/pairs.csv"), at("results"));
  assert.deepEqual(
    own.pairs.map(({ ungrammatical }) => ungrammatical),
    items.map(({ pair }) => pair.ungrammatical),
  );
  assert.deepEqual([...new Set(own.directions.values())], ["3sg to 3pl", "3pl to 3sg"]);
  assert.match(
    Deno.readTextFileSync(at("out/rejections.csv")),
    /AGREEMENT,Seven sentences,1,3,singt,/,
  );
});

test("pairsOfRules() names the file that is wrong, and what is wrong in it", (at) => {
  const cases = [
    ["sentences.csv", "text\na\n", /sentences\.csv: no column is called sentence; it has text/],
    ["forms.csv", "lemma,cell,form\ngehen,3sg,\n", /forms\.csv: line 2, column form: it is empty/],
    ["contrasts.yaml", "contrasts: []\n", /contrasts\.yaml: contrasts: /],
    ["contrasts.yaml", CONTRASTS.replace("3pl", "4pl"), /no form of forms\.csv is of the cell 4pl/],
    [
      "contrasts.yaml",
      CONTRASTS.replace("' und '", "'('"),
      /contrasts\.0\.unless\.two_subj.*regular/,
    ],
  ] as const;
  for (const [name, text, pattern] of cases) {
    assert.throws(() => pairsOfRules(write(at, { [name]: text })), {
      name: "SyntaxError",
      message: pattern,
    });
  }
});
