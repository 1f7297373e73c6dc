/**
 * How unsure models are, and whether that tells right answers from wrong ones (requirement 18).
 *
 *     deno task uncertainty                    100 questions, six thoughts each, both local models
 *     deno task uncertainty --questions 10     fewer
 *
 * Writes data/factuality/choice_samples.csv, a sampled thought a row. Notebook 43 reads it.
 */
import { FACTUALITY_PATHS } from "../lib/factuality/paths.ts";
import { factbookFields } from "../lib/factuality/retrieval/factbook.ts";
import { askChoices, missingSamples } from "../lib/factuality/study/uncertainty/ask_choices.ts";
import { openChoiceSamples } from "../lib/factuality/study/uncertainty/choice_samples.ts";
import type { ChoiceQuestion } from "../lib/factuality/uncertainty/choice_question.ts";
import { choiceQuestions } from "../lib/factuality/uncertainty/choice_questions.ts";
import { shownPath } from "../lib/files/shown_path.ts";
import { openProgress } from "../lib/files/status_line.ts";
import { type LocalSamplingName, openLocalSampling } from "../lib/models/local_sampling.ts";
import { runCommand } from "./command.ts";
import { stopSignal } from "./stop_signal.ts";
import { type UncertaintyOptions, uncertaintyOptions, USAGE } from "./uncertainty/options.ts";

/** Exit code of a run that was stopped: what is there is kept. */
const INCOMPLETE = 3;
/** Deals the questions. */
const SEED = "uncertainty";
/** Examples, question and thought come to some 300. */
const CONTEXT_TOKENS = 512;

interface Asking extends UncertaintyOptions {
  readonly drawn: readonly ChoiceQuestion[];
  readonly signal: AbortSignal;
}

async function ask(name: LocalSamplingName, asking: Asking): Promise<boolean> {
  const { drawn: questions, samples, signal, threads } = asking;
  const { cache: cacheDirectory, choiceSamples } = FACTUALITY_PATHS;
  await using model = await openLocalSampling(name, {
    ...{ cacheDirectory, threads, contextTokens: CONTEXT_TOKENS },
  });
  using table = openChoiceSamples(choiceSamples);
  const left = missingSamples(model, { questions, samples }, table).length;
  const all = questions.length * samples;
  using progress = openProgress(name, all, { resumed: all - left });
  const onSample = () => progress.advance();
  const { finished, failures } = await askChoices(model, table, {
    ...{ questions, samples, signal, onSample },
  });
  for (const failure of failures) console.error(`${name}: ${failure}`);
  return finished;
}

async function main(): Promise<number> {
  const options = uncertaintyOptions(Deno.args);
  const signal = stopSignal("samples are kept, and a further run goes on.");
  const fields = await factbookFields(FACTUALITY_PATHS.cache);
  const drawn = choiceQuestions(fields, { split: "test", count: options.questions, seed: SEED });
  for (const name of options.models) {
    if (!await ask(name, { ...options, drawn, signal })) return INCOMPLETE;
  }
  console.log(`Samples: ${shownPath(FACTUALITY_PATHS.choiceSamples)}`);
  return 0;
}

if (import.meta.main) Deno.exit(await runCommand(Deno.args, USAGE, main));
