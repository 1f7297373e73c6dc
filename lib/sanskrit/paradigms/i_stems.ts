import { type EndingTable, row } from "./ending_table.ts";

/** agni "fire". Source: Whitney, Sanskrit Grammar, §§ 335–339. */
export const I_MASCULINE: EndingTable = {
  nominative: row("iḥ", "ī", "ayaḥ"),
  accusative: row("im", "ī", "īn"),
  instrumental: row("inā", "ibhyām", "ibhiḥ"),
  dative: row("aye", "ibhyām", "ibhyaḥ"),
  ablative: row("eḥ", "ibhyām", "ibhyaḥ"),
  genitive: row("eḥ", "yoḥ", "īnām"),
  locative: row("au", "yoḥ", "iṣu"),
  vocative: row("e", "ī", "ayaḥ"),
};

/** mati "thought": four cases of the singular may go as nadī does. */
export const I_FEMININE: EndingTable = {
  ...I_MASCULINE,
  accusative: row("im", "ī", "īḥ"),
  instrumental: row("yā", "ibhyām", "ibhiḥ"),
  dative: row(["aye", "yai"], "ibhyām", "ibhyaḥ"),
  ablative: row(["eḥ", "yāḥ"], "ibhyām", "ibhyaḥ"),
  genitive: row(["eḥ", "yāḥ"], "yoḥ", "īnām"),
  locative: row(["au", "yām"], "yoḥ", "iṣu"),
};

/** vāri "water". An adjective (śuci) may also take the masculine's endings from dative to locative. */
export const I_NEUTER: EndingTable = {
  nominative: row("i", "inī", "īni"),
  accusative: row("i", "inī", "īni"),
  instrumental: row("inā", "ibhyām", "ibhiḥ"),
  dative: row("ine", "ibhyām", "ibhyaḥ"),
  ablative: row("inaḥ", "ibhyām", "ibhyaḥ"),
  genitive: row("inaḥ", "inoḥ", "īnām"),
  locative: row("ini", "inoḥ", "iṣu"),
  vocative: row(["i", "e"], "inī", "īni"),
};
