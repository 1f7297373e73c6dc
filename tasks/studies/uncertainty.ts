/**
 * Measures models' uncertainty, and whether it separates right from wrong answers (requirement 18).
 */
import { askChoices, choiceQuestions } from "../../lib/studies/factuality/generation/choices.ts";
import { CHOICE_SAMPLES } from "../../lib/studies/factuality/generation/tables.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { shownPath } from "../../lib/files/atomic.ts";
import { openAskingProgress } from "../../lib/files/progress.ts";
import {
  LOCAL_SAMPLING_NAMES,
  type LocalSamplingName,
  openLocalSampling,
  QWEN_CODER,
} from "../../lib/models/llama/local_models.ts";
import type { Command } from "@commander-js/extra-typings";
import { command, EXIT, int } from "../command.ts";

/** Seed of the selection of questions. */
const SEED = "uncertainty";
/** Context size in tokens. Examples, question and thought take about 300. */
const contextTokens = 512;

/** Options of commands that ask the study's models. */
export const localOptions = (c: Command) =>
  c.option("--only <model>", "one model; both by default")
    .option("--large", "the study's larger model alone; downloads 1.1 GB once")
    .option("--threads <number>", "of evaluation", int({ min: 1, max: 1024 }), 2);

/** Returns the selected models of the study. @throws {RangeError} for an unknown one. */
export function localNames(
  { only, large }: { readonly only?: string | undefined; readonly large?: true | undefined },
): readonly LocalSamplingName[] {
  if (large) return [QWEN_CODER.id];
  const names = LOCAL_SAMPLING_NAMES.filter((name) => only === undefined || name === only);
  if (names.length > 0) return names;
  const there = LOCAL_SAMPLING_NAMES.join(" or ");
  throw new RangeError(`Cannot ask ${only}: it is ${there}.`);
}

const MORE = `
Each model thinks aloud in a few words, with another seed each time, and is then read for the
probabilities of the options, which it is not shown. Samples are kept as they come, in
data/factuality/choice_samples.csv, which notebook 43 reads; a further run draws what is missing.
--large asks Qwen2.5-Coder-1.5B-Instruct instead, in 4 bits as shipped (1.1 GB once). Queries of your own:
deno task factcheck uncertainty.`;

export const TASK = command(
  "study uncertainty",
  "Questions with four options, asked over and over: how unsure is a model?",
  (c) =>
    localOptions(c)
      .option("--questions <number>", "about held-out countries", int({ min: 1 }), 60)
      .option("--samples <number>", "thoughts a question and model", int({ min: 2 }), 6)
      .addHelpText("after", MORE),
  async ({ questions: count, ...options }, { signal }) => {
    const { samples, threads } = options;
    const names = localNames(options);
    const { cache: cacheDirectory } = FACTUALITY_PATHS;
    const fields = await factbookFields(cacheDirectory);
    const questions = choiceQuestions(fields, { split: "test", count, seed: SEED });
    using table = CHOICE_SAMPLES.open();
    let missing = 0;
    for (const name of names) {
      await using model = await openLocalSampling(name, { cacheDirectory, threads, contextTokens });
      using progress = openAskingProgress(name);
      const onFailure = (words: string) => console.error(`${name}: ${words}`);
      const work = { questions, samples, table, signal, onFailure, onProgress: progress.show };
      missing += (await askChoices(model, work)).missing;
      if (signal.aborted) return EXIT.incomplete;
    }
    table.finish();
    console.log(`Samples: ${shownPath(CHOICE_SAMPLES.path)}`);
    return missing > 0 ? EXIT.incomplete : EXIT.done;
  },
);
