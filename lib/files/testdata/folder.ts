/**
 * Runs work in a temporary folder, removed afterwards; the work may be a promise.
 * @param dir where that folder is made; the system's folder for temporary files by default.
 */
export function inFolder<Result>(work: (folder: string) => Result, dir?: string): Result {
  const folder = Deno.makeTempDirSync({
    prefix: "touchstone-",
    ...dir === undefined ? {} : { dir },
  });
  const remove = () => Deno.removeSync(folder, { recursive: true });
  let result: Result;
  try {
    result = work(folder);
  } catch (error) {
    remove();
    throw error;
  }
  if (result instanceof Promise) return result.finally(remove) as Result;
  remove();
  return result;
}

/** Folder of the sets outside this repository, for tests that read them; else undefined. */
export const SETS_FOLDER = Deno.env.get("TOUCHSTONE_SETS");
