import { z } from "zod";
import { bodyOf } from "../answer_body.ts";
import { UnusableReply } from "../call_problem.ts";
import { withoutSecrets } from "../redaction.ts";
import { END_STATUSES } from "./job.ts";
import type { RemoteBatch, RemoteFile } from "./service.ts";

/** The key of a batch's metadata under which its name stands. */
export const NAME_KEY = "touchstone";

const STATUS = [...END_STATUSES, "validating", "in_progress", "finalizing", "cancelling"] as const;
const COUNT = z.number().nullish().transform((count) => count ?? 0);
const FILE_ID = z.string().nullish();
const BATCH_ERROR = z.object({ message: z.string().nullish(), line: z.number().nullish() });

const BATCH = z.object({
  id: z.string().min(1),
  input_file_id: z.string(),
  status: z.enum(STATUS),
  output_file_id: FILE_ID,
  error_file_id: FILE_ID,
  request_counts: z.object({ total: COUNT, completed: COUNT, failed: COUNT }).nullish(),
  // The SDK's types say an object with `data`; the documentation shows the list itself.
  errors: z.union([
    z.array(BATCH_ERROR),
    z.object({ data: z.array(BATCH_ERROR).nullish() }).transform(({ data }) => data ?? []),
  ]).nullish(),
  metadata: z.unknown().optional(),
});

const FILE = z.object({ id: z.string().min(1), filename: z.string().nullish() });

/** @throws {UnusableReply} where it is no batch. */
export function readBatch(value: unknown): RemoteBatch {
  const batch = readAs(BATCH, value, "batch");
  const { [NAME_KEY]: name } =
    z.object({ [NAME_KEY]: z.string() }).safeParse(batch.metadata).data ??
      {};
  return {
    id: batch.id,
    inputFileId: batch.input_file_id,
    status: batch.status,
    counts: batch.request_counts ?? { total: 0, completed: 0, failed: 0 },
    errors: (batch.errors ?? []).map(({ message, line }) =>
      withoutSecrets(
        `${line == null ? "" : `line ${line} of the input: `}${message ?? "no reason given"}`,
        [],
      )
    ),
    ...(name === undefined ? {} : { name }),
    ...(batch.output_file_id ? { outputFileId: batch.output_file_id } : {}),
    ...(batch.error_file_id ? { errorFileId: batch.error_file_id } : {}),
  };
}

/** @throws {UnusableReply} where it is no file. */
export function readFile(value: unknown): RemoteFile {
  const { id, filename } = readAs(FILE, value, "file");
  return { id, name: filename ?? "" };
}

/** One page of a list, and the query that brings the next. */
export interface Page {
  readonly items: readonly unknown[];
  readonly next?: Readonly<Record<string, string>>;
}

const PAGE = z.object({
  data: z.array(z.unknown()),
  paging: z.object({ next_cursor: z.string().nullish() }).nullish(),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
});

/**
 * A page as Groq sends it (`paging.next_cursor`), or as OpenAI does (`has_more`, `last_id`).
 * @throws {UnusableReply} where it is no list, or has more without saying where.
 */
export function readPage(value: unknown): Page {
  const { data: items, paging, has_more, last_id } = readAs(PAGE, value, "list");
  if (paging?.next_cursor) {
    return { items, next: { cursor: paging.next_cursor } };
  }
  if (!has_more) return { items };
  if (!last_id) throw new UnusableReply("a list that has more does not say where");
  return { items, next: { after: last_id } };
}

function readAs<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(bodyOf(value));
  if (result.success) return result.data;
  throw new UnusableReply(`no ${what}: ${z.prettifyError(result.error).replace(/\s+/g, " ")}`);
}
