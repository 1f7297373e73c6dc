import assert from "node:assert/strict";
import { join } from "node:path";
import { withFiles } from "../testdata/case_files.ts";
import { folderSource } from "./folder.ts";
import { wikipediaSource } from "./wikipedia.ts";

const FILES = {
  "b.txt": "One line\nand its end.\n\n\nA second paragraph.\r\n",
  "notes/a.md":
    "Before.\n\n# The *Title* #\nSee [here](x.md), it is **bold** and snake_case_ok.\n" +
    "- item\n\n## Part\nText.",
  "c.jsonl": '{"text": "From JSON.", "title": "T", "id": 7}\nbroken\n\n{"text": "Second."}\n' +
    '{"id": "7", "title": null, "text": "Third."}\n{"id": null, "title": 1984, "text": "Fourth."}\n' +
    '{"id": "A_-LRB-x-RRB-", "text": "A -LRB- b -RRB- .", "lines": "0\\tA"}\n' +
    '{"id": "", "text": "", "lines": ""}\n',
  "picture.png": "no text",
  ".hidden.txt": "hidden",
};

Deno.test("folderSource() reads text, Markdown and JSONL, each passage under an id of its own, and passes over lines that are none", () =>
  withFiles(FILES, async (folder) => {
    const found = await Array.fromAsync(folderSource(folder).passages());
    assert.deepEqual(found.map(({ id, title, section, text }) => [id, title, section, text]), [
      ["b.txt#1", "b", "", "One line and its end."],
      ["b.txt#2", "b", "", "A second paragraph."],
      ["7", "T", "", "From JSON."],
      ["c.jsonl#4", "", "", "Second."],
      // An id that stands twice would give one the other's text.
      ["c.jsonl#5", "", "", "Third."],
      ["c.jsonl#6", "1984", "", "Fourth."],
      ["A_-LRB-x-RRB-", "A (x)", "", "A ( b ) ."],
      ["notes/a.md#1", "a", "", "Before."],
      ["notes/a.md#2", "a", "The Title", "See here, it is bold and snake_case_ok. item"],
      ["notes/a.md#3", "a", "Part", "Text."],
    ]);
  }));

Deno.test("folderSource() has another hash when a file has another name or content", () =>
  withFiles(FILES, (folder) => {
    const hash = () => folderSource(folder).sha256;
    const hashes = [hash(), hash()];
    Deno.writeTextFileSync(join(folder, "b.txt"), "changed");
    hashes.push(hash());
    Deno.renameSync(join(folder, "b.txt"), join(folder, "d.txt"));
    assert.equal(new Set([...hashes, hash()]).size, 3);
    assert.throws(() => folderSource("/nowhere"), /Cannot open the knowledge base: \/nowhere/);
    assert.throws(() => wikipediaSource("/nowhere.xml"), /\/nowhere\.xml cannot be read/);
  }));
