/**
 * The reverse set: the changes of minimal_pairs.csv the other way about, so that who prefers ǫ, -sk or
 * an oblique subject is right on one half and wrong on the other. a becomes ǫ where no u follows or
 * followed (umlaut.ts); an active becomes a middle where that has no place for the object, or where
 * the verb has none; a nominative becomes oblique beside a verb that never has such a subject.
 * Adjectives stand in minimal_pairs.csv in both directions already.
 *
 * Sources: Noreen, Altisländische Grammatik, §§ 77–82 (u-umlaut), 544 (middle); Zoëga and
 * Cleasby–Vigfusson for what a verb governs and whether it has a middle.
 */
import { CASES_OF } from "./adjective_forms.ts";
import {
  type Candidate,
  findingOf,
  type Objection,
  type Opinion,
  type PhenomenonRule,
  type Token,
} from "./candidate.ts";
import { choosePairs, findCandidates, type NorsePair, openRuleBook } from "./candidates.ts";
import type { MinimalPair } from "../../pairs/pair.ts";
import type { Sentence } from "./dataset.ts";
import { middleFormsOf } from "./middle_voice.ts";
import { ONLY_CASE, type Stretch, stretches } from "./quirky_case.ts";
import { ORDINARY_VERBS, type Phenomenon, type RuleRow, SUBJECTS, wordLists } from "./rules.ts";
import { findBaseVowels } from "./umlaut.ts";

/** Pairs wanted of each phenomenon: as many as the other direction has, about. */
const TARGET = { UMLAUT: 125, MIDDLE_VOICE: 125, QUIRKY_CASE: 125 };

/** Most quirky subjects of minimal_pairs.csv are dative; of the middle verbs all lack an object. */
const SHARES = {
  QUIRKY_CASE: {
    of: ({ pair }: NorsePair) => pair.errorType,
    shares: { nominative_to_dative: 0.7, nominative_to_accusative: 0.3 },
  },
  MIDDLE_VOICE: {
    of: ({ certificate }: NorsePair) => certificate.construction,
    shares: { accusative_object: 0.65, no_middle: 0.35 },
  },
};

/** Pairs of one lemma that are taken before others are asked to give more. */
const PER_LEMMA = 10;

/**
 * Every reverse pair that the saga gives, and the seeded choice among them. Pure; nothing is written.
 * @param onRecord pairs whose numbers stay
 */
export function makeReverseSet(
  sentences: readonly Sentence[],
  seed: number,
  onRecord: readonly MinimalPair<Phenomenon>[] = [],
) {
  const rules = openRuleBook(sentences, {
    UMLAUT: findBaseVowels,
    MIDDLE_VOICE: findActives,
    QUIRKY_CASE: findNominatives,
  });
  const candidates = findCandidates(sentences, rules);
  const chosen = choosePairs<keyof typeof TARGET>("ONR", candidates, {
    quota: TARGET,
    seed,
    onRecord,
    perLemma: PER_LEMMA,
    strata: SHARES,
  });
  return { candidates, ...chosen };
}

const isIn = wordLists("reverse");

// active → middle

type OrdinaryVerb = RuleRow<typeof ORDINARY_VERBS>;

/** A form of an ordinary verb: `pres.3sg`, `infinitive` and so on, with its middle where one can be built. */
interface VerbForm {
  readonly verb: OrdinaryVerb;
  readonly active: string;
  readonly middle: string;
  readonly cell: string;
}

const VERB_FORMS: ReadonlyMap<string, readonly VerbForm[]> = Map.groupBy(
  ORDINARY_VERBS.read().flatMap((verb) =>
    middleFormsOf(verb).filter(({ cell }) => !/1(?:sg|pl)$/u.test(cell))
      .map((form) => ({ verb, ...form }))
  ),
  ({ active }) => active,
);

const isSingular = (cell: string) => /^(?:pres.2\|3sg|pret.3sg)$/u.test(cell);

const canBe = (word: string, kase: "nom" | "acc") => CASES_OF.get(word)?.has(kase) ?? false;

/** An accusative that is no nominative and no measure of time. */
const isAccusative = (word: string) =>
  isIn("accusatives", word) ||
  (canBe(word, "acc") && !canBe(word, "nom") && !isIn("no_objects", word));

/** A nominative that is nothing else. */
const isNominative = (word: string) =>
  isIn("nominatives", word) || OBLIQUES.has(word) ||
  (canBe(word, "nom") && CASES_OF.get(word)!.size === 1);

