/** Pairs in which -sk is removed from verbs whose clause excludes the active. */
import { CASES_OF } from "./adjective_forms.ts";
import {
  between,
  type Candidate,
  citedForm,
  findingOf,
  type Objection,
  type Opinion,
  type PhenomenonRule,
  type Token,
  tokenise,
} from "./verdicts.ts";
import type { Sentence } from "./dataset.ts";
import { MIDDLE_VERBS, refusalsOf, type RuleRow, wordLists } from "./rules.ts";

/** A middle verb of the saga whose active exists and requires something more. */
type MiddleVerb = RuleRow<typeof MIDDLE_VERBS>;

/** Infinitive of the middle, e.g. `berjask`. */
const lemmaOf = ({ infinitive }: MiddleVerb) => `${infinitive}sk`;

interface MiddleParse {
  readonly verb: MiddleVerb;
  readonly middle: string;
  readonly active: string;
  /** Cell, for example `infinitive`, `pres.2|3sg`, `pret.3pl` or `supine`. */
  readonly cell: string;
}

/** All readings of the table's middle forms, irregular ones first. */
export const MIDDLE_PARSES: ReadonlyMap<string, readonly MiddleParse[]> = Map.groupBy(
  MIDDLE_VERBS.read().flatMap((verb) => {
    const [middle, active, cell] = verb.extra;
    const extra = middle && active && cell ? [{ middle, active, cell }] : [];
    return [...extra, ...middleFormsOf(verb)].map((form) => ({ verb, ...form }));
  }),
  ({ middle }) => middle,
);

/**
 * Returns the middle forms built on a verb's active forms.
 * -sk is added to the active form; -r of the 2nd and 3rd person singular is dropped before it, t
 * (and tt) + s is written z: setr → sezk, leynt → leynzk, sett → setzk. The 1st person has -umsk.
 * Source: Noreen, Altisländische Grammatik, § 544; Barnes, A New Introduction to Old Norse I,
 * section 3.6 on -sk verb forms.
 */
export function middleFormsOf(
  parts: Pick<
    MiddleVerb,
    "infinitive" | "present" | "preterite" | "preterite_plural" | "supine"
  >,
) {
  const { infinitive, present, preterite, preterite_plural: plural, supine } = parts;
  const form = (cell: string, active: string, stem = active) => {
    return { middle: stem.endsWith("t") ? `${stem.slice(0, -1)}zk` : `${stem}sk`, active, cell };
  };
  return [
    form("infinitive", infinitive),
    form("pres.3pl", infinitive),
    form("pres.2|3sg", present, present.replace(/r$/u, "")),
    form("pret.3sg", preterite),
    form("pret.3pl", plural),
    form("pret.1pl", `${plural}m`),
    // A weak preterite ends in -i (gerði), a strong one in its stem (tók): -a or nothing.
    form("pret.1sg", preterite.replace(/i$/u, "a"), `${plural}m`),
    form("supine", supine),
  ];
}

/** Restores the active of middle verbs (-sk) if the clause excludes it. */
export const findMiddleVoice: PhenomenonRule = (sentence) => {
  const tokens = tokenise(sentence.normalised);
  const opinions = tokens.flatMap((token, index): readonly Opinion[] => {
    if (!/\p{L}{2}[sz]k$/u.test(token.lower)) return [];
    const clause = clauseAround(sentence.normalised, tokens, index);
    const reading = MIDDLE_PARSES.get(token.lower)?.find((one) => fits(one, clause));
    const verdict = refusalOf(token.lower, sentence.id) ??
      (reading
        ? JUDGES[reading.verb.frame](reading, clause)
        : { reason: "verb_not_in_table", detail: "" });
    if (reading && !("reason" in verdict)) return [candidateOf(sentence, token, reading, verdict)];
    const candidate = reading ? `${token.form}>${reading.active}` : token.form;
    return [{ ...verdict as Objection, candidate }];
  });
  return findingOf(sentence, "MIDDLE_VOICE", opinions);
};

const refusalOf = refusalsOf("MIDDLE_VOICE");
const isIn = wordLists("middle_voice");

