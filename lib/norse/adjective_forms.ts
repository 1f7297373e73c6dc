/**
 * Strong and weak declension of the Old Norse adjective, positive and superlative, and the readings of
 * the nouns and determiners beside it.
 *
 * Endings: Noreen, Altisländische Grammatik, the chapters on strong and weak adjectives; Barnes,
 * A New Introduction to Old Norse I, 3.3. Spelling is the normalisation of orthography.ts.
 */
import { ADJECTIVES as ADJECTIVE_ROWS, DETERMINERS, NOUNS, wordLists } from "./rules.ts";

type Case = "nom" | "acc" | "dat" | "gen";
type GrammaticalNumber = "sg" | "pl";
type Gender = "masc" | "fem" | "neut";
export type Strength = "strong" | "weak";

/** Case, number and gender, e.g. `acc.sg.masc`: what noun, article and adjective share. */
export type Cell = `${Case}.${GrammaticalNumber}.${Gender}`;
const CASES: readonly Case[] = ["nom", "acc", "dat", "gen"];
const NUMBERS: readonly GrammaticalNumber[] = ["sg", "pl"];
const GENDERS: readonly Gender[] = ["masc", "fem", "neut"];

/** All 24 cells. */
export const CELLS: readonly Cell[] = NUMBERS.flatMap((number) =>
  GENDERS.flatMap((gender) => CASES.map((kase): Cell => `${kase}.${number}.${gender}`))
);

/** The shapes of a stem from which every form follows by adding an ending. */
export interface PrincipalParts {
  /** Nominative singular masculine, e.g. `gamall`. */
  readonly masculine: string;
  /** Nominative singular feminine and neuter plural, u-umlauted where it can be, e.g. `gǫmul`. */
  readonly feminine: string;
  /** Nominative and accusative singular neuter, e.g. `gamalt`. */
  readonly neuter: string;
  /** Accusative singular masculine, e.g. `gamlan`, `mikinn`. */
  readonly accusative: string;
  /** Before -i, -a, -ar, -ir, e.g. `gaml`. */
  readonly vowelStem: string;
  /** Before -u and -um, e.g. `gǫml`. */
  readonly umlautStem: string;
  /** With -s, the genitive singular of masculine and neuter, e.g. `gamals`. */
  readonly genitive: string;
  /** Before -i, -ar, -a where the ending began with r, e.g. `gamall` (gamalli), `rík` + r. */
  readonly rStem: string;
}

/** An adjective of the saga that has both strong and weak forms in attributive use. */
export interface Adjective {
  readonly lemma: string;
  readonly gloss: string;
  readonly degree: "positive" | "superlative";
  readonly parts: PrincipalParts;
}

/** Every adjective, positive and superlative, whose attributive forms the rule judges. */
export const ADJECTIVES: readonly Adjective[] = ADJECTIVE_ROWS.read().map((row) => ({
  lemma: row.lemma,
  gloss: row.gloss,
  degree: row.degree,
  parts: row.stem === ""
    ? irregular(row.lemma, row.parts)
    : row.degree === "positive"
    ? regular(row.stem, row.umlauted || row.stem)
    : superlative(row.stem, row.umlauted || row.stem),
}));

/**
 * Parts of an adjective that simply adds endings. `umlauted` is the stem before -u and without an
 * ending (lang, lǫng); it is the stem itself where the root vowel is not a.
 */
function regular(stem: string, umlauted: string): PrincipalParts {
  // -n- assimilates the r of the ending (vænn, vænni); -r- after a consonant swallows it (vitr).
  const r = /[áéíóúýæœ]n$/u.test(stem) ? stem + "n" : /[bdfgkpt]r$/u.test(stem) ? stem : stem + "r";
  const endsInS = stem.endsWith("s");
  const masculine = endsInS ? stem.replace(/s*$/u, "ss") : r;
  return {
    masculine,
    feminine: umlauted,
    neuter: neuterOf(stem),
    accusative: stem + "an",
    vowelStem: stem,
    umlautStem: umlauted,
    genitive: endsInS ? masculine : stem + "s",
    rStem: r,
  };
}

