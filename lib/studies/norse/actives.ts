/**
 * Pairs in which an active verb is made middle by adding -sk.
 * The verb has an accusative object, or its lexeme has no middle. The module also has the forms of
 * ordinary verbs and persons, which the rules of the reverse set share.
 *
 * Sources: Noreen, Altisländische Grammatik, § 544 (middle); Zoëga and Cleasby–Vigfusson for a
 * verb's government and the existence of its middle.
 */
import { CASES_OF } from "./adjective_forms.ts";
import {
  type Candidate,
  citedForm,
  findingOf,
  type Objection,
  type Opinion,
  type PhenomenonRule,
  type Token,
} from "./verdicts.ts";
import type { Sentence } from "./dataset.ts";
import { middleFormsOf } from "./middle_voice.ts";
import { type Stretch, stretches } from "./quirky_case.ts";
import { ORDINARY_VERBS, type RuleRow, SUBJECTS, wordLists } from "./rules.ts";

const isIn = wordLists("reverse");

/** A verb of the reverse rules: a row of `ordinary_verbs.csv`. */
export type OrdinaryVerb = RuleRow<typeof ORDINARY_VERBS>;

/**
 * A form of an ordinary verb (`pres.3sg`, `infinitive` …).
 * Its middle is included if one can be formed.
 */
interface VerbForm {
  readonly verb: OrdinaryVerb;
  readonly active: string;
  readonly middle: string;
  readonly cell: string;
}

/** Forms of ordinary verbs by the active form. */
export const VERB_FORMS: ReadonlyMap<string, readonly VerbForm[]> = Map.groupBy(
  ORDINARY_VERBS.read().flatMap((verb) =>
    middleFormsOf(verb).filter(({ cell }) => !/1(?:sg|pl)$/u.test(cell))
      .map((form) => ({ verb, ...form }))
  ),
  ({ active }) => active,
);

/** Tests whether a cell is a finite singular. */
export const isSingular = (cell: string) => /^(?:pres.2\|3sg|pret.3sg)$/u.test(cell);

/** Tests whether the noun and determiner tables list a word in this case. */
export const canBe = (word: string, kase: "nom" | "acc") => CASES_OF.get(word)?.has(kase) ?? false;

/** An oblique form of a person, with all its cases. Guðrúnu is dative and accusative. */
export interface Oblique {
  readonly nominative: string;
  readonly form: string;
  readonly cases: readonly string[];
  readonly gender: string;
}

/** Oblique forms of persons by their nominative. */
export const OBLIQUES: ReadonlyMap<string, readonly Oblique[]> = Map.groupBy(
  SUBJECTS.read().flatMap(({ nominative, gender, accusative, dative, genitive }) => {
    const paradigm = Object.entries({ dative, accusative, genitive });
    // Gunnar is Gunnarr's accusative, and the nominative of later hands.
    const later = nominative.replace(/rr$/u, "r");
    return [...new Set([dative, accusative])].filter((form) => ![nominative, later].includes(form))
      .map((form): Oblique => {
        const cases = paradigm.filter(([, other]) => other === form).map(([kase]) => kase);
        return { nominative, form, cases, gender };
      });
  }),
  ({ nominative }) => nominative,
);

/** Persons' forms that are accusative, or accusative and dative: Sigurð, Guðrúnu; not Helga. */
const PERSONS_AS_OBJECTS: ReadonlyMap<string, readonly string[]> = new Map(
  [...OBLIQUES.values()].flat()
    .filter(({ cases }) => cases.includes("accusative") && !cases.includes("genitive"))
    .map(({ form, cases }) => [form, cases]),
);

/** Tests whether a word is an accusative object: not a nominative, not a measure of time. */
const isAccusative = (word: string) =>
  isIn("accusatives", word) || PERSONS_AS_OBJECTS.has(word) ||
  (canBe(word, "acc") && !canBe(word, "nom") && !isIn("no_objects", word));

/** Adds -sk to actives with an accusative object, or without a middle. */
export const findActives: PhenomenonRule = (sentence) => {
  const opinions = stretches(sentence.normalised).flatMap((stretch) =>
    stretch.flatMap((token, index): readonly Opinion[] => {
      const readings = VERB_FORMS.get(token.lower)?.filter(({ verb }) => verb.middle !== "");
      const [reading] = readings ?? [];
      if (!reading) return [];
      const cells = readings!.filter(({ verb }) => verb === reading.verb).map(({ cell }) => cell);
      const cell = cells.join("|");
      const verdict = judgeActive(reading, cell, stretch, index);
      const candidate = `${token.form}>${reading.middle}`;
      return "reason" in verdict
        ? [{ ...verdict, candidate }]
        : [activeToMiddle(sentence, token, { ...reading, cell }, verdict)];
    })
  );
  return findingOf(sentence, "MIDDLE_VOICE", opinions);
};

/**
 * Adds -sk to actives for the data set.
 * The verb must have an attested middle and an accusative object here. Refusals are listed with the
 * reverse set, which contains all actives.
 */
export const findProvenActives: PhenomenonRule = (sentence, forms) => {
  const { candidates } = findActives(sentence, forms);
  return {
    candidates: candidates.filter(({ construction }) => construction === "accusative_object"),
    rejections: [],
  };
};

