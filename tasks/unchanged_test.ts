import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../lib/files/testdata/folder.ts";
import { changedFiles } from "./unchanged.ts";

async function git(folder: string, ...args: string[]) {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
  const { success } = await new Deno.Command("git", { args: [...who, ...args], cwd: folder })
    .output();
  assert.ok(success, args.join(" "));
}

Deno.test("changedFiles() lists changed, new and deleted files with their differing lines", async () => {
  await inFolder(async (folder) => {
    const write = (name: string, text: string) => Deno.writeTextFileSync(join(folder, name), text);
    Deno.mkdirSync(join(folder, "data"));
    write("data/a.csv", "id,n\nx,1\ny,2\n");
    write("data/gone.csv", "id\n");
    write("data/b.png", "\0\x01\x02");
    for (const words of ["init -q", "add .", "commit -qm first"]) {
      await git(folder, ...words.split(" "));
    }
    assert.deepEqual(await changedFiles("data", folder), []);
    write("data/a.csv", "id,n\nx,1\ny,3\n");
    write("data/b.png", "\0\x01\x03");
    write("data/ný.csv", "id\n");
    Deno.removeSync(join(folder, "data", "gone.csv"));
    assert.deepEqual(await changedFiles("data", folder), [
      { name: "data/a.csv", what: "changed", difference: ["-y,2", "+y,3"] },
      { name: "data/b.png", what: "changed", difference: [] },
      { name: "data/gone.csv", what: "deleted", difference: [] },
      { name: "data/ný.csv", what: "new", difference: [] },
    ]);
    assert.deepEqual(await changedFiles("RESULTS.md", folder), []);
  });
});
