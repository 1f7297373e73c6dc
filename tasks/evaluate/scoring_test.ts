import assert from "node:assert/strict";
import type { LanguageModel } from "../../lib/models/model.ts";
import { parsePanel } from "../../lib/models/panel.ts";
import { readAnswers } from "../../lib/pairs/panels/answers.ts";
import { fakeLanguage } from "../../lib/pairs/testdata/fake_models.ts";
import { inFolder } from "../../lib/pairs/testdata/folder.ts";
import { madePairs } from "../../lib/pairs/testdata/norse.ts";
import { studyIn } from "../../lib/pairs/testdata/study.ts";
import type { PairSet } from "../studies.ts";
import { scoreAll, tellScoring } from "./scoring.ts";

const PANEL = parsePanel(
  "name: mine\nmodels:\n" +
    "  - {id: both, kind: gguf, path: a.gguf, roles: [chat, likelihood], licence: x}\n" +
    "  - {id: asked, kind: gguf, path: b.gguf, roles: [chat], licence: x}\n",
  "mine.yaml",
);

/** Pairs and probes in a folder each, and what is printed. */
function inPlace(
  work: (main: PairSet, probes: PairSet, said: string[]) => Promise<void>,
): Promise<void> {
  return inFolder(async (_, folder) => {
    const [main, probes] = ["main", "probes"].map((name, index) => {
      Deno.mkdirSync(`${folder}/${name}`);
      return { study: { ...studyIn(`${folder}/${name}`), name }, pairs: madePairs(4 + 4 * index) };
    });
    await work(main!, probes!, []);
  });
}

const options = (said: string[], change: { limit?: number; signal?: AbortSignal } = {}) => ({
  signal: new AbortController().signal,
  print: (text: string) => void said.push(text),
  ...change,
});

Deno.test("scoreAll() scores every set, prints each under its name, and has nothing to do then", async () => {
  await inPlace(async (main, probes, said) => {
    const models = [fakeLanguage("m")];
    const scorings = [main, probes].map((set) => ({ ...set, models }));
    assert.equal(await scoreAll(scorings, options(said, { limit: 2 })), true);
    assert.equal(await scoreAll(scorings, options(said)), true);
    assert.equal(await scoreAll(scorings, options(said)), true);
    assert.equal(said.length, 4);
    assert.match(said[0] ?? "", /^\nLikelihoods of main:\n\n[^]*\| m \| 0 \| 0 \| 0 \| 2 \| 0 \|$/);
    assert.match(said[3] ?? "", /^\nLikelihoods of probes:[^]*\| m \| 0 \| 0 \| 0 \| 6 \| 0 \|$/);
    assert.equal(readAnswers(main.study.files).likelihoods.length, 4);
    assert.equal(readAnswers(probes.study.files).likelihoods.length, 8);
  });
});

Deno.test("scoreAll() says that something is left after a stop", async () => {
  await inPlace(async (main, _, said) => {
    const stop = new AbortController();
    const model = fakeLanguage("m");
    const stopping: LanguageModel = {
      ...model,
      score: (texts) => {
        stop.abort();
        return model.score(texts);
      },
    };
    const scorings = [{ ...main, models: [stopping] }];
    assert.equal(await scoreAll(scorings, options(said, { signal: stop.signal })), false);
    assert.equal(readAnswers(main.study.files).likelihoods.length, 1);
    assert.equal(await scoreAll([{ ...main, models: [model] }], options(said)), true);
  });
});

Deno.test("tellScoring() counts what the models that give likelihoods have not scored", async () => {
  await inPlace(async (main, probes, said) => {
    const models = [fakeLanguage("m")];
    await scoreAll([{ ...main, models }], options([]));
    const scorings = [{ ...probes, panel: PANEL }, { ...main, models }, { ...probes, models }];
    tellScoring(scorings, options(said));
    tellScoring(scorings, options(said, { limit: 3 }));
    assert.deepEqual(said, [
      "both: likelihoods of 8 pairs of probes",
      "m: likelihoods of 8 pairs of probes",
      "both: likelihoods of 3 pairs of probes",
      "m: likelihoods of 3 pairs of probes",
    ]);
  });
});
