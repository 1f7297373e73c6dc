import assert from "node:assert/strict";
import { basename, join } from "node:path";
import type { ChatModel, LanguageModel } from "../models/model.ts";
import { evaluateForcedChoice } from "../pairs/evaluation.ts";
import { scorePairs } from "../pairs/likelihoods.ts";
import { numberPairs } from "../pairs/number_pairs.ts";
import type { MinimalPair } from "../pairs/pair.ts";
import { fakeChat, fakeLanguage } from "../pairs/testdata/fake_models.ts";
import { carryAnswers } from "./carry_answers.ts";
import type { Phenomenon } from "./candidate.ts";
import { readNorseDataset } from "./dataset.ts";
import { requireSamePairs } from "../pairs/panels/answers.ts";
import { replaceDataset } from "./proposals/replace.ts";
import type { ReplacePaths } from "./proposals/set_aside.ts";
import { settingsOf } from "./proposals/settings.ts";
import { NORSE_STUDY } from "./study.ts";

const ALL = readNorseDataset().slice(0, 12);

/** Some of the pairs, numbered as a data set of them would be. */
const numbered = (keep: (index: number) => boolean) =>
  numberPairs(
    "ON",
    ALL.filter((_, index) => keep(index)).map(({ pair, certificate }) => {
      const { id: _id, ...unnumbered } = pair;
      const { pairId: _pairId, ...ground } = certificate;
      return {
        ...{ kind: "certified" as const, pair: unnumbered, certificate: ground },
        ...{ tier: 1 as const, tokenIndex: 0 },
      };
    }),
  );

const BEFORE = numbered((index) => index < 9);
const NOW = numbered((index) => index > 2);

/** Of a data set in a folder, everything that its answers depend on and are. */
async function answer(
  paths: ReplacePaths,
  pairs: readonly MinimalPair<Phenomenon>[],
  chat: ChatModel = fakeChat("m"),
  language: LanguageModel = fakeLanguage("m"),
) {
  await evaluateForcedChoice({
    ...{ pairs, models: [chat], template: NORSE_STUDY.question, resultsPath: paths.responses },
    ...{ invalidLogPath: paths.invalidAnswers, settingsPath: paths.responseSettings },
  });
  await scorePairs({
    ...{ pairs, models: [language], likelihoodsPath: paths.likelihoods },
    settingsPath: paths.likelihoodSettings,
  });
}

const ANSWERS = [
  ...["responses", "invalidAnswers", "responseSettings", "likelihoods", "likelihoodSettings"],
] as const;

const contents = (paths: ReplacePaths) =>
  ANSWERS.map((name) => Deno.readTextFileSync(paths[name as keyof ReplacePaths]));

async function inFolder(body: (paths: ReplacePaths) => Promise<void>): Promise<void> {
  const folder = Deno.makeTempDirSync({ prefix: "carry-" });
  const names = ["pairs", "certificates", "rejections", ...ANSWERS, "metrics", "statistics"];
  const more = ["artefacts", "balancedSubset", "precision", "served", "generation", "setAside"];
  try {
    await body(
      Object.fromEntries(
        [...names, ...more].map((name) => [name, join(folder, name)]),
      ) as ReplacePaths,
    );
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const pairsOf = (items: typeof NOW) => items.map(({ pair }) => pair);
const write = (paths: ReplacePaths, items: typeof NOW) =>
  replaceDataset({ items, rejections: [] }, settingsOf("rules"), paths);

/** A model that counts how often it is asked. */
function counting() {
  const model = fakeChat("m");
  const asked: string[] = [];
  const ask: ChatModel["ask"] = (prompt) => {
    asked.push(prompt);
    return model.ask(prompt);
  };
  return { model: { ...model, ask }, asked };
}

Deno.test("carryAnswers() spares every question that was asked, and ends in the same bytes", async () => {
  let expected: readonly string[] = [];
  await inFolder(async (paths) => {
    write(paths, NOW);
    await answer(paths, pairsOf(NOW));
    expected = contents(paths);
  });
  assert.match(expected[1]!, /m,ON_/); // Invalid answers are among them.
  await inFolder(async (paths) => {
    write(paths, BEFORE);
    await answer(paths, pairsOf(BEFORE));
    const { carried, kind } = write(paths, NOW);
    assert.equal(kind, "new_pairs");
    assert.deepEqual(carried, [
      { model: "m", kind: "answers", rows: 12 },
      { model: "m", kind: "likelihoods", rows: 6 },
    ]);
    requireSamePairs({ ...NORSE_STUDY, files: paths }, pairsOf(NOW));
    const { model, asked } = counting();
    await answer(paths, pairsOf(NOW), model);
    assert.equal(asked.length, 6);
    assert.deepEqual(contents(paths), expected);
  });
});

Deno.test("carryAnswers() leaves a model alone that has rows in place", async () => {
  await inFolder(async (paths) => {
    write(paths, BEFORE);
    await answer(paths, pairsOf(BEFORE));
    write(paths, NOW);
    for (const name of ANSWERS) Deno.removeSync(paths[name as keyof ReplacePaths]);
    await answer(paths, pairsOf(NOW).slice(0, 1));
    const before = contents(paths);
    assert.deepEqual(write(paths, NOW).carried, []);
    assert.deepEqual(contents(paths), before);
  });
});

Deno.test("carryAnswers() goes on where a killed run has brought over the settings alone", async () => {
  await inFolder(async (paths) => {
    write(paths, BEFORE);
    await answer(paths, pairsOf(BEFORE));
    write(paths, NOW);
    const whole = contents(paths);
    for (const name of ["responses", "invalidAnswers", "likelihoods"] as const) {
      Deno.removeSync(paths[name]);
    }
    write(paths, NOW);
    assert.deepEqual(contents(paths), whole);
  });
});

Deno.test("carryAnswers() takes nothing from a folder that cannot be read", () => {
  const folder = Deno.makeTempDirSync({ prefix: "carry-" });
  try {
    for (const name of ["pairs", ...ANSWERS]) {
      Deno.writeTextFileSync(join(folder, name), "no table");
    }
    const files = Object.fromEntries(
      ["pairs", ...ANSWERS].map((name) => [name, join(folder, "present", name)]),
    ) as Parameters<typeof carryAnswers>[1];
    assert.deepEqual(carryAnswers(pairsOf(NOW), files, [folder]), []);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("carryAnswers() takes no answers that belong to other pairs than those beside them", async () => {
  await inFolder(async (paths) => {
    write(paths, BEFORE);
    await answer(paths, pairsOf(BEFORE));
    const { setAside } = write(paths, NOW);
    for (const name of ANSWERS) Deno.removeSync(paths[name as keyof ReplacePaths]);
    // The ids of these pairs are the same, their sentences are not.
    Deno.copyFileSync(paths.pairs, join(setAside!, basename(paths.pairs)));
    assert.deepEqual(write(paths, NOW).carried, []);
  });
});
