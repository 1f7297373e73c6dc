import assert from "node:assert/strict";
import type { LanguageModel } from "../../models/model.ts";
import { fakeLanguage } from "../testdata/fake_models.ts";
import { inFolder } from "../testdata/folder.ts";
import { madePairs } from "../testdata/norse.ts";
import { studyIn } from "../testdata/study.ts";
import { readAnswers } from "./answers.ts";
import { lockAnswers } from "./lock.ts";
import { scoreModels, unscoredPairs } from "./score_models.ts";

const PAIRS = madePairs(5);

Deno.test("scoreModels() scores what each model has not scored yet, and tells of no other model", async () => {
  await inFolder(async (_, folder) => {
    const study = studyIn(folder);
    const [a, b] = [fakeLanguage("a"), fakeLanguage("b")];
    const first = await scoreModels(study, PAIRS, [a]);
    assert.deepEqual(first.map(({ model, scored, missing }) => [model, scored, missing]), [
      ["a", 5, 0],
    ]);
    const wanted = ({ id }: { readonly id: string }) => id !== PAIRS[0]?.id;
    const second = await scoreModels(study, PAIRS, [a, b], { wanted });
    assert.deepEqual(second.map(({ model, scored }) => [model, scored]), [["b", 4]]);
    assert.deepEqual([...unscoredPairs(study, PAIRS, ["a", "b"])], [["a", 0], ["b", 1]]);
    assert.deepEqual([...unscoredPairs(study, PAIRS, ["b"], { wanted })], [["b", 0]]);
    await scoreModels(study, PAIRS, [a, b]);
    assert.deepEqual(await scoreModels(study, PAIRS, [a, b]), []);
    assert.equal(readAnswers(study.files).likelihoods.length, 10);
  });
});

Deno.test("scoreModels() keeps what is scored when it is stopped, and begins no further model", async () => {
  await inFolder(async (_, folder) => {
    const study = studyIn(folder);
    const stop = new AbortController();
    const model = fakeLanguage("a");
    let calls = 0;
    const stopping: LanguageModel = {
      ...model,
      score: (texts) => {
        if (++calls === 2) stop.abort();
        return model.score(texts);
      },
    };
    const models = [stopping, fakeLanguage("b")];
    const done = await scoreModels(study, PAIRS, models, { signal: stop.signal });
    assert.deepEqual(done.map(({ model, scored }) => [model, scored]), [["a", 2]]);
    assert.equal(readAnswers(study.files).likelihoods.length, 2);
  });
});

Deno.test("scoreModels() refuses where another process adds to the answers, or they are of other pairs", async () => {
  await inFolder(async (_, folder) => {
    const study = studyIn(folder);
    const [model] = [fakeLanguage("a")];
    {
      using _held = lockAnswers(study.lock);
      await assert.rejects(scoreModels(study, PAIRS, [model]), /another process is doing so/);
    }
    await scoreModels(study, PAIRS, [model]);
    await assert.rejects(scoreModels(study, madePairs(6), [model]), /other pairs.*ask anew/s);
  });
});
