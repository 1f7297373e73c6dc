import { z } from "zod";
import type { Reply } from "../model.ts";
import { UnusableReply } from "./call_problem.ts";

/** Tokens as servers count them; 0 where what they say is no number of tokens. */
const TOKENS = z.number().min(0).max(1e9).transform(Math.round).catch(0);

/** What a chat completion must have to be an answer; hosts add more. */
const COMPLETION = z.object({
  choices: z.array(z.object({
    finish_reason: z.string().nullish(),
    /** Where reasoning comes apart, as `reasoning`, it is left unread: it is no answer. */
    message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
  })).min(1),
  // An answer must not be lost because of what is said of its cost.
  usage: z.object({ prompt_tokens: TOKENS, completion_tokens: TOKENS }).nullish().catch(null),
});

/** A reply that was given, as against one that failed to come. */
export type GivenReply = Exclude<Reply, { readonly kind: "failure" }>;

/** A reply with what it cost. */
export interface Completion {
  readonly reply: GivenReply;
  /** 0 where the server does not count. */
  readonly promptTokens: number;
  /** With the tokens of hidden reasoning. */
  readonly replyTokens: number;
}

/**
 * Reads the body of a chat completion, of Groq's or of any server that speaks OpenAI's protocol.
 * A reply without text, all its tokens spent on reasoning, is an answer that says nothing.
 *
 * @throws {UnusableReply} where it has no choice or no message, or is no completion at all.
 */
export function readCompletion(body: unknown): Completion {
  const result = COMPLETION.safeParse(body);
  if (!result.success) throw new UnusableReply(describe(body, result.error));
  const { choices: [choice], usage } = result.data;
  const { content, refusal } = choice!.message;
  const promptTokens = usage?.prompt_tokens ?? 0;
  const replyTokens = usage?.completion_tokens ?? 0;
  const text = content ?? "";
  const reply: GivenReply = refusal
    ? { kind: "refusal", text: refusal }
    : choice!.finish_reason === "content_filter"
    ? { kind: "refusal", text: text || "the host's filter held the answer back" }
    : { kind: "answer", text, promptTokens, replyTokens };
  return { reply, promptTokens, replyTokens };
}

function describe(body: unknown, error: z.ZodError): string {
  if (typeof body === "string") {
    return /<html|<!doctype/i.test(body) ? "an HTML page" : "text that is no JSON";
  }
  const [issue] = error.issues;
  return `${issue?.path.join(".") || "the body"}: ${issue?.message ?? "no chat completion"}`;
}
