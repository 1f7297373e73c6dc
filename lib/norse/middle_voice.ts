import type { RowOf } from "../files/table.ts";
import { type Candidate, type Objection, type PhenomenonRule, reject } from "./candidate.ts";
import type { Sentence } from "./dataset_tables.ts";
import { MIDDLE_VERBS, refusalsOf, wordLists } from "./rules.ts";
import { between, type Token, tokenise } from "./tokens.ts";

type Row = Readonly<RowOf<typeof MIDDLE_VERBS>>;

/** A middle verb of the saga; its active exists and needs something that the middle does not. */
interface MiddleVerb extends Row {
  /** Infinitive of the middle, e.g. `berjask`. */
  readonly lemma: string;
  readonly forms: readonly MiddleForm[];
}

/** A middle form and the active one of the same cell. */
interface MiddleForm {
  readonly middle: string;
  readonly active: string;
  /** Such as `infinitive`, `pres.2|3sg`, `pret.3pl` or `supine`. */
  readonly cell: string;
}

/** The verbs with all their forms; those that the parts do not give come first. */
export const VERBS: readonly MiddleVerb[] = MIDDLE_VERBS.read().map((row) => {
  const [middle, active, cell] = row.extra;
  return {
    ...row,
    lemma: `${row.infinitive}sk`,
    forms: [...(middle && active && cell ? [{ middle, active, cell }] : []), ...middleFormsOf(row)],
  };
});

/** A middle form with its verb. */
interface MiddleReading {
  readonly verb: MiddleVerb;
  readonly form: MiddleForm;
}

/** Every reading of every middle form of the table. */
export const MIDDLE_READINGS: ReadonlyMap<string, readonly MiddleReading[]> = Map.groupBy(
  VERBS.flatMap((verb) => verb.forms.map((form) => ({ verb, form }))),
  ({ form }) => form.middle,
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
  parts: Pick<Row, "infinitive" | "present" | "preterite" | "preterite_plural" | "supine">,
): readonly MiddleForm[] {
  const { infinitive, present, preterite, preterite_plural: plural, supine } = parts;
  // A weak preterite ends in -i (gerði), a strong one in its stem (tók): -a or nothing in the 1st person.
  const firstPerson = preterite.replace(/i$/u, "a");
  return [
    { middle: addMiddleSuffix(infinitive), active: infinitive, cell: "infinitive" },
    { middle: addMiddleSuffix(infinitive), active: infinitive, cell: "pres.3pl" },
    { middle: addMiddleSuffix(present.replace(/r$/u, "")), active: present, cell: "pres.2|3sg" },
    { middle: addMiddleSuffix(preterite), active: preterite, cell: "pret.3sg" },
    { middle: addMiddleSuffix(plural), active: plural, cell: "pret.3pl" },
    { middle: addMiddleSuffix(`${plural}m`), active: `${plural}m`, cell: "pret.1pl" },
    { middle: addMiddleSuffix(`${plural}m`), active: firstPerson, cell: "pret.1sg" },
    { middle: addMiddleSuffix(supine), active: supine, cell: "supine" },
  ];
}

/** Adds -sk to a form: t or tt with s is written z. */
export function addMiddleSuffix(form: string): string {
  return form.endsWith("t") ? `${form.slice(0, -1)}zk` : `${form}sk`;
}

/** Restores the active of middle verbs (-sk) where the clause has no room for it. */
export const findMiddleVoice: PhenomenonRule = (sentence) => {
  const candidates: Candidate[] = [];
  const rejections: ReturnType<typeof reject>[] = [];
  const tokens = tokenise(sentence.normalised);
  for (const [index, token] of tokens.entries()) {
    if (!/\p{L}{2}[sz]k$/u.test(token.lower)) continue;
    const clause = clauseAround(sentence.normalised, tokens, index);
    const reading = chooseReading(token.lower, clause);
    const verdict = listed(sentence, token.lower) ??
      (reading ? judgeFrame(reading, clause) : { reason: "verb_not_in_table", detail: "" });
    if ("reason" in verdict) {
      const proposed = reading ? `${token.form}>${reading.form.active}` : token.form;
      rejections.push(reject(sentence, "MIDDLE_VOICE", proposed, verdict));
    } else if (reading) candidates.push(candidateOf(sentence, token, reading, verdict));
  }
  return { candidates, rejections };
};

