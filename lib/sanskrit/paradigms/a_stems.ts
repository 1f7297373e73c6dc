import { type EndingTable, row } from "./ending_table.ts";

/** deva "god". Source: Whitney, Sanskrit Grammar, § 330. */
export const A_MASCULINE: EndingTable = {
  nominative: row("aḥ", "au", "āḥ"),
  accusative: row("am", "au", "ān"),
  instrumental: row("ena", "ābhyām", "aiḥ"),
  dative: row("āya", "ābhyām", "ebhyaḥ"),
  ablative: row("āt", "ābhyām", "ebhyaḥ"),
  genitive: row("asya", "ayoḥ", "ānām"),
  locative: row("e", "ayoḥ", "eṣu"),
  vocative: row("a", "au", "āḥ"),
};

/** phala "fruit": the masculine but where nominative, accusative and vocative fall together. */
export const A_NEUTER: EndingTable = {
  ...A_MASCULINE,
  nominative: row("am", "e", "āni"),
  accusative: row("am", "e", "āni"),
  vocative: row("a", "e", "āni"),
};

/** vidyā "knowledge". Source: Whitney § 364. */
export const Ā_FEMININE: EndingTable = {
  nominative: row("ā", "e", "āḥ"),
  accusative: row("ām", "e", "āḥ"),
  instrumental: row("ayā", "ābhyām", "ābhiḥ"),
  dative: row("āyai", "ābhyām", "ābhyaḥ"),
  ablative: row("āyāḥ", "ābhyām", "ābhyaḥ"),
  genitive: row("āyāḥ", "ayoḥ", "ānām"),
  locative: row("āyām", "ayoḥ", "āsu"),
  vocative: row("e", "e", "āḥ"),
};
