/** Relations that fix a noun's cell, and the cells they exclude. */
import type { RowOf } from "../../files/table.ts";
import { formatCell, type ParadigmCell } from "./paradigms.ts";
import { wordThatCouldBe } from "./nouns.ts";
import { FIXING_RELATIONS, functionWords, GENDERS, type Relation } from "./rules.ts";
import { couldBeChanged, toIast } from "./sounds.ts";
import type { AnnotatedNoun, FixingWord } from "./treebank.ts";
import type { Verse } from "./verses.ts";

export function isInSameLine({ line }: AnnotatedNoun, head: FixingWord): boolean {
  return head.line.verse === line.verse && head.line.label === line.label;
}

/**
 * The relations that fix a cell; a free adjunct fixes none.
 * Sanskrit may omit a subject or object, and an oblique noun is then a free adjunct; a relation
 * counts as violated only if that reading is remote. Objects, goals and genitives leave the number
 * open.
 */
export const FIXING_RULES: ReadonlyMap<Relation, RowOf<typeof FIXING_RELATIONS>> = new Map(
  FIXING_RELATIONS.read().map((row) => [row.relation, row]),
);

const SPEAKERS = functionWords("speaker");
const STAND_ALONE = functionWords("stands_alone");
const OBJECTS = functionWords("object");
const SUBJECTS = functionWords("subject");

/**
 * Tests whether a relation excludes a cell of the noun.
 * The head counts in the form that it has in the line.
 */
export function excludesCell(noun: AnnotatedNoun, head: FixingWord, to: ParadigmCell): boolean {
  const { cell, fixedBy } = noun;
  const rule = FIXING_RULES.get(head.relation);
  if (rule === undefined) return false;
  const isNeuterSingular = head.readings.includes("acc.sg.n");
  if (head.relation === "agreement") {
    // etāṃ vibhūtau vetti: “he knows her in power”.
    const isOblique = to.case !== "nominative" && to.case !== "accusative";
    if (isOblique && OBJECTS.has(head.word) && cell.case === "accusative") return false;
    // A modifier in -am is an adverb where its noun no longer agrees: “having seen the forms terribly”.
    if (isNeuterSingular || STAND_ALONE.has(head.word)) return false;
    // A dative or ablative may always be added, and its modifier be left over as a noun.
    if (to.case === "dative" || to.case === "ablative") return false;
    // A modifier in an oblique case may be left over too: “by something mixed, by two sentences”.
    const isDirect = cell.case === "nominative" || cell.case === "accusative";
    if (to.number !== cell.number && !isDirect) return false;
  }
  // In a list with a neuter in -am an accusative in -am may pass for a neuter nominative.
  const isOfList = head.relation === "coordinated";
  if (isOfList && isNeuterSingular && to.case === "accusative") return false;
  // A verb's number says nothing of a noun that is no longer its subject.
  if (to.case !== cell.case) return rule.breaks_cases.includes(to.case);
  if (to.number === cell.number || !rule.fixes_number) return false;
  const isPredicate = head.relation === "predicate";
  // tān … narādhamam: “them I cast …, the lowest of men”.
  const agreeing = fixedBy.filter(({ relation }) => relation === "agreement");
  if (head.relation === "agreement" && agreeing.some(({ word }) => OBJECTS.has(word))) return false;
  if ((isPredicate || head.relation === "apposition") && SPEAKERS.has(head.word)) return false;
  // idaṃ śarīrāṇi … kṣetram: “this, the bodies, is called field”; sarvāḥ prabhavanti: “all arise”.
  const isOfSubject = head.relation === "subject" || head.relation === "agreement";
  if (isOfSubject && agreeing.some(({ word }) => SUBJECTS.has(word))) return false;
  // A singular may begin a nominal clause of its own: “they stand arrayed; at their head is Duryodhana”.
  if (isPredicate && (to.number === "singular" || isNeuterSingular)) return false;
  if (head.word === "ucyate") return false;
  const isOfVerb = isPredicate || head.relation === "subject";
  if (isOfVerb && fixedBy.some((other) => isPredicateNoun(other, noun))) return false;
  // A verb or modifier fixes a number only if it has the noun's: coordinated subjects take a plural.
  const numberOf = (reading: string) => reading.split(".")[1];
  const nounNumber = numberOf(formatCell(cell));
  return head.readings.length > 0 &&
    head.readings.every((reading) => numberOf(reading) === nounNumber);
}

/**
 * Tests whether a predicate is a noun with its own gender.
 * A verb may agree with it (Speijer § 27).
 */
