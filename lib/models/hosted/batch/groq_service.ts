import { type Groq, toFile } from "groq-sdk";
import { z } from "zod";
import { ModelUnavailable } from "../../model.ts";
import { type ApiKey, withoutSecrets } from "../api_keys.ts";
import { statusOf, UnusableReply } from "../call_problem.ts";
import { bodyOf } from "../chat_completion.ts";
import { groqClient } from "../clients.ts";
import { type KeyedCalls, type KeyedCallsOptions, openKeyedCalls } from "../keyed_calls.ts";
import { END_STATUSES } from "./jobs.ts";
import {
  type BatchService,
  type Creation,
  type RemoteBatch,
  type RemoteFile,
  ServiceFailure,
} from "./service.ts";

export interface BatchServicesOptions {
  /** How long Groq may take for a batch: `24h` … `7d`. */
  readonly window: string;
  readonly signal?: AbortSignal;
  readonly onWait?: KeyedCallsOptions["onWait"];
  /** The stand-in's address and clock, in tests only. */
  readonly standIn?: { readonly baseUrl: string; readonly calls?: KeyedCallsOptions };
}

/**
 * For one try, in seconds: an input file of megabytes takes its time. A batch's request may arrive
 * up to so long after it was sent.
 */
const BATCH_TIMEOUT = 120;

/** How long after its request a batch that the host took may be missing in its list, in seconds. */
export const SETTLE_SECONDS = 2 * BATCH_TIMEOUT;

/** Opens the Batch API for each key by itself: what one organisation made, another does not see. */
export function openBatchServices(
  keys: readonly ApiKey[],
  { window, signal, onWait, standIn }: BatchServicesOptions,
): Disposable & { readonly services: readonly BatchService[] } {
  using opened = new DisposableStack();
  const base: KeyedCallsOptions = {
    timeoutSeconds: BATCH_TIMEOUT,
    // A batch is followed for a day and longer: an outage in between must not end that.
    failuresInARow: Infinity,
    ...(onWait && { onWait }),
    ...standIn?.calls,
  };
  const services = keys.map((key) =>
    groqBatchService({
      key,
      window,
      calls: opened.use(openKeyedCalls([key], base)),
      onceCalls: opened.use(openKeyedCalls([key], { ...base, tries: 1 })),
      ...(signal && { signal }),
      ...(standIn && { baseUrl: standIn.baseUrl }),
    })
  );
  const kept = opened.move();
  return { services, [Symbol.dispose]: () => kept.dispose() };
}

/** How one key reaches Groq's Batch API. */
interface BatchConnection {
  readonly key: ApiKey;
  /** With this key alone: what one organisation made, another does not see. */
  readonly calls: KeyedCalls;
  /** As `calls`, but a call whose answer is lost is not repeated: `tries: 1`. */
  readonly onceCalls: KeyedCalls;
  /** How long Groq may take: `24h` … `7d`. */
  readonly window: string;
  readonly signal?: AbortSignal;
  /** The stand-in's address, in tests only; Groq's own where left out. */
  readonly baseUrl?: string;
}

/** What messages and the memory of limits call calls of the Batch API. */
const SUBJECT = "Batch API";

/** The Batch API through groq-sdk. */
export function groqBatchService(connection: BatchConnection): BatchService {
  const { key, calls, signal, baseUrl } = connection;
  const { batches, files } = groqClient(key, baseUrl);
  const call: Call = async (request) => {
    const options = signal ? { signal } : {};
    const result = await calls.call(SUBJECT, (_, limit) => request({ signal: limit }), options);
    if (result.kind === "done") return result.value;
    throw new ServiceFailure(result.message);
  };
  return {
    keyLabel: key.label,
    files: () => allPages(call, (options) => files.list(options), readFile),
    batches: () => allPages(call, (options) => batches.list(options), readBatch),
    upload: (name, text) =>
      call(async (options) => {
        const file = await toFile(new TextEncoder().encode(text), name);
        return readFile(await files.create({ file, purpose: "batch" }, options)).id;
      }),
    retrieve: (id) =>
      call((options) => unlessMissing(async () => readBatch(await batches.retrieve(id, options)))),
    content: (id) =>
      call((options) => unlessMissing(async () => await (await files.content(id, options)).text())),
    create: (fileId, name, announce) => createBatch(connection, batches, fileId, name, announce),
  };
}

/** Sends a request as often as may be. @throws {ServiceFailure} where no try brought a value. */
type Call = <T>(request: (options: Groq.RequestOptions) => Promise<T>) => Promise<T>;

