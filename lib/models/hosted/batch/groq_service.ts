import { type Groq, toFile } from "groq-sdk";
import { z } from "zod";
import { ModelUnavailable } from "../../model.ts";
import { type ApiKey, withoutSecrets } from "../api_keys.ts";
import { statusOf, UnusableReply } from "../call_problem.ts";
import { bodyOf, groqClient } from "../chat_completion.ts";
import { type KeyedCalls, type KeyedCallsOptions, openKeyedCalls } from "../keyed_calls.ts";
import { END_STATUSES } from "./jobs.ts";

export type RemoteBatch = Readonly<z.output<typeof BATCH>>;

/** `unasked`: there is none for certain. `unsure`: the answer was lost, there may be a batch. */
export type Creation =
  | { readonly kind: "created"; readonly batch: RemoteBatch }
  | { readonly kind: "unasked"; readonly error: ModelUnavailable | ServiceFailure }
  | { readonly kind: "refused" | "unsure"; readonly message: string };

/** The Batch API of one key. Throws `ServiceFailure`, and `ModelUnavailable` for a useless key. */
export interface BatchService {
  readonly keyLabel: string;
  /** Uploads an input file; its id. Doing so twice costs nothing but room. */
  upload(name: string, text: string): Promise<string>;
  batches(): Promise<readonly RemoteBatch[]>;
  /** Asks for a batch, never again once the request may have arrived; `announce` before each. */
  create(fileId: string, announce: () => void): Promise<Creation>;
  /** A batch, or nothing where this key sees none of that id. */
  retrieve(batchId: string): Promise<RemoteBatch | undefined>;
  /** A file's text, or nothing where this key sees none of that id. */
  content(fileId: string): Promise<string | undefined>;
}

/** A step that could not be taken now; nothing is lost, the next run takes it. */
export class ServiceFailure extends Error {
  override readonly name = "ServiceFailure";
}

export interface BatchServicesOptions {
  /** How long Groq may take for a batch: `24h` … `7d`. */
  readonly window: string;
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: KeyedCallsOptions["onWait"];
  /** The stand-in's address and clock, in tests only. */
  readonly standIn?: { readonly baseUrl: string; readonly calls?: KeyedCallsOptions };
}

/** For one try, in seconds; a batch's request may arrive up to so long after it was sent. */
const BATCH_TIMEOUT = 120;

/** How long after its request a batch that the host took may be missing in its list, in seconds. */
export const SETTLE_SECONDS = 2 * BATCH_TIMEOUT;

/** Opens the Batch API for each key by itself: what one organisation made, another does not see. */
export function openBatchServices(
  keys: readonly ApiKey[],
  options: BatchServicesOptions,
): Disposable & { readonly services: readonly BatchService[] } {
  using opened = new DisposableStack();
  const { onWait, standIn } = options;
  const base: KeyedCallsOptions = {
    timeoutSeconds: BATCH_TIMEOUT,
    // A batch is followed for a day and longer: an outage in between must not end that.
    failuresInARow: Infinity,
    ...(onWait && { onWait }),
    ...standIn?.calls,
  };
  const services = keys.map((key) => {
    const calls = opened.use(openKeyedCalls([key], base));
    // A call whose answer is lost is not repeated.
    const once = opened.use(openKeyedCalls([key], { ...base, tries: 1 }));
    return groqBatchService(key, calls, once, options);
  });
  const kept = opened.move();
  return { services, [Symbol.dispose]: () => kept.dispose() };
}

const SUBJECT = "Batch API";

