import { z } from "zod";
import { bodyOf } from "../answer_body.ts";
import { type GivenReply, readCompletion } from "../chat_completion.ts";
import { withoutSecrets } from "../redaction.ts";

/** Why a question of a batch has no answer, or a line of its files counts for nothing. */
export interface BatchProblem {
  /** `output.jsonl, line 7`, or the batch itself. */
  readonly where: string;
  readonly message: string;
}

/** What a batch brought. */
export interface BatchOutcome {
  /** One reply a question at most, by custom id. */
  readonly replies: ReadonlyMap<string, GivenReply>;
  readonly problems: readonly BatchProblem[];
}

export interface OutcomeInput {
  /** The texts of the two files; empty where there is none. */
  readonly output: string;
  readonly errors: string;
  /** The questions asked; empty where the input file is gone, and then any id is taken. */
  readonly asked: readonly string[];
}

const LINE = z.object({
  custom_id: z.string().min(1),
  response: z.object({ status_code: z.number(), body: z.unknown().optional() }).nullish(),
  error: z.object({ code: z.unknown().optional(), message: z.string().optional() }).nullish(),
});

/** A line as read. A failure is one of its question; a damaged line belongs to none. */
type Line =
  | { readonly kind: "reply"; readonly customId: string; readonly reply: GivenReply }
  | { readonly kind: "failure"; readonly customId: string; readonly message: string }
  | { readonly kind: "damaged"; readonly message: string };

/**
 * Reads what a batch returned. A question counts as answered where exactly one answer stands under
 * its id, or the same one several times. Half a line, an id that was not asked, two answers that
 * differ, an error, a question without a line: each is a problem, and harms no other question.
 */
export function readOutcome(input: OutcomeInput): BatchOutcome {
  const problems: BatchProblem[] = [];
  const replies = new Map<string, GivenReply>();
  const failed = new Map<string, BatchProblem>();
  const contradicted = new Set<string>();
  const asked = new Set(input.asked);
  for (const { where, text } of linesOf(input)) {
    const line = readLine(text);
    if (line.kind === "damaged") problems.push({ where, message: line.message });
    else if (asked.size > 0 && !asked.has(line.customId)) {
      problems.push({ where, message: `the id ${line.customId} was not asked` });
    } else if (line.kind === "failure") failed.set(line.customId, { where, message: line.message });
    else {
      const before = replies.get(line.customId);
      if (before === undefined) replies.set(line.customId, line.reply);
      else if (!isSame(before, line.reply)) contradicted.add(line.customId);
    }
  }
  for (const customId of contradicted) {
    replies.delete(customId);
    failed.set(customId, { where: customId, message: "two answers stand under one id" });
  }
  const without = [...failed].filter(([customId]) => !replies.has(customId));
  const silent = input.asked.filter((id) => !replies.has(id) && !failed.has(id));
  return {
    replies,
    problems: [...problems, ...without.map(([, problem]) => problem), ...silent.map(unanswered)],
  };
}

function* linesOf({ output, errors }: OutcomeInput): Generator<{ where: string; text: string }> {
  for (const [file, whole] of [["output.jsonl", output], ["errors.jsonl", errors]] as const) {
    for (const [index, text] of whole.split("\n").entries()) {
      if (text.trim() !== "") yield { where: `${file}, line ${index + 1}`, text };
    }
  }
}

function readLine(text: string): Line {
  const parsed = parseLine(text);
  if (parsed === undefined) return { kind: "damaged", message: "the line is no result of a batch" };
  const { custom_id: customId, response, error } = parsed;
  const failure = (message: string): Line => ({
    kind: "failure",
    customId,
    message: withoutSecrets(message, []),
  });
  if (response?.status_code !== 200) {
    const said = error?.message ?? messageOf(response?.body) ?? "no reason given";
    return failure(response ? `status ${response.status_code}: ${said}` : said);
  }
  try {
    return { kind: "reply", customId, reply: readCompletion(bodyOf(response.body)).reply };
  } catch (problem) {
    return failure(`no usable reply: ${problem instanceof Error ? problem.message : problem}`);
  }
}

function parseLine(text: string): z.infer<typeof LINE> | undefined {
  try {
    return LINE.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The message of an error body as a synchronous call would carry it. */
function messageOf(body: unknown): string | undefined {
  return z.object({ error: z.object({ message: z.string() }) }).safeParse(body).data?.error.message;
}

/** Whether two replies say the same; how many tokens it took makes no other answer. */
function isSame(a: GivenReply, b: GivenReply): boolean {
  return a.kind === b.kind && a.text === b.text;
}

function unanswered(customId: string): BatchProblem {
  return { where: customId, message: "the batch returned no line for it" };
}
