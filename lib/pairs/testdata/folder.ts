import { join } from "node:path";
import { inFolder as inTemporaryFolder } from "../../files/testdata/folder.ts";

/** Runs a test in a folder of its own that is gone afterwards; `at` gives paths in it. */
export async function inFolder(
  work: (at: (name: string) => string, folder: string) => void | Promise<void>,
): Promise<void> {
  await inTemporaryFolder(async (folder) => await work((name) => join(folder, name), folder));
}