function groqBatchService(
  key: ApiKey,
  calls: KeyedCalls,
  once: KeyedCalls,
  { window, signal, standIn }: BatchServicesOptions,
): BatchService {
  const { batches, files } = groqClient(key, standIn?.baseUrl);
  const call: Call = async (request, by = calls) => {
    const result = await by.call(SUBJECT, (_, limit) => request({ signal: limit }), { signal });
    if (result.kind === "done") return result.value;
    throw new ServiceFailure(result.message);
  };
  return {
    keyLabel: key.label,
    batches: () => allBatches(call, (options) => batches.list(options)),
    upload: (name, text) =>
      call(async (options) => {
        const file = await toFile(new TextEncoder().encode(text), name);
        return readAs(FILE, await files.create({ file, purpose: "batch" }, options), "file").id;
      }),
    retrieve: (id) =>
      call((options) => unlessMissing(async () => readBatch(await batches.retrieve(id, options)))),
    content: (id) =>
      call((options) => unlessMissing(async () => await (await files.content(id, options)).text())),
    async create(fileId, announce) {
      const body = {
        input_file_id: fileId,
        endpoint: "/v1/chat/completions",
        completion_window: window,
      } as const;
      const last: { known: Known } = { known: "no batch" };
      try {
        const batch = await call(async (options) => {
          announce();
          last.known = "nothing";
          try {
            return readBatch(await batches.create(body, options));
          } catch (error) {
            last.known = knownFrom(statusOf(error));
            throw error;
          }
        }, once);
        return { kind: "created", batch };
      } catch (error) {
        const isUnavailable = error instanceof ModelUnavailable;
        if (!isUnavailable && !(error instanceof ServiceFailure)) throw error;
        if (last.known === "nothing") return { kind: "unsure", message: error.message };
        // A key's or an organisation's end comes with any status of 4xx: another key may be taken.
        return last.known === "no batch" || isUnavailable
          ? { kind: "unasked", error }
          : { kind: "refused", message: error.message };
      }
    },
  };
}

type Call = <T>(
  request: (options: Groq.RequestOptions) => Promise<T>,
  by?: KeyedCalls,
) => Promise<T>;

/** What the last request for a batch that went out is known to have led to. */
type Known = "no batch" | "refusal" | "nothing";

/** Keys and limits are declined before anything is made; other errors of 4xx decline the request. */
function knownFrom(status = 0): Known {
  if ([401, 403, 429].includes(status)) return "no batch";
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 409;
  return isRefused ? "refusal" : "nothing";
}

/** Every page, or a failure: half a list would look like the absence of what stands in the rest. */
async function allBatches(
  call: Call,
  list: (options: Groq.RequestOptions) => Promise<unknown>,
): Promise<readonly RemoteBatch[]> {
  const batches: RemoteBatch[] = [];
  const seen = new Set<string>();
  for (let cursor = ""; !seen.has(cursor);) {
    seen.add(cursor);
    const query = cursor === "" ? {} : { cursor };
    const { data, paging } = await call(async (options) =>
      readAs(PAGE, await list({ ...options, query }), "list")
    );
    batches.push(...data);
    if (!paging?.next_cursor) return batches;
    cursor = paging.next_cursor;
  }
  throw new ServiceFailure("Groq's list leads back to a page that was read");
}

async function unlessMissing<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

const COUNT = z.number().nullish().transform((count) => count ?? 0);
const FILE_ID = z.string().nullish().transform((id) => id || undefined);
const BATCH_ERROR = z.object({ message: z.string().nullish(), line: z.number().nullish() })
  .transform(({ message, line }) => {
    const where = line == null ? "" : `line ${line} of the input: `;
    return withoutSecrets(`${where}${message ?? "no reason given"}`, []);
  });

const BATCH = z.object({
  id: z.string().min(1),
  input_file_id: z.string(),
  status: z.enum([...END_STATUSES, "validating", "in_progress", "finalizing", "cancelling"]),
  output_file_id: FILE_ID,
  error_file_id: FILE_ID,
  request_counts: z.object({ total: COUNT, completed: COUNT, failed: COUNT }).nullish(),
  // The SDK's types say an object with `data`; the documentation shows the list itself.
  errors: z.union([
    z.array(BATCH_ERROR),
    z.object({ data: z.array(BATCH_ERROR).nullish() }).transform(({ data }) => data ?? []),
  ]).nullish(),
}).transform(({ id, status, ...batch }) => ({
  id,
  status,
  inputFileId: batch.input_file_id,
  counts: batch.request_counts ?? { total: 0, completed: 0, failed: 0 },
  errors: batch.errors ?? [],
  outputFileId: batch.output_file_id,
  errorFileId: batch.error_file_id,
}));
const readBatch = (value: unknown) => readAs(BATCH, value, "batch");

const FILE = z.object({ id: z.string().min(1) });

/** A page of batches, and where the next begins. */
const PAGE = z.object({
  data: z.array(BATCH),
  paging: z.object({ next_cursor: z.string().nullish() }).nullish(),
});

/** @throws {UnusableReply} where the body is something else. */
function readAs<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(bodyOf(value));
  if (result.success) return result.data;
  throw new UnusableReply(`no ${what}: ${z.prettifyError(result.error).replace(/\s+/g, " ")}`);
}
