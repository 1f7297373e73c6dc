/** The first half of a text: of JSON, a part that cannot be parsed. */
export function halfOf(text: string): string {
  return text.slice(0, Math.floor(text.length / 2));
}

/** Sends a text, then closes the connection where an end should stand. */
export function cutBody(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode(text)),
    pull: (stream) => stream.error(new Error("cut by plan")),
  });
}

/** Sends a text, then nothing until `closing`, or until the client goes away. */
export function pausedBody(text: string, closing: Promise<void>): ReadableStream<Uint8Array> {
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  return new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode(text)),
    async pull(stream) {
      await Promise.race([gone, closing]);
      stream.error(new Error("nobody waits any longer"));
    },
    cancel: () => resolve(),
  });
}
