import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { ChoiceQuestion } from "../../uncertainty/choice_question.ts";
import { askChoices } from "./ask_choices.ts";
import { openChoiceSamples, readChoiceSamples } from "./choice_samples.ts";
import { standIn } from "./testdata/sampling_model.ts";

const QUESTIONS: readonly ChoiceQuestion[] = ["ao", "bd"].map((cluster) => ({
  ...{ id: `${cluster}/capital`, cluster, kind: "capital", question: `What of ${cluster}?` },
  options: ["one", "three", "seven", "eleven"],
}));
const ASKED = { questions: QUESTIONS, samples: 2 };

function inFolder(work: (path: string) => Promise<void>) {
  return async () => {
    const folder = Deno.makeTempDirSync();
    try {
      await work(join(folder, "samples.csv"));
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

test(
  "askChoices() draws each question with another seed each time, a row a thought",
  inFolder(async (path) => {
    const model = standIn();
    using table = openChoiceSamples(path);
    assert.deepEqual(await askChoices(model, table, ASKED), { finished: true, failures: [] });
    assert.deepEqual(model.asked, ["ao/capital 1", "ao/capital 2", "bd/capital 1", "bd/capital 2"]);
    const [row] = readChoiceSamples(path);
    assert.equal(row!.thought, "of ao/capital 1");
    assert.deepEqual([row!.thought_tokens, row!.token_entropy, row!.sample], [2, 1.5, 1]);
    // Each option has the space before it: " one".
    assert.deepEqual(row!.logProbabilities, [-4, -6, -6, -7]);
    assert.deepEqual(row!.options, QUESTIONS[0]!.options);
  }),
);

test(
  "askChoices() draws nothing again, and all of a model whose settings have changed",
  inFolder(async (path) => {
    {
      using table = openChoiceSamples(path);
      await askChoices(standIn(), table, { ...ASKED, samples: 1 });
    }
    const more = standIn();
    using table = openChoiceSamples(path);
    await askChoices(more, table, ASKED);
    assert.deepEqual(more.asked, ["ao/capital 2", "bd/capital 2"]);
    const other = { ...standIn(), settings: { precision: "F16" } };
    await askChoices(other, table, ASKED);
    assert.equal(other.asked.length, 4);
  }),
);

test(
  "askChoices() keeps what was drawn before an abort and tells that it is not all",
  inFolder(async (path) => {
    const stop = new AbortController();
    using table = openChoiceSamples(path);
    const onSample = () => stop.abort();
    const asked = await askChoices(standIn(), table, { ...ASKED, signal: stop.signal, onSample });
    assert.equal(asked.finished, false);
    assert.equal(readChoiceSamples(path).length, 1);
  }),
);

test(
  "askChoices() tells a failure and goes on; no thought is a thought without entropy",
  inFolder(async (path) => {
    const model = standIn((seed) =>
      seed === "ao/capital 1"
        ? { kind: "failure", message: "too long" }
        : { kind: "sample", text: "", tokens: [], promptTokens: 9, ended: "complete" }
    );
    using table = openChoiceSamples(path);
    const { finished, failures } = await askChoices(model, table, ASKED);
    assert.deepEqual([finished, failures], [true, ["ao/capital, sample 1: too long"]]);
    const rows = readChoiceSamples(path);
    assert.deepEqual(rows.map(({ token_entropy }) => token_entropy), ["", "", ""]);
  }),
);
