/** The files of a batch, JSONL both ways: what is asked, and what came of it. */
import { z } from "zod";
import { sha256Hex } from "../../../files/atomic.ts";
import { byteLength } from "../../model.ts";
import { withoutSecrets } from "../api_keys.ts";
import { bodyOf, type GivenReply, readCompletion } from "../chat_completion.ts";

export interface BatchRequest {
  readonly customId: string;
  readonly body: object;
}

export interface BatchLimits {
  readonly lines: number;
  readonly bytes: number;
}

/** Groq takes 50,000 lines and 100 or 200 MB a file, but advises about 1,000 lines. */
const BATCH_LIMITS: BatchLimits = { lines: 1000, bytes: 100e6 };

/** The input files for some requests, in order, as long as the limits allow. */
export function requestFiles(
  requests: readonly BatchRequest[],
  limits: BatchLimits = BATCH_LIMITS,
): readonly string[] {
  const files: string[] = [];
  let room = { lines: 0, bytes: 0 };
  for (const { customId: custom_id, body } of requests) {
    const request = { custom_id, method: "POST", url: "/v1/chat/completions", body };
    const line = `${JSON.stringify(request)}\n`;
    const bytes = byteLength(line);
    if (room.lines < 1 || room.bytes < bytes) {
      files.push("");
      room = { ...limits };
    }
    files.push(files.pop()! + line);
    room = { lines: room.lines - 1, bytes: room.bytes - bytes };
  }
  return files;
}

/** What a line of any batch file begins with. */
const LINE = z.object({ custom_id: z.string().min(1) });

/** What an input file asks, by ids. */
export function askedIds(requests: string): readonly string[] {
  return requests.trimEnd().split("\n").map((line) => LINE.parse(JSON.parse(line)).custom_id);
}

/** Whose questions they are: `norse` of the panel `groq`. */
export interface BatchSeries {
  readonly study: string;
  readonly panel: string;
}

/** A name as a part of file names: small letters, digits and hyphens. */
export function plainWord(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

/** The name of requests, numbered on where the same were sent before. */
export function nextName(
  { study, panel }: BatchSeries,
  requests: string,
  names: readonly string[],
): string {
  const series = `touchstone_${plainWord(study)}_${plainWord(panel)}`;
  const start = `${series}_${sha256Hex(requests).slice(0, 16)}_`;
  const attempts = names.filter((name) => name.startsWith(start))
    .map((name) => Number(name.slice(start.length)));
  return `${start}${1 + Math.max(0, ...attempts)}`;
}

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

const RESULT = LINE.extend({
  response: z.object({ status_code: z.number(), body: z.unknown().optional() }).nullish(),
  error: z.object({ code: z.unknown().optional(), message: z.string().optional() }).nullish(),
});

const ERROR_BODY = z.object({ error: z.object({ message: z.string() }) });

function readLine(text: string): { id?: string; reply?: GivenReply; message: string } {
  let line: z.infer<typeof RESULT>;
  try {
    line = RESULT.parse(JSON.parse(text));
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