function activeToMiddle(
  sentence: Sentence,
  token: Token,
  { verb, active, middle, cell }: VerbForm,
  { check }: { readonly check: string },
): Candidate {
  const { infinitive, gloss, middle_source: source } = verb;
  const never = verb.middle === "never";
  const recorded = source !== "";
  return {
    sentence,
    token,
    replacement: middle,
    phenomenon: "MIDDLE_VOICE",
    errorType: "active_to_middle",
    rule: `MR_${infinitive.toUpperCase()}`,
    lemma: infinitive,
    construction: never ? "no_middle" : recorded ? "accusative_object" : "unrecorded_middle",
    cellFrom: cell.replaceAll("|", ".active|") + ".active",
    cellTo: cell.replaceAll("|", ".middle|") + ".middle",
    checks: [
      `${middle} is the middle in the same cell`,
      ...(recorded
        ? [`a middle of ${infinitive} is recorded: ${source.replaceAll(";", ",")}`]
        : []),
      check,
    ],
    marks: [],
    explanation: never
      ? `${infinitive} '${gloss}' has no middle in the singular: ${active}, never ${middle}.`
      : `A middle of ${infinitive} '${gloss}' has no place for the accusative object that stands ` +
        `here: ${active}, not ${middle}.`,
    tier: never ? 2 : 1,
  };
}

/** Returns the evidence that a middle is impossible here, or an objection. */
function judgeActive(
  { verb, active }: VerbForm,
  cell: string,
  stretch: Stretch,
  index: number,
): Objection | { readonly check: string } {
  const at = (offset: number) => stretch[index + offset]?.lower ?? "";
  const inText = (offset: number) => citedForm(at(offset));
  if (isIn("verb_homographs", active) || isIn("no_middle_forms", active)) {
    return { reason: "form_of_another_word", detail: `no middle is sure of ${active}` };
  }
  if (at(-1) === "ek" || at(1) === "ek") {
    return { reason: "first_person", detail: "the middle of the 1st person has -umsk" };
  }
  const others = stretch.filter((_, i) => i !== index).map(({ lower }) => lower);
  if (cell === "supine" && !others.some((word) => isIn("have", word))) {
    return { reason: "participle", detail: "no hafa beside it" };
  }
  if (verb.middle === "never") return judgeWithoutMiddle(verb, cell, stretch, index);
  if (verb.middle === "object_of_one" && !isSingular(cell)) {
    return {
      reason: "reciprocal_with_object",
      detail: `${verb.infinitive}sk e-t 'to one another'`,
    };
  }
  const infinitive = cell.includes("infinitive");
  const governor = others.find((word) => isIn("accusative_and_infinitive", word));
  if (infinitive && governor) {
    return { reason: "accusative_and_infinitive", detail: `after ${governor}` };
  }
  const isSubject = isIn("subjects", at(1)) || OBLIQUES.has(at(1));
  const place = isSubject ? 2 : 1;
  const object = at(place);
  if (isAccusative(object)) {
    // "henni finnsk": this middle can take a dative.
    const maybeDative = PERSONS_AS_OBJECTS.get(object)?.includes("dative");
    if (maybeDative && isIn("middles_with_dative", verb.infinitive)) {
      return { reason: "dative_possible", detail: object };
    }
    return { check: `${inText(place)} begins the object: accusative and no nominative` };
  }
  const before = OBLIQUES.has(at(-1)) || isIn("subjects", at(-1)) ? -1 : 0;
  const subject = isSubject ? 1 : before;
  const isPronoun = object === "hann" && at(subject) !== "hann";
  const mayBeObject = isPronoun || (canBe(object, "acc") && !isIn("no_objects", object));
  if (subject !== 0 && mayBeObject && !infinitive) {
    return { check: `${inText(subject)} is the subject, and ${inText(place)} begins the object` };
  }
  if ((infinitive || cell === "supine") && isAccusative(at(-1)) && !isIn("prepositions", at(-2))) {
    return { check: `${inText(-1)} ends the object: accusative and no nominative` };
  }
  return { reason: "object_not_seen", detail: "no accusative beside the verb" };
}

/**
 * Judges verbs without a middle: finite singulars only.
 * heita counts only as 'be called' with the name next to it, since heita 'promise' has a middle.
 */
function judgeWithoutMiddle(
  { infinitive }: OrdinaryVerb,
  cell: string,
  stretch: Stretch,
  index: number,
): Objection | { readonly check: string } {
  const isName = (offset: number) => {
    const form = stretch[index + offset]?.form ?? "";
    return index + offset > 0 && form !== form.toLowerCase();
  };
  if (!isSingular(cell)) {
    return { reason: "reciprocal_possible", detail: `${cell} of ${infinitive}` };
  }
  const callsUpon = stretch.slice(index, index + 4).some(({ lower }) => lower === "á");
  return infinitive !== "heita" || (!callsUpon && [-1, 1, 2].some(isName))
    ? { check: `${infinitive} is a verb without a middle in the singular` }
    : { reason: "active_licensed", detail: "heita 'promise' has a middle, heita á is 'call upon'" };
}
