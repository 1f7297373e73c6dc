import type { Groq } from "groq-sdk";
import { ModelUnavailable } from "../../model.ts";
import type { KeyedCalls } from "../keyed_calls.ts";
import { NAME_KEY, readBatch } from "./remote.ts";
import { type Creation, type RemoteBatch, ServiceFailure } from "./service.ts";

/** What messages and the memory of limits call calls of the Batch API. */
export const SUBJECT = "Batch API";

/** How a batch is asked for. */
export interface CreateConnection {
  /** Calls whose request is not repeated where its answer is lost: `tries: 1`. */
  readonly onceCalls: KeyedCalls;
  /** How long Groq may take: `24h` … `7d`. */
  readonly window: string;
  readonly signal?: AbortSignal;
}

export interface BatchWish {
  readonly fileId: string;
  readonly name: string;
  /** Called right before each request. */
  readonly announce: () => void;
}

/** What the last request that went out is known to have led to. */
type Known = "no batch" | "refusal" | "nothing";

/** Asks Groq for a batch; see `BatchService.create`. */
export async function createBatch(
  { onceCalls, window, signal }: CreateConnection,
  client: Groq,
  { fileId, name, announce }: BatchWish,
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
      return readBatch(await client.batches.create(body, { signal: limit }));
    } catch (error) {
      last.known = knownFrom(statusOf(error));
      throw error;
    }
  };
  try {
    const options = signal ? { signal } : {};
    const result = await onceCalls.call(SUBJECT, (_, limit) => request(limit), options);
    if (result.kind === "done") return { kind: "created", batch: result.value };
    return withoutBatch(last.known, new ServiceFailure(result.message));
  } catch (error) {
    if (error instanceof ModelUnavailable) return withoutBatch(last.known, error);
    throw error;
  }
}

function withoutBatch(known: Known, error: ModelUnavailable | ServiceFailure): Creation {
  if (known === "nothing") return { kind: "unsure", message: error.message };
  // A key's or an organisation's end comes with any status of 4xx: another key may be taken.
  if (known === "no batch" || error instanceof ModelUnavailable) return { kind: "unasked", error };
  return { kind: "refused", message: error.message };
}

/** Keys and limits are declined before anything is made; other errors of 4xx decline the request. */
function knownFrom(status: number | undefined): Known {
  if (status === 401 || status === 403 || status === 429) return "no batch";
  const isRefused = status !== undefined && status >= 400 && status < 500 && status !== 408 &&
    status !== 409;
  return isRefused ? "refusal" : "nothing";
}

/** The HTTP status that an SDK's error carries. */
export function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  return typeof status === "number" ? status : undefined;
}
