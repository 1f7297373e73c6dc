import { z } from "zod";
import { withoutSecrets } from "../api_keys.ts";
import { bodyOf, type GivenReply, readCompletion } from "../chat_completion.ts";

/** What a batch brought. */
export interface BatchOutcome {
  readonly replies: ReadonlyMap<string, GivenReply>;
  /** Why a question has no answer or a line counts for nothing; `where`: `output.jsonl, line 7`, or the id. */
  readonly problems: readonly { readonly where: string; readonly message: string }[];
}

/** What a batch returned: answered is what has one answer, else a problem. */
export function readOutcome({ output, errors, asked }: {
  readonly output: string;
  readonly errors: string;
  readonly asked: readonly string[];
}): BatchOutcome {
  const problems: { where: string; message: string }[] = [];
  const replies = new Map<string, GivenReply>();
  const failed = new Map<string, { where: string; message: string }>();
  const contradicted = new Set<string>();
  const known = new Set(asked);
  for (const [file, whole] of [["output.jsonl", output], ["errors.jsonl", errors]] as const) {
    for (const [index, text] of whole.split("\n").entries()) {
      if (text.trim() === "") continue;
      const where = `${file}, line ${index + 1}`;
      const { id, reply, message } = readLine(text);
      if (id === undefined) problems.push({ where, message });
      else if (!known.has(id)) {
        problems.push({ where, message: `the id ${id} was not asked` });
      } else if (reply === undefined) failed.set(id, { where, message });
      else {
        const before = replies.get(id) ?? reply;
        replies.set(id, before);
        // How many tokens it took makes no other answer.
        if (before.kind !== reply.kind || before.text !== reply.text) contradicted.add(id);
      }
    }
  }
  for (const id of contradicted) {
    replies.delete(id);
    failed.set(id, { where: id, message: "two answers stand under one id" });
  }
  for (const [id, problem] of failed) if (!replies.has(id)) problems.push(problem);
  for (const where of asked.filter((id) => !replies.has(id) && !failed.has(id))) {
    problems.push({ where, message: "the batch returned no line for it" });
  }
  return { replies, problems };
}

const LINE = z.object({
  custom_id: z.string().min(1),
  response: z.object({ status_code: z.number(), body: z.unknown().optional() }).nullish(),
  error: z.object({ code: z.unknown().optional(), message: z.string().optional() }).nullish(),
});

const ERROR_BODY = z.object({ error: z.object({ message: z.string() }) });

function readLine(text: string): { id?: string; reply?: GivenReply; message: string } {
  let line: z.infer<typeof LINE>;
  try {
    line = LINE.parse(JSON.parse(text));
  } catch {
    return { message: "the line is no result of a batch" };
  }
  const { custom_id: id, response, error } = line;
  if (response?.status_code === 200) {
    try {
      return { id, reply: readCompletion(bodyOf(response.body)).reply, message: "" };
    } catch (problem) {
      const why = problem instanceof Error ? problem.message : problem;
      return { id, message: withoutSecrets(`no usable reply: ${why}`, []) };
    }
  }
  const said = error?.message ?? ERROR_BODY.safeParse(response?.body).data?.error.message ??
    "no reason given";
  const message = response ? `status ${response.status_code}: ${said}` : said;
  return { id, message: withoutSecrets(message, []) };
}
