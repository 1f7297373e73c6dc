import type { StructuredModel } from "../../models/structured_model.ts";
import { ANSWER_FORMATS } from "../judges/answer_schema.ts";
import { askInJson, provenanceOf } from "../judges/ask_in_json.ts";
import { fillTemplate } from "../judges/prompt_template.ts";
import type { PromptTemplates } from "../judges/prompts.ts";
import { type Ended, malformed, readJsonAnswer, valueUnder } from "../judges/read_json_answer.ts";
import type { OrderedChoice, PairwiseJudge } from "./comparison.ts";

/** The template by which two texts are compared. */
const PAIRWISE_TEMPLATE = "pairwise";

const CHOICES: readonly OrderedChoice[] = ["first", "second", "tie"];

/** "First", "the second text": the one choice that the words name; undefined for none or several. */
function choiceIn(value: unknown): OrderedChoice | undefined {
  if (typeof value !== "string") return undefined;
  const named = CHOICES.filter((choice) => new RegExp(`\\b${choice}\\b`, "i").test(value));
  return named.length === 1 ? named[0] : undefined;
}

function readChoice(text: string, ended: Ended, prompt: string) {
  const answer = readJsonAnswer(text, ["winner"], ended, prompt);
  if (answer.kind === "malformed") return answer;
  const { value, before, parse } = answer;
  const winner = choiceIn(valueUnder(value, ["winner"]));
  if (winner === undefined) return malformed("its winner is none of first, second and tie");
  const reasoning = valueUnder(value, ["reasoning"]);
  return {
    kind: "read",
    winner,
    reasoning: typeof reasoning === "string" ? reasoning : before,
    parse,
  } as const;
}

/**
 * A model that writes, as a judge of two texts. Names of candidates are not shown to it. An answer
 * without a winner of the three that were offered is unscored, never a tie.
 */
export function pairwiseJudge(
  model: StructuredModel,
  prompts: PromptTemplates,
  { timeoutSeconds }: { readonly timeoutSeconds: number },
): PairwiseJudge {
  const template = prompts.template(PAIRWISE_TEMPLATE);
  const { schema } = ANSWER_FORMATS.pairwise;
  const provenance = provenanceOf(model, template.sha256);
  return {
    name: model.name,
    settings: { ...model.settings, promptSha256: template.sha256, timeoutSeconds },
    concurrency: model.concurrency,
    async compare({ source, question, first, second }, { signal } = {}) {
      const prompt = fillTemplate(template, { source, question, first, second });
      const asked = { prompt, schema, provenance, timeoutSeconds, signal, read: readChoice };
      const answer = await askInJson(model, asked);
      if (answer.kind === "unscored") return answer;
      const { winner, reasoning, parse } = answer;
      return { kind: "answer", winner, reasoning, parse, provenance };
    },
  };
}