/** Neuter -t after the stem's last consonants (Noreen, on the neuter of strong adjectives). */
function neuterOf(stem: string): string {
  if (/(?:[áéíóúýæœ]|au|ei)ð$/u.test(stem)) return stem.slice(0, -1) + "tt";
  if (/[bcdfghjklmnpqrstvxz]d$/u.test(stem) || /ð$/u.test(stem)) return stem.slice(0, -1) + "t";
  if (/[^aeiouyáéíóúýæœøǫ]t$/u.test(stem) || /tt$/u.test(stem)) return stem;
  return stem + "t";
}

/** Parts of a superlative in -str (mestr) or -astr (frægastr: frægust, frægustu). */
function superlative(stem: string, umlautedRoot: string): PrincipalParts {
  return { ...regular(stem, umlautedRoot.replace(/ast$/u, "ust")), neuter: stem };
}

/** Parts that no rule gives, in the order of `PrincipalParts`. */
function irregular(lemma: string, forms: readonly string[]): PrincipalParts {
  const [masculine, feminine, neuter, accusative, vowelStem, umlautStem, genitive, rStem] = forms;
  if (!masculine || !feminine || !neuter || !accusative || !vowelStem || !umlautStem || !genitive) {
    throw new SyntaxError(`Cannot decline ${lemma}: adjectives.csv gives neither stem nor parts.`);
  }
  if (!rStem) throw new SyntaxError(`Cannot decline ${lemma}: its parts are not eight.`);
  return {
    masculine,
    feminine,
    neuter,
    accusative,
    vowelStem,
    umlautStem,
    genitive,
    rStem,
  };
}

/** Stem and ending; j falls before i (óvígj-, óvígi), v after a consonant before u (myrkv-, myrku). */
function join(stem: string, ending: string): string {
  if (ending.startsWith("i")) return stem.replace(/j$/u, "") + ending;
  if (ending.startsWith("u")) return stem.replace(/(?<=[^aeiouyáéíóúýæœøǫ])v$/u, "") + ending;
  return stem + ending;
}

type Table = Readonly<Record<GrammaticalNumber, Readonly<Record<Gender, Record<Case, string>>>>>;

function strongTable(parts: PrincipalParts): Table {
  const { masculine, feminine, neuter, accusative, genitive } = parts;
  const { vowelStem: v, umlautStem: u, rStem: r } = parts;
  const plural = { dat: join(u, "um"), gen: `${r}a` };
  return {
    sg: {
      masc: { nom: masculine, acc: accusative, dat: join(u, "um"), gen: genitive },
      fem: { nom: feminine, acc: `${v}a`, dat: `${r}i`, gen: `${r}ar` },
      neut: { nom: neuter, acc: neuter, dat: join(u, "u"), gen: genitive },
    },
    pl: {
      masc: { nom: join(v, "ir"), acc: `${v}a`, ...plural },
      fem: { nom: `${v}ar`, acc: `${v}ar`, ...plural },
      neut: { nom: feminine, acc: feminine, ...plural },
    },
  };
}

function weakTable(parts: PrincipalParts): Table {
  const [i, a] = [join(parts.vowelStem, "i"), `${parts.vowelStem}a`];
  const u = join(parts.umlautStem, "u");
  const plural = { nom: u, acc: u, dat: `${u}m`, gen: u };
  return {
    sg: {
      masc: { nom: i, acc: a, dat: a, gen: a },
      fem: { nom: a, acc: u, dat: u, gen: u },
      neut: { nom: a, acc: a, dat: a, gen: a },
    },
    pl: { masc: plural, fem: plural, neut: plural },
  };
}

function formIn(table: Table, cell: Cell): string {
  const [kase, number, gender] = cell.split(".") as [Case, GrammaticalNumber, Gender];
  return table[number][gender][kase];
}

/** The form of an adjective's stem in one cell. */
export function inflect(parts: PrincipalParts, strength: Strength, cell: Cell): string {
  return formIn((strength === "strong" ? strongTable : weakTable)(parts), cell);
}

/** Every cell of one strength in which the stem has this form. */
export function cellsOf(parts: PrincipalParts, strength: Strength, form: string): readonly Cell[] {
  const table = (strength === "strong" ? strongTable : weakTable)(parts);
  return CELLS.filter((cell) => formIn(table, cell) === form);
}

