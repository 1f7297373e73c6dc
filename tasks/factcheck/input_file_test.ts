import assert from "node:assert/strict";
import { join } from "node:path";
import { inputText, outputFolder } from "./input_file.ts";

function inFolder(work: (folder: string) => void): void {
  const folder = Deno.makeTempDirSync();
  try {
    work(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("inputText() reads a text, and says of anything else what it is", () =>
  inFolder((folder) => {
    const at = (name: string) => join(folder, name);
    const files: readonly (readonly [string, readonly number[], RegExp])[] = [
      ["utf16.txt", [0xff, 0xfe, 0x45, 0], /utf16\.txt: it is no plain text in UTF-8/],
      ["binary.pdf", [0x25, 0, 0x45], /no plain text/],
      ["blank.txt", [0x20, 0x0a], /there is no text in it/],
    ];
    for (const [name, bytes, message] of files) {
      Deno.writeFileSync(at(name), Uint8Array.from(bytes));
      assert.throws(() => inputText(at(name)), message);
    }
    Deno.writeTextFileSync(at("elk.txt"), "\ufeffElk.");
    assert.equal(inputText(at("elk.txt")), "Elk.");
    assert.throws(() => inputText(folder), /it is a folder/);
    assert.throws(() => inputText(at("none")), /there is no such file/);
    assert.throws(() => outputFolder(at("elk.txt")), /a file is in the way.*another --out/);
  }));
