import assert from "node:assert/strict";
import type { LanguageModel } from "../models/model.ts";
import { sentencesAddress, settingsAddress } from "./asked.ts";
import { type LikelihoodOptions, scorePairs } from "./score.ts";
import { fakeLanguage } from "./testdata/fake_models.ts";
import { type At, test } from "./testdata/folder.ts";
import { madePairs } from "./testdata/norse.ts";

const PAIRS = madePairs(5);

const filesAt = (at: At, name = "likelihoods") => {
  return { likelihoods: at(`${name}.csv`), settings: at(`${name}.json`) };
};
const score = (at: At, model: LanguageModel, change: Partial<LikelihoodOptions> = {}) =>
  scorePairs({ pairs: PAIRS, model, files: filesAt(at), ...change });

const written = (at: At, name = "likelihoods") =>
  Object.values(filesAt(at, name)).map((path) => Deno.readTextFileSync(path));

const fixed = (name: string, logProbability: number): LanguageModel => ({
  name,
  settings: {},
  score: (texts) =>
    Promise.resolve(texts.map((text) => {
      return { logProbability, tokens: 4, bytes: new TextEncoder().encode(text).length };
    })),
});

test("scorePairs() gives both members together and writes one row", async (at) => {
  const asked: (readonly string[])[] = [];
  const model = fixed("m", -12.34567891);
  const listening: LanguageModel = {
    ...model,
    score: (texts) => {
      asked.push(texts);
      return model.score(texts);
    },
  };
  await score(at, listening, { pairs: PAIRS.slice(0, 1) });
  assert.deepEqual(asked, [["Hánum líkaði þat b0.", "Hann líkaði þat b0."]]);
  assert.equal(
    written(at)[0],
    "model,pair_id,grammatical_logprob,ungrammatical_logprob,grammatical_tokens," +
      "ungrammatical_tokens,grammatical_bytes,ungrammatical_bytes,asked,settings\n" +
      "m,ON_QUIRKY_CASE_001,-12.345679,-12.345679,4,4,24,22," +
      `${sentencesAddress(PAIRS[0]!)},${settingsAddress(model)}\n`,
  );
});

test("scorePairs() resumes after an abort, or other pairs, to the same bytes", async (at) => {
  const [z, a] = [fakeLanguage("z"), fakeLanguage("a")];
  for (const model of [z, a]) await score(at, model, { files: filesAt(at, "whole") });
  const wanted = ({ id }: { readonly id: string }) => id !== PAIRS[1]?.id;
  const abort = new AbortController();
  const onProgress = ({ done }: { readonly done: number }) =>
    done === 2 ? abort.abort() : undefined;
  const first = await score(at, z, { wanted, signal: abort.signal, onProgress });
  assert.deepEqual([first.scored, first.missing], [2, 2]);
  await score(at, a);
  const second = await score(at, z);
  assert.deepEqual([second.scored, second.kept, second.missing], [3, 2, 0]);
  assert.deepEqual(written(at), written(at, "whole"));
});

test("scorePairs() writes the same bytes whichever pair is scored first, and loses none to another's error", async (at) => {
  const model = fakeLanguage("m");
  await score(at, model, { files: filesAt(at, "whole") });
  const sideBySide = (broken?: string): LanguageModel => ({
    ...model,
    concurrency: 3,
    async score(texts) {
      // Five pairs, b0 to b4: the later, the sooner.
      const place = Number(/b(\d)/.exec(texts[0]!)![1]);
      await new Promise((resolve) => setTimeout(resolve, (5 - place) * 4));
      if (texts[0] === broken) throw new RangeError("Cannot score text 0: it has 9999 tokens");
      return await model.score(texts);
    },
  });
  await assert.rejects(() => score(at, sideBySide(PAIRS[2]!.grammatical)), /9999 tokens/);
  const { scored, kept } = await score(at, sideBySide());
  assert.deepEqual([scored, kept], [3, 2]);
  assert.deepEqual(written(at), written(at, "whole"));
});

test("scorePairs() scores anew with other settings, and refuses other columns and impossible scores", async (at) => {
  await score(at, fakeLanguage("m"));
  const other = { ...fakeLanguage("m"), settings: { precision: "Q4" } };
  const onMore = { ...other, settings: { precision: "Q4", threads: 9 } };
  assert.equal((await score(at, other)).scored, 5);
  assert.equal((await score(at, onMore)).kept, 5);
  const [, settings] = written(at);
  await assert.rejects(() => score(at, fixed("n", NaN)), RangeError);
  await assert.rejects(() => score(at, fixed("n", 0.5)), RangeError);
  const short = { ...fixed("n", -1), score: () => Promise.resolve([]) };
  await assert.rejects(() => score(at, short), /not two likelihoods/);
  // Who gave no row has no settings on record.
  assert.equal(written(at)[1], settings);
  Deno.writeTextFileSync(at("likelihoods.csv"), "model\n");
  await assert.rejects(() => score(at, fakeLanguage("m")), SyntaxError);
});

test("scorePairs() puts what is scored under the number that a pair has now", async (at) => {
  await score(at, fakeLanguage("m"));
  const pairs = PAIRS.map((pair, index) => ({ ...pair, id: PAIRS[(index + 1) % 5]!.id }));
  const silent = { ...fakeLanguage("m"), score: () => Promise.reject(new Error("asked")) };
  const again = await score(at, silent, { pairs });
  assert.deepEqual([again.scored, again.kept], [0, 5]);
  await score(at, fakeLanguage("m"), { pairs, files: filesAt(at, "anew") });
  assert.deepEqual(written(at), written(at, "anew"));
});
