/** Whether a re-run changed anything that is committed: data, figures, notebooks, findings. */
import { command, EXIT, run } from "./command.ts";
import { closingLine, one } from "./gate.ts";

/** Lines of difference shown for each text file. */
const SHOWN = 12;

export const TASK = command(
  "unchanged",
  "After a run in a clean clone: which committed data, figures, notebooks and findings it changed",
  (c) => c,
  async () => {
    const tallies = [];
    for (const path of ["data", "figures", "notebooks", "RESULTS.md"]) {
      const changed = await changedFiles(path, Deno.cwd());
      tallies.push(one(changed.length === 0));
      console.log(`${path}: ${changed.length === 0 ? "unchanged" : `${changed.length} changed`}`);
      for (const { name, what, difference } of changed) {
        console.log(`    ${name} (${what})`);
        for (const line of difference.slice(0, SHOWN)) console.log(`        ${line.slice(0, 160)}`);
        const rest = difference.length - SHOWN;
        if (rest > 0) console.log(`        … ${rest} lines more`);
      }
    }
    console.log(closingLine(tallies));
    return tallies.every(({ failed }) => failed === 0) ? EXIT.done : EXIT.failed;
  },
);

/**
 * The files under `path` that differ from the last commit, in git's order, named from the project's
 * folder, with removed and added lines: none of a new, deleted or binary file.
 *
 * @throws Error where git is not there or `folder` is no clone
 */
export async function changedFiles(path: string, folder: string) {
  const status = await git(folder, "status", "--porcelain", "-z", "-uall", "--no-renames", path);
  return await Promise.all(
    status.split("\0").filter((entry) => entry !== "").map(async (entry) => {
      // Git's two letters: the index against the commit, the file against the index.
      const [letters, name] = [entry.slice(0, 2), entry.slice(3)];
      const what = /[?A]/.test(letters) ? "new" : letters.includes("D") ? "deleted" : "changed";
      if (what !== "changed") return { name, what, difference: [] };
      const text = await git(folder, "diff", "HEAD", "--unified=0", "--no-color", "--", name);
      const difference = text.split("\n").filter((line) => /^[-+](?![-+]{2})/.test(line));
      return { name, what, difference };
    }),
  );
}

async function git(folder: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args, cwd: folder }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`Cannot compare with the commit: git says ${text(stderr)}`);
  return text(stdout);
}

if (import.meta.main) await run(TASK);