function fits({ verb, middle, cell }: MiddleParse, clause: Clause): boolean {
  const words = [...clause.before, ...clause.after];
  const governed = words.some((word) => isIn("infinitive_governors", word));
  if (cell === "infinitive") return governed;
  if (cell === "pret.1pl") return words.includes("vér") || words.includes("vit");
  if (cell === "pret.1sg") return words.includes("ek");
  if (cell !== "pres.3pl") return true;
  const isSingularToo = MIDDLE_PARSES.get(middle)!
    .some((other) => other.verb === verb && other.cell === "pres.2|3sg");
  return !governed && (verb.function === "reciprocal" || !isSingularToo);
}

type Clause = ReturnType<typeof clauseAround>;

/** Returns a verb's context up to punctuation or a conjunction. */
function clauseAround(text: string, tokens: readonly Token[], verb: number) {
  const word = (index: number) => tokens[index]?.lower ?? "";
  const words = (from: number, to: number) => tokens.slice(from, to).map(({ lower }) => lower);
  /** Tests whether punctuation precedes a token. */
  const isParted = (index: number) => {
    const [left, right] = [tokens[index - 1], tokens[index]];
    return left !== undefined && right !== undefined &&
      /[,.;:?!]/u.test(between(text, left, right));
  };
  /**
   * Tests whether a token opens a clause.
   * The conjunction `er` follows a comma or a word of time or place; otherwise it is 'is'.
   */
  const isOpener = (index: number) =>
    word(index) === "er"
      ? index === 0 || isParted(index) || isIn("time_and_place", word(index - 1))
      : isIn("clause_openers", word(index));
  /**
   * Returns the clause's first token, its conjunction included.
   * An infinitive's `at` is skipped.
   */
  const startOf = (verb: number) => {
    for (let index = verb; index > 0; index--) {
      const infinitiveMarker = index === verb - 1 && word(index) === "at";
      if (index < verb && !infinitiveMarker && isOpener(index)) return index;
      if (isParted(index)) return index;
    }
    return 0;
  };
  const start = startOf(verb);
  const endIndex = tokens.findIndex((_, index) =>
    index > verb && (isParted(index) || isOpener(index))
  );
  const end = endIndex === -1 ? tokens.length : endIndex;
  // Conjuncts joined by `ok` without a comma, each without its `ok`.
  const coordinates: string[][] = [];
  for (let index = end; index < tokens.length && !isParted(index); index++) {
    if (word(index) === "ok") coordinates.push([]);
    else if (isOpener(index)) break;
    else coordinates.at(-1)?.push(word(index));
  }
  /**
   * Words of the conjunct joined by this clause's initial `ok`.
   * Empty if a punctuation mark separates the two.
   */
  const before = word(start) === "ok" && start > 0 && !isParted(start)
    ? words(startOf(start - 1), start)
    : [];
  /** Words compared by `en`, up to the next mark: "meiri en faðir hans". */
  const isCompared = word(end) === "en" && !isParted(end);
  const parted = tokens.findIndex((_, index) => index > end && isParted(index));
  return {
    before: words(start, verb),
    after: words(verb + 1, end),
    conjunct: before,
    compared: isCompared ? words(end + 1, parted === -1 ? tokens.length : parted) : [],
    isRelative: start > 0 && ["er", "sem"].includes(word(start)) &&
      !isIn("time_and_place", word(start - 1)),
    coordinates,
    hasAtClause: word(end) === "at",
  };
}

/** Tests whether a preposition governs a word or its noun: undir vegg sinn. */
const isGoverned = (words: readonly string[], i: number) =>
  isIn("prepositions", words[i - 1]) ||
  (isIn("possessives", words[i]) && isIn("prepositions", words[i - 2]));

/** Returns the first listed word that no preposition governs. */
const freeWord = (list: "accusatives" | "datives", words: readonly string[]) =>
  words.find((word, i) => isIn(list, word) && !isGoverned(words, i));

