/** Gives the work a folder of its own that is gone afterwards, also where the work is a promise. */
export function inFolder<Result>(work: (folder: string) => Result): Result {
  const folder = Deno.makeTempDirSync({ prefix: "touchstone-" });
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

/** Folder of the sets that are not part of this repository, for the tests that read them; else undefined. */
export const SETS_FOLDER = Deno.env.get("TOUCHSTONE_SETS");
