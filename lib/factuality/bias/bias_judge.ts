import type { StructuredModel } from "../../models/structured_model.ts";
import { ANSWER_FORMATS } from "../judges/answer_schema.ts";
import { askInJson, provenanceOf } from "../judges/ask_in_json.ts";
import { locatePhrase } from "../judges/locate_phrase.ts";
import { fillTemplate } from "../judges/prompt_template.ts";
import type { PromptTemplates } from "../judges/prompts.ts";
import {
  type Ended,
  type JsonAnswer,
  malformed,
  readJsonAnswer,
  valueUnder,
} from "../judges/read_json_answer.ts";
import type { ParseStatus, Provenance, Unscored } from "../verdicts/verdict.ts";
import { type BiasFlag, SEVERITIES, type Severity } from "./flag.ts";

/** The template by which a text is searched for bias. */
const BIAS_TEMPLATE = "bias";

/** What a judge found; no flag is an answer, too. */
export interface BiasAnswer {
  readonly kind: "answer";
  readonly flags: readonly BiasFlag[];
  readonly reasoning: string;
  /** Items without a phrase or one of the three severities: they are left out. */
  readonly unreadable: number;
  readonly parse: ParseStatus;
  readonly provenance: Provenance;
}

/** Looks for biased phrases in a text. */
export interface BiasJudge {
  readonly name: string;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Never throws for what a model answered; throws the signal's reason when it aborts. */
  findBias(
    text: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<BiasAnswer | Unscored>;
}

type Item = JsonAnswer["value"];

function textUnder(item: Item, key: string): string {
  const value = valueUnder(item, [key]);
  return typeof value === "string" ? value.trim() : "";
}

function severityOf(item: Item): Severity | undefined {
  const words = textUnder(item, "severity").toLowerCase();
  return SEVERITIES.find((severity) => words === severity);
}

function flagOf(text: string, item: unknown, by: string): BiasFlag | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const answer = item as Item;
  const [phrase, severity] = [textUnder(answer, "phrase"), severityOf(answer)];
  if (phrase === "" || severity === undefined) return undefined;
  const span = locatePhrase(text, phrase);
  const reason = textUnder(answer, "reason");
  return {
    phrase: span ? text.slice(span.start, span.end) : phrase,
    span,
    group: "",
    severity,
    reasons: [{ by, reason, severity, context: undefined }],
  };
}

/** The list of an answer, whatever stands in it. */
function readFindings(text: string, ended: Ended, prompt: string) {
  const answer = readJsonAnswer(text, ["flagged"], ended, prompt);
  if (answer.kind === "malformed") return answer;
  const items = valueUnder(answer.value, ["flagged"]);
  if (!Array.isArray(items)) return malformed("its flagged is no list");
  const reasoning = textUnder(answer.value, "reasoning") || answer.before;
  return {
    kind: "read",
    items: items as readonly unknown[],
    reasoning,
    parse: answer.parse,
  } as const;
}

/** A model that writes, as a judge of bias. An answer without a list is unscored, never "no bias". */
export function biasJudge(
  model: StructuredModel,
  prompts: PromptTemplates,
  { timeoutSeconds }: { readonly timeoutSeconds: number },
): BiasJudge {
  const template = prompts.template(BIAS_TEMPLATE);
  const { schema } = ANSWER_FORMATS.bias;
  const provenance = provenanceOf(model, template.sha256);
  return {
    name: model.name,
    settings: { ...model.settings, promptSha256: template.sha256, timeoutSeconds },
    async findBias(text, { signal } = {}) {
      const prompt = fillTemplate(template, { candidate: text });
      const question = { prompt, schema, provenance, timeoutSeconds, signal, read: readFindings };
      const answer = await askInJson(model, question);
      if (answer.kind === "unscored") return answer;
      const { items, reasoning, parse } = answer;
      const flags = items.flatMap((item) => flagOf(text, item, model.name) ?? []);
      const unreadable = items.length - flags.length;
      return { kind: "answer", flags, reasoning, unreadable, parse, provenance };
    },
  };
}
