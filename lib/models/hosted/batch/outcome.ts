import { z } from "zod";
import { withoutSecrets } from "../api_keys.ts";
import { bodyOf, type GivenReply, readCompletion } from "../chat_completion.ts";

/** Why a question of a batch has no answer, or a line of its files counts for nothing. */
interface BatchProblem {
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

/**
 * Reads what a batch returned. A question counts as answered where exactly one answer stands under
 * its id, or the same one several times. Half a line, an id that was not asked, two answers that
 * differ, an error, a question without a line: each is a problem, and harms no other question.
 *
 * @param output With `errors` the texts of the two files; empty where there is none.
 * @param asked The questions; none where the input file is gone, and then any id is taken.
 */
export function readOutcome({ output, errors, asked }: {
  readonly output: string;
  readonly errors: string;
  readonly asked: readonly string[];
}): BatchOutcome {
  const problems: BatchProblem[] = [];
  const replies = new Map<string, GivenReply>();
  const failed = new Map<string, BatchProblem>();
  const contradicted = new Set<string>();
  const known = new Set(asked);
  const lines = [
    ...output.split("\n").map((text, index) => ({
      where: `output.jsonl, line ${index + 1}`,
      text,
    })),
    ...errors.split("\n").map((text, index) => ({
      where: `errors.jsonl, line ${index + 1}`,
      text,
    })),
  ];
  for (const { where, text } of lines.filter(({ text }) => text.trim() !== "")) {
    const line = readLine(text);
    if (line.kind === "damaged") problems.push({ where, message: line.message });
    else if (known.size > 0 && !known.has(line.customId)) {
      problems.push({ where, message: `the id ${line.customId} was not asked` });
    } else if (line.kind === "failure") failed.set(line.customId, { where, message: line.message });
    else {
      const before = replies.get(line.customId);
      // How many tokens it took makes no other answer.
      const isSame = before?.kind === line.reply.kind && before.text === line.reply.text;
      if (before === undefined) replies.set(line.customId, line.reply);
      else if (!isSame) contradicted.add(line.customId);
    }
  }
  for (const customId of contradicted) {
    replies.delete(customId);
    failed.set(customId, { where: customId, message: "two answers stand under one id" });
  }
  for (const [customId, problem] of failed) if (!replies.has(customId)) problems.push(problem);
  for (const where of asked.filter((id) => !replies.has(id) && !failed.has(id))) {
    problems.push({ where, message: "the batch returned no line for it" });
  }
  return { replies, problems };
}

/** A line as read. A failure is one of its question; a damaged line belongs to none. */
type Line =
  | { readonly kind: "reply"; readonly customId: string; readonly reply: GivenReply }
  | { readonly kind: "failure"; readonly customId: string; readonly message: string }
  | { readonly kind: "damaged"; readonly message: string };

const LINE = z.object({
  custom_id: z.string().min(1),
  response: z.object({ status_code: z.number(), body: z.unknown().optional() }).nullish(),
  error: z.object({ code: z.unknown().optional(), message: z.string().optional() }).nullish(),
});

/** The error body of a synchronous call. */
const ERROR_BODY = z.object({ error: z.object({ message: z.string() }) });

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
    const said = error?.message ?? ERROR_BODY.safeParse(response?.body).data?.error.message ??
      "no reason given";
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
