import assert from "node:assert/strict";
import type { MaskedModel } from "../../lib/models/masked/masked_model.ts";
import { readAnswers } from "../../lib/pairs/panels/answers.ts";
import { inFolder } from "../../lib/pairs/testdata/folder.ts";
import { madePairs } from "../../lib/pairs/testdata/norse.ts";
import { studyIn } from "../../lib/pairs/testdata/study.ts";
import { type OpenMasked, scoreWithOnnx } from "./onnx.ts";

const ENTRY = { id: "tiny", path: "models/tiny", licence: "MIT" };

/** Every character is a token; the more that are hidden, the less probable each is. */
const masked = (name: string): MaskedModel => ({
  name,
  settings: { precision: "F32" },
  tokenise: (text) => ({
    tokens: text.split(" ").flatMap((part, word) => [...part].map((piece) => ({ piece, word }))),
    logProbabilities: (queries) =>
      Promise.resolve(queries.map(({ masked }) => -Math.log(1 + masked.length))),
  }),
});

Deno.test("scoreWithOnnx() opens a model once, scores with both variants, and frees it", async () => {
  await inFolder(async (_, folder) => {
    const set = { study: studyIn(folder), pairs: madePairs(3) };
    const steps: string[] = [];
    const open: OpenMasked = ({ id }, { cacheDirectory }) => {
      steps.push(`open ${id} with ${cacheDirectory}`);
      const free = () => Promise.resolve(void steps.push("free"));
      return Promise.resolve({ ...masked(id), [Symbol.asyncDispose]: free });
    };
    const told: string[] = [];
    const options = {
      ...{ signal: new AbortController().signal, cacheDirectory: "cache" },
      print: (text: string) => {
        steps.push("told");
        told.push(text);
      },
    };
    assert.equal(await scoreWithOnnx(ENTRY, [set], { ...options, limit: 2 }, open), true);
    assert.deepEqual(steps, ["open tiny with cache", "told", "told", "free"]);
    assert.match(
      told[0]!,
      /^\nLikelihoods of [^]*\| tiny:pll_original \| 0 \| 0 \| 0 \| 2 \| 0 \|/,
    );
    assert.match(
      told[1]!,
      /^\nComplete for these pairs\. tiny:pll_original lacks 1 of test, .* without --limit they/,
    );
    assert.equal(await scoreWithOnnx(ENTRY, [set], options, open), true);
    assert.match(told.at(-1)!, /^\nComplete: 3 pairs of test\. Now: deno task/);
    assert.equal(await scoreWithOnnx(ENTRY, [set], options, open), true);
    // Where nothing is left that is all it says.
    assert.deepEqual(told.slice(-2), [told.at(-1), told.at(-1)]);
    const { likelihoods } = readAnswers(set.study.files);
    assert.deepEqual(
      [...Map.groupBy(likelihoods, ({ model }) => model)].map(([name, rows]) => [
        ...[name, rows.length],
      ]),
      [["tiny:pll_original", 3], ["tiny:pll_within_word_l2r", 3]],
    );
    const [first] = likelihoods;
    // “Hánum líkaði þat b0.”: 17 letters, each hidden alone.
    assert.equal(first?.grammatical.logProbability.toFixed(6), (-17 * Math.log(2)).toFixed(6));
  });
});