/** Returns a possible object of the active, or undefined. */
function availableObject({ verb }: MiddleParse, clause: Clause): string | undefined {
  const { before, after, coordinates, isRelative } = clause;
  if (isRelative) return "what the relative clause lacks";
  if (verb.takes_clause && clause.hasAtClause) return "the at-clause";
  const raised = before.find((word, index) =>
    isIn("ambiguous_pronouns", word) && isIn("accusative_and_infinitive", before[index - 1])
  );
  const next = isIn("ambiguous_pronouns", after[0]) ? after[0] : undefined;
  // "settisk upp ok sló sinn borða": the object of the next verb is this one's too.
  const shared = coordinates.find(([first, second]) =>
    isIn("actions_on_objects", first) && second !== undefined
  );
  // "Henni finnsk engi kona huglausari": no woman finds a more cowardly one.
  // "En hann nefndisk Gunnarr": hann can be the object, Gunnarr the subject.
  const led = nominativeIn(after) !== undefined && nominativeIn(before) === undefined
    ? before.find((word, i) => isIn("ambiguous_pronouns", word) && !isGoverned(before, i))
    : undefined;
  const headless = [...before, ...after].find((word) => /ari$/u.test(word));
  // At the head of a clause þá is 'then'.
  // An accusative is no object of a verb that takes the dative.
  const list = verb.missing === "dative_object" ? "datives" : "accusatives";
  return freeWord(list, before[0] === "þá" ? before.slice(1) : before) ?? freeWord(list, after) ??
    raised ?? next ??
    shared?.join(" ") ?? headless ?? led;
}

/**
 * Returns a word that can only be nominative.
 * Only then is the active certain to lack an object: frændr, menn, þau or an omitted object could
 * be one.
 */
const nominativeIn = (words: readonly string[]) =>
  words.find((word) =>
    // sá is 'saw' too, but not next to a nominative with which it agrees.
    isIn("nominatives", word) || (word === "sá" && words.includes("engi"))
  );

/** Tests whether a table or list gives a word as accusative. */
const mayBeAccusative = (word: string) =>
  isIn("accusatives", word) || isIn("ambiguous_pronouns", word) ||
  (CASES_OF.get(word)?.has("acc") ?? false);

/** Returns a clause's subject, or that of the preceding conjunct without an accusative. */
function subjectOf({ cell }: MiddleParse, clause: Clause): string | undefined {
  const { before, after, conjunct } = clause;
  const nominative = nominativeIn([...before, ...after]);
  if (nominative !== undefined) return nominative;
  // "Hann sezk hjá henni": an object before a third singular would need another subject behind it.
  const [opener, first] = before.length > 1 ? before : ["", ...before];
  const isThird = cell === "pres.2|3sg" || cell === "pret.3sg";
  const isFirst = first === "hann" && before.length <= 2 &&
    (opener === "" || isIn("clause_openers", opener)) &&
    !after.some((word) => CASES_OF.get(word)?.has("nom"));
  if (isThird && isFirst) return "hann";
  const subject = nominativeIn(conjunct);
  const isAlone = conjunct.every((word, i) =>
    word === subject || isGoverned(conjunct, i) || isGoverned(conjunct, i - 1) ||
    !mayBeAccusative(word)
  );
  return before[0] === "ok" && before.length === 1 && isAlone ? subject : undefined;
}

interface Acceptance {
  readonly check: string;
  readonly tier: 1 | 2 | 3;
}
type Judgement = Acceptance | Objection;

const NO_NOMINATIVE: Objection = {
  reason: "no_visible_nominative",
  detail: "what stands here, or is left out, could be the object",
};

const later = (a: 1 | 2 | 3, b: 1 | 2 | 3) => (a > b ? a : b);

/** Judges the usual case: the clause has a nominative and nothing that could be an object. */
function judgeNoObject(reading: MiddleParse, clause: Clause): Judgement {
  const object = availableObject(reading, clause);
  if (object !== undefined) return { reason: "object_available", detail: object };
  const { verb, cell } = reading;
  const subject = subjectOf(reading, clause);
  if (subject === undefined) return NO_NOMINATIVE;
  return {
    check: `${citedForm(subject)} is the subject, and nothing in the clause is an object`,
    tier: later(verb.tier, cell === "infinitive" ? 2 : 1),
  };
}

/** Judges reciprocal and similar verbs (berjask, sýnask): plural nominative subject, no partner. */
function judgePluralSubject(reading: MiddleParse, clause: Clause): Judgement {
  const words = [...clause.before, ...clause.after];
  const partner = words.find((word) => word === "við" || word === "með" || word === "á");
  if (partner !== undefined) return { reason: "active_licensed", detail: `berja ${partner}` };
  const object = availableObject(reading, clause);
  if (object !== undefined) return { reason: "object_available", detail: object };
  const subject = words.find((word) => isIn("nominative_plurals", word));
  return subject === undefined ? NO_NOMINATIVE : {
    check: `${citedForm(subject)} is nominative plural, and nothing in the clause is an object`,
    tier: 2,
  };
}

