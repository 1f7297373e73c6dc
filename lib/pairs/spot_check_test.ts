import assert from "node:assert/strict";
import type { ChatModel, LanguageModel } from "../models/model.ts";
import { evaluateForcedChoice, scorePairs } from "./ask.ts";
import { disagreements, spotCheck } from "./spot_check.ts";
import { fakeChat, fakeLanguage, scriptedChat } from "./testdata/fake_models.ts";
import { inFolder } from "./testdata/folder.ts";
import { madePairs } from "./testdata/norse.ts";
import { studyIn } from "./testdata/study.ts";

const PAIRS = madePairs(6);

/** Returns a check of this model against the answers of the fake ones. */
async function found(
  models: { readonly chat?: ChatModel; readonly likelihood?: LanguageModel },
): Promise<readonly string[]> {
  let faults: readonly string[] = [];
  await inFolder(async (at) => {
    const study = studyIn(at(""));
    const { files, question: template } = study;
    await evaluateForcedChoice({ pairs: PAIRS, models: [fakeChat("m")], template, files });
    await scorePairs({ pairs: PAIRS, model: fakeLanguage("m"), files });
    faults = disagreements(
      await spotCheck(study, PAIRS, { name: "m", ...models }, { size: 4, seed: 1 }),
    );
  });
  return faults;
}

/** The fake model's scores, changed. */
function changed(change: (nats: number, text: string) => number): LanguageModel {
  const model = fakeLanguage("m");
  return {
    ...model,
    score: async (texts) =>
      (await model.score(texts)).map((likelihood, index) => ({
        ...likelihood,
        logProbability: change(likelihood.logProbability, texts[index]!),
      })),
  };
}

Deno.test("spotCheck() finds nothing where a model says what it said, hundredths of a nat aside", async () => {
  assert.deepEqual(await found({ chat: fakeChat("m"), likelihood: fakeLanguage("m") }), []);
  assert.deepEqual(await found({ likelihood: changed((nats) => nats - 0.05) }), []);
});

Deno.test("disagreements() lists each: nats, turned pairs, changed answers, failed calls", async () => {
  const apart = await found({ likelihood: changed((nats) => nats - 0.2) });
  assert.deepEqual(apart, ["a log-probability differs by 0.2000 nats"]);
  let members = 0;
  const swapped = await found({
    likelihood: changed((nats) => members++ < 2 ? -200 - nats : nats),
  });
  assert.equal(swapped[1], "1 pairs have the other member preferred");
  const other = await found({ chat: scriptedChat("m", () => "I do not know.") });
  assert.match(other.join(), /^\d questions are answered otherwise$/);
  const [model, failure] = [fakeChat("m"), { kind: "failure", message: "500" } as const];
  let asked = 0;
  const failing: ChatModel = { ...model, ask: async (q) => asked++ ? await model.ask(q) : failure };
  assert.deepEqual(await found({ chat: failing }), ["1 calls failed"]);
});
