import assert from "node:assert/strict";
import fc from "fast-check";
import { parseCsv } from "../files/csv.ts";
import type { LanguageModel } from "../models/model.ts";
import { likelihoodTable, roundLogProbability } from "./answers.ts";
import { membersDigest, settingsDigest } from "./asked.ts";
import { type LikelihoodOptions, scorePairs } from "./score.ts";
import { fakeLanguage } from "./testdata/fake_models.ts";
import { test } from "./testdata/folder.ts";
import { madePairs } from "./testdata/norse.ts";

const PAIRS = madePairs(5);
type At = (name: string) => string;

function score(
  at: At,
  models: readonly LanguageModel[],
  change: Partial<LikelihoodOptions> = {},
) {
  return scorePairs({
    pairs: PAIRS,
    models,
    files: filesAt(at),
    ...change,
  });
}

const filesAt = (at: At, likelihoods = "likelihoods.csv", settings = "settings.json") => ({
  likelihoods: at(likelihoods),
  settings: at(settings),
});

const fixed = (name: string, nats: number): LanguageModel => ({
  name,
  settings: {},
  score: (texts) =>
    Promise.resolve(texts.map((text) => ({
      logProbability: nats,
      tokens: 4,
      bytes: new TextEncoder().encode(text).length,
    }))),
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
  await score(at, [listening], { pairs: PAIRS.slice(0, 1) });
  assert.deepEqual(asked, [["Hánum líkaði þat b0.", "Hann líkaði þat b0."]]);
  assert.equal(
    Deno.readTextFileSync(at("likelihoods.csv")),
    "model,pair_id,grammatical_logprob,ungrammatical_logprob,grammatical_tokens," +
      "ungrammatical_tokens,grammatical_bytes,ungrammatical_bytes,asked,settings\n" +
      "m,ON_QUIRKY_CASE_001,-12.345679,-12.345679,4,4,24,22," +
      `${membersDigest(PAIRS[0]!)},${settingsDigest(model)}\n`,
  );
});

test("scorePairs() resumes after an abort to the same bytes", async (at) => {
  const models = [fakeLanguage("z"), fakeLanguage("a")];
  await score(at, models, { files: filesAt(at, "whole.csv", "whole.json") });
  const abort = new AbortController();
  const first = await score(at, models, {
    signal: abort.signal,
    onProgress: ({ done }) => done === 7 ? abort.abort() : undefined,
  });
  assert.deepEqual([first.scored, first.missing], [7, 3]);
  const second = await score(at, models);
  assert.deepEqual([second.scored, second.kept, second.missing], [3, 7, 0]);
  const text = (name: string) => Deno.readTextFileSync(at(name));
  assert.equal(text("likelihoods.csv"), text("whole.csv"));
  assert.equal(text("settings.json"), text("whole.json"));
});

test("scorePairs() scores anew with other settings, and refuses other columns and impossible scores", async (at) => {
  await score(at, [fakeLanguage("m")]);
  const other = { ...fakeLanguage("m"), settings: { precision: "Q4" } };
  assert.equal((await score(at, [other])).scored, 5);
  assert.equal((await score(at, [other])).kept, 5);
  assert.equal(
    (await score(at, [{ ...other, settings: { precision: "Q4", threads: 9 } }])).kept,
    5,
  );
  await assert.rejects(() => score(at, [fixed("n", NaN)]), RangeError);
  await assert.rejects(() => score(at, [fixed("n", 0.5)]), RangeError);
  const short = { ...fixed("n", -1), score: () => Promise.resolve([]) };
  await assert.rejects(() => score(at, [short]), /not two likelihoods/);
  Deno.writeTextFileSync(at("likelihoods.csv"), "model\n");
  await assert.rejects(() => score(at, [fakeLanguage("m")]), SyntaxError);
});

test("scorePairs() scores the pairs wanted, later the others, to the same bytes", async (at) => {
  const [model] = [fakeLanguage("m")];
  await score(at, [model], { files: filesAt(at, "whole.csv", "whole.json") });
  const wanted = ({ id }: { readonly id: string }) => id !== PAIRS[1]?.id;
  const first = await score(at, [model], { wanted });
  assert.deepEqual([first.scored, first.missing], [4, 0]);
  const second = await score(at, [model]);
  assert.deepEqual([second.scored, second.kept, second.missing], [1, 4, 0]);
  const text = (name: string) => Deno.readTextFileSync(at(name));
  assert.equal(text("likelihoods.csv"), text("whole.csv"));
  assert.equal(text("settings.json"), text("whole.json"));
});

Deno.test("likelihood rows come back as they were, six decimals kept", () => {
  const member = fc.record({
    logProbability: fc.double({ min: -1e4, max: 0, noNaN: true }).map(roundLogProbability),
    tokens: fc.integer({ min: 1, max: 500 }),
    bytes: fc.integer({ min: 1, max: 5000 }),
  }, { noNullPrototype: true });
  const row = fc.record({
    model: fc.constantFrom("m", "ǫ, é"),
    pairId: fc.constantFrom("ON_UMLAUT_001", "ON_UMLAUT_002"),
    grammatical: member,
    ungrammatical: member,
    asked: fc.constant("0123456789ab"),
    settings: fc.constant("ba9876543210"),
  }, { noNullPrototype: true });
  const { columns, format, parse } = likelihoodTable({ path: "/likelihoods.csv", about: "" });
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const back = parseCsv(format(rows), columns, parse);
      assert.deepEqual(back, { rows, damaged: [] });
    }),
    { numRuns: 200 },
  );
});

test("scorePairs() keeps as many pairs in flight as the model allows; the bytes are the same", async (at) => {
  await score(at, [fakeLanguage("m")]);
  const expected = Deno.readTextFileSync(at("likelihoods.csv"));
  let inFlight = 0;
  let most = 0;
  const slow: LanguageModel = {
    ...fakeLanguage("m"),
    concurrency: 3,
    async score(texts) {
      most = Math.max(most, ++inFlight);
      // The first comes last.
      for (let turn = texts[0]!.includes("b0") ? 9 : 1; turn > 0; turn--) await Promise.resolve();
      inFlight--;
      return await fakeLanguage("m").score(texts);
    },
  };
  Deno.removeSync(at("likelihoods.csv"));
  await score(at, [slow]);
  assert.equal(most, 3);
  assert.equal(Deno.readTextFileSync(at("likelihoods.csv")), expected);
});

test("scorePairs() puts what is scored under the number that a pair has now", async (at) => {
  await score(at, [fakeLanguage("m")]);
  const renumbered = PAIRS.map((pair, index) => ({ ...pair, id: PAIRS[(index + 1) % 5]!.id }));
  const silent: LanguageModel = {
    ...fakeLanguage("m"),
    score: () => Promise.reject(new Error("asked")),
  };
  const again = await score(at, [silent], { pairs: renumbered });
  assert.deepEqual([again.scored, again.kept], [0, 5]);
  await score(at, [fakeLanguage("m")], { pairs: renumbered, files: filesAt(at, "anew.csv") });
  const text = (name: string) => Deno.readTextFileSync(at(name));
  assert.equal(text("likelihoods.csv"), text("anew.csv"));
});
