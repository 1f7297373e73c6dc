import { type Context, Hono } from "hono";
import { badRequestBody } from "./bodies.ts";
import { parseBatchLines } from "./batch_output.ts";
import { BATCH_REQUEST } from "./request_shapes.ts";
import {
  type BatchStore,
  isFinished,
  type StoredBatch,
  type StoredFile,
} from "./stored_batches.ts";

/** The key of a request's Authorization header. */
export function keyOf(context: Context): string {
  return context.req.header("authorization")?.replace(/^Bearer /, "") ?? "";
}

const CREATED = 1_700_000_000;

function fileJson({ id, filename, purpose, text }: StoredFile) {
  const bytes = new TextEncoder().encode(text).length;
  return { id, object: "file", bytes, created_at: CREATED, filename, purpose };
}

function batchJson(batch: StoredBatch) {
  const { id, inputFileId, endpoint, window, metadata, counts, outputFileId, errorFileId } = batch;
  const ended = batch.cancelled ? "cancelled" : batch.plan.end ?? "completed";
  const status = isFinished(batch) ? ended : batch.polls === 0 ? "validating" : "in_progress";
  return {
    id,
    object: "batch",
    endpoint,
    errors: status === "failed" ? { object: "list", data: [{ code: "invalid", line: 1 }] } : null,
    input_file_id: inputFileId,
    completion_window: window,
    status,
    output_file_id: outputFileId ?? null,
    error_file_id: errorFileId ?? null,
    created_at: CREATED,
    request_counts: counts,
    // As JSON has it, a batch without metadata has no such key at all.
    ...(metadata === null ? {} : { metadata }),
  };
}

/** Files and batches; keys see what keys of their organisation made. */
export function batchRoutes(store: BatchStore, organisationOf: (key: string) => string): Hono {
  const routes = new Hono();
  const sees = (context: Context) => ({ key }: { readonly key: string }) =>
    organisationOf(key) === organisationOf(keyOf(context));
  addFileRoutes(routes, store, sees);
  addBatchRoutes(routes, store, sees);
  return routes;
}

type Sees = (context: Context) => (made: { readonly key: string }) => boolean;

const notFound = (context: Context) => context.json(badRequestBody("Not found"), 404);

function addFileRoutes(routes: Hono, store: BatchStore, sees: Sees): void {
  const find = (context: Context) =>
    store.files.filter(sees(context)).find(({ id }) => id === context.req.param("id"));
  routes.post("/files", async (context) => {
    const form = await context.req.formData();
    const [file, purpose] = [form.get("file"), form.get("purpose")];
    if (!(file instanceof File) || purpose !== "batch") {
      return context.json(badRequestBody("file and purpose are needed"), 400);
    }
    const text = await file.text();
    const stored = store.addFile({ filename: file.name, purpose, text, key: keyOf(context) });
    return context.json(fileJson(stored));
  });
  routes.get("/files", (context) => {
    return context.json({ object: "list", data: store.files.filter(sees(context)).map(fileJson) });
  });
  routes.get("/files/:id", (context) => {
    const file = find(context);
    return file ? context.json(fileJson(file)) : notFound(context);
  });
  routes.get("/files/:id/content", (context) => {
    const file = find(context);
    return file ? context.body(file.text) : notFound(context);
  });
}

function addBatchRoutes(routes: Hono, store: BatchStore, sees: Sees): void {
  const find = (context: Context) =>
    store.batches.filter(sees(context)).find(({ id }) => id === context.req.param("id"));
  routes.post("/batches", (context) => createBatch(context, store, sees(context)));
  routes.get("/batches", (context) => {
    const data = store.batches.filter(sees(context)).map(batchJson).reverse();
    return context.json({ object: "list", data });
  });
  routes.get("/batches/:id", (context) => {
    const batch = find(context);
    if (!batch) return notFound(context);
    store.poll(batch);
    return context.json(batchJson(batch));
  });
  routes.post("/batches/:id/cancel", (context) => {
    const batch = find(context);
    if (!batch) return notFound(context);
    batch.cancelled = true;
    return context.json(batchJson(batch));
  });
}

async function createBatch(
  context: Context,
  store: BatchStore,
  sees: ReturnType<Sees>,
): Promise<Response> {
  const asked = BATCH_REQUEST.safeParse(await context.req.json());
  const input = store.files.filter(sees).find(({ id }) => id === asked.data?.input_file_id);
  if (!asked.success || !input) return context.json(badRequestBody("No such input file"), 400);
  try {
    parseBatchLines(input.text);
  } catch (error) {
    return context.json(badRequestBody(String(error)), 400);
  }
  const { input_file_id: inputFileId, endpoint, completion_window: window, metadata = null } =
    asked.data;
  const key = keyOf(context);
  return context.json(
    batchJson(store.addBatch({ inputFileId, endpoint, window, metadata, key })),
  );
}
