import assert from "node:assert/strict";
import { readTextIfThere } from "../lib/files/read_text.ts";
import { TRANSLATION_PATHS, TRANSLATION_REPORT_PATHS } from "../lib/translation/paths.ts";
import { wmt23Tables } from "./wmt23/study.ts";

const scores = readTextIfThere(TRANSLATION_PATHS.wmt23);

Deno.test({
  name: "data/translation/wmt23_*.csv are what the WMT23 scores give through workbook and analysis",
  ignore: scores === undefined,
  fn: async () => {
    const { systems, pairs, rankAgreement } = await wmt23Tables(scores!, "wmt23_ende_scores.tsv");
    const { wmt23Systems, wmt23Pairs, wmt23RankAgreement } = TRANSLATION_REPORT_PATHS;
    assert.equal(Deno.readTextFileSync(wmt23Systems), systems);
    assert.equal(Deno.readTextFileSync(wmt23Pairs), pairs);
    assert.equal(Deno.readTextFileSync(wmt23RankAgreement), rankAgreement);
  },
});