const refusalOf = refusalsOf("MIDDLE_VOICE");
const list = wordLists("middle_voice");

/** What the table says of the form, in every sentence or in this one. */
function listed(sentence: Sentence, lower: string): Acceptance | Objection | undefined {
  const refusal = refusalOf(lower, sentence.id);
  return refusal?.reason === "object_possible" ? doubtful(refusal.detail) : refusal;
}

// The clause

/** The words around a verb up to the next punctuation mark or conjunction on either side. */
interface Clause {
  /** In order, the verb left out. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Whether what a relative clause leaves out could be the object. */
  readonly relative: RelativeGap;
  /** The members that `ok` joins on without a comma, each without its `ok`. */
  readonly coordinates: readonly (readonly string[])[];
  /** Behind the clause a comma and `at` 'that' follow. */
  readonly beforeThat: boolean;
}

/**
 * `gap`: yes. `far_fetched`: only if a subject is left out too that a reader would miss, or where
 * the relative clause before goes on in this one.
 */
type RelativeGap = "none" | "far_fetched" | "gap";
const CLAUSE_OPENERS = list("clause_openers");
const TIME_AND_PLACE = list("time_and_place");

/** The clause of the verb at an index. */
export function clauseAround(text: string, tokens: readonly Token[], verb: number): Clause {
  const start = clauseStart(text, tokens, verb);
  const words = (from: number, to: number) => tokens.slice(from, to).map((token) => token.lower);
  const end = clauseEnd(text, tokens, verb);
  const [before, after] = [words(start, verb), words(verb + 1, end)];
  const relative = relativeOf(tokens, start, [...before, ...after]);
  const goesOn = relative === "none" && continuesRelative(text, tokens, start);
  return {
    before,
    after,
    relative: goesOn ? "far_fetched" : relative,
    coordinates: coordinatesFrom(text, tokens, end),
    beforeThat: tokens[end]?.lower === "at",
  };
}

const parted = (text: string, left: Token | undefined, right: Token | undefined) =>
  left !== undefined && right !== undefined && /[,.;:?!]/u.test(between(text, left, right));

/** First token of the clause, its conjunction included; the `at` of an infinitive is passed over. */
function clauseStart(text: string, tokens: readonly Token[], verb: number): number {
  for (let index = verb; index > 0; index--) {
    const infinitiveMarker = index === verb - 1 && tokens[index]?.lower === "at";
    if (index < verb && !infinitiveMarker && opensClause(text, tokens, index)) return index;
    if (parted(text, tokens[index - 1], tokens[index])) return index;
  }
  return 0;
}

function clauseEnd(text: string, tokens: readonly Token[], verb: number): number {
  for (let index = verb + 1; index < tokens.length; index++) {
    if (parted(text, tokens[index - 1], tokens[index])) return index;
    if (opensClause(text, tokens, index)) return index;
  }
  return tokens.length;
}

/** `er` 'is' stands without a comma before it; the conjunction has one, or a word of time or place. */
function opensClause(text: string, tokens: readonly Token[], index: number): boolean {
  const word = tokens[index]?.lower ?? "";
  const previous = tokens[index - 1];
  if (word !== "er") return CLAUSE_OPENERS.has(word);
  return previous === undefined || parted(text, previous, tokens[index]) ||
    TIME_AND_PLACE.has(previous.lower);
}

const SUBJECT_PRONOUNS = list("subject_pronouns");
const PLURAL_AUXILIARIES = list("plural_auxiliaries");
const AGENTIVE_AUXILIARIES = list("agentive_auxiliaries");

/**
 * A relative clause lacks one member: with a subject of its own it can lack the object; without one
 * and in the singular it can be read "which one …" (er finna mun), though hardly where the verb
 * wants somebody. A plural verb is the antecedent's own, unless that is neuter.
 */