/** Gives -sk to actives that stand beside their accusative object, or that have no middle. */
const findActives: PhenomenonRule = (sentence) => {
  const opinions = stretches(sentence.normalised).flatMap((stretch) =>
    stretch.flatMap((token, index): readonly Opinion[] => {
      const own = VERB_FORMS.get(token.lower)?.filter(({ verb }) => verb.middle !== "");
      const [reading] = own ?? [];
      if (!reading) return [];
      const cells = own!.filter(({ verb }) => verb === reading.verb).map(({ cell }) => cell);
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

function activeToMiddle(
  sentence: Sentence,
  token: Token,
  { verb, active, middle, cell }: VerbForm,
  { check }: { readonly check: string },
): Candidate {
  const { infinitive, gloss } = verb;
  const never = verb.middle === "never";
  return {
    sentence,
    token,
    replacement: middle,
    phenomenon: "MIDDLE_VOICE",
    errorType: "active_to_middle",
    rule: `MR_${infinitive.toUpperCase()}`,
    lemma: infinitive,
    construction: never ? "no_middle" : "accusative_object",
    cellFrom: cell.replaceAll("|", ".active|") + ".active",
    cellTo: cell.replaceAll("|", ".middle|") + ".middle",
    checks: [`${middle} is the middle in the same cell`, check],
    marks: [],
    explanation: never
      ? `${infinitive} '${gloss}' has no middle in the singular: ${active}, never ${middle}.`
      : `A middle of ${infinitive} '${gloss}' has no place for the accusative object that stands ` +
        `here: ${active}, not ${middle}.`,
    tier: never ? 2 : 1,
  };
}

/** Whether the middle is impossible here, and what shows it. */
function judgeActive(
  { verb, active }: VerbForm,
  cell: string,
  stretch: Stretch,
  index: number,
): Objection | { readonly check: string } {
  const at = (offset: number) => stretch[index + offset]?.lower ?? "";
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
  const infinitive = cell.includes("infinitive");
  const governor = others.find((word) => isIn("accusative_and_infinitive", word));
  if (infinitive && governor) {
    return { reason: "accusative_and_infinitive", detail: `after ${governor}` };
  }
  const isSubject = isIn("subjects", at(1)) || OBLIQUES.has(at(1));
  const object = isSubject ? at(2) : at(1);
  if (isAccusative(object)) {
    return { check: `${object} begins the object: accusative and no nominative` };
  }
  const before = OBLIQUES.has(at(-1)) || isIn("subjects", at(-1)) ? at(-1) : "";
  const subject = isSubject ? at(1) : before;
  if (subject !== "" && canBe(object, "acc") && !isIn("no_objects", object) && !infinitive) {
    return { check: `${subject} is the subject, and ${object} begins the object` };
  }
  if ((infinitive || cell === "supine") && isAccusative(at(-1)) && !isIn("prepositions", at(-2))) {
    return { check: `${at(-1)} ends the object: accusative and no nominative` };
  }
  return { reason: "object_not_seen", detail: "no accusative beside the verb" };
}

/** Finite singulars; of heita only 'be called', with the name beside it: 'promise' has a middle. */
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

// nominative → oblique

/** An oblique form of a person, in every case in which that is its form: Guðrúnu is dative and accusative. */
interface Oblique {
  readonly nominative: string;
  readonly form: string;
  readonly cases: readonly string[];
  readonly gender: string;
}

const OBLIQUES: ReadonlyMap<string, readonly Oblique[]> = Map.groupBy(
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

/** Makes the subject beside an ordinary verb oblique. */
const findNominatives: PhenomenonRule = (sentence) => {
  const opinions = stretches(sentence.normalised).flatMap((stretch) =>
    stretch.flatMap((token, subject): readonly Opinion[] => {
      const head = [subject + 1, subject - 1].find((index) => finiteAt(stretch, index));
      if (head === undefined) return [];
      const found = { stretch, subject, head, verb: finiteAt(stretch, head)! };
      const governor = governorOf(found);
      return (OBLIQUES.get(token.lower) ?? []).map((oblique): Opinion => {
        const candidate = `${token.form}>${oblique.form}`;
        if (governor === undefined) {
          const detail = `what depends on ${found.verb.infinitive} is in no table`;
          return { reason: "infinitive_not_in_table", detail, candidate };
        }
        const place = { ...found, governor, oblique };
        for (const [, check] of SUBJECT_CHECKS) {
          const objection = check(place);
          if (objection) return { reason: objection[0], detail: objection[1], candidate };
        }
        return nominativeToOblique(sentence, token, place);
      });
    })
  );
  return findingOf(sentence, "QUIRKY_CASE", opinions);
};

interface SubjectPlace {
  readonly stretch: Stretch;
  readonly subject: number;
  /** Place of the finite verb, and which it is. */
  readonly head: number;
  readonly verb: OrdinaryVerb;
  /** The verb that decides on the subject: the finite one, or what depends on an auxiliary. */
  readonly governor: OrdinaryVerb;
  readonly oblique: Oblique;
}

/** The verb of a 3rd person singular at this place. */
const finiteAt = (stretch: Stretch, index: number) =>
  VERB_FORMS.get(stretch[index]?.lower ?? "")
    ?.find(({ verb, cell }) => verb.oblique.length > 0 && isSingular(cell))?.verb;

/** Auxiliaries take the subject of the infinitive or supine behind them: that verb decides. */
function governorOf({ stretch, subject, head, verb }: Omit<SubjectPlace, "governor" | "oblique">) {
  if (!isIn("auxiliaries", verb.infinitive)) return verb;
  const wanted = verb.infinitive === "hafa" ? "supine" : "infinitive";
  const last = Math.max(subject, head);
  const behind = stretch.slice(last + 1, last + 5).map(({ lower }) => lower);
  const governed = behind.flatMap((word) => VERB_FORMS.get(word) ?? [])
    .find(({ cell }) => cell === wanted)?.verb;
  // Without a supine hafa is 'have'; any word in -t could be one.
  const isMain = verb.infinitive === "hafa" && !behind.some((word) => word.endsWith("t"));
  return governed ?? (isMain ? verb : undefined);
}

/** What a nominative subject must pass before an oblique in its place is an error, in order. */
const SUBJECT_CHECKS: readonly (readonly [
  name: string,
  objection: (place: SubjectPlace) => readonly [reason: string, detail: string] | false,
])[] = [
  ["the finite verb is a form of no other word", ({ stretch, head, subject }) => {
    const { lower } = stretch[head]!;
    // "sér hann" 'sees he'; behind its subject it can be the reflexive.
    return (isIn("verb_homographs", lower) || (lower === "sér" && head > subject)) &&
      ["form_of_another_word", `${lower} is another word too`];
  }],
  [
    "no verb here has its subject in such a case, or anything in that case beside it",
    ({ governor: { infinitive, oblique: excluded }, oblique }) => {
      const possible = oblique.cases.find((kase) => !excluded.includes(kase));
      return possible !== undefined && ["oblique_licensed", `${possible} beside ${infinitive}`];
    },
  ],
  [
    "no other nominative that could be the subject or would be left behind",
    ({ stretch, subject }) => {
      const other = stretch.find(({ lower }, i) => i !== subject && isNominative(lower));
      return other !== undefined && ["another_nominative", other.lower];
    },
  ],
  [
    "no preposition without its noun that could govern it", // sveininum hleypr eptir at leita
    ({ stretch, subject, governor, verb }) => {
      const bare = stretch.findIndex(({ lower }, i) => {
        const next = stretch[i + 1]?.lower;
        return isIn("prepositions", lower) && lower !== "at" &&
          (next === undefined || isIn("no_complements", next) ||
            // "skal Sigurð fyrir ganga"
            (i === subject + 1 && governor !== verb));
      });
      return bare >= 0 && ["preposition_possible", stretch[bare]!.lower];
    },
  ],
  [
    "no comparative of which it could be the second term", // hafði Sigmundi lið miklu minna
    ({ stretch }) => {
      const comparative = stretch.find(({ lower }) => isIn("comparatives", lower));
      return comparative !== undefined && ["dative_of_comparison", comparative.lower];
    },
  ],
  [
    "the subject is not the object", // hitti hann: 'met him'
    ({ stretch, subject, head, verb }) =>
      stretch[subject]!.lower === "hann" && head < subject &&
      !verb.oblique.includes("accusative") &&
      !canBe(stretch[subject + 1]?.lower ?? "", "acc") &&
      ["object_possible", "hann can be the object"],
  ],
];

function nominativeToOblique(
  sentence: Sentence,
  token: Token,
  { verb, governor: { infinitive, gloss }, oblique: { form, cases, gender } }: SubjectPlace,
): Candidate {
  const [kase = ""] = cases;
  const cell = `sg.${gender}.3`;
  return {
    sentence,
    token,
    replacement: form,
    phenomenon: "QUIRKY_CASE",
    errorType: kase === "dative" ? "nominative_to_dative" : "nominative_to_accusative",
    rule: `QR_${infinitive.toUpperCase()}`,
    lemma: infinitive,
    construction: verb.infinitive === infinitive ? "finite_verb" : "under_auxiliary",
    cellFrom: `nom.${cell}`,
    cellTo: `${cases.map((name) => name.slice(0, 3)).join("|")}.${cell}`,
    checks: SUBJECT_CHECKS.map(([name]) => name),
    // A predicate keeps the nominative and so disagrees as well.
    marks: infinitive === "vera" ? [] : [ONLY_CASE],
    explanation: `${infinitive} '${gloss}' has its subject in the nominative, like all verbs but ` +
      `a closed list: ${token.lower}, never ${form} (${cases.join(" or ")}).`,
    tier: verb.infinitive === infinitive ? 1 : 2,
  };
}
