/** Whether a re-run changed anything that is committed: data, figures, notebooks, findings. */
import { command, EXIT, run } from "./command.ts";
import { closingLine, one, sum } from "./gate.ts";

/** What a re-run must leave as it is committed. */
const KEPT = ["data", "figures", "notebooks", "RESULTS.md"] as const;

/** Lines of difference shown for each text file. */
const SHOWN = 12;

export const UNCHANGED = command(
  "unchanged",
  "After a run in a clean clone: which committed data, figures, notebooks and findings it changed",
  (c) => c,
  async () => {
    const tallies = [];
    for (const path of KEPT) {
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
    const total = sum(tallies);
    console.log(closingLine(total));
    return total.failed === 0 ? EXIT.done : EXIT.failed;
  },
);

/** A file that differs from what is committed. */
interface ChangedFile {
  /** Path from the project's folder. */
  readonly name: string;
  readonly what: "changed" | "new" | "deleted";
  /** Removed and added lines; empty for a new, deleted or binary file. */
  readonly difference: readonly string[];
}

/**
 * The files under `path` that differ from the last commit, in git's order.
 *
 * @throws Error where git is not there or `folder` is no clone
 */
export async function changedFiles(path: string, folder: string): Promise<readonly ChangedFile[]> {
  const status = await git(folder, "status", "--porcelain", "-z", "-uall", "--no-renames", path);
  return await Promise.all(
    status.split("\0").filter((entry) => entry !== "").map(async (entry) => {
      const name = entry.slice(3);
      const what = kind(entry.slice(0, 2));
      const difference = what === "changed" ? await differenceOf(name, folder) : [];
      return { name, what, difference };
    }),
  );
}

/** Git's two letters: the index against the commit, the file against the index. */
function kind(letters: string): ChangedFile["what"] {
  if (letters.includes("?") || letters.includes("A")) return "new";
  return letters.includes("D") ? "deleted" : "changed";
}

async function differenceOf(name: string, folder: string): Promise<readonly string[]> {
  const text = await git(folder, "diff", "HEAD", "--unified=0", "--no-color", "--", name);
  return text.split("\n").filter((line) => /^[-+](?![-+]{2})/.test(line));
}

async function git(folder: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args, cwd: folder }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`Cannot compare with the commit: git says ${text(stderr)}`);
  return text(stdout);
}

if (import.meta.main) await run(UNCHANGED);
