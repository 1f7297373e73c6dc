import { parseArgs } from "node:util";
import { LOCAL_SAMPLING_NAMES, type LocalSamplingName } from "../../lib/models/local_sampling.ts";
import { wholeNumber, withUsage } from "../command.ts";

export const USAGE = `deno task uncertainty: questions with four options, asked over and over

  --questions NUMBER  questions about countries that nothing was trained on; 100 unless told
  --samples NUMBER    sampled thoughts a question and model, two or more; 6 unless told
  --only TEXT         only models whose name has this in it
  --threads NUMBER    of evaluation; 2 unless told

Each model thinks aloud in a few words, with another seed each time, and is then read for the
probabilities of the options, which it is not shown. Samples are kept as they come, in
data/factuality/choice_samples.csv. Ctrl-C keeps them, and a further run draws what is missing.
Notebook 43 reads them.

Exit code 0: all is drawn; 1: an error, told in words; 3: stopped, go on with a further run.`;

export interface UncertaintyOptions {
  readonly questions: number;
  readonly samples: number;
  readonly models: readonly LocalSamplingName[];
  readonly threads: number;
}

/** What a command line asks for. @throws {RangeError | SyntaxError} for what is wrong. */
export function uncertaintyOptions(args: readonly string[]): UncertaintyOptions {
  const { values } = withUsage(USAGE, () =>
    parseArgs({
      args: [...args],
      options: {
        questions: { type: "string", default: "100" },
        samples: { type: "string", default: "6" },
        only: { type: "string", default: "" },
        threads: { type: "string", default: "2" },
      },
    }));
  const models = LOCAL_SAMPLING_NAMES.filter((name) => name.includes(values.only));
  if (models.length === 0) {
    throw new RangeError(
      `Cannot read the options: --only is "${values.only}", part of no name: ` +
        `${LOCAL_SAMPLING_NAMES.join(", ")}`,
    );
  }
  return {
    questions: wholeNumber("questions", values.questions),
    samples: wholeNumber("samples", values.samples, 2),
    models,
    threads: wholeNumber("threads", values.threads),
  };
}
