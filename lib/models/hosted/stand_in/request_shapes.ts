import { z } from "zod";

/** The parts of requests that the stand-in server looks at; whatever else is sent is let through. */
export const CHAT_REQUEST = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ content: z.string() })).min(1),
  logprobs: z.boolean().optional(),
});

export const COMPLETION_REQUEST = z.looseObject({
  model: z.string(),
  prompt: z.union([z.string(), z.array(z.string())]),
  echo: z.boolean().optional(),
  logprobs: z.int().min(0).optional(),
  max_tokens: z.int().min(0).optional(),
});

export const BATCH_REQUEST = z.looseObject({
  input_file_id: z.string(),
  endpoint: z.string(),
  completion_window: z.string(),
  metadata: z.unknown().optional(),
});

/** One line of a batch's input file. */
export const BATCH_LINE = z.looseObject({
  custom_id: z.string(),
  method: z.literal("POST"),
  url: z.string(),
  body: CHAT_REQUEST,
});
