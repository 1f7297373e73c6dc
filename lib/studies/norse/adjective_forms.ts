/**
 * Strong and weak declension of Old Norse adjectives, nouns and determiners.
 * Adjectives are declined in positive and superlative; nouns and determiners are given by cell.
 *
 * Endings: Noreen, Altisländische Grammatik, the chapters on strong and weak adjectives; Barnes, A
 * New Introduction to Old Norse I, 3.3. Spelling is the normalisation of orthography.ts.
 */
import { ADJECTIVES as ADJECTIVE_ROWS, DETERMINERS, NOUNS, type RuleRow } from "./rules.ts";

const CASES = ["nom", "acc", "dat", "gen"] as const;
const NUMBERS = ["sg", "pl"] as const;
const GENDERS = ["masc", "fem", "neut"] as const;
type Case = (typeof CASES)[number];
type GrammaticalNumber = (typeof NUMBERS)[number];
type Gender = (typeof GENDERS)[number];
export type Strength = "strong" | "weak";

/** Case, number and gender, e.g. `acc.sg.masc`, in which noun, article and adjective agree. */
export type ParadigmCell = `${Case}.${GrammaticalNumber}.${Gender}`;

/** All 24 cells: 4 cases, 2 numbers, 3 genders. */
export const CELLS: readonly ParadigmCell[] = NUMBERS.flatMap((number) =>
  GENDERS.flatMap((gender) => CASES.map((kase): ParadigmCell => `${kase}.${number}.${gender}`))
);

/** Principal parts, e.g. `gamall gǫmul gamalt gamlan gaml gǫml gamals gamall`. */
type PrincipalParts = readonly [
  masculine: string,
  /** Nominative singular feminine and neuter plural, with u-umlaut if possible. */
  feminine: string,
  neuter: string,
  /** Accusative singular masculine. */
  accusative: string,
  /** Stem before -i, -a, -ar, -ir. */
  vowelStem: string,
  /** Stem before -u and -um. */
  umlautStem: string,
  /** Form with -s. */
  genitive: string,
  /**
   * Stem before -i, -ar, -a if the ending originally began with r, e.g. `gamall` (gamalli), `rík` +
   * r.
   */
  rStem: string,
];

/** An adjective of the saga with both strong and weak attributive forms. */
export interface Adjective {
  readonly lemma: string;
  readonly gloss: string;
  readonly degree: "positive" | "superlative";
  readonly forms: Readonly<Record<Strength, ReadonlyMap<ParadigmCell, string>>>;
}

/** All adjectives that the rule judges, positive and superlative. */
export const ADJECTIVES: readonly Adjective[] = ADJECTIVE_ROWS.read().map((row) => {
  const { lemma, gloss, degree, stem } = row;
  const umlauted = row.umlauted || stem;
  const parts = stem === "" ? row.parts : regular(stem, umlauted, degree === "superlative");
  if (!isComplete(parts)) {
    throw new SyntaxError(`Cannot decline ${lemma}: adjectives.csv gives neither stem nor parts.`);
  }
  return { lemma, gloss, degree, forms: { strong: strongForms(parts), weak: weakForms(parts) } };
});

function isComplete(parts: readonly string[]): parts is PrincipalParts {
  return parts.length === 8;
}

/**
 * Returns the principal parts of an adjective that only adds endings.
 * `umlauted` is the stem before -u and without ending (lang, lǫng), the same as the stem if the
 * root vowel is not a. Superlatives end in -str (mestr) or -astr (frægastr: frægust, frægustu).
 */
function regular(stem: string, umlauted: string, isSuperlative: boolean): PrincipalParts {
  // -n- assimilates the r of the ending (vænn, vænni); -r- after a consonant swallows it (vitr).
  const r = /[áéíóúýæœ]n$/u.test(stem) ? stem + "n" : /[bdfgkpt]r$/u.test(stem) ? stem : stem + "r";
  const endsInS = stem.endsWith("s");
  const masculine = endsInS ? stem.replace(/s*$/u, "ss") : r;
  const feminine = isSuperlative ? umlauted.replace(/ast$/u, "ust") : umlauted;
  const neuter = isSuperlative ? stem : neuterOf(stem);
  const genitive = endsInS ? masculine : stem + "s";
  return [masculine, feminine, neuter, stem + "an", stem, feminine, genitive, r];
}

/**
 * Adds neuter -t after the stem's last consonants.
 * Source: Noreen, on the neuter of strong adjectives.
 */
function neuterOf(stem: string): string {
  if (/(?:[áéíóúýæœ]|au|ei)ð$/u.test(stem)) return stem.slice(0, -1) + "tt";
  if (/[bcdfghjklmnpqrstvxz]d$/u.test(stem) || /ð$/u.test(stem)) return stem.slice(0, -1) + "t";
  if (/[^aeiouyáéíóúýæœøǫ]t$/u.test(stem) || /tt$/u.test(stem)) return stem;
  return stem + "t";
}

/**
 * Joins stem and ending.
 * j is lost before i (óvígj-, óvígi), v after a consonant before u (myrkv-, myrku).
 */
function join(stem: string, ending: string): string {
  if (ending.startsWith("i")) return stem.replace(/j$/u, "") + ending;
  if (ending.startsWith("u")) return stem.replace(/(?<=[^aeiouyáéíóúýæœøǫ])v$/u, "") + ending;
  return stem + ending;
}

/** Returns forms by cell from the four cases of each number and gender. Plurals share forms. */
function byCell(columns: readonly (readonly [numberAndGender: string, ...forms: string[]])[]) {
  return new Map(
    columns.flatMap(([column, ...forms]) =>
      CASES.map((kase, i) => [`${kase}.${column}` as ParadigmCell, forms[i]!] as const)
    ),
  );
}

