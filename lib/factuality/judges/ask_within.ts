import type {
  JsonSchema,
  StructuredModel,
  StructuredReply,
} from "../../models/structured_model.ts";
import { ModelUnavailable } from "../../models/model.ts";

/** What came back, and whether time ran out first. */
export interface TimedReply {
  readonly reply: StructuredReply;
  readonly timedOut: boolean;
}

export interface AskWithinOptions {
  readonly schema: JsonSchema | undefined;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Asks a model and stops it when time is up; what it had written by then is kept. A model that cannot
 * be had is a failure like others.
 *
 * @throws the signal's reason when it aborts.
 */
export async function askWithin(
  model: StructuredModel,
  prompt: string,
  { schema, timeoutSeconds, signal }: AskWithinOptions,
): Promise<TimedReply> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort(new Error(`no whole answer within ${timeoutSeconds} s`));
  }, timeoutSeconds * 1000);
  try {
    const reply = await model.ask(prompt, { schema, signal: controller.signal });
    signal?.throwIfAborted();
    return { reply, timedOut };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ModelUnavailable)) throw error;
    return { reply: { kind: "failure", message: error.message, partialText: undefined }, timedOut };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}
