import assert from "node:assert/strict";
import fc from "fast-check";
import type { CorpusIndex } from "../candidate.ts";
import { NOMINATIVE_HOMOGRAPHS, OBLIQUE_NOUNS } from "./nominative_forms.ts";
import { OBLIQUE_PRONOUNS, type ObliqueForm, REFLEXIVES } from "./pronouns.ts";
import { findQuirkyCase } from "./quirky_case.ts";
import { QUIRKY_VERBS } from "./verbs.ts";
import type { Sentence } from "../sentence.ts";
import { agrees, FINITE_FORMS } from "./verb_agreement.ts";
import { matchCapital, replaceToken, tokenise } from "../tokens.ts";

const CORPUS: CorpusIndex = { frequency: new Map() };
const RUNS = { numRuns: 200 };

const sentence = (normalised: string): Sentence => ({
  id: "VS_99_001",
  chapter: 99,
  position: 1,
  source: normalised,
  normalised,
});

const ROWS = [...OBLIQUE_PRONOUNS, ...OBLIQUE_NOUNS];
const PERSONS = ROWS.filter((row) => row.inanimate !== true);
const exchangeable = (row: ObliqueForm) =>
  row.nominative !== row.form && row.nominative !== "þér" &&
  !NOMINATIVE_HOMOGRAPHS.has(row.nominative);

/** lízk is the 2nd singular too, and "þú lízk" is personal: 'you seem'. */
const isPersonal = ({ person, number }: ObliqueForm, text: string) =>
  person === 2 && number === "sg" && text.includes(" lízk ");

/** Clauses with a place for the subject, each with the case that its verb asks for. */
const DATIVE_CLAUSES = [
  ["", "fellsk þat vel í skap"],
  ["", "varð opt litit til hallar"],
  ["", "var sagt, at konungr kom"],
  ["", "þótti þat ráð gott"],
  ["Ekki er", "leitt at berjask"],
  ["Þá tóksk", "vel at sigla"],
  ["Þat ráð lízk", "illa sett"],
  ["Nú er segir frá því, at", "var svá varit"],
] as const;
const ACCUSATIVE_CLAUSES = [
  ["", "dreymdi þat um nótt"],
  ["Enn dreymdi", "þat"],
  ["Eigi skorti", "hug"],
] as const;

const OPENING = fc.constantFrom("Þat var um aptaninn, ok svá er ritat; ", "Nú líðr sá vetr; ", "");
const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function clauseFor(row: ObliqueForm) {
  const clauses = row.cases.includes("accusative") && !row.cases.includes("dative")
    ? fc.constantFrom(...ACCUSATIVE_CLAUSES)
    : fc.constantFrom(...DATIVE_CLAUSES);
  return fc.tuple(fc.constant(row), clauses, OPENING);
}

const generated = fc.constantFrom(...PERSONS).chain(clauseFor).map((
  [row, [before, after], open],
) => ({
  row,
  text: open + capitalised(`${before} ${row.form} ${after}.`.trim()),
}));

Deno.test(
  "Feature: old-norse-minimal-pairs, Property 8: a quirky subject changes from dative or accusative to nominative",
  () => {
    fc.assert(
      fc.property(generated, ({ row, text }) => {
        const { candidates, rejections } = findQuirkyCase(sentence(text), CORPUS);
        const target = candidates.find((c) => c.token.lower === row.form);
        if (!exchangeable(row) || isPersonal(row, text)) {
          assert.equal(target, undefined, text);
          assert.equal(rejections.some((r) => r.candidate.toLowerCase() === row.form), true, text);
          return;
        }
        assert.ok(target, text);
        assert.equal(target.replacement, row.nominative);
        assert.notEqual(target.replacement, target.token.lower);
        const [from] = target.errorType.split("_to_");
        assert.equal(row.cases.some((name) => name === from), true);
        assert.match(target.cellTo, /^nom\./u);
        assert.equal(target.cellFrom.slice(3), target.cellTo.slice(3), "only the case differs");
      }),
      RUNS,
    );
  },
);

Deno.test(
  "Feature: old-norse-minimal-pairs, Property 7: every token but the quirky subject stays",
  () => {
    fc.assert(
      fc.property(generated, ({ text }) => {
        for (const c of findQuirkyCase(sentence(text), CORPUS).candidates) {
          const before = tokenise(text).map(({ form }) => form);
          const after = tokenise(replaceToken(text, c.token, c.replacement)).map(({ form }) =>
            form
          );
          const changed = before.filter((form, i) => form !== after[i]);
          assert.equal(before.length, after.length);
          assert.deepEqual(changed, [c.token.form]);
          assert.equal(after.includes(matchCapital(c.token.form, c.replacement)), true);
        }
      }),
      RUNS,
    );
  },
);

Deno.test("findQuirkyCase() marks a clash exactly where the verb cannot agree", () => {
  fc.assert(
    fc.property(generated, ({ row, text }) => {
      const target = findQuirkyCase(sentence(text), CORPUS).candidates
        .find((c) => c.token.lower === row.form);
      if (!target) return;
      const verbs = ["fellsk", "varð", "var", "þótti", "er", "tóksk", "lízk", "dreymdi", "skorti"];
      const clause = text.slice(text.lastIndexOf(";") + 1).split(",")
        .find((part) => part.toLowerCase().includes(row.form)) ?? "";
      const verb = tokenise(clause).map(({ lower }) => lower).find((form) => verbs.includes(form));
      assert.ok(verb && FINITE_FORMS.has(verb), text);
      const clashes = target.marks.some((mark) => mark.endsWith("_clash"));
      assert.equal(clashes, !agrees(verb, row), text);
    }),
    RUNS,
  );
});

Deno.test("findQuirkyCase() certifies no noun phrase after a preposition, beside whatever verb", () => {
  const preposition = fc.constantFrom("með", "frá", "hjá", "til", "við", "undir", "at");
  const verb = fc.constantFrom(...QUIRKY_VERBS.flatMap(({ heads }) => heads));
  fc.assert(
    fc.property(fc.constantFrom(...ROWS), preposition, verb, (row, word, head) => {
      for (const text of [`Þat ${head} ${word} ${row.form}.`, `Þat ${word} ${row.form} ${head}.`]) {
        const { candidates } = findQuirkyCase(sentence(text), CORPUS);
        assert.deepEqual(candidates.map((c) => c.token.form), [], text);
      }
    }),
    RUNS,
  );
});

Deno.test("findQuirkyCase() never exchanges a reflexive, in whatever frame it stands", () => {
  const subject = fc.constantFrom(...REFLEXIVES);
  const clause = fc.constantFrom(...DATIVE_CLAUSES, ...ACCUSATIVE_CLAUSES);
  fc.assert(
    fc.property(subject, clause, (form, [before, after]) => {
      const text = capitalised(`${before} ${form} ${after}.`.trim());
      const { candidates, rejections } = findQuirkyCase(sentence(text), CORPUS);
      assert.equal(candidates.some((c) => c.token.lower === form), false);
      assert.deepEqual(rejections.map(({ reason }) => reason), ["reflexive_has_no_nominative"]);
    }),
    RUNS,
  );
});
