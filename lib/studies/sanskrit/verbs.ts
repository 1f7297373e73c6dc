/** Agreement of the finite verb with an overt subject: conjugation, parsed lines, rule. */
import {
  blankOr,
  flag,
  name,
  oneOf,
  type RowOf,
  table,
  text,
  wholeNumber,
} from "../../files/table.ts";
import { certifyParsed, changedLine, marksOf } from "./contrasts.ts";
import { couldBeLocative, wordThatCouldBe } from "./nouns.ts";
import { CONJUGATIONS, functionWords, GENDERS, VERBS } from "./rules.ts";
import { couldBeChanged, fromIast, phonemes, toIast, VOWELS, writtenInPlace } from "./sounds.ts";
import { OURS, SANSKRIT_PATHS } from "./study.ts";
import { LINE_LABELS, type Verse } from "./verses.ts";

/** Person and number as in data files: `3.sg`. */
const VERB_CELLS = [
  "1.sg",
  "1.du",
  "1.pl",
  "2.sg",
  "2.du",
  "2.pl",
  "3.sg",
  "3.du",
  "3.pl",
] as const;
export type VerbCell = (typeof VERB_CELLS)[number];

const NUMBER_OF = { sg: "singular", du: "dual", pl: "plural" } as const;
export const PERSONS = ["first", "second", "third"] as const;

/** Returns a cell's number and person in words. */
export function verbCellInWords(cell: VerbCell) {
  const [person, number] = cell.split(".") as [string, keyof typeof NUMBER_OF];
  return { person: PERSONS[Number(person) - 1]!, number: NUMBER_OF[number] };
}

export type Verb = RowOf<typeof VERBS>;
const ENDINGS = Map.groupBy(CONJUGATIONS.read(), ({ conjugation }) => conjugation);
const ALL_VERBS: readonly Verb[] = VERBS.read();

/**
 * Returns a verb's pausal form in IAST.
 * The result is undefined if the tense lacks it (āha, first person).
 */
export function conjugate({ stem, conjugation }: Verb, cell: VerbCell): string | undefined {
  const { number } = verbCellInWords(cell);
  const row = ENDINGS.get(conjugation)?.find(({ person }) => `${person}` === cell[0]);
  if (row === undefined) {
    throw new RangeError(`Cannot conjugate ${stem}: no row of ${conjugation} in conjugations.csv.`);
  }
  return row[number] === "" ? undefined : stem + row[number];
}

/** Readings of every finite form of the table's verbs. */
const READINGS = Map.groupBy(
  ALL_VERBS.flatMap((verb) =>
    VERB_CELLS.map((cell) => ({ verb, cell, form: conjugate(verb, cell) }))
  ),
  ({ form }) => form,
);

export const VERB_TREEBANK = table({
  path: SANSKRIT_PATHS.verbTreebank,
  about:
    "a language model instructed as a Sanskritist, 23 November 2026: parses of lines with one finite verb, not joined to another clause, and its subject",
  licence: OURS,
  maker: "what data/README.md names",
  columns: {
    verse: name("id of the verse in `verses.csv`"),
    line: oneOf(LINE_LABELS, "label of the line: a, b or c"),
    token: wholeNumber("position of the word that contains the verb, from 1", { min: 1 }),
    verb: name("finite form in IAST, in pausa; it may be written together with other words"),
    cell: oneOf(VERB_CELLS, "person and number"),
    subject: name("subject in IAST, in pausa"),
    subject_token: wholeNumber("position of the subject, from 1", { min: 1 }),
    joined: text("second subject joined by ca, so that the verb is dual; may be empty"),
    readings: name(
      "possible readings of the subject's form; for a pronoun of address its person, for example `1.sg`",
    ),
    kind: oneOf(
      ["pronoun", "noun", "adjective"],
      "word class of the subject; participles count as adjectives",
    ),
    addressable: flag("True where the subject's vocative is a possible reading"),
    another: blankOr(
      oneOf(
        ["sg", "pl"],
        "number of another word of the verse that could be the subject of the new form",
      ),
    ),
    doubtful: flag("True where the reader doubted the subject; such a line is in no pair"),
  },
  key: ({ verse, line, token }) => `${verse}.${line}.${token}`,
});
export type ParsedVerb = RowOf<typeof VERB_TREEBANK>;

/** Returns wrong cells: another number for a third person, another person for "I", "thou", "we". */
function targetsOf(cell: VerbCell): readonly VerbCell[] {
  const [person, number] = cell.split(".");
  if (person === "3") return [number === "pl" ? "3.sg" : "3.pl"];
  return [`3.${number}`, `${person === "1" ? "2" : "1"}.${number}`] as VerbCell[];
}