function relativeOf(
  tokens: readonly Token[],
  start: number,
  words: readonly string[],
): RelativeGap {
  if (!opensRelative(tokens, start)) return "none";
  const has = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
  if (has(SUBJECT_PRONOUNS)) return "gap";
  if (has(PLURAL_AUXILIARIES)) {
    return tokens[start - 1]?.lower === "þau" ? "far_fetched" : "none";
  }
  return has(AGENTIVE_AUXILIARIES) ? "far_fetched" : "gap";
}

const opensRelative = (tokens: readonly Token[], start: number) =>
  ["er", "sem"].includes(tokens[start]?.lower ?? "") && start > 0 &&
  !TIME_AND_PLACE.has(tokens[start - 1]?.lower ?? "");

/** "er var spát ok vér hǫfum dulizk": the relative clause goes on behind `ok`. */
function continuesRelative(text: string, tokens: readonly Token[], start: number): boolean {
  if (tokens[start]?.lower !== "ok" || start === 0) return false;
  if (parted(text, tokens[start - 1], tokens[start])) return false;
  return opensRelative(tokens, clauseStart(text, tokens, start - 1));
}

/** What `ok` joins on, up to the next punctuation mark or other conjunction. */
function coordinatesFrom(text: string, tokens: readonly Token[], end: number) {
  const members: string[][] = [];
  for (let index = end; index < tokens.length; index++) {
    if (parted(text, tokens[index - 1], tokens[index])) break;
    const word = tokens[index]?.lower ?? "";
    if (word === "ok") members.push([]);
    else if (opensClause(text, tokens, index)) break;
    else members.at(-1)?.push(word);
  }
  return members;
}

// What could be the active's object

const PREPOSITIONS = list("prepositions");
const OBJECT_PRONOUNS = list("object_pronouns");
const AMBIGUOUS_PRONOUNS = list("ambiguous_pronouns");
const NEUTER_PRONOUNS = list("neuter_pronouns");
const NEUTER_PHRASES = list("neuter_phrases");
const DATIVE_OR_ACCUSATIVE = list("dative_or_accusative");
const NOMINATIVES = list("nominatives");
const ACTIONS_ON_OBJECTS = list("actions_on_objects");
const POSSESSIONS = list("possessions");
const ACCUSATIVE_AND_INFINITIVE = list("accusative_and_infinitive");

/** The first of some words that no preposition governs. */
function free(words: readonly string[], wanted: ReadonlySet<string>): string | undefined {
  return words.find((word, index) => wanted.has(word) && !PREPOSITIONS.has(words[index - 1] ?? ""));
}

/** A member behind `ok` that begins with one of these verbs and goes on with its object. */
function sharing({ coordinates }: Clause, verbs: ReadonlySet<string>): string | undefined {
  return coordinates.find(([verb = "", next]) => verbs.has(verb) && next !== undefined)?.join(" ");
}

/** What the active verb could take as its object. */
function availableObject(clause: Clause): string | undefined {
  const { before, after } = clause;
  const raised = before.find((word, index) =>
    AMBIGUOUS_PRONOUNS.has(word) && ACCUSATIVE_AND_INFINITIVE.has(before[index - 1] ?? "")
  );
  const next = AMBIGUOUS_PRONOUNS.has(after[0] ?? "") ? after[0] : undefined;
  const last = NEUTER_PRONOUNS.has(before.at(-1) ?? "") ? free(before, NEUTER_PRONOUNS) : undefined;
  return free(before, OBJECT_PRONOUNS) ?? free(after, OBJECT_PRONOUNS) ?? raised ?? next ?? last ??
    sharing(clause, ACTIONS_ON_OBJECTS);
}

/** The only subject, where it is neuter: nominative and accusative are one, so it could be the object. */
function neuterSubject({ before, after }: Clause): string | undefined {
  const infinitive = before.at(-1) === "at";
  if (infinitive || [...before, ...after].some((word) => NOMINATIVES.has(word))) return undefined;
  return free(before, NEUTER_PHRASES) ?? free(after, NEUTER_PHRASES);
}

