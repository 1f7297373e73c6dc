import { type Context, Hono } from "hono";
import { z } from "zod";
import { chatBody, errorBody, halfOf, type StandInCall, statusBody } from "./behaviour.ts";

/** `missing`: in no file; `cut`: half a line; with a status: in the error file. */
type LineFate =
  | "answered"
  | "missing"
  | "twice"
  | "cut"
  | { readonly status: number }
  | "unknown name too";

export interface BatchPlan {
  /** Retrievals that find it unfinished; 0 where left out. */
  readonly unfinishedPolls?: number;
  /** Default completed. What a failed one never began leaves no files. */
  readonly end?: "completed" | "failed" | "expired" | "cancelled";
  readonly fate?: () => LineFate;
}

interface StoredFile {
  readonly id: string;
  readonly filename: string;
  readonly text: string;
}

interface StoredBatch {
  readonly id: string;
  readonly inputFileId: string;
  readonly window: string;
  readonly key: string;
  readonly plan: BatchPlan;
  polls: number;
  outputFileId?: string;
  errorFileId?: string;
  counts: { total: number; completed: number; failed: number };
}

/** The parts of a chat request that are looked at; whatever else is sent is let through. */
export const CHAT_REQUEST = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ content: z.string() })).min(1),
  logprobs: z.boolean().optional(),
});

const BATCH_REQUEST = z.looseObject({
  input_file_id: z.string(),
  completion_window: z.string(),
});

const BATCH_LINE = z.looseObject({
  custom_id: z.string(),
  method: z.literal("POST"),
  url: z.string(),
  body: CHAT_REQUEST,
});

const linesOf = (text: string) =>
  text.split("\n").filter((line) => line !== "").map((line) => BATCH_LINE.parse(JSON.parse(line)));

/** The files and batches of a stand-in server, in memory; tests may look at all of them. */
export class BatchStore {
  readonly files: StoredFile[] = [];
  readonly batches: StoredBatch[] = [];

  constructor(
    private readonly plan: (number: number) => BatchPlan,
    private readonly answer: (call: StandInCall) => string,
  ) {}

  addFile(filename: string, text: string): StoredFile {
    const file = { id: `file_${this.files.length + 1}`, filename, text };
    this.files.push(file);
    return file;
  }

  addBatch(
    batch: Pick<StoredBatch, "inputFileId" | "window" | "key">,
  ): StoredBatch {
    const number = this.batches.length + 1;
    const counts = { total: 0, completed: 0, failed: 0 };
    const stored = { ...batch, id: `batch_${number}`, plan: this.plan(number), polls: 0, counts };
    this.batches.push(stored);
    return stored;
  }

  poll(batch: StoredBatch): void {
    batch.polls += 1;
    const isDue = isFinished(batch) && batch.counts.total === 0 && batch.plan.end !== "failed";
    if (isDue) this.#finish(batch);
  }

  #finish(batch: StoredBatch): void {
    const { id, key, inputFileId, plan: { fate = () => "answered" as const } } = batch;
    const input = this.files.find((file) => file.id === inputFileId);
    const [output, errors]: [string[], string[]] = [[], []];
    const lines = linesOf(input?.text ?? "");
    for (const [index, { custom_id, body }] of lines.entries()) {
      const number = index + 1;
      const { model, messages } = body;
      const call = { number, key, model, prompt: messages.at(-1)!.content, asked: 1, body };
      const chat = chatBody(call, { kind: "answer", text: this.answer(call) });
      const lineOf = (status_code: number, body: unknown, custom_id: string) => {
        const response = { status_code, request_id: `req_${number}`, body };
        return JSON.stringify({ id: `batch_req_${number}`, custom_id, response, error: null });
      };
      const becomes = fate();
      if (typeof becomes === "object") {
        errors.push(lineOf(becomes.status, statusBody(becomes.status), custom_id));
        continue;
      }
      const answered = lineOf(200, chat, custom_id);
      output.push(
        ...{
          answered: [answered],
          missing: [],
          twice: [answered, answered],
          cut: [halfOf(answered)],
          "unknown name too": [answered, lineOf(200, chat, "nobody-asked")],
        }[becomes],
      );
    }
    const keep = (name: string, lines: readonly string[]) =>
      this.addFile(`${id}_${name}.jsonl`, lines.map((line) => `${line}\n`).join("")).id;
    if (output.length > 0) batch.outputFileId = keep("output", output);
    if (errors.length > 0) batch.errorFileId = keep("errors", errors);
    const [total, failed] = [lines.length, errors.length];
    batch.counts = { total, completed: total - failed, failed };
  }
}

function isFinished({ polls, plan }: StoredBatch): boolean {
  return polls > (plan.unfinishedPolls ?? 0);
}

export function keyOf(context: Context): string {
  return context.req.header("authorization")?.replace(/^Bearer /, "") ?? "";
}

function fileJson({ id, filename }: StoredFile) {
  return { id, object: "file", created_at: 1_700_000_000, filename, purpose: "batch" };
}

function batchJson(batch: StoredBatch) {
  const { id, inputFileId, window, counts, outputFileId, errorFileId, plan } = batch;
  const begun = batch.polls === 0 ? "validating" : "in_progress";
  const status = isFinished(batch) ? plan.end ?? "completed" : begun;
  return {
    id,
    object: "batch",
    endpoint: "/v1/chat/completions",
    errors: status === "failed" ? { object: "list", data: [{ code: "invalid", line: 1 }] } : null,
    input_file_id: inputFileId,
    completion_window: window,
    status,
    output_file_id: outputFileId ?? null,
    error_file_id: errorFileId ?? null,
    request_counts: counts,
  };
}

export function batchRoutes(store: BatchStore): Hono {
  const routes = new Hono();
  const refused = (context: Context, message: string, status: 400 | 404 = 400) =>
    context.json(errorBody(message), status);
  const list = (context: Context, data: unknown[]) => context.json({ object: "list", data });
  routes.post("/files", async (context) => {
    const form = await context.req.formData();
    const file = form.get("file");
    if (!(file instanceof File) || form.get("purpose") !== "batch") {
      return refused(context, "file and purpose are needed");
    }
    return context.json(fileJson(store.addFile(file.name, await file.text())));
  });
  routes.get("/files/:id/content", (context) => {
    const file = store.files.find(({ id }) => id === context.req.param("id"));
    return file ? context.body(file.text) : refused(context, "Not found", 404);
  });
  routes.post("/batches", async (context) => {
    const asked = BATCH_REQUEST.safeParse(await context.req.json()).data;
    const input = store.files.find(({ id }) => id === asked?.input_file_id);
    if (!asked || !input) return refused(context, "No such input file");
    try {
      linesOf(input.text);
    } catch (error) {
      return refused(context, String(error));
    }
    const batch = {
      inputFileId: input.id,
      window: asked.completion_window,
      key: keyOf(context),
    };
    return context.json(batchJson(store.addBatch(batch)));
  });
  routes.get("/batches", (context) => list(context, store.batches.map(batchJson).reverse()));
  routes.get("/batches/:id", (context) => {
    const batch = store.batches.find(({ id }) => id === context.req.param("id"));
    if (!batch) return refused(context, "Not found", 404);
    store.poll(batch);
    return context.json(batchJson(batch));
  });
  return routes;
}
