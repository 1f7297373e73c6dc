import type { StructuredModel } from "../../models/model.ts";
import { askInJson } from "../judges/generating_judge.ts";
import type { PromptTemplates } from "../judges/prompts.ts";
import * as reading from "../judges/read_answer.ts";
import { type BiasFlag, highestSeverity, lexiconFlags, mergeFlags } from "./lexicon.ts";
import { type LexiconEntry, SEVERITIES } from "./lexicon.ts";

type BiasJudge = ReturnType<typeof biasJudge>;

/** A model that writes, as a judge of bias; without a list unscored, never "no bias". */
export function biasJudge(
  model: StructuredModel,
  prompts: PromptTemplates,
  { timeoutSeconds }: { readonly timeoutSeconds: number },
) {
  const template = prompts.template("bias");
  return {
    name: model.name,
    settings: { ...model.settings, promptSha256: template.sha256, timeoutSeconds },
    /** Never throws for what a model answered; throws the signal's reason when it aborts. */
    async findBias(text: string, { signal }: { readonly signal?: AbortSignal } = {}) {
      const question = { template, values: { candidate: text }, timeoutSeconds, signal };
      const answer = await askInJson(model, question, readFindings);
      if (answer.kind === "unscored") return answer;
      const { items, reasoning, parse, provenance } = answer;
      const flags = items.flatMap((item) => flagOf(text, item, model.name) ?? []);
      // Items without a phrase or one of the three severities are left out.
      const unreadable = items.length - flags.length;
      return { kind: "answer", flags, reasoning, unreadable, parse, provenance } as const;
    },
  };
}

/** The list of an answer, whatever stands in it. */
function readFindings(text: string, ended: reading.Ended, prompt: string) {
  const answer = reading.readJsonAnswer(text, ["flagged"], ended, prompt);
  if (answer.kind === "malformed") return answer;
  const { value, before, parse } = answer;
  const items: unknown = reading.valueUnder(value, ["flagged"]);
  if (!Array.isArray(items)) return reading.malformed("its flagged is no list");
  const reasoning = textUnder(value, "reasoning") || before;
  return { kind: "read", items: items as readonly unknown[], reasoning, parse } as const;
}

function textUnder(item: reading.JsonAnswer["value"], key: string): string {
  const value = reading.valueUnder(item, [key]);
  return typeof value === "string" ? value.trim() : "";
}

function flagOf(text: string, item: unknown, by: string): BiasFlag | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const [phrase, reason, words] = ["phrase", "reason", "severity"]
    .map((key) => textUnder(item as reading.JsonAnswer["value"], key)) as [string, string, string];
  const severity = SEVERITIES.find((one) => words.toLowerCase() === one);
  if (phrase === "" || reading.isEchoed(phrase) || severity === undefined) return undefined;
  const span = reading.locatePhrase(text, phrase);
  const reasons = [{ by, reason, severity, context: undefined }];
  const told = span ? text.slice(span.start, span.end) : phrase;
  return { phrase: told, span, group: "", severity, reasons };
}

type BiasAnswer = Awaited<ReturnType<BiasJudge["findBias"]>>;

/** Everything that was held against a text. */
export type BiasFindings = Awaited<ReturnType<typeof findBias>>;

/**
 * Word list, patterns and judges on one text: flags in its order, the highest severity, undefined where
 * nothing is flagged, and what each judge answered. @throws the signal's reason when it aborts.
 */
export async function findBias(
  text: string,
  lexicon: readonly LexiconEntry[],
  judges: readonly BiasJudge[],
  options: { readonly signal?: AbortSignal } = {},
) {
  const answers: { judge: string; answer: BiasAnswer }[] = [];
  for (const judge of judges) {
    options.signal?.throwIfAborted();
    answers.push({ judge: judge.name, answer: await judge.findBias(text, options) });
  }
  const judged = answers.flatMap(({ answer }) => answer.kind === "answer" ? answer.flags : []);
  const flags = mergeFlags(text, [...lexiconFlags(text, lexicon), ...judged]);
  return { flags, severity: highestSeverity(flags), judges: answers };
}
