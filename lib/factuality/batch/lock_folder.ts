import { join } from "node:path";
import { shownPath } from "../../files/shown_path.ts";

/**
 * Holds a batch's folder for this process: two of them would evaluate every request twice. The system
 * lets go of it however the process ends.
 * @throws {Error} where another process holds it.
 */
export function lockFolder(folder: string): Disposable {
  Deno.mkdirSync(folder, { recursive: true });
  const file = Deno.openSync(join(folder, "batch.lock"), { write: true, create: true });
  if (file.tryLockSync(true)) return file;
  file.close();
  throw new Error(
    `Cannot work in ${shownPath(folder)}: another process evaluates a batch there. ` +
      "Let it end, or stop it, or choose another --out.",
  );
}
