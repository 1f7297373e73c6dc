import { type EndingTable, row } from "./ending_table.ts";

/** śatru "enemy". Source: Whitney, Sanskrit Grammar, § 341. */
export const U_MASCULINE: EndingTable = {
  nominative: row("uḥ", "ū", "avaḥ"),
  accusative: row("um", "ū", "ūn"),
  instrumental: row("unā", "ubhyām", "ubhiḥ"),
  dative: row("ave", "ubhyām", "ubhyaḥ"),
  ablative: row("oḥ", "ubhyām", "ubhyaḥ"),
  genitive: row("oḥ", "voḥ", "ūnām"),
  locative: row("au", "voḥ", "uṣu"),
  vocative: row("o", "ū", "avaḥ"),
};

/** dhenu "cow": four cases of the singular may go as vadhū does. */
export const U_FEMININE: EndingTable = {
  ...U_MASCULINE,
  accusative: row("um", "ū", "ūḥ"),
  instrumental: row("vā", "ubhyām", "ubhiḥ"),
  dative: row(["ave", "vai"], "ubhyām", "ubhyaḥ"),
  ablative: row(["oḥ", "vāḥ"], "ubhyām", "ubhyaḥ"),
  genitive: row(["oḥ", "vāḥ"], "voḥ", "ūnām"),
  locative: row(["au", "vām"], "voḥ", "uṣu"),
};

/** madhu "honey". An adjective (guru) may also take the masculine's endings from dative to locative. */
export const U_NEUTER: EndingTable = {
  nominative: row("u", "unī", "ūni"),
  accusative: row("u", "unī", "ūni"),
  instrumental: row("unā", "ubhyām", "ubhiḥ"),
  dative: row("une", "ubhyām", "ubhyaḥ"),
  ablative: row("unaḥ", "ubhyām", "ubhyaḥ"),
  genitive: row("unaḥ", "unoḥ", "ūnām"),
  locative: row("uni", "unoḥ", "uṣu"),
  vocative: row(["u", "o"], "unī", "ūni"),
};
