import { join } from "node:path";

/** Runs a test with the path of a usage file that is not there yet, in a folder of its own. */
export function inFolder(task: (path: string, folder: string) => void): void {
  const folder = Deno.makeTempDirSync();
  try {
    task(join(folder, "hosted", "usage.json"), folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
