import { type Context, Hono } from "hono";
import { z } from "zod";
import { chatBody, errorBody, type StandInCall } from "./behaviour.ts";

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
  polls: number;
  outputFileId?: string;
  completed: number;
}

/** The parts of a chat request that are looked at; whatever else is sent is let through. */
export const CHAT_REQUEST = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ content: z.string() })).min(1),
  logprobs: z.boolean().optional(),
});

const BATCH_REQUEST = z.looseObject({ input_file_id: z.string(), completion_window: z.string() });

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

  /** @param unfinishedPolls Retrievals that find a batch unfinished. */
  constructor(
    private readonly unfinishedPolls: number,
    private readonly answer: (call: StandInCall) => string,
  ) {}

  addFile(filename: string, text: string): StoredFile {
    const file = { id: `file_${this.files.length + 1}`, filename, text };
    this.files.push(file);
    return file;
  }

  addBatch(batch: Pick<StoredBatch, "inputFileId" | "window" | "key">): StoredBatch {
    const id = `batch_${this.batches.length + 1}`;
    this.batches.push({ ...batch, id, polls: 0, completed: 0 });
    return this.batches.at(-1)!;
  }

  poll(batch: StoredBatch): void {
    batch.polls += 1;
    if (!this.isFinished(batch) || batch.outputFileId !== undefined) return;
    const { id, key, inputFileId } = batch;
    const lines = linesOf(this.files.find((file) => file.id === inputFileId)?.text ?? "");
    const output = lines.map(({ custom_id, body }, index) => {
      const { model, messages } = body;
      const call = {
        number: index + 1,
        key,
        model,
        prompt: messages.at(-1)!.content,
        asked: 1,
        body,
      };
      const chat = chatBody(call, { kind: "answer", text: this.answer(call) });
      const response = { status_code: 200, request_id: `req_${index + 1}`, body: chat };
      return `${
        JSON.stringify({ id: `batch_req_${index + 1}`, custom_id, response, error: null })
      }\n`;
    });
    batch.outputFileId = this.addFile(`${id}_output.jsonl`, output.join("")).id;
    batch.completed = lines.length;
  }

  isFinished({ polls }: StoredBatch): boolean {
    return polls > this.unfinishedPolls;
  }

  shown(batch: StoredBatch) {
    const { id, inputFileId, window, completed, outputFileId, polls } = batch;
    const begun = polls === 0 ? "validating" : "in_progress";
    return {
      id,
      object: "batch",
      endpoint: "/v1/chat/completions",
      errors: null,
      input_file_id: inputFileId,
      completion_window: window,
      status: this.isFinished(batch) ? "completed" : begun,
      output_file_id: outputFileId ?? null,
      error_file_id: null,
      request_counts: { total: completed, completed, failed: 0 },
    };
  }
}

export function keyOf(context: Context): string {
  return context.req.header("authorization")?.replace(/^Bearer /, "") ?? "";
}

function fileJson({ id, filename }: StoredFile) {
  return { id, object: "file", created_at: 1_700_000_000, filename, purpose: "batch" };
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
    const batch = { inputFileId: input.id, window: asked.completion_window, key: keyOf(context) };
    return context.json(store.shown(store.addBatch(batch)));
  });
  routes.get(
    "/batches",
    (context) => list(context, store.batches.map((batch) => store.shown(batch)).reverse()),
  );
  routes.get("/batches/:id", (context) => {
    const batch = store.batches.find(({ id }) => id === context.req.param("id"));
    if (!batch) return refused(context, "Not found", 404);
    store.poll(batch);
    return context.json(store.shown(batch));
  });
  return routes;
}
