/**
 * The part of JSON Schema that grammars and servers share. Keys come in their order and all are
 * required; limits of integers are enforced by no grammar here: give the values as an `enum`.
 */
export type JsonSchema =
  | { readonly type: "string"; readonly maxLength?: number }
  | { readonly type: "boolean" }
  | { readonly enum: readonly (string | number)[] }
  | { readonly type: "array"; readonly items: JsonSchema; readonly maxItems?: number }
  | { readonly type: "object"; readonly properties: Readonly<Record<string, JsonSchema>> };

/** What a model wrote, or why it did not. */
export type StructuredReply =
  | {
    readonly kind: "answer";
    readonly text: string;
    /** Whether it came to its own end, to the limit of tokens, or was stopped by the signal. */
    readonly ended: "complete" | "length" | "stopped";
  }
  | { readonly kind: "refusal"; readonly text: string }
  | {
    readonly kind: "failure";
    readonly message: string;
    /** What had been written until then; undefined where nothing had. */
    readonly partialText: string | undefined;
  };

/** A model that writes at length, in JSON of a given schema where its engine can force that. */
export interface StructuredModel {
  readonly name: string;
  /** File hash, temperature, seed, limit of tokens: whatever could change an answer. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Calls in flight at once that it bears. */
  readonly concurrency: number;
  /**
   * One answer. Where the engine has no grammar, the schema is only what the prompt says of it, and
   * the text may be anything. An abort does not throw: what was written until then is an answer that
   * was `stopped`, or a failure where nothing was.
   *
   * @throws {ModelUnavailable} where no answer can be had for now, whatever is asked.
   */
  ask(
    prompt: string,
    options?: { readonly schema?: JsonSchema; readonly signal?: AbortSignal },
  ): Promise<StructuredReply>;
}
