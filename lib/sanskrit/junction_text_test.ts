import assert from "node:assert/strict";
import { toIast } from "./devanagari.ts";
import { isNeutral } from "./junction.ts";
import { SANSKRIT_PATHS } from "./paths.ts";
import { applyRetroflexion } from "./retroflexion.ts";
import { readVerses } from "./verses_file.ts";

const LINES = readVerses(SANSKRIT_PATHS.verses).flatMap(({ id, lines }) =>
  lines.map(({ text }) => ({ id, words: text.split(" ").map(toIast) }))
);

Deno.test("the Gītā bears out where a visarga stays and -m is -ṃ, but for three misprints", () => {
  const others = LINES.flatMap(({ id, words }) =>
    words.flatMap((word, at) => {
      const next = words[at + 1];
      const isOurs = next !== undefined && /[ḥṃm]$/u.test(word);
      return isOurs && !isNeutral(word, next) ? [`${id} ${word} ${next}`] : [];
    })
  );
  assert.deepEqual(others, [
    "BG_11_46 cakrahastaṃ icchāmi",
    "BG_12_02 parayopetāḥ te",
    "BG_15_03 suvirūḍhamūlaṃ asaṅgaśastreṇa",
  ]);
});

const NASAL_ENDING = /^(.*)(e[nṇ]a|ā[nṇ]i|[āīūṝ][nṇ]ā[mṃ]|i[nṇ]ā)$/u;

Deno.test("the Gītā has ṇ in an ending just where the rule has it, but across a compound's joint", () => {
  const found = LINES.flatMap(({ id, words }) =>
    words.flatMap((word) => {
      const [, base, ending] = NASAL_ENDING.exec(word) ?? [];
      if (base === undefined || ending === undefined) return [];
      const expected = applyRetroflexion(base + ending.replace("ṇ", "n"));
      return [{ place: `${id} ${word}`, agrees: expected.slice(base.length) === ending }];
    })
  );
  assert.equal(found.length, 285);
  assert.deepEqual(found.filter(({ agrees }) => !agrees).map(({ place }) => place), [
    "BG_03_03 karmayogena",
    "BG_13_25 karmayogena",
    "BG_15_19 sarvabhāvena",
    "BG_18_62 sarvabhāvena",
  ]);
});
