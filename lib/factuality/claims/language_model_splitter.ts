import type { StructuredModel } from "../../models/structured_model.ts";
import { ANSWER_FORMATS } from "../judges/answer_schema.ts";
import { fillTemplate, type PromptTemplate } from "../judges/prompt_template.ts";
import type { Claim, ClaimSplitter, SplitResult } from "./claim.ts";
import { attributed, type ReadSentence } from "./attributed_claim.ts";
import { proposedClaims } from "./proposed_claims.ts";
import { sentencesOf } from "./sentences.ts";
import { wordsOf } from "./word.ts";

/**
 * Claims that a language model proposes, each held against the text: what has words, numbers or
 * names that do not stand in one of its sentences is dropped with the reason.
 *
 * @param prompt Of the kind `claims`; its `{{candidate}}` is the text.
 */
export function languageModelSplitter(
  model: StructuredModel,
  prompt: PromptTemplate,
): ClaimSplitter {
  return {
    name: `claims by ${model.name}`,
    settings: { ...model.settings, prompt: prompt.name, promptSha256: prompt.sha256 },
    split: async (text, { signal } = {}) => {
      signal?.throwIfAborted();
      const statements = await asked(model, prompt, text, signal);
      signal?.throwIfAborted();
      return checked(text, statements);
    },
  };
}

/** @throws {Error} where the model refuses, fails, or answers without a single statement. */
async function asked(
  model: StructuredModel,
  prompt: PromptTemplate,
  text: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  if (sentencesOf(text).length === 0) return [];
  const question = fillTemplate(prompt, { candidate: text });
  const { schema } = ANSWER_FORMATS.claims;
  const reply = await model.ask(question, { schema, ...(signal && { signal }) });
  const written = reply.kind === "failure" ? reply.partialText ?? "" : reply.text;
  const statements = reply.kind === "refusal" ? undefined : proposedClaims(written);
  signal?.throwIfAborted();
  if (statements !== undefined && (statements.length > 0 || reply.kind === "answer")) {
    return statements;
  }
  const why = reply.kind === "refusal"
    ? "it refused"
    : reply.kind === "failure"
    ? reply.message
    : "its answer has no list of statements";
  throw new Error(`Cannot take the text apart: ${model.name}: ${why}; use the splitter by rules`);
}

function checked(text: string, statements: readonly string[]): SplitResult {
  const sentences = sentencesOf(text).map((sentence): ReadSentence => ({
    sentence,
    words: wordsOf(sentence.text, sentence.start),
  }));
  const dropped: { readonly text: string; readonly reason: string }[] = [];
  const kept: Omit<Claim, "id">[] = [];
  for (const statement of statements) {
    const result = attributed(statement, sentences);
    if ("reason" in result) dropped.push({ text: statement, reason: result.reason });
    else if (kept.some(({ text }) => text === result.text)) {
      dropped.push({ text: statement, reason: "it was proposed before" });
    } else kept.push(result);
  }
  const claims = kept.toSorted((one, other) => startOf(one) - startOf(other))
    .map((claim, index) => ({ id: `c${index + 1}`, ...claim }));
  return { claims, dropped };
}

function startOf({ sentence, spans }: Omit<Claim, "id">): number {
  return spans[0]?.start ?? sentence.start;
}
