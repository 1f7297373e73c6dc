import assert from "node:assert/strict";
import { parseCell } from "../cell.ts";
import { type AnnotatedNoun, type FixingWord, RELATIONS } from "../treebank/annotated_noun.ts";
import { breaks, FIXING_RULES, headAllows } from "./fixing_rules.ts";
import { ALL_BEINGS, annotated, head } from "./testdata/nouns.ts";

const NOUN = annotated(ALL_BEINGS);

Deno.test("FIXING_RULES have a rule for every relation but free adjuncts, each with its own id", () => {
  const without = RELATIONS.filter((relation) => FIXING_RULES[relation] === undefined);
  assert.deepEqual(without, ["adjunct"]);
  const ids = Object.values(FIXING_RULES).map((rule) => rule?.id);
  assert.equal(new Set(ids).size, ids.length);
});

Deno.test("breaks() knows which cases a relation excludes", () => {
  const broken = (relation: typeof RELATIONS[number], cell: string) =>
    breaks(NOUN, head(relation, "x", "nom.pl.n acc.pl.n"), parseCell(cell));
  assert.equal(broken("agreement", "loc.pl"), true);
  assert.equal(broken("object", "gen.pl"), true);
  assert.equal(broken("object", "loc.pl"), false, "a place beside an unsaid object");
  assert.equal(broken("adnominal", "dat.pl"), true);
  assert.equal(broken("adjunct", "nom.pl"), false);
});

Deno.test("breaks() lets a head fix the number only where all its readings have the noun's", () => {
  const to = parseCell("acc.sg");
  assert.equal(breaks(NOUN, head("agreement", "sarvāṇi", "nom.pl.n acc.pl.n"), to), true);
  assert.equal(breaks(NOUN, head("agreement", "x", "acc.pl.n acc.sg.n"), to), false);
  assert.equal(breaks(NOUN, head("agreement", "x"), to), false, "a head without a form of its own");
  assert.equal(breaks(NOUN, head("object", "x", "3.pl"), to), false);
});

Deno.test("headAllows() compares case, number and gender of what agrees, the case of what is governed", () => {
  const dhīmataḥ = head("agreement", "dhīmataḥ", "gen.sg.m acc.pl.m");
  const man = { ...NOUN, gender: "masculine" as const };
  const last = (noun: AnnotatedNoun, own: FixingWord, cell: string) =>
    headAllows(noun, own, parseCell(cell), { written: own.word, next: undefined });
  assert.equal(last(man, dhīmataḥ, "acc.pl"), true);
  assert.equal(last(man, dhīmataḥ, "acc.sg"), false);
  assert.equal(last(NOUN, dhīmataḥ, "gen.sg"), false, "a neuter noun");
  assert.equal(last(man, head("governed", "vinā", "ins acc"), "ins.du"), true);
  assert.equal(last(man, head("object", "x", "3.pl"), "acc.pl"), false);
});

Deno.test("headAllows() sees what sandhi hides at the end of a token, and nothing at the end of a line", () => {
  const sarvaḥ = head("agreement", "sarvaḥ", "nom.sg.m");
  const man = { ...NOUN, gender: "masculine" as const };
  const at = (written: string, next: string | undefined, cell: string) =>
    headAllows(man, sarvaḥ, parseCell(cell), { written, next });
  assert.equal(at("sarva", "eva", "nom.pl"), true, "sarve eva is written sarva eva");
  assert.equal(at("sarvaḥ", undefined, "nom.pl"), false);
  assert.equal(at("sarvo", "devaḥ", "nom.pl"), false);
  assert.equal(at("sarvaścaiva", "devaḥ", "nom.pl"), false, "its end is inside the token");
});
