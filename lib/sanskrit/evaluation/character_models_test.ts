import assert from "node:assert/strict";
import { scoreModels } from "../../pairs/panels/score_models.ts";
import { readAnswers } from "../../pairs/panels/answers.ts";
import { inFolder } from "../../pairs/testdata/folder.ts";
import { studyIn } from "../../pairs/testdata/study.ts";
import { probePairs } from "../probes/probe_pairs.ts";
import type { Verse } from "../verses.ts";
import { CHARACTER_MODELS, characterModels } from "./character_models.ts";
import { MADE_SETS, MADE_VERSES } from "./testdata/made_sets.ts";

/** The text with one of its verses printed twice: more to learn from, the same characters. */
const repeated = (repeated: number): readonly Verse[] =>
  MADE_VERSES.map((verse) =>
    verse.verse === repeated
      ? { ...verse, lines: [...verse.lines, { ...verse.lines[0]!, label: "b" }] }
      : verse
  );

async function nats(verses: readonly Verse[], text: string): Promise<readonly number[]> {
  const found = characterModels(verses, MADE_SETS).map((model) => model.score([text]));
  return (await Promise.all(found)).map(([only]) => only!.logProbability);
}

Deno.test("characterModels() are both variants, under the names of the tables", () => {
  const models = characterModels(MADE_VERSES, MADE_SETS);
  assert.deepEqual(models.map(({ name }) => name), [
    "bidirectional_character:pll_original",
    "bidirectional_character:pll_within_word_l2r",
  ]);
  assert.deepEqual(models.map(({ name }) => name), CHARACTER_MODELS);
  for (const { settings } of models) {
    assert.equal(settings["sentences"], 3);
    assert.match(String(settings["heldOut"]), /^pair: the fold of its verse; .* the noun's stem$/);
    assert.match(String(settings["sentencesSha256"]), /^[0-9a-f]{64}$/);
  }
});

Deno.test("characterModels() learn nothing from the verse or noun that is scored, or from what repeats its pāda", async () => {
  // The pair of verse 1.3, which begins like 1.1.
  const [item] = MADE_SETS.main;
  const [inIast] = probePairs(MADE_SETS).filter(({ id }) => id.startsWith("iast"));
  // Both are of देव, which stands in verse 1.3.
  const made = [MADE_SETS.controls[0]!.ungrammatical, MADE_SETS.bareForms[0]!.grammatical];
  for (const text of [item!.pair.grammatical, inIast!.ungrammatical, ...made]) {
    const found = await nats(MADE_VERSES, text);
    assert.deepEqual(await nats(repeated(3), text), found);
    assert.deepEqual(await nats(repeated(1), text), found);
    for (const [at, other] of (await nats(repeated(2), text)).entries()) {
      assert.notEqual(other, found[at]);
    }
  }
});

Deno.test("characterModels() score the pairs and the probes to the same bytes, stopped or not", async () => {
  const probes = probePairs(MADE_SETS);
  await inFolder(async (_, folder) => {
    const [whole, stopped] = [studyIn(`${folder}/whole`), studyIn(`${folder}/stopped`)];
    for (const name of ["whole", "stopped"]) Deno.mkdirSync(`${folder}/${name}`);
    const models = characterModels(MADE_VERSES, MADE_SETS);
    await scoreModels(whole, probes, models);
    const stop = new AbortController();
    const stopping = models.map((model) => ({
      ...model,
      score: (texts: readonly string[]) => {
        if (texts[0]!.startsWith("dharma")) stop.abort();
        return model.score(texts);
      },
    }));
    await scoreModels(stopped, probes, stopping, { signal: stop.signal });
    const kept = readAnswers(stopped.files).likelihoods.length;
    assert.ok(kept > 0 && kept < 2 * probes.length, `${kept}`);
    await scoreModels(stopped, probes, models);
    for (const file of ["likelihoods", "likelihoodSettings"] as const) {
      const [one, other] = [whole, stopped].map(({ files }) => Deno.readTextFileSync(files[file]));
      assert.equal(other, one);
    }
  });
});
