import { join } from "node:path";
import { inFolder as inTemporaryFolder } from "../../files/testdata/folder.ts";

/** Returns the path of a file in the test's folder. */
export type At = (name: string) => string;

/** Runs a test in a temporary folder; `at` returns paths in it. */
export async function inFolder(
  work: (at: At, folder: string) => void | Promise<void>,
): Promise<void> {
  await inTemporaryFolder(async (folder) => await work((name) => join(folder, name), folder));
}

/** Defines a test that runs in a temporary folder. */
export function test(name: string, work: (at: At) => void | Promise<void>): void {
  Deno.test(name, () => inFolder(work));
}
