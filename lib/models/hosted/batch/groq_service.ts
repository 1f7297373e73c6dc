import { type Groq, toFile } from "groq-sdk";
import type { ApiKey } from "../api_keys.ts";
import { groqClient } from "../groq_client.ts";
import type { KeyedCalls } from "../keyed_calls.ts";
import { createBatch, statusOf, SUBJECT } from "./create_batch.ts";
import { type Page, readBatch, readFile, readPage } from "./remote.ts";
import { type BatchService, ServiceFailure } from "./service.ts";

/** How one key reaches Groq's Batch API. */
export interface BatchConnection {
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

/** The Batch API through groq-sdk. */
export function groqBatchService(connection: BatchConnection): BatchService {
  const api = openApi(connection);
  return {
    keyLabel: connection.key.label,
    files: () => allPages(api, (client, options) => client.files.list(options), readFile),
    batches: () => allPages(api, (client, options) => client.batches.list(options), readBatch),
    upload: (name, text) =>
      api.call(async (client, signal) => {
        const file = await toFile(new TextEncoder().encode(text), name);
        return readFile(await client.files.create({ file, purpose: "batch" }, { signal })).id;
      }),
    retrieve: (id) =>
      api.call((client, signal) =>
        unlessMissing(async () => readBatch(await client.batches.retrieve(id, { signal })))
      ),
    content: (id) =>
      api.call((client, signal) =>
        unlessMissing(async () => await (await client.files.content(id, { signal })).text())
      ),
    create: (fileId, name, announce) =>
      createBatch(connection, api.client, { fileId, name, announce }),
  };
}

type Request<T> = (client: Groq, signal: AbortSignal) => Promise<T>;

interface Api {
  readonly client: Groq;
  /** @throws {ServiceFailure} where no try brought a value. */
  call<T>(request: Request<T>): Promise<T>;
}

function openApi({ key, calls, signal, baseUrl }: BatchConnection): Api {
  const client = groqClient(key, baseUrl);
  return {
    client,
    async call(request) {
      const result = await calls.call(
        SUBJECT,
        (_, own) => request(client, own),
        signal ? { signal } : {},
      );
      if (result.kind === "done") return result.value;
      throw new ServiceFailure(result.message);
    },
  };
}

/** Every page, or a failure: half a list would look like the absence of what stands in the rest. */
async function allPages<Item>(
  api: Api,
  list: (client: Groq, options: Groq.RequestOptions) => Promise<unknown>,
  read: (value: unknown) => Item,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  const seen = new Set<string>();
  let query: Page["next"];
  do {
    const page = await api.call(async (client, signal) => {
      const { items, next } = readPage(await list(client, query ? { signal, query } : { signal }));
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
