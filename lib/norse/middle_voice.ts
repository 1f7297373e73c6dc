/** The middle voice: -sk taken from verbs whose clause has no room for the active. */
import {
  between,
  type Candidate,
  findingOf,
  type Objection,
  type Opinion,
  type PhenomenonRule,
  type Token,
  tokenise,
} from "./candidate.ts";
import type { Sentence } from "./dataset.ts";
import { MIDDLE_VERBS, refusalsOf, type RuleRow, wordLists } from "./rules.ts";

/** A middle verb of the saga; its active exists and needs something that the middle does not. */
type MiddleVerb = RuleRow<typeof MIDDLE_VERBS>;

/** Infinitive of the middle, e.g. `berjask`. */
const lemmaOf = ({ infinitive }: MiddleVerb) => `${infinitive}sk`;

interface MiddleReading {
  readonly verb: MiddleVerb;
  readonly middle: string;
  readonly active: string;
  /** Such as `infinitive`, `pres.2|3sg`, `pret.3pl` or `supine`. */
  readonly cell: string;
}

/** Every reading of every middle form of the table; those that the parts do not give come first. */
export const MIDDLE_READINGS: ReadonlyMap<string, readonly MiddleReading[]> = Map.groupBy(
  MIDDLE_VERBS.read().flatMap((verb) => {
    const [middle, active, cell] = verb.extra;
    const extra = middle && active && cell ? [{ middle, active, cell }] : [];
    return [...extra, ...middleFormsOf(verb)].map((form) => ({ verb, ...form }));
  }),
  ({ middle }) => middle,
);

