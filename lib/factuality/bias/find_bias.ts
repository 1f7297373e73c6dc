import type { Unscored } from "../verdicts/verdict.ts";
import type { BiasAnswer, BiasJudge } from "./bias_judge.ts";
import { type BiasFlag, highestSeverity, type Severity } from "./flag.ts";
import type { Lexicon } from "./lexicon.ts";
import { lexiconFlags } from "./lexicon_flags.ts";
import { mergeFlags } from "./merge_flags.ts";

/** Everything that was held against a text. */
export interface BiasFindings {
  /** In the order of the text. */
  readonly flags: readonly BiasFlag[];
  /** The highest of the flags; undefined where nothing is flagged. */
  readonly severity: Severity | undefined;
  /** What each judge answered, in their order. */
  readonly judges: readonly { readonly judge: string; readonly answer: BiasAnswer | Unscored }[];
}

/**
 * The word list, the patterns and the judges on one text, their flags made one list. A judge that gave
 * no answer is recorded and takes nothing from what the others found.
 *
 * @throws the signal's reason when it aborts.
 */
export async function findBias(
  text: string,
  lexicon: Lexicon,
  judges: readonly BiasJudge[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<BiasFindings> {
  const answers: { judge: string; answer: BiasAnswer | Unscored }[] = [];
  for (const judge of judges) {
    options.signal?.throwIfAborted();
    answers.push({ judge: judge.name, answer: await judge.findBias(text, options) });
  }
  const judged = answers.flatMap(({ answer }) => answer.kind === "answer" ? answer.flags : []);
  const flags = mergeFlags(text, [...lexiconFlags(text, lexicon), ...judged]);
  return { flags, severity: highestSeverity(flags), judges: answers };
}