type Fault = readonly [reason: VerbRejectionReason, detail: string];
type VerbRejectionReason =
  | "reader_in_doubt"
  | "same_form"
  | "another_subject"
  | "subject_hidden_by_sandhi"
  | "vocative_reading"
  | "object_reading"
  | "predicate_reading"
  | "participle_reading"
  | "thematic_reading"
  | "sandhi_would_change";

/**
 * Returns the token with another verb form, or an objection.
 * `verse` has all its lines. Pure. The reasons why the change is no error are tested in this order:
 * - the reader was in doubt;
 * - the form is the same, or also right;
 * - another word could be the subject;
 * - sandhi conceals the subject's number;
 * - the subject's form may be a vocative, accusative or predicate;
 * - "I" or "thou" after the verb may begin a clause;
 * - the new form is also a participle with which a word of the line agrees;
 * - sandhi would change elsewhere.
 */
export function contrastVerb(
  parsed: ParsedVerb,
  verb: Verb,
  line: string,
  to: VerbCell,
  verse: readonly string[] = [line],
): string | Fault {
  const tokens = line.split(" ").map(toIast);
  const [token, next] = [tokens[parsed.token - 1]!, tokens[parsed.token]];
  const [wasPlural, toPlural] = [parsed.cell.endsWith("pl"), to.endsWith("pl")];
  const isNumber = wasPlural !== toPlural;
  const form = conjugate(verb, to);
  if (parsed.doubtful) return ["reader_in_doubt", parsed.subject];
  if (form === undefined || READINGS.get(form)?.some(({ cell }) => cell === parsed.cell)) {
    return ["same_form", form ?? "no such form"];
  }
  if (parsed.another !== "" && (parsed.another === "pl") === toPlural) {
    return ["another_subject", parsed.another];
  }
  if (isNumber && toPlural) {
    const words = verse.map((text) => text.split(" ").map(toIast));
    const plural = pluralSubject(parsed, tokens, words);
    if (plural !== undefined) return ["another_subject", plural];
  }
  if (isNumber) {
    const written = tokens[parsed.subject_token - 1]!;
    if (hidesNumber(parsed, written, tokens[parsed.subject_token])) {
      return ["subject_hidden_by_sandhi", parsed.subject];
    }
    const readings = parsed.readings.split(",");
    const mayBe = (kase: string) => readings.some((reading) => reading.startsWith(kase));
    const isPerson = parsed.kind !== "pronoun" && parsed.addressable;
    if (wasPlural && isPerson) return ["vocative_reading", parsed.subject];
    if (mayBe("acc") && verb.takes === "object" && !isPronounOfPersons(parsed)) {
      return ["object_reading", parsed.subject];
    }
    if (verb.takes === "copula" && parsed.kind !== "pronoun") {
      return ["predicate_reading", parsed.subject];
    }
    if (verb.takes === "naming" && mayBe("acc")) return ["predicate_reading", parsed.subject];
  }
  // icchati tvāṃ draṣṭum ahaṃ tathaiva: “… he wishes; I likewise”.
  const isSpeaker = /^[12]/u.test(parsed.readings);
  const mayBegin = parsed.subject_token > parsed.token && parsed.subject_token < tokens.length;
  if (isSpeaker && mayBegin) {
    return ["another_subject", parsed.subject];
  }
  // bhuñjate, ādadate: in the epics also singulars of stems in -a, bhuñja-, dada-.
  if (to === "3.pl" && /[^ā]ate$/u.test(form)) return ["thematic_reading", form];
  const participle = participleOf(form, parsed, tokens);
  if (participle !== undefined) return ["participle_reading", participle];
  return exchangeForm(token, parsed.verb, form, next) ?? ["sandhi_would_change", form];
}

/**
 * Endings of a neuter plural, both nominative and accusative: karmāṇi, karmāṇy, indriyāṇīndriya-.
 */
const NEUTER_NOMINATIVE = /[āīū][nṇ](?:i$|[īy])/u;

/**
 * Singulars in -ā that may be plurals in -āḥ before a voiced sound.
 * Converbs, instrumentals, ātmā and particles are excluded.
 */
const HIDDEN_PLURAL = /(?<!v|[ayktṭ]y|tm|th|^(?:[mhn]|[ytks]ad))ā$/u;

