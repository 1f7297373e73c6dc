import { relative } from "node:path";

/**
 * A path as messages show it: from the working folder where the file is in it, or one folder up, as
 * the project is for a notebook. So a message names no folder of this machine and can be kept in a
 * notebook. Any other path is shown as it is.
 */
export function shownPath(path: string, from: string = Deno.cwd()): string {
  const short = relative(from, path).replaceAll("\\", "/");
  return /^(?:\.\.\/)?(?!\.\.\/)[^:]+$/.test(short) && short !== ".." ? short : path;
}
