import {
  type Case,
  CASES,
  type DeclensionClass,
  type Gender,
  type GrammaticalNumber,
  NUMBERS,
  PARADIGMS,
} from "./rules.ts";
import { applyRetroflexion, CONSONANTS, fromIast, phonemes, VOWELS } from "./sounds.ts";

/** One cell of a noun's paradigm. */
export interface ParadigmCell {
  readonly case: Case;
  readonly number: GrammaticalNumber;
}

/** Every cell of a noun, case by case: nominative singular, dual, plural, accusative … */
export const CELLS: readonly ParadigmCell[] = CASES.flatMap((name) =>
  NUMBERS.map((number) => ({ case: name, number }))
);

/** A cell as data files name it, e.g. `gen.sg`. */
export function formatCell(cell: ParadigmCell): string {
  return `${cell.case.slice(0, 3)}.${NUMBER_LABELS[cell.number]}`;
}

const NUMBER_LABELS = { singular: "sg", dual: "du", plural: "pl" } as const;

const BY_LABEL = new Map(CELLS.map((cell) => [formatCell(cell), cell]));

/** The cell that a label names. Throws SyntaxError for any other text. */
export function parseCell(label: string): ParadigmCell {
  const cell = BY_LABEL.get(label);
  if (cell) return cell;
  throw new SyntaxError(
    `"${label}" is no cell: write it as gen.sg (${[...BY_LABEL.keys()].join(", ")}).`,
  );
}

/** A class of nouns or adjectives: its endings in pausa, before retroflexion, the usual one first. */
interface Declension {
  readonly gender: Gender;
  readonly stemEnd: string;
  /** As the data files name it, e.g. `a-stem`. */
  readonly label: string;
  readonly endings: Readonly<Record<Case, Readonly<Record<GrammaticalNumber, readonly string[]>>>>;
}

/** Every declension of `paradigms.csv`. */
export const DECLENSIONS = Object.fromEntries<Declension>(
  [...Map.groupBy(PARADIGMS.read(), ({ declension }) => declension)].map(([name, rows]) => {
    const { gender, stem_end: stemEnd, label } = rows[0]!;
    const endings = Object.fromEntries<Declension["endings"][Case]>(
      rows.map((row) => [row.case, row]),
    ) as Declension["endings"];
    return [name, { gender, stemEnd, label, endings }];
  }),
) as { readonly [Name in DeclensionClass]: Declension };

const OF_A_STEMS = {
  masculine: "a_masculine",
  feminine: "ā_feminine",
  neuter: "a_neuter",
} as const satisfies Readonly<Record<Gender, DeclensionClass>>;

/**
 * The declension of a-stems of another gender; none for other stems. A neuter in -i has the endings of
 * adjectives in -in, which any noun in -a may form (siddhine: Pāṇini 5.2.115).
 */
export function otherDeclension(
  declension: DeclensionClass,
  gender: Gender,
): DeclensionClass | undefined {
  return Object.values<DeclensionClass>(OF_A_STEMS).includes(declension)
    ? OF_A_STEMS[gender]
    : undefined;
}

/**
 * A cell's ending in Devanagari as the grammars print it: अस्य, ए, आनि, and ः or म् alone where
 * nothing else follows a short stem vowel (देव + ः). Where a cell has doublets, the usual one; empty
 * where the form is the bare stem (vocative देव).
 */
export function endingOf(name: DeclensionClass, cell: ParadigmCell): string {
  const { stemEnd, endings } = DECLENSIONS[name];
  const [ending = ""] = endings[cell.case][cell.number];
  const added = ending.startsWith(stemEnd) ? ending.slice(stemEnd.length) : ending;
  const standsAlone = stemEnd !== "ā" && ["", "ḥ", "m"].includes(added);
  return fromIast(standsAlone ? added : ending);
}

type Merger = Readonly<Record<string, string>>;

/** Vowels and what stands for an a or ā with the vowel after it. Source: Whitney §§ 126–129. */
const AFTER_A: Merger = Object.fromEntries(
  "a ā, ā ā, i e, ī e, u o, ū o, ṛ ar, e ai, ai ai, o au, au au".split(", ")
    .map((pair) => pair.split(" ")),
);
const AFTER_I: Merger = { i: "ī", ī: "ī" };
const AFTER_U: Merger = { u: "ū", ū: "ū" };

const MERGED = { a: AFTER_A, ā: AFTER_A, i: AFTER_I, ī: AFTER_I, u: AFTER_U, ū: AFTER_U };

/** What a vowel becomes before an unlike one. */
const GLIDES: Readonly<Record<string, string>> = { i: "y", ī: "y", u: "v", ū: "v", ṛ: "r" };

