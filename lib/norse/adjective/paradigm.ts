/**
 * Strong and weak declension of the Old Norse adjective, positive and superlative.
 *
 * Endings: Noreen, Altisländische Grammatik, the chapters on strong and weak adjectives; Barnes,
 * A New Introduction to Old Norse I, 3.3. Spelling is the normalisation of orthography.ts.
 */
export type Case = "nom" | "acc" | "dat" | "gen";
export type GrammaticalNumber = "sg" | "pl";
export type Gender = "masc" | "fem" | "neut";
export type Strength = "strong" | "weak";
export type Degree = "positive" | "superlative";

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

/** Stem and ending; j falls before i (óvígj-, óvígi), v after a consonant before u (myrkv-, myrku). */
function join(stem: string, ending: string): string {
  const lost = ending.startsWith("i")
    ? /j$/u
    : ending.startsWith("u")
    ? /(?<=[^aeiouyáéíóúýæœøǫ])v$/u
    : /$^/u;
  return stem.replace(lost, "") + ending;
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

function parseCell(cell: Cell): readonly [Case, GrammaticalNumber, Gender] {
  const [kase, number, gender] = cell.split(".");
  return [kase as Case, number as GrammaticalNumber, gender as Gender];
}

/** The form of an adjective's stem in one cell. */
export function inflect(parts: PrincipalParts, strength: Strength, cell: Cell): string {
  const [kase, number, gender] = parseCell(cell);
  return (strength === "strong" ? strongTable : weakTable)(parts)[number][gender][kase];
}

/** Every cell of one strength in which the stem has this form. */
export function cellsOf(parts: PrincipalParts, strength: Strength, form: string): readonly Cell[] {
  const table = (strength === "strong" ? strongTable : weakTable)(parts);
  return CELLS.filter((cell) => {
    const [kase, number, gender] = parseCell(cell);
    return table[number][gender][kase] === form;
  });
}