const READINGS = ADJECTIVES.flatMap((adjective) =>
  CELLS.flatMap((cell) => [
    { adjective, form: inflect(adjective.parts, "strong", cell) },
    { adjective, form: inflect(adjective.parts, "weak", cell) },
  ])
);
const BY_FORM = Map.groupBy(READINGS, ({ form }) => form);

/** The adjectives, each with its degree, of which a lower-case word can be a form. */
export function adjectivesWithForm(word: string): readonly Adjective[] {
  return [...new Set(BY_FORM.get(word)?.map(({ adjective }) => adjective))];
}

/** Cells by the form that can stand in them. */
type CellIndex = ReadonlyMap<string, readonly Cell[]>;

function indexCells(pairs: readonly (readonly [form: string, cell: Cell])[]): CellIndex {
  const index = Map.groupBy(pairs, ([form]) => form);
  return new Map(
    [...index].map(([form, rows]) => {
      const cells = new Set(rows.map(([, cell]) => cell));
      return [form, CELLS.filter((cell) => cells.has(cell))];
    }),
  );
}

const DECLINED = NOUNS.read().flatMap((row) =>
  NUMBERS.flatMap((number) =>
    CASES.flatMap((kase) =>
      row[`${kase}_${number}`].map((form) =>
        [form, `${kase}.${number}.${row.gender}`] as readonly [string, Cell]
      )
    )
  )
);

/** Suffixed article after each cell's noun form; its i falls after a vowel. */
const SUFFIX: Readonly<Partial<Record<Cell, string>>> = {
  "nom.sg.masc": "inn",
  "acc.sg.masc": "inn",
  "dat.sg.masc": "inum",
  "gen.sg.masc": "ins",
  "nom.pl.masc": "nir",
  "acc.pl.masc": "na",
  "nom.sg.fem": "in",
  "acc.sg.fem": "ina",
  "dat.sg.fem": "inni",
  "gen.sg.fem": "innar",
  "nom.pl.fem": "nar",
  "acc.pl.fem": "nar",
  "nom.sg.neut": "it",
  "acc.sg.neut": "it",
  "dat.sg.neut": "inu",
  "gen.sg.neut": "ins",
  "nom.pl.neut": "in",
  "acc.pl.neut": "in",
};

/** Every cell a bare noun form can stand in, over all nouns of the table. */
export const NOUN_CELLS: CellIndex = indexCells(DECLINED);

/** The same for nouns with the suffixed article (hestrinn). */
export const DEFINITE_NOUN_CELLS: CellIndex = indexCells(DECLINED.flatMap(([form, cell]) => {
  const suffix = SUFFIX[cell];
  if (suffix === undefined) return [];
  const added = /[aiueáéíóúýæœø]$/u.test(form) ? suffix.replace(/^i/u, "") : suffix;
  return [[form + added, cell] as const];
}));

const determiner = (word: "article" | "demonstrative" | "one") =>
  indexCells(
    DETERMINERS.read().filter((row) => row.word === word).flatMap((row) =>
      CASES.flatMap((kase) =>
        row[kase].map((form) => [form, `${kase}.${row.number}.${row.gender}`] as const)
      )
    ),
  );

/** The free article. The edition writes inn throughout; its en is 'but', enn 'still', hinn 'the other'. */
export const ARTICLE_CELLS = determiner("article");
/** sá 'that' and þessi 'this', here with the saga's nominative sjá. */
export const DEMONSTRATIVE_CELLS = determiner("demonstrative");
/** einn as indefinite determiner: 'a, a certain'; as a numeral it is as indefinite. */
export const ONE_CELLS = determiner("one");
const list = wordLists("adjective");
export const PREPOSITIONS = list("prepositions");
export const POSSESSIVES = list("possessives");
export const COPULAS = list("copulas");
export const SUBJECT_PRONOUNS = list("subject_pronouns");
export const INTENSIFIERS = list("intensifiers");
export const QUANTIFIERS = list("quantifiers");
export const ADVERBS = list("adverbs");
export const HOMOGRAPHS = list("homographs");
export const STATE_ADJECTIVES = list("of_state");
export const UNSURE_FORMS = list("unsure_forms");
export const NAMES = list("names");
