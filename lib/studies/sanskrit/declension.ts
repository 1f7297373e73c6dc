/** Declension patterns: the right case and number with another gender's endings. */
import type { RowOf } from "../../files/table.ts";
import { formsOf } from "./agreement.ts";
import { certifyParsed, changedLine, marksOf } from "./contrasts.ts";
import { agreesWithTreebank, extractNouns, LEXICON, type NounToken } from "./nouns.ts";
import {
  CELLS,
  DECLENSIONS,
  decline,
  formatCell,
  otherDeclension,
  type ParadigmCell,
} from "./paradigms.ts";
import { functionWords, type Gender, GENDERS, MODIFIERS, NOUN_GENDERS } from "./rules.ts";
import { fromIast, toIast, writtenInPlace } from "./sounds.ts";
import { type AnnotatedNoun, tokenKey } from "./treebank.ts";
import { pausalWords, type Verse } from "./verses.ts";

const GENDERS_OF = new Map(NOUN_GENDERS.read().map((row) => [row.stem, row]));

type DeclensionRejectionReason =
  // of the noun
  | "reader_in_doubt"
  | "extracted_otherwise"
  | "compound"
  | "gender_not_looked_up"
  | "no_other_declension"
  | "text_disagrees"
  // of the other gender
  | "attested_gender"
  | "same_form"
  | "bare_stem"
  | "adjectival_feminine"
  | "form_of_another_word"
  | "sandhi_would_change";
type Fault = readonly [reason: DeclensionRejectionReason, detail: string];

interface DeclensionVariant {
  readonly gender: Gender;
  /** Pausal form in IAST. */
  readonly form: string;
  /** Form as written in its line, in IAST. */
  readonly written: string;
  /** Cells of the other declension with this form, the noun's cell first: `nom.sg.m`. */
  readonly cells: readonly string[];
}

/**
 * Returns the stem's paradigm in another gender, vidyā as vidya.
 * Only stems in -a and -ā have one.
 */
function declineAs(
  { stem, declension }: Pick<AnnotatedNoun, "stem" | "declension">,
  gender: Gender,
) {
  const other = otherDeclension(declension, gender);
  return other && decline(stem.slice(0, -1) + DECLENSIONS[other].stemEnd, other);
}

/**
 * Declines the noun in each other gender, or returns a reason against it.
 * Pure. The reasons why the form may be Sanskrit are tested in this order:
 * - a compound, which may be a bahuvrīhi of any gender;
 * - a gender in which the dictionary has the stem, as noun or adjective;
 * - a form that the noun has in one of its genders;
 * - the bare stem, which may be a compound's first member or, in -ā, an old plural, dual or
 * instrumental (Whitney §§ 327–329);
 * - a form of another noun or modifier, or an attested one;
 * - a place where sandhi would change.
 *
 * @param next the word after the noun, IAST; undefined at the line's end.
 * @param isWritten test whether the text has a form as a written word.
 */
export function contrastDeclensions(
  noun: Pick<AnnotatedNoun, "stem" | "declension" | "cell">,
  next: string | undefined,
  isWritten: (form: string) => boolean = () => false,
): readonly (DeclensionVariant | Fault)[] {
  const { stem, declension, cell } = noun;
  const { gender: nounGender } = DECLENSIONS[declension];
  if (otherDeclension(declension, nounGender) === undefined) {
    return [["no_other_declension", declension]];
  }
  if (stem.includes("-")) return [["compound", stem]];
  const row = GENDERS_OF.get(stem);
  if (row === undefined) return [["gender_not_looked_up", stem]];
  return GENDERS.filter((gender) => gender !== nounGender).map((gender) => {
    if (row.genders.includes(gender)) return ["attested_gender", `${gender}: ${row.ground}`];
    const other = declineAs(noun, gender)!;
    const [form = ""] = other.forms(cell);
    const isOwn = row.genders.some((gender) => declineAs(noun, gender)!.cellsOf(form).length > 0);
    if (isOwn) return ["same_form", form];
    if (form === other.stem) return ["bare_stem", form];
    // śvapākāyām: an agent noun may denote a woman.
    if (gender === "feminine" && PERSONS.has(stem)) return ["adjectival_feminine", form];
    if (OTHER_WORDS.has(form) || isWritten(form) || dividesIntoPronouns(form)) {
      return ["form_of_another_word", form];
    }
    const written = writtenInPlace(form, next);
    if (written === undefined) return ["sandhi_would_change", form];
    const labels = [cell, ...other.cellsOf(form)].map((it) => `${formatCell(it)}.${gender[0]}`);
    return { gender, form, written, cells: [...new Set(labels)] };
  });
}

const PERSONS: ReadonlySet<string> = new Set(
  LEXICON.filter(({ isAddressable }) => isAddressable).map(({ stem }) => stem),
);

const PRONOUNS = functionWords("pronoun");

/** Tests whether a form can be read as two pronouns: tattvayā is also tat tvayā. */
const dividesIntoPronouns = (form: string) =>
  [...PRONOUNS].some((pronoun) =>
    form.startsWith(pronoun) && PRONOUNS.has(form.slice(pronoun.length))
  );

/**
 * Returns a neuter pronoun before a noun of another gender.
 * The epics have such phrases: etan me saṃśayam.
 */
