import { dirname, join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";

/** Gives the work a folder with these files, also in folders, and removes it; objects one a line. */
export const withFiles = <Result>(
  files: Readonly<Record<string, string | readonly object[]>>,
  work: (folder: string) => Result,
) =>
  inFolder((folder) => {
    for (const [name, content] of Object.entries(files)) {
      Deno.mkdirSync(dirname(join(folder, name)), { recursive: true });
      const lines = () => (content as object[]).map((row) => `${JSON.stringify(row)}\n`).join("");
      Deno.writeTextFileSync(join(folder, name), typeof content === "string" ? content : lines());
    }
    return work(folder);
  });