function isPredicateNoun({ relation, readings }: FixingWord, { gender }: AnnotatedNoun): boolean {
  const isNominal = readings.some((reading) => reading.split(".").length === 3);
  return relation === "predicate" && isNominal &&
    !readings.some((reading) => reading.endsWith(`.${gender[0]}`));
}

const PRONOUNS = functionWords("pronoun");

/** Cases that a word can have without governing noun, or as the subject's predicate. */
const FREE_CASES: ReadonlySet<ParadigmCell["case"]> = new Set([
  ...["nominative", "genitive", "dative", "ablative"] as const,
]);

/**
 * Tests whether a head is left behind in the noun's original case.
 * It then agrees with nothing, and the line is wrong whatever verb the new form might attach to.
 * Such a head is a modifier (kṛpā parayāviṣṭaḥ) or the other member of a list (pravṛttiś ca
 * nivṛttiṃ ca viduḥ). These are not left behind:
 * - a pronoun, which stands for a noun;
 * - a neuter in -am, which is an adverb;
 * - a nominative, which may belong to the subject, unless both have ca (saṃnyāsinaṃ ca yogī ca);
 * - a genitive, dative or ablative, which may be free;
 * - a modifier with another noun of its case, number and gender in the verse.
 */
export function isLeftBehind(
  noun: AnnotatedNoun,
  { relation, readings, word, token }: FixingWord,
  to: ParadigmCell,
  { lines }: Verse,
): boolean {
  const isModifier = relation === "agreement";
  if (!isModifier && relation !== "coordinated") return false;
  const isFree = noun.cell.case === "nominative" && !areBothWithCa(noun, token, lines) ||
    isModifier && FREE_CASES.has(noun.cell.case);
  if (isFree) return false;
  const cases = new Set(readings.map((reading) => reading.split(".")[0]!));
  if (cases.has(to.case.slice(0, 3)) || !cases.has(noun.cell.case.slice(0, 3))) return false;
  if (PRONOUNS.has(word) || readings.includes("acc.sg.n")) return false;
  if (!isModifier) return true;
  const words = lines.map(({ label, text }) =>
    text.split(" ").map(toIast).filter((_, at) =>
      label !== noun.line.label || at !== noun.token - 1
    )
  );
  const genders = GENDERS.filter((name) =>
    readings.includes(`${formatCell(noun.cell)}.${name[0]}`)
  );
  return wordThatCouldBe(noun.cell, genders, words) === undefined;
}

/** Tests whether noun and word are each followed by ca. No other clause may stand between them. */
function areBothWithCa(
  noun: AnnotatedNoun,
  token: number,
  lines: Verse["lines"],
): boolean {
  const words = lines.find(({ label }) => label === noun.line.label)?.text.split(" ").map(toIast);
  return [noun.token, token].every((position) => words?.[position] === "ca");
}

const AGREEING: readonly Relation[] = ["agreement", "absolute", "apposition", "predicate"];

interface WrittenWord {
  readonly written: string;
  readonly next: string | undefined;
}

/**
 * Tests whether the head's form also agrees with the noun in `to`.
 * @param headInPlace the head as written, whose sandhi may conceal another form.
 */
export function headAllows(
  noun: AnnotatedNoun,
  { relation, readings, word }: FixingWord,
  to: ParadigmCell,
  headInPlace?: WrittenWord,
): boolean {
  if (relation === "governed") return readings.includes(formatCell(to).split(".")[0]!);
  if (!AGREEING.includes(relation)) return false;
  const cell = withGender(to, noun);
  if (readings.includes(cell)) return true;
  return headInPlace !== undefined && hiddenReadings(word, headInPlace).includes(cell);
}

export const withGender = (cell: ParadigmCell, { gender }: AnnotatedNoun) =>
  `${formatCell(cell)}.${gender[0]}`;

/**
 * Returns cells that a written form in -a may have through sandhi.
 * -ā may be -āḥ before voiced sounds (kā bhāṣā: kāḥ bhāṣāḥ), -a may be -aḥ or -e before vowels
 * (sarva eva: sarve eva). Only a word that ends its token shows this.
 */
function hiddenReadings(word: string, { written, next }: WrittenWord): readonly string[] {
  const isInA = /(?:a|ā|aḥ|āḥ|e)$/u.test(word);
  if (next === undefined || !isInA || !couldBeChanged(written, next)) return [];
  if (written.endsWith("ā")) return ["nom.pl.m", "nom.pl.f", "acc.pl.f"];
  return written.endsWith("a") ? ["nom.sg.m", "nom.pl.m", "loc.sg.m", "loc.sg.n"] : [];
}