/** Pronouns that may be a plural subject: te, te'pi, naite, ye, sarve. */
const PLURAL_PRONOUN =
  /^(?:(?:na|e|nai)?te|[ky]e|ime|amī|sarve|anye|apare|eke|keci[td])(?:$|')|[^t]aste$/u;

/**
 * Returns a word that a plural verb could take as its subject.
 * The reader's parse plays no part. Such a word of the verse is a neuter plural; a singular that is
 * also a plural; or the singular subject with a coordinated word (tathā, or a neuter with ca). It
 * may also be te or a similar pronoun, a plural of the lexicon, or a word that may be plural before
 * a voiced sound (avyaktā hi: "the unmanifest ones"). If the change would leave a pronoun over,
 * only words of the same line count. If the adjective belongs to sa, there is none.
 */
function pluralSubject(
  { subject, subject_token, kind }: ParsedVerb,
  tokens: readonly string[],
  verse: readonly (readonly string[])[],
): string | undefined {
  if (PLURAL_TOO.has(subject) || tokens[subject_token] === "tathā") return subject;
  // asaktātmā vindanty ātmani yat sukhaṃ sa … aśnute: “the pleasure that people find in the self, he, unattached, …”.
  if (kind === "adjective" && verse.some(([first]) => first === "sa")) return "sa";
  const neuter = verse.flatMap((words) =>
    words.filter((word, at) =>
      NEUTER_NOMINATIVE.test(word) || /aṃ$/u.test(word) && words[at + 1] === "ca"
    )
  );
  const isPronoun = kind === "pronoun";
  const others = (isPronoun ? [tokens] : verse)
    .map((words) => words.filter((word) => word !== tokens[subject_token - 1]));
  const hidden = others.flatMap((words) =>
    words.filter((word, at) =>
      !isPronoun && PLURAL_PRONOUN.test(word) ||
      HIDDEN_PLURAL.test(word) && couldBeChanged(word, words[at + 1])
    )
  );
  return neuter[0] ?? hidden[0] ??
    wordThatCouldBe({ case: "nominative", number: "plural" }, GENDERS, others);
}

/**
 * Tests whether a plural pronoun such as ye or te is masculine.
 * Its other reading, the feminine or neuter dual, is excluded: the parsed verses have no two things
 * that it could name.
 */
const isPronounOfPersons = ({ kind, readings }: ParsedVerb) =>
  kind === "pronoun" && readings.includes("nom.pl.m");

/**
 * Tests whether sandhi makes the subject's form ambiguous.
 * ya is yaḥ or ye, yoga also yoge, -ā also -āḥ.
 */
function hidesNumber(
  { subject, kind, readings, cell }: ParsedVerb,
  written: string,
  next: string | undefined,
): boolean {
  const left = subject.replace(/(?:aḥ|e)$/u, "a").replace(/āḥ$/u, "ā");
  if (!/[aā]$/u.test(left) || !written.endsWith(left) || !couldBeChanged(written, next)) {
    return false;
  }
  if (left.endsWith("a")) return !/(?:^|[^a-z])(?:sa|eṣa)$/u.test(written);
  // A masculine in -ā is a plural, but an adjective of that shape may be a feminine singular.
  return cell.endsWith("sg") ? readings.includes("nom.sg.f") : kind !== "noun";
}

const PLURAL_TOO = functionWords("plural_too");
/** Endings of a neuter plural, also before a vowel. */
const NEUTER_PLURAL = /(?:ā[nṇ]|ī[nṇ]|ū[nṇ]|āṃs|īṃṣ|ūṃṣ)(?:[iyī]|$)/u;

/**
 * Returns the word with which the form agrees as a participle.
 * gacchati is also the locative of "going" (Whitney § 444).
 */
function participleOf(
  form: string,
  { token, verb, cell, subject, subject_token }: ParsedVerb,
  tokens: readonly string[],
) {
  const isItself = (word: string, at: number) => at === token - 1 && word.endsWith(verb.slice(-2));
  const words = tokens.filter((word, at) => at !== subject_token - 1 && !isItself(word, at));
  // abruvan, upāviśan: “not speaking”, “sitting down” (nominative singular, Whitney § 447).
  if (cell.endsWith("sg") && /[^ā]an$/u.test(form)) return subject;
  if (/[aā]nti$/u.test(form)) return words.find((word) => NEUTER_PLURAL.test(word));
  if (!/[aā]ti$/u.test(form)) return undefined;
  return words.find(couldBeLocative);
}

/** Sandhi of a verb's last sound inside the token. It is the same for both forms. */
const JOINED = [["i", "(?=$)", "i"], ["i", "(?=[aāuūṛeo])", "y"], ["i", "", "ī"], [
  "e",
  "(?=')",
  "e",
]] as const;

/**
 * Replaces a finite form within a written token (IAST), the rest unchanged.
 * Undefined if the form does not occur exactly once or the replacement would change its neighbours.
 * The verb's first vowel may have merged with the word before (tadocyate: tadā ucyate); both forms
 * must begin with the same sound.
 */
export function exchangeForm(
  token: string,
  from: string,
  to: string,
  next: string | undefined,
): string | undefined {
  const [first] = phonemes(from);
  if (first === undefined || phonemes(to)[0] !== first) return undefined;
  const starts = VOWELS.has(first) ? [from, from.slice(first.length)] : [from];
  for (const start of starts) {
    const other = to.slice(from.length - start.length);
    const [right, wrong] = [writtenInPlace(start, next), writtenInPlace(other, next)];
    if (right !== undefined && wrong !== undefined && token.endsWith(right)) {
      return token.slice(0, -right.length) + wrong;
    }
    if (
      next !== undefined && VOWELS.has(phonemes(next)[0]!) && start.endsWith("e") &&
      to.endsWith("e")
    ) {
      const stem = start.replace(/e$/u, "a");
      if (token.endsWith(stem)) return token.slice(0, -stem.length) + other.replace(/e$/u, "a");
    }
    for (const [final, follows, written] of JOINED) {
      if (!start.endsWith(final) || !other.endsWith(final)) continue;
      const matches = [...token.matchAll(new RegExp(start.slice(0, -1) + written + follows, "gu"))];
      const [one, more] = matches;
      if (one === undefined || more !== undefined || one.index + one[0].length === token.length) {
        continue;
      }
      return token.slice(0, one.index) + other.slice(0, -1) + written +
        token.slice(one.index + one[0].length);
    }
  }
  return undefined;
}

/**
 * Changes person or number of every parsed verb.
 * Each change is certified or refused with the reason. Pure.
 */
export function verbContrasts({ verses }: { readonly verses: readonly Verse[] }) {
  return certifyParsed(
    verses,
    VERB_TREEBANK.read(),
    (parsed, verse, line) => {
      const reading = READINGS.get(parsed.verb)?.find(({ cell }) => cell === parsed.cell);
      return reading && targetsOf(parsed.cell).map((to) => {
        const whole = verse.lines.map(({ text }) => text);
        const outcome = contrastVerb(parsed, reading.verb, line, to, whole);
        if (typeof outcome === "string") {
          return propose(parsed, reading.verb, verse, line, to, fromIast(outcome));
        }
        const [reason, why] = outcome;
        return {
          phenomenon: "verb_agreement",
          reason,
          detail: `${parsed.cell} > ${to}: ${why}`,
        };
      });
    },
    ({ verse, line, verb, cell }) =>
      `Cannot read ${VERB_TREEBANK.path}: ${verse}.${line} ${verb} is no ` +
      `${cell} of verbs.csv, or no such line. Mend the row, or add the verb.`,
  );
}

/** Returns the line with the changed verb as a proposal. */
function propose(
  parsed: ParsedVerb,
  verb: Verb,
  verse: Verse,
  text: string,
  to: VerbCell,
  written: string,
) {
  const [right, wrong] = [verbCellInWords(parsed.cell), verbCellInWords(to)];
  const feature = right.number === wrong.number ? "person" as const : "number" as const;
  const line = changedLine(verse, text, parsed.token, written);
  const subjects = [parsed.subject, ...(parsed.joined === "" ? [] : [parsed.joined])];
  const areSubjects = parsed.joined === ""
    ? "is its subject, in the same line"
    : "are its two subjects, joined in the same line";
  return {
    ...line,
    phenomenon: "verb_agreement" as const,
    errorType: `${right[feature]}_to_${wrong[feature]}`,
    rule: feature === "person" ? "SK_VERB_PERSON" : "SK_VERB_NUMBER",
    lemma: verb.root,
    construction: `${feature} ${parsed.kind} ${parsed.cell} > ${to}`,
    cellFrom: parsed.cell,
    cellTo: [to, ...READINGS.get(conjugate(verb, to))!.map(({ cell }) => cell)]
      .filter((cell, at, all) => all.indexOf(cell) === at).join("/"),
    checks: [
      `${parsed.verb} is ${parsed.cell} of √${verb.root} by ${verb.conjugation}`,
      `${subjects.join(" and ")} ${areSubjects}: ${parsed.readings}`,
      "no other word of the verse could be the new form's subject",
      "the subject's form is no vocative, object or predicate there",
      "the new form is no other cell of a verb that fits, and no participle that a word agrees with",
      "neither neighbour's sandhi changes",
    ],
    marks: marksOf(written, line.target),
    explanation:
      `The verb agrees with ${
        subjects.map(fromIast).join(" and ")
      } in the ${right.person} person ` +
      `${right.number}; ${written} is ${wrong.person} person ${wrong.number}.`,
    tier: parsed.readings.includes("acc") ? 2 as const : 1 as const,
  };
}