/**
 * How a middle form is built on an active one, and so how the active is restored.
 *
 * -sk is added to the active form; -r of the 2nd and 3rd person singular is dropped before it, t (and
 * tt) + s is written z: setr → sezk, leynt → leynzk, sett → setzk. The 1st person has -umsk.
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

/** Restores the active of middle verbs (-sk) where the clause has no room for it. */
export const findMiddleVoice: PhenomenonRule = (sentence) => {
  const tokens = tokenise(sentence.normalised);
  const opinions = tokens.flatMap((token, index): readonly Opinion[] => {
    if (!/\p{L}{2}[sz]k$/u.test(token.lower)) return [];
    const clause = clauseAround(sentence.normalised, tokens, index);
    const words = [...clause.before, ...clause.after];
    const reading = MIDDLE_READINGS.get(token.lower)?.find((one) => fits(one, words));
    const verdict = listed(sentence, token.lower) ??
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

function listed(sentence: Sentence, lower: string): Acceptance | Objection | undefined {
  const refusal = refusalOf(lower, sentence.id);
  return refusal?.reason === "object_possible" ? doubtful(refusal.detail) : refusal;
}

function fits({ verb, middle, cell }: MiddleReading, words: readonly string[]): boolean {
  const governed = words.some((word) => isIn("infinitive_governors", word));
  if (cell === "infinitive") return governed;
  if (cell === "pret.1pl") return words.includes("vér") || words.includes("vit");
  if (cell === "pret.1sg") return words.includes("ek");
  if (cell !== "pres.3pl") return true;
  const isSingularToo = MIDDLE_READINGS.get(middle)!
    .some((other) => other.verb === verb && other.cell === "pres.2|3sg");
  return !governed && (verb.function === "reciprocal" || !isSingularToo);
}

/**
 * Whether what a relative clause leaves out could be the object. `far_fetched`: only if a subject is left out too that a reader would miss, or where
 * the relative clause before goes on in this one.
 */
type RelativeGap = "none" | "far_fetched" | "gap";

type Clause = ReturnType<typeof clauseAround>;

/** The words around a verb up to the next punctuation mark or conjunction on either side. */
function clauseAround(text: string, tokens: readonly Token[], verb: number) {
  const word = (index: number) => tokens[index]?.lower ?? "";
  const words = (from: number, to: number) => tokens.slice(from, to).map(({ lower }) => lower);
  /** Whether punctuation stands before a token. */
  const isParted = (index: number) => {
    const [left, right] = [tokens[index - 1], tokens[index]];
    return left !== undefined && right !== undefined &&
      /[,.;:?!]/u.test(between(text, left, right));
  };
  /** `er` 'is' stands without a comma before it; the conjunction has one, or a word of time or place. */
  const isOpener = (index: number) =>
    word(index) === "er"
      ? index === 0 || isParted(index) || isIn("time_and_place", word(index - 1))
      : isIn("clause_openers", word(index));
  /** First token of the clause, its conjunction included; the `at` of an infinitive is passed over. */
  const startOf = (verb: number) => {
    for (let index = verb; index > 0; index--) {
      const infinitiveMarker = index === verb - 1 && word(index) === "at";
      if (index < verb && !infinitiveMarker && isOpener(index)) return index;
      if (isParted(index)) return index;
    }
    return 0;
  };
  const opensRelative = (start: number) =>
    start > 0 && ["er", "sem"].includes(word(start)) && !isIn("time_and_place", word(start - 1));
  const start = startOf(verb);
  const found = tokens.findIndex((_, index) =>
    index > verb && (isParted(index) || isOpener(index))
  );
  const end = found === -1 ? tokens.length : found;
  const [before, after] = [words(start, verb), words(verb + 1, end)];
  const relative = opensRelative(start) ? gapIn([...before, ...after], word(start - 1)) : "none";
  // "er var spát ok vér hǫfum dulizk": the relative clause goes on behind `ok`.
  const goesOn = relative === "none" && start > 0 && word(start) === "ok" && !isParted(start) &&
    opensRelative(startOf(start - 1));
  // What `ok` joins on without a comma, each member without its `ok`.
  const coordinates: string[][] = [];
  for (let index = end; index < tokens.length && !isParted(index); index++) {
    if (word(index) === "ok") coordinates.push([]);
    else if (isOpener(index)) break;
    else coordinates.at(-1)?.push(word(index));
  }
  const gap: RelativeGap = goesOn ? "far_fetched" : relative;
  return { before, after, relative: gap, coordinates, beforeThat: word(end) === "at" };
}

/**
 * A relative clause lacks one member: with a subject of its own it can lack the object; without one
 * and in the singular it can be read "which one …" (er finna mun), though hardly where the verb
 * wants somebody. A plural verb is the antecedent's own, unless that is neuter.
 */
function gapIn(words: readonly string[], antecedent: string): RelativeGap {
  const has = (list: string) => words.some((word) => isIn(list, word));
  if (has("subject_pronouns")) return "gap";
  if (has("plural_auxiliaries")) return antecedent === "þau" ? "far_fetched" : "none";
  return has("agentive_auxiliaries") ? "far_fetched" : "gap";
}

/** The first of some words that is of this list and that no preposition governs. */
function free(words: readonly string[], wanted: string): string | undefined {
  return words.find((word, i) => isIn(wanted, word) && !isIn("prepositions", words[i - 1]));
}

/** The same before the verb, then after it. */
const freeIn = ({ before, after }: Clause, wanted: string) =>
  free(before, wanted) ?? free(after, wanted);

/** A member behind `ok` that begins with one of these verbs and goes on with its object. */
function sharing({ coordinates }: Clause, verbs: string): string | undefined {
  return coordinates.find(([verb, next]) => isIn(verbs, verb) && next !== undefined)?.join(" ");
}

function availableObject(clause: Clause): string | undefined {
  const { before, after } = clause;
  const raised = before.find((word, index) =>
    isIn("ambiguous_pronouns", word) && isIn("accusative_and_infinitive", before[index - 1])
  );
  const next = isIn("ambiguous_pronouns", after[0]) ? after[0] : undefined;
  const last = isIn("neuter_pronouns", before.at(-1)) ? free(before, "neuter_pronouns") : undefined;
  return freeIn(clause, "object_pronouns") ?? raised ?? next ?? last ??
    sharing(clause, "actions_on_objects");
}

/** The only subject, where it is neuter: nominative and accusative are one, so it could be the object. */
function neuterSubject(clause: Clause): string | undefined {
  const { before, after } = clause;
  const hasAnother = [...before, ...after].some((word) => isIn("nominatives", word));
  return hasAnother || before.at(-1) === "at" ? undefined : freeIn(clause, "neuter_phrases");
}

function conceivableObject(clause: Clause): string | undefined {
  const lacking = clause.relative === "far_fetched" ? "what the relative clause lacks" : undefined;
  return neuterSubject(clause) ?? lacking ?? freeIn(clause, "dative_or_accusative") ??
    sharing(clause, "possessions");
}

interface Acceptance {
  readonly check: string;
  readonly tier: 1 | 2 | 3;
  readonly mark?: "object_possible";
}
type Judgement = Acceptance | Objection;

/** A pair, but of the last tier: a reader who tries finds an object. */
function doubtful(object: string): Acceptance {
  return { check: `${object} as the object is far-fetched`, tier: 3, mark: "object_possible" };
}

function unless(object: string | undefined, check: string, tier: 1 | 2 | 3): Acceptance {
  return object === undefined ? { check, tier } : doubtful(object);
}

const available = (detail: string): Objection => ({ reason: "object_available", detail });

const later = (a: 1 | 2 | 3, b: 1 | 2 | 3) => (a > b ? a : b);

/** The clause has no object: the usual case. */
function judgeNoObject({ verb, cell }: MiddleReading, clause: Clause): Judgement {
  if (clause.relative === "gap") {
    const detail = "what the relative clause lacks could be the object";
    return { reason: "gap_could_be_object", detail };
  }
  const object = verb.takes_clause && clause.beforeThat ? "the at-clause" : availableObject(clause);
  if (object !== undefined) return available(object);
  const conceivable = verb.missing === "dative_object" ? undefined : conceivableObject(clause);
  const tier = later(verb.tier, cell === "infinitive" ? 2 : 1);
  return unless(conceivable, "no object in the clause", tier);
}

/** A predicate in the nominative follows (gerask, nefnask, lítask). */
function judgePredicate({ verb }: MiddleReading, clause: Clause): Judgement {
  const close = [...clause.before.slice(-2), ...clause.after.slice(0, 2)];
  const neuter = close.find((word) => isIn("neuter_singulars", word));
  return neuter === undefined
    ? unless(neuterSubject(clause), "the predicate is nominative", verb.tier)
    : { reason: "impersonal_active", detail: `${verb.infinitive} with ${neuter} is impersonal` };
}

/** An infinitive or predicate follows, and no accusative stands before it (kveðask). */
function judgeBareComplement({ verb }: MiddleReading, { after }: Clause): Judgement {
  const isObject = (word: string, index: number) =>
    isIn("objects_of_infinitive", word) &&
    after.slice(index).some((later) => isIn("transitive_infinitives", later));
  const accusative = after.find((word, index) =>
    isIn("accusatives_before_infinitive", word) &&
    !isIn("prepositions", after[index - 1]) && !isObject(word, index)
  );
  if (accusative !== undefined) {
    return { reason: "accusative_could_be_subject", detail: accusative };
  }
  return isIn("nominative_predicate_signs", after[0])
    ? { check: "the predicate is nominative", tier: verb.tier }
    : { check: "no accusative subject of the infinitive", tier: later(verb.tier, 2) };
}

/** One of the verb's words follows within the clause (leggjask í rekkju); others license the active. */
function judgeFollowedBy({ verb }: MiddleReading, clause: Clause): Judgement {
  const { infinitive, words, licensed, tier } = verb;
  const lemma = lemmaOf(verb);
  const index = clause.after.findIndex((word) => words.includes(word));
  const word = clause.after[index];
  if (word === undefined) {
    // "leggjask þeir ok á merkr": that ok is 'also', and no clause begins there.
    const joined = clause.coordinates.flatMap((member) => member.slice(0, 1));
    const licence = [...clause.before, ...clause.after, ...joined]
      .find((other) => licensed.includes(other));
    return licence === undefined
      ? { reason: "frame_not_found", detail: `${lemma} ${words.join(", ")}` }
      : { reason: "active_licensed", detail: `${infinitive} ${licence}` };
  }
  const next = clause.after[index + 1];
  return word === "við" && next !== undefined && !isIn("after_stranded_preposition", next)
    ? available(`við ${next}`)
    : { check: `${lemma} … ${word}`, tier };
}

/** sýna, virða: a dative beside the object is what they take, so all but the object is there. */
function judgeSeems({ verb }: MiddleReading, clause: Clause): Judgement {
  if (verb.takes_clause && clause.beforeThat) return available("the at-clause");
  const neuter = neuterSubject(clause);
  if (neuter !== undefined) return available(`${neuter}, nominative and accusative`);
  return unless(conceivableObject(clause), "nothing that could be the object", verb.tier);
}

/** Whether the clause shows what the verb's frame asks for. */
const JUDGES: Readonly<
  Record<MiddleVerb["frame"], (reading: MiddleReading, clause: Clause) => Judgement>
> = {
  no_object: judgeNoObject,
  nominative_predicate: judgePredicate,
  bare_complement: judgeBareComplement,
  followed_by: judgeFollowedBy,
  seems: judgeSeems,
  always: ({ verb }) => ({ check: "the active has another frame", tier: verb.tier }),
};

const MISSING: Readonly<Record<MiddleVerb["missing"], string>> = {
  accusative_object: "needs an accusative object, and the clause has none",
  dative_object: "needs a dative object, and the clause has none",
  object_and_recipient: "needs a receiver in the dative besides what is given, and there is none",
  dative_instead_of_accusative: "takes the dative, and what follows here is accusative",
  accusative_predicate: "needs an accusative object, but what stands here is nominative",
  accusative_subject_of_infinitive:
    "needs an accusative subject for what is said, and none follows",
  accusative_experiencer: "puts the person in the accusative, but here the person is nominative",
};

function candidateOf(
  sentence: Sentence,
  token: Token,
  { verb, middle, active, cell }: MiddleReading,
  { check, tier, mark }: Acceptance,
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
    marks: mark === undefined ? [] : [mark],
    explanation:
      `The -sk of ${lemma} '${verb.middle_gloss}' turns the action back on its subject or ` +
      `leaves the doer out; the active ${verb.infinitive} '${verb.active_gloss}' ` +
      `${MISSING[verb.missing]}: ${middle}, not ${active}.`,
    tier,
  };
}
