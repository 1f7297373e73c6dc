import { type EndingTable, row } from "./ending_table.ts";

/** ātman "self": -an after two consonants, so that its a is never lost. Source: Whitney §§ 420–427. */
export const AN_MASCULINE: EndingTable = {
  nominative: row("ā", "ānau", "ānaḥ"),
  accusative: row("ānam", "ānau", "anaḥ"),
  instrumental: row("anā", "abhyām", "abhiḥ"),
  dative: row("ane", "abhyām", "abhyaḥ"),
  ablative: row("anaḥ", "abhyām", "abhyaḥ"),
  genitive: row("anaḥ", "anoḥ", "anām"),
  locative: row("ani", "anoḥ", "asu"),
  vocative: row("an", "ānau", "ānaḥ"),
};

/** karman "deed". */
export const AN_NEUTER: EndingTable = {
  ...AN_MASCULINE,
  nominative: row("a", "anī", "āni"),
  accusative: row("a", "anī", "āni"),
  vocative: row(["an", "a"], "anī", "āni"),
};

/** yogin "yogi", and adjectives such as dehin. Source: Whitney §§ 438–441. */
export const IN_MASCULINE: EndingTable = {
  nominative: row("ī", "inau", "inaḥ"),
  accusative: row("inam", "inau", "inaḥ"),
  instrumental: row("inā", "ibhyām", "ibhiḥ"),
  dative: row("ine", "ibhyām", "ibhyaḥ"),
  ablative: row("inaḥ", "ibhyām", "ibhyaḥ"),
  genitive: row("inaḥ", "inoḥ", "inām"),
  locative: row("ini", "inoḥ", "iṣu"),
  vocative: row("in", "inau", "inaḥ"),
};
