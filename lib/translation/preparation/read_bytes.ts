import { shownPath } from "../../files/shown_path.ts";

/** A file's bytes. Throws NotFound that names the file if there is none. */
export async function readBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Deno.errors.NotFound(`Cannot read ${shownPath(path)}: it is not there.`);
  }
}