/**
 * Judges a nominative predicate (gerask).
 * gera with a neuter is impersonal: gerir vant 'it becomes hard'.
 */
function judgePredicate({ verb }: MiddleParse, { before, after, compared }: Clause): Judgement {
  const [nominative, other] = [nominativeIn([...before, ...after]), nominativeIn(compared)];
  return nominative === undefined && other === undefined ? NO_NOMINATIVE : {
    check: nominative === undefined
      ? `the predicate is compared with a nominative: ${citedForm(other!)}`
      : `the predicate is nominative: ${citedForm(nominative)}`,
    tier: verb.tier,
  };
}

/**
 * Judges a nominative predicate of reported speech (kveðask vera gamall).
 * With a bare infinitive the active is not certainly wrong, since its accusative can be omitted.
 */
function judgeReported({ verb }: MiddleParse, { after }: Clause): Judgement {
  const predicate = ["vera", "of"].includes(after[0] ?? "") ? nominativeIn(after) : undefined;
  return predicate === undefined
    ? { reason: "accusative_understood", detail: `${verb.infinitive} with the subject left out` }
    : { check: `the predicate is nominative: ${citedForm(predicate)}`, tier: verb.tier };
}

/**
 * Judges a verb by the words that follow it in the clause.
 * One of its listed words must follow (leggjask í rekkju); other words license the active.
 */
function judgeFollowedBy(reading: MiddleParse, clause: Clause): Judgement {
  const { infinitive, words, licensed, tier } = reading.verb;
  const lemma = lemmaOf(reading.verb);
  const word = clause.after.find((word) => words.includes(word));
  if (word !== undefined) return { check: `${lemma} … ${word}`, tier };
  // "leggjask þeir ok á merkr": that ok is 'also', and no clause begins there.
  const joined = clause.coordinates.flatMap((member) => member.slice(0, 1));
  const licence = [...clause.before, ...clause.after, ...joined]
    .find((other) => licensed.includes(other));
  return licence === undefined
    ? { reason: "frame_not_found", detail: `${lemma} ${words.join(", ")}` }
    : { reason: "active_licensed", detail: `${infinitive} ${licence}` };
}

/** Tests of the clause by type of frame. */
const JUDGES: Readonly<
  Record<MiddleVerb["frame"], (reading: MiddleParse, clause: Clause) => Judgement>
> = {
  no_object: judgeNoObject,
  nominative_predicate: judgePredicate,
  reported: judgeReported,
  followed_by: judgeFollowedBy,
  plural_subject: judgePluralSubject,
  always: ({ verb }) => ({ check: "the active has another frame", tier: verb.tier }),
};

const MISSING: Readonly<Record<MiddleVerb["missing"], string>> = {
  accusative_object: "needs an accusative object, and the clause has none",
  dative_object: "needs a dative object, and the clause has none",
  dative_instead_of_accusative: "takes the dative, and what follows here is accusative",
  accusative_predicate: "needs an accusative object, but what stands here is nominative",
  accusative_subject_of_infinitive:
    "needs an accusative subject for what is said, but the predicate here is nominative",
};

function candidateOf(
  sentence: Sentence,
  token: Token,
  { verb, middle, active, cell }: MiddleParse,
  { check, tier }: Acceptance,
): Candidate {
  const lemma = lemmaOf(verb);
  const isStripped = active === token.lower.replace(/[sz]k$/u, "");
  return {
    sentence,
    phenomenon: "MIDDLE_VOICE",
    token,
    replacement: active,
    errorType: "middle_to_active",
    rule: `MV_${verb.id}`,
    lemma,
    construction: `${verb.function}_${verb.missing}`,
    cellFrom: `${cell}.middle`,
    cellTo: `${cell}.active`,
    checks: [
      "the form ends in -sk",
      `${active} is the active in the same cell`,
      `the active ${MISSING[verb.missing].split(",")[0]}`,
      isStripped ? "-sk is all that goes" : "the ending of the active is restored",
      check,
    ],
    marks: [],
    explanation:
      `The -sk of ${lemma} '${verb.middle_gloss}' turns the action back on its subject or ` +
      `leaves the doer out; the active ${verb.infinitive} '${verb.active_gloss}' ` +
      `${MISSING[verb.missing]}: ${middle}, not ${active}.`,
    tier,
  };
}