function strongForms(parts: PrincipalParts) {
  const [masculine, feminine, neuter, accusative, v, umlautStem, genitive, r] = parts;
  const um = join(umlautStem, "um");
  return byCell([
    ["sg.masc", masculine, accusative, um, genitive],
    ["sg.fem", feminine, `${v}a`, `${r}i`, `${r}ar`],
    ["sg.neut", neuter, neuter, join(umlautStem, "u"), genitive],
    ["pl.masc", join(v, "ir"), `${v}a`, um, `${r}a`],
    ["pl.fem", `${v}ar`, `${v}ar`, um, `${r}a`],
    ["pl.neut", feminine, feminine, um, `${r}a`],
  ]);
}

function weakForms([, , , , vowelStem, umlautStem]: PrincipalParts) {
  const [i, a, u] = [join(vowelStem, "i"), `${vowelStem}a`, join(umlautStem, "u")];
  return byCell([
    ["sg.masc", i, a, a, a],
    ["sg.fem", a, u, u, u],
    ["sg.neut", a, a, a, a],
    ["pl.masc", u, u, `${u}m`, u],
    ["pl.fem", u, u, `${u}m`, u],
    ["pl.neut", u, u, `${u}m`, u],
  ]);
}

/** Returns all cells of one declension in which the adjective has this form. */
export function cellsOf(
  { forms }: Adjective,
  strength: Strength,
  form: string,
): readonly ParadigmCell[] {
  return CELLS.filter((cell) => forms[strength].get(cell) === form);
}

const BY_FORM = Map.groupBy(
  ADJECTIVES.flatMap((adjective) =>
    [...new Set(Object.values(adjective.forms).flatMap((forms) => [...forms.values()]))]
      .map((form) => ({ adjective, form }))
  ),
  ({ form }) => form,
);

/** Returns adjectives (with degree) that can have this lower-case form. */
export function adjectivesWithForm(word: string): readonly Adjective[] {
  return BY_FORM.get(word)?.map(({ adjective }) => adjective) ?? [];
}

/** Cells by form. */
type CellIndex = ReadonlyMap<string, readonly ParadigmCell[]>;

function indexCells(pairs: readonly (readonly [form: string, cell: ParadigmCell])[]): CellIndex {
  const index = new Map<string, readonly ParadigmCell[]>();
  for (const cell of CELLS) {
    for (const form of new Set(pairs.filter((pair) => pair[1] === cell).map(([form]) => form))) {
      index.set(form, [...index.get(form) ?? [], cell]);
    }
  }
  return index;
}

const DECLINED = NOUNS.read().flatMap((row) =>
  NUMBERS.flatMap((number) =>
    CASES.flatMap((kase) =>
      row[`${kase}_${number}`].map((form) =>
        [form, `${kase}.${number}.${row.gender}` as ParadigmCell] as const
      )
    )
  )
);

const DECLINED_DETERMINERS = Map.groupBy(DETERMINERS.read(), ({ word }) => word);

/** Returns a determiner's forms with their cells. */
const formsOf = (word: RuleRow<typeof DETERMINERS>["word"]) =>
  (DECLINED_DETERMINERS.get(word) ?? []).flatMap((row) =>
    CASES.flatMap((kase) =>
      row[kase].map((form) =>
        [form, `${kase}.${row.number}.${row.gender}` as ParadigmCell] as const
      )
    )
  );

/** Suffixed articles by cell; dative and genitive plural have none. */
const SUFFIXES = new Map(formsOf("suffix").map(([form, cell]) => [cell, form]));

/** Cells of every bare noun form of the table. */
export const NOUN_CELLS: CellIndex = indexCells(DECLINED);

/** Cells of nouns with suffixed article (hestrinn). The article's i is lost after a vowel. */
export const DEFINITE_NOUN_CELLS: CellIndex = indexCells(DECLINED.flatMap(([form, cell]) => {
  const suffix = SUFFIXES.get(cell);
  if (!suffix) return [];
  const added = /[aiueáéíóúýæœø]$/u.test(form) ? suffix.replace(/^i/u, "") : suffix;
  return [[form + added, cell] as const];
}));

/**
 * Cells of the free article inn, the edition's only form.
 * en is 'but', enn 'still', hinn 'the other'.
 */
export const ARTICLE_CELLS = indexCells(formsOf("article"));
/** Cells of sá 'that' and þessi 'this', with the saga's nominative sjá. */
export const DEMONSTRATIVE_CELLS = indexCells(formsOf("demonstrative"));
/** Cells of einn 'a, a certain'. As a numeral it is equally indefinite. */
export const ONE_CELLS = indexCells(formsOf("one"));

/** Cases of each noun, determiner and adjective form of the tables. */
export const CASES_OF: ReadonlyMap<string, ReadonlySet<Case>> = (() => {
  const cases = new Map<string, Set<Case>>();
  const add = (form: string, cell: ParadigmCell) =>
    cases.set(form, (cases.get(form) ?? new Set()).add(cell.slice(0, 3) as Case));
  const indices = [NOUN_CELLS, DEFINITE_NOUN_CELLS, ARTICLE_CELLS, DEMONSTRATIVE_CELLS, ONE_CELLS];
  for (const [form, cells] of indices.flatMap((index) => [...index])) {
    for (const cell of cells) add(form, cell);
  }
  for (const { forms: { strong, weak } } of ADJECTIVES) {
    for (const [cell, form] of [...strong, ...weak]) add(form, cell);
  }
  return cases;
})();
