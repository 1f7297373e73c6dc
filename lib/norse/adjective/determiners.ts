import { type Cell, CELLS } from "./paradigm.ts";

/** Rows: number and gender; columns: nom, acc, dat, gen. `/` parts by-forms. */
type DeclensionTable = readonly (readonly [numberAndGender: string, forms: string])[];

/** The free article. The edition writes inn throughout; its en is 'but', enn 'still', hinn 'the other'. */
const ARTICLE: DeclensionTable = [
  ["sg.masc", "inn inn inum ins"],
  ["sg.fem", "in ina inni innar"],
  ["sg.neut", "it it inu ins"],
  ["pl.masc", "inir ina inum inna"],
  ["pl.fem", "inar inar inum inna"],
  ["pl.neut", "in in inum inna"],
];

/** sá 'that' and þessi 'this', here with the saga's nominative sjá. */
const DEMONSTRATIVES: DeclensionTable = [
  ["sg.masc", "sá/sjá/þessi þann/þenna þeim/þessum/þeima þess/þessa"],
  ["sg.fem", "sú/sjá/þessi þá/þessa þeiri/þessi/þessari þeirar/þessar/þessarar"],
  ["sg.neut", "þat/þetta þat/þetta því/þessu þess/þessa"],
  ["pl.masc", "þeir/þessir þá/þessa þeim/þessum þeira/þessa"],
  ["pl.fem", "þær/þessar þær/þessar þeim/þessum þeira/þessa"],
  ["pl.neut", "þau/þessi þau/þessi þeim/þessum þeira/þessa"],
];

/** einn as indefinite determiner: 'a, a certain'; as a numeral it is as indefinite. */
const ONE: DeclensionTable = [
  ["sg.masc", "einn einn einum eins"],
  ["sg.fem", "ein eina einni einnar"],
  ["sg.neut", "eitt eitt einu eins"],
];

function indexTable(table: DeclensionTable): ReadonlyMap<string, readonly Cell[]> {
  const index = new Map<string, Cell[]>();
  for (const [numberAndGender, columns] of table) {
    for (const [column, forms] of columns.split(" ").entries()) {
      const cell = CELLS.find((known) =>
        known === `${["nom", "acc", "dat", "gen"][column]}.${numberAndGender}`
      );
      if (cell === undefined) {
        throw new SyntaxError(
          `Cannot place ${forms}: ${numberAndGender} is no number and gender of the adjective tables`,
        );
      }
      for (const form of forms.split("/")) index.set(form, [...(index.get(form) ?? []), cell]);
    }
  }
  return index;
}

/** Cells of each form of the free article. */
export const ARTICLE_CELLS = indexTable(ARTICLE);
/** Cells of each demonstrative form. */
export const DEMONSTRATIVE_CELLS = indexTable(DEMONSTRATIVES);
/** Cells of each form of einn. */
export const ONE_CELLS = indexTable(ONE);

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/u));
}

/** Prepositions after which no adverb of the verb can stand before their noun; `at` is also "that". */
export const PREPOSITIONS = words("með við af í á ór til um undir yfir fyrir eptir frá hjá");

/** Possessives (váru is left out: it is 'were'): they make a phrase definite, yet the adjective beside them is attested both ways. */
export const POSSESSIVES = words(`
  minn mín mitt mína míns minnar mínum mínu minni mínir mínar minna
  þinn þín þitt þína þíns þinnar þínum þínu þinni þínir þínar þinna
  sinn sín sitt sína síns sinnar sínum sínu sinni sínir sínar sinna
  várr vár várt várn vára várs várrar várum várri várir várar várra
  okkarr okkar okkart okkarn okkra okkrum ykkarr ykkar ykkart yðarr yður yðart yðarn yðra yðru
  yðrum yðrir hans hennar þeira þeirra`);

/** Verbs that link a subject with a predicative adjective. */
export const COPULAS = words(`
  em ert er erum eruð eru var vart várum váruð váru sé sér sém séð væri væra værir værim vera verit
  verðr verð verðum verða varð urðu urðum yrði orðit orðinn gerisk gerðisk gerðusk gerask
  þykkir þykki þótti þóttu þœtti þykkisk þóttisk sýnisk sýndisk lízk ertu vartu`);

/** Pronouns that are a copula's subject, so that the noun after the copula is its predicate. */
export const SUBJECT_PRONOUNS = words("ek þú vit þit vér þér hann hún þat þeir þær þau");

/** Words that stand between a determiner and its adjective without changing definiteness. */
export const INTENSIFIERS = words("svá mjǫk of allmjǫk harla helzti heldr nokkut undarliga");

/** Quantifiers and indefinite pronouns: strong themselves, and the adjective after them is strong. */
export const QUANTIFIERS = words(`
  allr ǫll allt allan alla alls allrar ǫllum ǫllu allri allir allar allra
  margr mǫrg margt margan marga margs margrar mǫrgum mǫrgu margri margir margar margra
  nokkurr nokkur nokkut nokkura nokkurs nokkuru nokkurum nokkurir nokkurar
  hverr hver hvert hvern hverja hvers hverjum hverju hverri hverir hverjar
  engi ekki engan enga engis einkis engum engu engir engar engra
  sumr sum sumt suman suma sums sumum sumu sumir sumar sumra
  slíkr slík slíkt slíkan slíka slíks slíkum slíku slíkri slíkir slíkar slíkra
  þvílíkr þvílík þvílíkt þvílíkan þvílíka þvílíks þvílíkum þvílíku þvílíkir
  fár fá fátt fán fás fám fáir fáar báðir báðar bæði báða báðum
  miðr mið mitt miðjan miðja miðs miðjum miðju miðri hálfr hálf hálft hálfan hálfa hálfu
  ǫndverðr ǫndverðri sjálfr sjálf sjálft sjálfan sjálfir sjálfum
  annarr ǫnnur annat annan aðra annars annarrar ǫðrum ǫðru annarri aðrir aðrar annarra
  tveir tvær tvau tvá tvei tveim þrír þrjár þrjú þrjá þrim þrimr fjórir fjórar fjǫgur`);
