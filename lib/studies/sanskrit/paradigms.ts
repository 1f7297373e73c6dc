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

/** All cells by case: nominative singular, dual, plural, accusative … */
export const CELLS: readonly ParadigmCell[] = CASES.flatMap((name) =>
  NUMBERS.map((number) => ({ case: name, number }))
);

/** Formats a cell as in data files, e.g. `gen.sg`. */
export function formatCell(cell: ParadigmCell): string {
  return `${cell.case.slice(0, 3)}.${NUMBER_LABELS[cell.number]}`;
}

const NUMBER_LABELS = { singular: "sg", dual: "du", plural: "pl" } as const;

const BY_LABEL = new Map(CELLS.map((cell) => [formatCell(cell), cell]));

/** Parses a cell's label. Throws SyntaxError for any other text. */
export function parseCell(label: string): ParadigmCell {
  const cell = BY_LABEL.get(label);
  if (cell) return cell;
  throw new SyntaxError(
    `"${label}" is no cell: write it as gen.sg (${[...BY_LABEL.keys()].join(", ")}).`,
  );
}

/** A declension with its pausal endings before retroflexion, the usual one first. */
interface Declension {
  readonly gender: Gender;
  readonly stemEnd: string;
  /** Label in data files, e.g. `a-stem`. */
  readonly label: string;
  readonly endings: Readonly<Record<Case, Readonly<Record<GrammaticalNumber, readonly string[]>>>>;
}

/** All declensions of `paradigms.csv`. */
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
 * Returns the a-stem declension of another gender; undefined for other stems.
 * A neuter in -i has the endings of adjectives in -in, which any noun in -a can form (siddhine:
 * Pāṇini 5.2.115).
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
 * Returns a cell's ending in Devanagari as printed in grammars: अस्य, ए, आनि.
 * ः or म् stands alone if nothing else follows a short stem vowel (देव + ः). Of doublets the usual
 * one; empty if the form is the bare stem (vocative देव).
 */
export function endingOf(name: DeclensionClass, cell: ParadigmCell): string {
  const { stemEnd, endings } = DECLENSIONS[name];
  const [ending = ""] = endings[cell.case][cell.number];
  const added = ending.startsWith(stemEnd) ? ending.slice(stemEnd.length) : ending;
  const standsAlone = stemEnd !== "ā" && ["", "ḥ", "m"].includes(added);
  return fromIast(standsAlone ? added : ending);
}

type Merger = Readonly<Record<string, string>>;

/** Results of a or ā with a following vowel. Source: Whitney §§ 126–129. */
const AFTER_A: Merger = Object.fromEntries(
  "a ā, ā ā, i e, ī e, u o, ū o, ṛ ar, e ai, ai ai, o au, au au".split(", ")
    .map((pair) => pair.split(" ")),
);
const AFTER_I: Merger = { i: "ī", ī: "ī" };
const AFTER_U: Merger = { u: "ū", ū: "ū" };

const MERGED = { a: AFTER_A, ā: AFTER_A, i: AFTER_I, ī: AFTER_I, u: AFTER_U, ū: AFTER_U };

/** Glides of vowels before an unlike one. */
const GLIDES: Readonly<Record<string, string>> = { i: "y", ī: "y", u: "v", ū: "v", ṛ: "r" };

function meetingOf(last: string, first: string): string | undefined {
  const merged = MERGED[last as keyof typeof MERGED]?.[first];
  if (merged !== undefined) return merged;
  const glide = GLIDES[last];
  return glide === undefined || last === first ? undefined : glide + first;
}

/** Joins two members; the merged vowel belongs to the second. */
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
 * Joins a compound's members in IAST: `jñāna-agni` → jñān, āgni; `kula-dharma` unchanged.
 * Only vowels are joined; meeting consonants must be given as pronounced (`sad-bhāva`).
 * @throws RangeError for an empty member or vowels without a rule, SyntaxError for no IAST.
 */
export function compoundMembers(stem: string): readonly string[] {
  const [head = "", ...members] = stem.normalize("NFC").split("-");
  const joined = [head];
  for (const member of members) joined.push(...joinPair(joined.pop()!, member));
  return joined;
}

/** All pausal forms of one word in one gender, in IAST. */
export interface Paradigm {
  /** Stem in IAST as given, with hyphens between members of a compound. */
  readonly stem: string;
  readonly class: DeclensionClass;
  readonly gender: Gender;
  /** Returns a cell's forms, the usual one first; never empty. */
  readonly forms: (cell: ParadigmCell) => readonly string[];
  /**
   * Returns the cells of a form, in the order of {@link CELLS}.
   * The result is empty for other words.
   */
  readonly cellsOf: (form: string) => readonly ParadigmCell[];
}

/** Returns the stem without its class's end. @throws RangeError if the class does not fit. */
function baseOf(stem: string, name: DeclensionClass): string {
  const { stemEnd } = DECLENSIONS[name];
  const joined = compoundMembers(stem);
  const [letters, end] = [phonemes(joined.at(-1)!), phonemes(stemEnd)];
  // rājan and nāman lose their a (rājñaḥ, nāmnā): they would need a table of their own.
  const isCluster = letters.slice(-4, -2).filter((sound) => CONSONANTS.has(sound)).length === 2;
  const isFit = end.every((sound, at) => letters.at(at - end.length) === sound);
  if (!isFit || (stemEnd === "an" && !isCluster)) {
    const remedy = isFit ? "-an after two consonants" : `-${stemEnd}`;
    throw new RangeError(`Cannot decline "${stem}" as ${name}: the stem must end in ${remedy}.`);
  }
  return joined.join("-").slice(0, -stemEnd.length);
}

/**
 * Joins a base and its ending.
 * Only the ending's n can become ṇ. A stem is given as in the dictionary. After r or ṣ of an
 * earlier member both forms are possible (Pāṇini 8.4.11); the one without ṇ comes first, since
 * texts prefer it (karmayogena in Gītā 3.3).
 */
function joinForms(base: string, ending: string): readonly string[] {
  const inMember = applyRetroflexion(base + ending).slice(base.length);
  const closed = base.replaceAll("-", "");
  const acrossMembers = applyRetroflexion(closed + ending).slice(closed.length);
  return [closed + inMember, closed + acrossMembers];
}

/**
 * Returns the paradigm of a stem in IAST, e.g. `decline("kula-dharma", "a_masculine")`.
 * Hyphens mark the members of a compound, whose vowels are joined (`jñāna-agni`); forms have no
 * hyphens.
 * @throws SyntaxError for a stem that is no IAST, RangeError if it does not end as its class
 * requires.
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
