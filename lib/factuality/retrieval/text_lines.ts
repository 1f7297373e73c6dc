/**
 * The lines of a text file, one by one, without their ends (LF or CR LF); `.gz` is unpacked on the
 * way. Bytes that are no UTF-8 become U+FFFD.
 * @throws {Deno.errors.NotFound} where there is no such file; {SyntaxError} for another packing.
 */
export async function* textLines(path: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of textChunks(path)) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.replace(/\r$/u, "");
  }
  if (rest !== "") yield rest;
}

/** The text of a file in chunks as they are read. Throws as {@link textLines} does. */
export async function* textChunks(path: string): AsyncGenerator<string> {
  if (/\.(?:bz2|zst|7z|xz|zip)$/u.test(path)) {
    throw new SyntaxError(
      `Cannot read ${path}: its packing is not known here. Unpack it first (bunzip2 -k, say), or ` +
        "pack it as .gz.",
    );
  }
  const { readable } = await Deno.open(path, { read: true });
  const unpacked = path.endsWith(".gz")
    ? readable.pipeThrough(new DecompressionStream("gzip"))
    : readable;
  yield* unpacked.pipeThrough(new TextDecoderStream());
}