function meetingOf(last: string, first: string): string | undefined {
  const merged = MERGED[last as keyof typeof MERGED]?.[first];
  if (merged !== undefined) return merged;
  const glide = GLIDES[last];
  return glide === undefined || last === first ? undefined : glide + first;
}

/** Two members with the vowels that meet made one; what they become is put with the second. */
function joinPair(before: string, after: string): readonly [string, string] {
  const [first] = phonemes(after);
  const last = phonemes(before).at(-1);
  if (first === undefined || last === undefined) {
    throw new RangeError(`Cannot join "${before}-${after}": a member is empty.`);
  }
  if (!VOWELS.has(last) || !VOWELS.has(first)) return [before, after];
  const meeting = meetingOf(last, first);
  if (meeting === undefined) {
    throw new RangeError(`Cannot join "${before}-${after}": write it as it is said, unhyphened.`);
  }
  return [before.slice(0, -last.length), meeting + after.slice(first.length)];
}

/**
 * The members of a compound stem in IAST as they are said: `jñāna-agni` → jñān, āgni; `kula-dharma`
 * as written. Only vowels are joined: where consonants meet, they are to be given as said (`sad-bhāva`).
 * @throws RangeError for an empty member or vowels that it has no rule for, SyntaxError for no IAST.
 */
export function compoundMembers(stem: string): readonly string[] {
  const [head = "", ...rest] = stem.normalize("NFC").split("-");
  const joined = [head];
  for (const member of rest) joined.push(...joinPair(joined.pop()!, member));
  return joined;
}

/** All forms of one word in one gender, in IAST and as they are in pausa. */
export interface Paradigm {
  /** The stem in IAST as it was given, with a hyphen between the members of a compound. */
  readonly stem: string;
  readonly class: DeclensionClass;
  readonly gender: Gender;
  /** What may stand in a cell, the usual form first; never empty. */
  readonly forms: (cell: ParadigmCell) => readonly string[];
  /** Every cell that a form may be, in the order of {@link CELLS}; none for a form of another word. */
  readonly cellsOf: (form: string) => readonly ParadigmCell[];
}

/** The stem as said, without the end of its class. @throws RangeError where the class does not fit. */
function baseOf(stem: string, name: DeclensionClass): string {
  const { stemEnd } = DECLENSIONS[name];
  const said = compoundMembers(stem);
  const [letters, end] = [phonemes(said.at(-1)!), phonemes(stemEnd)];
  // rājan and nāman lose their a (rājñaḥ, nāmnā): they would need a table of their own.
  const isCluster = letters.slice(-4, -2).filter((sound) => CONSONANTS.has(sound)).length === 2;
  const isFit = end.every((sound, at) => letters.at(at - end.length) === sound);
  if (!isFit || (stemEnd === "an" && !isCluster)) {
    const remedy = isFit ? "-an after two consonants" : `-${stemEnd}`;
    throw new RangeError(`Cannot decline "${stem}" as ${name}: the stem must end in ${remedy}.`);
  }
  return said.join("-").slice(0, -stemEnd.length);
}

/**
 * A base and its ending as one word. Only the ending's n is up for change: a stem is given as the
 * dictionary has it. r or ṣ of an earlier member leaves the choice (Pāṇini 8.4.11): the form without
 * ṇ comes first, since texts prefer it (karmayogena in Gītā 3.3).
 */
function joinForms(base: string, ending: string): readonly string[] {
  const inMember = applyRetroflexion(base + ending).slice(base.length);
  const closed = base.replaceAll("-", "");
  const acrossMembers = applyRetroflexion(closed + ending).slice(closed.length);
  return [closed + inMember, closed + acrossMembers];
}

/**
 * The paradigm of a stem in IAST, e.g. `decline("kula-dharma", "a_masculine")`: hyphens mark the
 * members of a compound, whose vowels are joined (`jñāna-agni`); they are not in the forms.
 * @throws SyntaxError when the stem is no IAST, RangeError when it ends otherwise than its class.
 */
export function decline(stem: string, name: DeclensionClass): Paradigm {
  const { gender, endings } = DECLENSIONS[name];
  const base = baseOf(stem, name);
  const formsByCell = new Map(CELLS.map((cell) => {
    const forms = endings[cell.case][cell.number].flatMap((ending) => joinForms(base, ending));
    return [formatCell(cell), [...new Set(forms)]];
  }));
  const forms = (cell: ParadigmCell) => formsByCell.get(formatCell(cell))!;
  const cellsOf = (form: string) => CELLS.filter((cell) => forms(cell).includes(form));
  return { stem, class: name, gender, forms, cellsOf };
}
