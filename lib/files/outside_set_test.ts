import assert from "node:assert/strict";
import { join } from "node:path";
import { outsideFile, type OutsideSet } from "./outside_set.ts";
import { inFolder } from "./testdata/folder.ts";

const SET: OutsideSet = {
  name: "stances",
  file: "stances.jsonl",
  sha256: "00",
  licence: "MIT",
  origin: "a/b.jsonl of owner/name at commit 0123abc",
  made: "",
};

Deno.test("outsideFile() finds the file in the named folder, and says what to get where it is absent", () =>
  inFolder((folder) => {
    const sentence =
      "the set stances is not part of this repository. Get a/b.jsonl of owner/name at " +
      "commit 0123abc (licence: MIT), put it into a folder and name that with --folder.";
    const path = join(folder, SET.file);
    assert.throws(() => outsideFile(SET, undefined), {
      message: `Cannot read stances.jsonl: ${sentence}`,
    });
    assert.throws(() => outsideFile(SET, folder), { message: `Cannot read ${path}: ${sentence}` });
    const made = { ...SET, made: "every second line" };
    assert.throws(() => outsideFile(made, folder), /data\/README\.md says how stances\.jsonl is/);
    Deno.writeTextFileSync(path, "");
    assert.equal(outsideFile(SET, folder), path);
  }));
