/** Connections that no HTTP library would make: closed without a word, or answered in no protocol. */
export interface RawListener {
  readonly url: string;
  close(): void;
}

/** Listens on loopback; `/garbage` is answered with bytes that are not HTTP, all else with nothing. */
export function listenRaw(): RawListener {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  void acceptAll(listener);
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    close: () => listener.close(),
  };
}

async function acceptAll(listener: Deno.TcpListener): Promise<void> {
  for await (const connection of listener) void misbehave(connection);
}

async function misbehave(connection: Deno.TcpConn): Promise<void> {
  try {
    const buffer = new Uint8Array(4096);
    const read = await connection.read(buffer) ?? 0;
    const head = new TextDecoder().decode(buffer.subarray(0, read));
    if (head.includes(" /garbage ")) {
      await connection.write(new TextEncoder().encode("\u0000\u0001A\n\nB\n"));
    }
  } catch {
    // The client may be gone first; nothing was promised to it.
  } finally {
    connection.close();
  }
}