/** What could be the object only by a far-fetched reading. */
function conceivableObject(clause: Clause): string | undefined {
  const lacking = clause.relative === "far_fetched" ? "what the relative clause lacks" : undefined;
  return neuterSubject(clause) ?? lacking ?? free(clause.before, DATIVE_OR_ACCUSATIVE) ??
    free(clause.after, DATIVE_OR_ACCUSATIVE) ?? sharing(clause, POSSESSIONS);
}

// Whether the clause shuts the active verb out

interface Acceptance {
  readonly check: string;
  readonly tier: 1 | 2 | 3;
  readonly mark?: "object_possible";
}

/** A pair, but of the last tier: a reader who tries finds an object. */
function doubtful(object: string): Acceptance {
  return { check: `${object} as the object is far-fetched`, tier: 3, mark: "object_possible" };
}

/** Applies the verb's frame to the clause it stands in. */
function judgeFrame({ verb, form }: MiddleReading, clause: Clause): Acceptance | Objection {
  switch (verb.frame) {
    case "no_object":
      return judgeNoObject(verb, clause, form.cell === "infinitive");
    case "nominative_predicate":
      return judgePredicate(verb, clause);
    case "bare_complement":
      return judgeBareComplement(verb, clause);
    case "followed_by":
      return judgeFollowedBy(verb, clause);
    case "seems":
      return judgeSeems(verb, clause);
    case "always":
      return { check: "the active has another frame", tier: verb.tier };
  }
}

const later = (a: 1 | 2 | 3, b: 1 | 2 | 3) => (a > b ? a : b);

/** The clause has no object: the usual case. */
function judgeNoObject(
  verb: MiddleVerb,
  clause: Clause,
  isInfinitive: boolean,
): Acceptance | Objection {
  if (clause.relative === "gap") {
    return {
      reason: "gap_could_be_object",
      detail: "what the relative clause lacks could be the object",
    };
  }
  const object = verb.takes_clause && clause.beforeThat ? "the at-clause" : availableObject(clause);
  if (object !== undefined) return { reason: "object_available", detail: object };
  const conceivable = verb.missing === "dative_object" ? undefined : conceivableObject(clause);
  return conceivable === undefined
    ? { check: "no object in the clause", tier: later(verb.tier, isInfinitive ? 2 : 1) }
    : doubtful(conceivable);
}

const NEUTER_SINGULARS = list("neuter_singulars");

/** A predicate in the nominative follows (gerask, nefnask, lítask). */
function judgePredicate(verb: MiddleVerb, clause: Clause): Acceptance | Objection {
  const close = [...clause.before.slice(-2), ...clause.after.slice(0, 2)];
  const neuter = close.find((word) => NEUTER_SINGULARS.has(word));
  if (neuter !== undefined) {
    const detail = `${verb.infinitive} with ${neuter} is impersonal`;
    return { reason: "impersonal_active", detail };
  }
  const object = neuterSubject(clause);
  return object === undefined
    ? { check: "the predicate is nominative", tier: verb.tier }
    : doubtful(object);
}

const ACCUSATIVES_BEFORE_INFINITIVE = list("accusatives_before_infinitive");
const OBJECTS_OF_INFINITIVE = list("objects_of_infinitive");
const TRANSITIVE_INFINITIVES = list("transitive_infinitives");
const NOMINATIVE_PREDICATE_SIGNS = list("nominative_predicate_signs");

/** An infinitive or predicate follows, and no accusative stands before it (kveðask). */
function judgeBareComplement(verb: MiddleVerb, { after }: Clause): Acceptance | Objection {
  const isObject = (word: string, index: number) =>
    OBJECTS_OF_INFINITIVE.has(word) &&
    after.slice(index).some((later) => TRANSITIVE_INFINITIVES.has(later));
  const accusative = after.find((word, index) =>
    ACCUSATIVES_BEFORE_INFINITIVE.has(word) && !PREPOSITIONS.has(after[index - 1] ?? "") &&
    !isObject(word, index)
  );
  if (accusative !== undefined) {
    return { reason: "accusative_could_be_subject", detail: accusative };
  }
  return NOMINATIVE_PREDICATE_SIGNS.has(after[0] ?? "")
    ? { check: "the predicate is nominative", tier: verb.tier }
    : { check: "no accusative subject of the infinitive", tier: later(verb.tier, 2) };
}