/** Every page, or a failure: half a list would look like the absence of what stands in the rest. */
async function allPages<Item>(
  call: Call,
  list: (options: Groq.RequestOptions) => Promise<unknown>,
  read: (value: unknown) => Item,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  const seen = new Set<string>();
  let query: Record<string, string> | undefined;
  do {
    const page = await call(async (options) => {
      const { items, next } = readPage(await list(query ? { ...options, query } : options));
      return { items: items.map(read), next };
    });
    items.push(...page.items);
    query = page.next;
    const place = JSON.stringify(query);
    if (seen.has(place)) throw new ServiceFailure("Groq's list leads back to a page that was read");
    seen.add(place);
  } while (query !== undefined);
  return items;
}

async function unlessMissing<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/** The key of a batch's metadata under which its name stands. */
const NAME_KEY = "touchstone";

/** What the last request that went out is known to have led to. */
type Known = "no batch" | "refusal" | "nothing";

/** Asks Groq for a batch; see `BatchService.create`. */
async function createBatch(
  { onceCalls, window, signal }: BatchConnection,
  batches: Groq["batches"],
  fileId: string,
  name: string,
  announce: () => void,
): Promise<Creation> {
  const last: { known: Known } = { known: "no batch" };
  const body = {
    input_file_id: fileId,
    endpoint: "/v1/chat/completions",
    completion_window: window,
    metadata: { [NAME_KEY]: name },
  } as const;
  const request = async (limit: AbortSignal): Promise<RemoteBatch> => {
    announce();
    last.known = "nothing";
    try {
      return readBatch(await batches.create(body, { signal: limit }));
    } catch (error) {
      last.known = knownFrom(statusOf(error));
      throw error;
    }
  };
  const withoutBatch = (error: ModelUnavailable | ServiceFailure): Creation => {
    if (last.known === "nothing") return { kind: "unsure", message: error.message };
    // A key's or an organisation's end comes with any status of 4xx: another key may be taken.
    return last.known === "no batch" || error instanceof ModelUnavailable
      ? { kind: "unasked", error }
      : { kind: "refused", message: error.message };
  };
  try {
    const options = signal ? { signal } : {};
    const result = await onceCalls.call(SUBJECT, (_, limit) => request(limit), options);
    if (result.kind === "done") return { kind: "created", batch: result.value };
    return withoutBatch(new ServiceFailure(result.message));
  } catch (error) {
    if (error instanceof ModelUnavailable) return withoutBatch(error);
    throw error;
  }
}

/** Keys and limits are declined before anything is made; other errors of 4xx decline the request. */
function knownFrom(status = 0): Known {
  if ([401, 403, 429].includes(status)) return "no batch";
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 409;
  return isRefused ? "refusal" : "nothing";
}

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
  metadata: z.object({ [NAME_KEY]: z.string() }).nullish().catch(undefined),
});

/** @throws {UnusableReply} where it is no batch. */
export function readBatch(value: unknown): RemoteBatch {
  const batch = readAs(BATCH, value, "batch");
  const name = batch.metadata?.[NAME_KEY];
  const errors = (batch.errors ?? []).map(({ message, line }) => {
    const where = line == null ? "" : `line ${line} of the input: `;
    return withoutSecrets(`${where}${message ?? "no reason given"}`, []);
  });
  return {
    id: batch.id,
    inputFileId: batch.input_file_id,
    status: batch.status,
    counts: batch.request_counts ?? { total: 0, completed: 0, failed: 0 },
    errors,
    ...(name !== undefined && { name }),
    ...(batch.output_file_id && { outputFileId: batch.output_file_id }),
    ...(batch.error_file_id && { errorFileId: batch.error_file_id }),
  };
}

const FILE = z.object({ id: z.string().min(1), filename: z.string().nullish() });

/** @throws {UnusableReply} where it is no file. */
function readFile(value: unknown): RemoteFile {
  const { id, filename } = readAs(FILE, value, "file");
  return { id, name: filename ?? "" };
}

const PAGE = z.object({
  data: z.array(z.unknown()),
  paging: z.object({ next_cursor: z.string().nullish() }).nullish(),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
});

/**
 * A page as Groq sends it (`paging.next_cursor`), or as OpenAI does (`has_more`, `last_id`), and the
 * query that brings the next.
 * @throws {UnusableReply} where it is no list, or has more without saying where.
 */
function readPage(value: unknown): {
  readonly items: readonly unknown[];
  readonly next?: Record<string, string>;
} {
  const { data: items, paging, has_more, last_id } = readAs(PAGE, value, "list");
  if (paging?.next_cursor) return { items, next: { cursor: paging.next_cursor } };
  if (!has_more) return { items };
  if (!last_id) throw new UnusableReply("a list that has more does not say where");
  return { items, next: { after: last_id } };
}

function readAs<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(bodyOf(value));
  if (result.success) return result.data;
  throw new UnusableReply(`no ${what}: ${z.prettifyError(result.error).replace(/\s+/g, " ")}`);
}
