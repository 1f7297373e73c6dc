/** How unsure models are, and whether that tells right answers from wrong ones (requirement 18). */
import { askChoices, choiceQuestions } from "../../lib/factuality/generation/choices.ts";
import { CHOICE_SAMPLES } from "../../lib/factuality/generation/tables.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { shownPath } from "../../lib/files/atomic.ts";
import { openAsking } from "../../lib/files/progress.ts";
import { LOCAL_SAMPLING_NAMES, openLocalSampling } from "../../lib/models/llama/local_models.ts";
import { command, EXIT, int, oneOf } from "../command.ts";

/** Deals the questions. */
const SEED = "uncertainty";
/** Examples, question and thought come to some 300. */
const contextTokens = 512;

const MORE = `
Each model thinks aloud in a few words, with another seed each time, and is then read for the
probabilities of the options, which it is not shown. Samples are kept as they come, in
data/factuality/choice_samples.csv, which notebook 43 reads; a further run draws what is missing.`;

export const TASK = command(
  "study uncertainty",
  "Questions with four options, asked over and over: how unsure is a model?",
  (c) =>
    c.option("--questions <number>", "about held-out countries", int({ min: 1 }), 100)
      .option("--samples <number>", "thoughts a question and model", int({ min: 2 }), 6)
      .option("--only <model>", "one model; both unless told", oneOf(...LOCAL_SAMPLING_NAMES))
      .option("--threads <number>", "of evaluation", int({ min: 1 }), 2)
      .addHelpText("after", MORE),
  async ({ questions: count, samples, only, threads }, { signal }) => {
    const { cache: cacheDirectory } = FACTUALITY_PATHS;
    const fields = await factbookFields(cacheDirectory);
    const questions = choiceQuestions(fields, { split: "test", count, seed: SEED });
    using table = CHOICE_SAMPLES.open();
    let missing = 0;
    for (const name of only === undefined ? LOCAL_SAMPLING_NAMES : [only]) {
      await using model = await openLocalSampling(name, { cacheDirectory, threads, contextTokens });
      using progress = openAsking(name);
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