const AFTER_STRANDED_PREPOSITION = list("after_stranded_preposition");

/** One of the verb's words follows within the clause (leggjask í rekkju); others license the active. */
function judgeFollowedBy(verb: MiddleVerb, clause: Clause): Acceptance | Objection {
  const index = clause.after.findIndex((word) => verb.words.includes(word));
  const word = clause.after[index];
  if (word === undefined) {
    // "leggjask þeir ok á merkr": that ok is 'also', and no clause begins there.
    const joined = clause.coordinates.flatMap((member) => member.slice(0, 1));
    const licence = [...clause.before, ...clause.after, ...joined]
      .find((other) => verb.licensed.includes(other));
    return licence === undefined
      ? { reason: "frame_not_found", detail: `${verb.lemma} ${verb.words.join(", ")}` }
      : { reason: "active_licensed", detail: `${verb.infinitive} ${licence}` };
  }
  const next = clause.after[index + 1];
  return word === "við" && next !== undefined && !AFTER_STRANDED_PREPOSITION.has(next)
    ? { reason: "object_available", detail: `við ${next}` }
    : { check: `${verb.lemma} … ${word}`, tier: verb.tier };
}

/** sýna, virða: a dative beside the object is what they take, so all but the object is there. */
function judgeSeems(verb: MiddleVerb, clause: Clause): Acceptance | Objection {
  if (verb.takes_clause && clause.beforeThat) {
    return { reason: "object_available", detail: "the at-clause" };
  }
  const neuter = neuterSubject(clause);
  if (neuter !== undefined) {
    return { reason: "object_available", detail: `${neuter}, nominative and accusative` };
  }
  const conceivable = conceivableObject(clause);
  return conceivable === undefined
    ? { check: "nothing that could be the object", tier: verb.tier }
    : doubtful(conceivable);
}

// The pair

/** The reading that fits the clause. */
function chooseReading(lower: string, clause: Clause): MiddleReading | undefined {
  const words = [...clause.before, ...clause.after];
  return MIDDLE_READINGS.get(lower)?.find((reading) => fits(reading, words));
}

const INFINITIVE_GOVERNORS = list("infinitive_governors");

/** Whether a cell agrees with what stands around the verb. */
function fits({ verb, form }: MiddleReading, words: readonly string[]): boolean {
  const governed = words.some((word) => INFINITIVE_GOVERNORS.has(word));
  switch (form.cell) {
    case "infinitive":
      return governed;
    case "pres.3pl":
      return !governed &&
        (verb.function === "reciprocal" ||
          !verb.forms.some((other) => other.middle === form.middle && other.cell === "pres.2|3sg"));
    case "pret.1pl":
      return words.includes("vér") || words.includes("vit");
    case "pret.1sg":
      return words.includes("ek");
    default:
      return true;
  }
}

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
  { verb, form }: MiddleReading,
  { check, tier, mark }: Acceptance,
): Candidate {
  const isStripped = form.active === token.lower.replace(/[sz]k$/u, "");
  return {
    sentence,
    phenomenon: "MIDDLE_VOICE",
    token,
    replacement: form.active,
    errorType: "middle_to_active",
    rule: `MV_${verb.id}`,
    lemma: verb.lemma,
    construction: `${verb.function}_${verb.missing}`,
    cellFrom: `${form.cell}.middle`,
    cellTo: `${form.cell}.active`,
    checks: [
      "the form ends in -sk",
      `${form.active} is the active in the same cell`,
      `the active ${MISSING[verb.missing].split(",")[0]}`,
      isStripped ? "-sk is all that goes" : "the ending of the active is restored",
      check,
    ],
    marks: mark === undefined ? [] : [mark],
    explanation:
      `The -sk of ${verb.lemma} '${verb.middle_gloss}' turns the action back on its subject or ` +
      `leaves the doer out; the active ${verb.infinitive} '${verb.active_gloss}' ` +
      `${MISSING[verb.missing]}: ${form.middle}, not ${form.active}.`,
    tier,
  };
}
