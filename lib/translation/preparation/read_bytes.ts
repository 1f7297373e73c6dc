import { shownPath } from "../../files/shown_path.ts";

/** A file's bytes. Throws NotFound that names the file if there is none. */
export async function readBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBytesIfThere(path);
  if (bytes !== undefined) return bytes;
  throw new Deno.errors.NotFound(`Cannot read ${shownPath(path)}: it is not there.`);
}

/** A file's bytes, or undefined where there is none. */
export async function readBytesIfThere(
  path: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
