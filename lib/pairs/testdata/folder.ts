import { join } from "node:path";

/** Runs a test in a folder of its own that is gone afterwards. */
export async function inFolder(
  work: (at: (name: string) => string, folder: string) => void | Promise<void>,
): Promise<void> {
  const folder = Deno.makeTempDirSync();
  try {
    await work((name) => join(folder, name), folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
