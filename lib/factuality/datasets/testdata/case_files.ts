import { join } from "node:path";

/** Gives the work a folder with these files and removes it; objects are written one a line. */
export async function withFiles(
  files: Readonly<Record<string, string | readonly object[]>>,
  work: (folder: string) => void | Promise<void>,
): Promise<void> {
  const folder = Deno.makeTempDirSync({ prefix: "cases-" });
  try {
    for (const [name, content] of Object.entries(files)) {
      const text = typeof content === "string"
        ? content
        : content.map((row) => `${JSON.stringify(row)}\n`).join("");
      Deno.writeTextFileSync(join(folder, name), text);
    }
    await work(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
