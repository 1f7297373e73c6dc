import type { GrammaticalNumber, ObliqueCase, ObliqueForm } from "./pronouns.ts";

/**
 * Names and nouns in an oblique case with their nominative. Only forms whose nominative differs are
 * of use: weak feminines in -u, strong datives in -i and -um. Source: Noreen, Altisländische
 * Grammatik, the chapters on a-, ō-, i-, u-, n- and root stems.
 *
 * One line a row: form, nominative, case, number, gender, and `thing` for what cannot experience.
 */
const NOUNS = `
  vǫlsungi vǫlsungr dative sg masc
  sigmundi sigmundr dative sg masc
  sigurði sigurðr dative sg masc
  siggeiri siggeirr dative sg masc
  gunnari gunnarr dative sg masc
  guttormi guttormr dative sg masc
  hjálpreki hjálprekr dative sg masc
  hreiðmari hreiðmarr dative sg masc
  hǫðbroddi hǫðbroddr dative sg masc
  jǫrmunreki jǫrmunrekr dative sg masc
  álfi álfr dative sg masc
  óðni óðinn dative sg masc
  sinfjǫtla sinfjǫtli dative sg masc
  helga helgi dative sg masc
  hǫgna hǫgni dative sg masc
  atla atli dative sg masc
  gjúka gjúki dative sg masc
  buðla buðli dative sg masc
  signýju signý dative sg fem
  hjǫrdísi hjǫrdís dative sg fem
  brynhildi brynhildr dative sg fem
  grímhildi grímhildr dative sg fem
  svanhildi svanhildr dative sg fem
  borghildi borghildr dative sg fem
  guðrúnu guðrún dative sg fem
  oddrúnu oddrún dative sg fem
  konungi konungr dative sg masc
  konunginum konungrinn dative sg masc
  manni maðr dative sg masc
  drottningu drottning dative sg fem
  mǫnnum menn dative pl masc
  konum konur dative pl fem
  meyjum meyjar dative pl fem
  frændum frændr dative pl masc
  sonum synir dative pl masc
  brœðrum brœðr dative pl masc
  vinum vinir dative pl masc
  konungasonum konungasynir dative pl masc
  smiðjusveinum smiðjusveinar dative pl masc
  skipum skip dative pl neut thing
  hestum hestar dative pl masc thing
  hauginum haugrinn dative sg masc thing
  leitinni leitin dative sg fem thing
  veizlu veizla dative sg fem thing
  ráðahag ráðahagr dative sg masc thing
  lǫndum lǫnd dative pl neut thing
  bjǫrgum bjǫrg dative pl neut thing
  mannfallinu mannfallit dative sg neut thing
  máli mál dative sg neut thing
  sigurð sigurðr accusative sg masc
  sigmund sigmundr accusative sg masc
  gunnar gunnarr accusative sg masc
  storm stormr accusative sg masc thing
`;

function parse(line: string): ObliqueForm {
  const [form = "", nominative = "", oblique, number, gender, thing] = line.split(" ");
  return {
    form,
    cases: [oblique as ObliqueCase],
    nominative,
    person: 3,
    number: number as ObliqueForm["number"],
    gender: gender as NonNullable<ObliqueForm["gender"]>,
    ...(thing ? { inanimate: true } : {}),
  };
}

/** Every oblique noun the quirky-case rule can exchange, in lower case. */
export const OBLIQUE_NOUNS: readonly ObliqueForm[] = NOUNS.trim().split(/\s*\n\s*/u).map(parse);

/**
 * Words that agree with the noun phrase's head or are in apposition to it, and the numbers in which
 * they do. They would keep their case beside a nominative. (þessi, dative feminine, is the
 * nominative as well and leaves nothing behind.)
 */
export const AGREEING_WORDS: ReadonlyMap<string, readonly GrammaticalNumber[]> = new Map([
  ["konungi", ["sg"]],
  ["mikinn", ["sg"]],
  ["ǫllu", ["sg"]],
  ["þessum", ["sg", "pl"]],
  ["inum", ["sg", "pl"]],
  ["fyrrum", ["sg", "pl"]],
  ["þínum", ["sg", "pl"]],
  ["mínum", ["sg", "pl"]],
  ["sínum", ["sg", "pl"]],
  ["ríkum", ["sg", "pl"]],
  ["flestum", ["pl"]],
  ["ǫllum", ["pl", "du"]],
  ["báðum", ["pl", "du"]],
]);

/** Homographs: the nominative is also another word that fits the clause. */
export const NOMINATIVE_HOMOGRAPHS: ReadonlyMap<string, string> = new Map([
  ["færi", "also the neuter noun færi 'opportunity'"],
]);
