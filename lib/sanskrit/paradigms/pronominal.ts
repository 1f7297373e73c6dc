import { A_MASCULINE, A_NEUTER, Ā_FEMININE } from "./a_stems.ts";
import { type EndingTable, row } from "./ending_table.ts";

/** sarva "all", viśva, eka: an adjective that takes the pronouns' endings. Source: Whitney §§ 522–524. */
export const PRONOMINAL_MASCULINE: EndingTable = {
  ...A_MASCULINE,
  nominative: row("aḥ", "au", "e"),
  dative: row("asmai", "ābhyām", "ebhyaḥ"),
  ablative: row("asmāt", "ābhyām", "ebhyaḥ"),
  genitive: row("asya", "ayoḥ", "eṣām"),
  locative: row("asmin", "ayoḥ", "eṣu"),
  vocative: row("a", "au", "e"),
};

export const PRONOMINAL_NEUTER: EndingTable = {
  ...PRONOMINAL_MASCULINE,
  nominative: A_NEUTER.nominative,
  accusative: A_NEUTER.accusative,
  vocative: A_NEUTER.vocative,
};

export const PRONOMINAL_FEMININE: EndingTable = {
  ...Ā_FEMININE,
  dative: row("asyai", "ābhyām", "ābhyaḥ"),
  ablative: row("asyāḥ", "ābhyām", "ābhyaḥ"),
  genitive: row("asyāḥ", "ayoḥ", "āsām"),
  locative: row("asyām", "ayoḥ", "āsu"),
};

/** anya "other", itara, katara, katama: neuter anyat. Source: Whitney § 523. */
export const PRONOMINAL_NEUTER_IN_T: EndingTable = {
  ...PRONOMINAL_NEUTER,
  nominative: row("at", "e", "āni"),
  accusative: row("at", "e", "āni"),
  vocative: row("at", "e", "āni"),
};