function neuterBefore({ gender, cell, token }: AnnotatedNoun, line: string): string | undefined {
  const isDirect = cell.number === "singular" &&
    (cell.case === "nominative" || cell.case === "accusative");
  if (gender === "neuter" || !isDirect) return undefined;
  return line.split(" ").map(toIast).slice(0, token - 1)
    .find((word) => /^eta[tdn](?![aāeo])/u.test(word));
}

/** All regular forms of the lexicon's nouns and the modifiers. */
const OTHER_WORDS: ReadonlySet<string> = new Set([
  ...LEXICON.flatMap(({ stem, declension }) => {
    const { forms } = decline(stem, declension);
    return CELLS.flatMap(forms);
  }),
  ...MODIFIERS.read().flatMap((modifier) =>
    GENDERS.flatMap((gender) =>
      CELLS.flatMap((cell: ParadigmCell) => formsOf(modifier, gender, cell))
    )
  ),
]);

interface DeclensionSources {
  readonly verses: readonly Verse[];
  readonly treebank: readonly AnnotatedNoun[];
  /** Nouns found by the extractor; by default extracted from the verses. */
  readonly extracted?: readonly NounToken[];
}

/** Certifies or refuses wrong declensions of nouns. Reader and extractor agree on each noun. */
export function declensionContrasts(
  { verses, treebank, extracted = extractNouns(verses, LEXICON).tokens }: DeclensionSources,
) {
  const tokens = new Map(extracted.map((token) => [tokenKey(token), token]));
  const written = new Set(pausalWords(verses));
  const rows = treebank.flatMap((noun) => {
    const token = tokens.get(tokenKey(noun));
    const place = { verse: noun.line.verse, line: noun.line.label, token: noun.token };
    return token === undefined ? [] : [{ ...place, noun, extracted: token }];
  });
  return certifyParsed(
    verses,
    rows,
    ({ noun, extracted, token }, verse, line) => {
      const neuter = neuterBefore(noun, line);
      const outcomes = noun.isDoubtful
        ? [["reader_in_doubt", noun.stem] as const]
        : !agreesWithTreebank(extracted, noun)
        ? [["extracted_otherwise", noun.stem] as const]
        : neuter !== undefined
        ? [["text_disagrees", neuter] as const]
        : !isSeparateWord(noun, nextOf(line, token))
        ? [["sandhi_would_change", toIast(noun.form)] as const]
        : contrastDeclensions(noun, nextOf(line, token), (form) => written.has(form));
      return outcomes.map((one) =>
        "written" in one ? propose(noun, verse, line, one) : {
          phenomenon: "declension",
          reason: one[0],
          detail: `${noun.stem} ${formatCell(noun.cell)}: ${one[1]}`,
        }
      );
    },
    ({ verse, line, token }) =>
      `Cannot decline ${verse}.${line}.${token} otherwise: the text has no such line. Mend treebank.csv.`,
  );
}

/** Tests whether a noun is a separate written word. Only then can the whole word be replaced. */
const isSeparateWord = (
  { stem, declension, cell, form }: AnnotatedNoun,
  next: string | undefined,
) =>
  decline(stem, declension).forms(cell)
    .some((pausal) => [pausal, writtenInPlace(pausal, next)].includes(toIast(form)));

function nextOf(line: string, token: number): string | undefined {
  const next = line.split(" ")[token];
  return next === undefined ? undefined : toIast(next);
}

/** Returns the line with the noun in another declension as a proposal. */
function propose(
  noun: AnnotatedNoun,
  verse: Verse,
  text: string,
  { gender, form, written, cells }: DeclensionVariant,
) {
  const changed = fromIast(written);
  const line = changedLine(verse, text, noun.token, changed);
  const cell = formatCell(noun.cell);
  const inWords = `${noun.cell.case} ${noun.cell.number}`;
  const right = decline(noun.stem, noun.declension).forms(noun.cell)[0]!;
  return {
    ...line,
    phenomenon: "declension" as const,
    errorType: `${noun.gender}_to_${gender}`,
    rule: "SK_DECLENSION",
    lemma: noun.stem,
    construction: `declension ${noun.gender} > ${gender} ${cell}`,
    cellFrom: `${cell}.${noun.gender[0]}`,
    cellTo: cells.join("/"),
    checks: [
      `${inWords} by treebank and extractor`,
      `the dictionary has ${noun.stem} as ${genders(GENDERS_OF.get(noun.stem)!)}, not as ${gender}`,
      "the new form is in no paradigm of the noun's own genders",
      "no other noun or modifier of the text has the new form",
      "no compound, so no bahuvrīhi",
      "neither neighbour's sandhi changes",
    ],
    marks: marksOf(changed, line.target),
    explanation:
      `The noun ${noun.stem} is ${noun.gender}, and its ${inWords} is ${fromIast(right)}; ` +
      `${fromIast(form)} has the ending of ${A_GENDER[gender]}.`,
    tier: 1 as const,
  };
}

const genders = ({ genders: names }: RowOf<typeof NOUN_GENDERS>) => names.join(" and ");

const A_GENDER: Readonly<Record<Gender, string>> = {
  masculine: "a masculine",
  feminine: "a feminine",
  neuter: "a neuter",
};
