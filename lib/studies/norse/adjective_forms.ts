/**
 * Strong and weak declension of the Old Norse adjective, positive and superlative, and the readings of
 * the nouns and determiners beside it.
 *
 * Endings: Noreen, Altisländische Grammatik, the chapters on strong and weak adjectives; Barnes,
 * A New Introduction to Old Norse I, 3.3. Spelling is the normalisation of orthography.ts.
 */
import { ADJECTIVES as ADJECTIVE_ROWS, DETERMINERS, NOUNS, type RuleRow } from "./rules.ts";

const CASES = ["nom", "acc", "dat", "gen"] as const;
const NUMBERS = ["sg", "pl"] as const;
const GENDERS = ["masc", "fem", "neut"] as const;
type Case = (typeof CASES)[number];
type GrammaticalNumber = (typeof NUMBERS)[number];
type Gender = (typeof GENDERS)[number];
export type Strength = "strong" | "weak";

/** Case, number and gender, e.g. `acc.sg.masc`: what noun, article and adjective share. */
export type ParadigmCell = `${Case}.${GrammaticalNumber}.${Gender}`;

/** All 24 cells. */
export const CELLS: readonly ParadigmCell[] = NUMBERS.flatMap((number) =>
  GENDERS.flatMap((gender) => CASES.map((kase): ParadigmCell => `${kase}.${number}.${gender}`))
);

/** The shapes of a stem: `gamall gǫmul gamalt gamlan gaml gǫml gamals gamall`. */
type PrincipalParts = readonly [
  masculine: string,
  /** Nominative singular feminine and neuter plural, u-umlauted where it can be. */
  feminine: string,
  neuter: string,
  /** Of the singular masculine. */
  accusative: string,
  /** Before -i, -a, -ar, -ir. */
  vowelStem: string,
  /** Before -u and -um. */
  umlautStem: string,
  /** With -s. */
  genitive: string,
  /** Before -i, -ar, -a where the ending began with r, e.g. `gamall` (gamalli), `rík` + r. */
  rStem: string,
];

/** An adjective of the saga that has both strong and weak forms in attributive use. */
export interface Adjective {
  readonly lemma: string;
  readonly gloss: string;
  readonly degree: "positive" | "superlative";
  readonly forms: Readonly<Record<Strength, ReadonlyMap<ParadigmCell, string>>>;
}

/** Every adjective, positive and superlative, whose attributive forms the rule judges. */
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
 * Parts of an adjective that simply adds endings. `umlauted` is the stem before -u and without an
 * ending (lang, lǫng); it is the stem itself where the root vowel is not a. Superlatives end in -str
 * (mestr) or -astr (frægastr: frægust, frægustu).
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

/** Neuter -t after the stem's last consonants (Noreen, on the neuter of strong adjectives). */
function neuterOf(stem: string): string {
  if (/(?:[áéíóúýæœ]|au|ei)ð$/u.test(stem)) return stem.slice(0, -1) + "tt";
  if (/[bcdfghjklmnpqrstvxz]d$/u.test(stem) || /ð$/u.test(stem)) return stem.slice(0, -1) + "t";
  if (/[^aeiouyáéíóúýæœøǫ]t$/u.test(stem) || /tt$/u.test(stem)) return stem;
  return stem + "t";
}

/** Stem and ending; j falls before i (óvígj-, óvígi), v after a consonant before u (myrkv-, myrku). */
function join(stem: string, ending: string): string {
  if (ending.startsWith("i")) return stem.replace(/j$/u, "") + ending;
  if (ending.startsWith("u")) return stem.replace(/(?<=[^aeiouyáéíóúýæœøǫ])v$/u, "") + ending;
  return stem + ending;
}

/** Forms by cell, from those of the four cases in each number and gender; all plurals share some. */
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

/** Every cell of one strength in which the adjective has this form. */
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

/** The adjectives, each with its degree, of which a lower-case word can be a form. */
export function adjectivesWithForm(word: string): readonly Adjective[] {
  return BY_FORM.get(word)?.map(({ adjective }) => adjective) ?? [];
}

/** Cells by the form that can stand in them. */
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

/** The forms of a determiner with their cells. */
const formsOf = (word: RuleRow<typeof DETERMINERS>["word"]) =>
  (DECLINED_DETERMINERS.get(word) ?? []).flatMap((row) =>
    CASES.flatMap((kase) =>
      row[kase].map((form) =>
        [form, `${kase}.${row.number}.${row.gender}` as ParadigmCell] as const
      )
    )
  );

/** Suffixed articles; there are none in dative and genitive plural. */
const SUFFIXES = new Map(formsOf("suffix").map(([form, cell]) => [cell, form]));

/** Every cell a bare noun form can stand in, over all nouns of the table. */
export const NOUN_CELLS: CellIndex = indexCells(DECLINED);

/** The same for nouns with the suffixed article (hestrinn), whose i falls after a vowel. */
export const DEFINITE_NOUN_CELLS: CellIndex = indexCells(DECLINED.flatMap(([form, cell]) => {
  const suffix = SUFFIXES.get(cell);
  if (!suffix) return [];
  const added = /[aiueáéíóúýæœø]$/u.test(form) ? suffix.replace(/^i/u, "") : suffix;
  return [[form + added, cell] as const];
}));

/** The free article. The edition writes inn throughout; its en is 'but', enn 'still', hinn 'the other'. */
export const ARTICLE_CELLS = indexCells(formsOf("article"));
/** sá 'that' and þessi 'this', here with the saga's nominative sjá. */
export const DEMONSTRATIVE_CELLS = indexCells(formsOf("demonstrative"));
/** einn as indefinite determiner: 'a, a certain'; as a numeral it is as indefinite. */
export const ONE_CELLS = indexCells(formsOf("one"));

/** In which cases a word can stand as a noun, determiner or adjective of the tables. */
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
