import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { folderSource, wikipediaSource } from "./sources.ts";

const FILES = {
  "b.txt": "One line\nand its end.\n\n\nA second paragraph.\r\n",
  "notes/a.md":
    "Before.\n\n# The *Title* #\nSee [here](x.md), it is **bold** and snake_case_ok.\n" +
    "- item\n\n## Part\nText.",
  "c.jsonl": '{"text": "From JSON.", "title": "T", "id": 7}\nbroken\n\n{"text": "Second."}\n' +
    '{"id": "A_-LRB-x-RRB-", "text": "A -LRB- b -RRB- .", "lines": "0\\tA"}\n' +
    '{"id": "", "text": "", "lines": ""}\n',
  "picture.png": "no text",
  ".hidden.txt": "hidden",
};

const withFiles = (work: (folder: string) => Promise<void>) =>
  inFolder((folder) => {
    Deno.mkdirSync(join(folder, "notes"));
    for (const [name, text] of Object.entries(FILES)) {
      Deno.writeTextFileSync(join(folder, name), text);
    }
    return work(folder);
  });

Deno.test("folderSource() reads text, Markdown and JSONL, and passes over lines that are none", () =>
  withFiles(async (folder) => {
    const found = await Array.fromAsync(folderSource(folder).passages());
    assert.deepEqual(found.map(({ id, title, section, text }) => [id, title, section, text]), [
      ["b.txt#1", "b", "", "One line and its end."],
      ["b.txt#2", "b", "", "A second paragraph."],
      ["7", "T", "", "From JSON."],
      ["c.jsonl#4", "", "", "Second."],
      ["A_-LRB-x-RRB-", "A (x)", "", "A ( b ) ."],
      ["notes/a.md#1", "a", "", "Before."],
      ["notes/a.md#2", "a", "The Title", "See here, it is bold and snake_case_ok. item"],
      ["notes/a.md#3", "a", "Part", "Text."],
    ]);
  }));

Deno.test("folderSource() has another hash when a file has another name or content", () =>
  withFiles((folder) => {
    const hashes = [folderSource(folder).sha256, folderSource(folder).sha256];
    assert.equal(hashes[0], hashes[1]);
    Deno.writeTextFileSync(join(folder, "b.txt"), "changed");
    hashes.push(folderSource(folder).sha256);
    Deno.renameSync(join(folder, "b.txt"), join(folder, "d.txt"));
    hashes.push(folderSource(folder).sha256);
    assert.equal(new Set(hashes).size, 3);
    assert.throws(() => folderSource("/nowhere"), /Cannot open the knowledge base: \/nowhere/);
    assert.throws(() => wikipediaSource("/nowhere.xml"), /\/nowhere\.xml cannot be read/);
    return Promise.resolve();
  }));
