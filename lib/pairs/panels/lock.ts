import { dirname } from "node:path";

/**
 * Holds the answers for this process: the end of a run writes the whole tables anew, so that rows
 * which another process added meanwhile would be lost. The system lets go of it however the process
 * ends.
 * @throws {Error} where another process holds it.
 */
export function lockAnswers(path: string): Disposable {
  Deno.mkdirSync(dirname(path), { recursive: true });
  const file = Deno.openSync(path, { write: true, create: true });
  if (file.tryLockSync(true)) return file;
  file.close();
  throw new Error(
    "Cannot add to the answers: another process is doing so (a notebook, or `deno task evaluate`, " +
      "`batch` or `generate`). Let it end, or stop it, first.",
  );
}
