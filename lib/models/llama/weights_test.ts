import assert from "node:assert/strict";
import { join } from "node:path";
import { sha256Hex } from "../../files/checksum.ts";
import { madeOnce } from "./weights.ts";

async function inFolder(task: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await task(join(folder, "made.gguf"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A maker of `text` that counts how often it was called. */
function maker(path: string, text: string) {
  const calls = { count: 0 };
  const make = async () => {
    calls.count++;
    await Deno.writeTextFile(path, text);
  };
  return { calls, make };
}

Deno.test("madeOnce() makes a file once and remembers its SHA-256", () =>
  inFolder(async (path) => {
    const { calls, make } = maker(path, "weights");
    const first = await madeOnce(path, "source", make);
    const second = await madeOnce(path, "source", make);
    assert.equal(calls.count, 1);
    assert.deepEqual(first, { path, sha256: sha256Hex("weights") });
    assert.deepEqual(second, first);
  }));

Deno.test("madeOnce() makes it anew for another source, another size or a damaged note", () =>
  inFolder(async (path) => {
    const { calls, make } = maker(path, "weights");
    await madeOnce(path, "source", make);
    await madeOnce(path, "another", make);
    assert.equal(calls.count, 2);
    await Deno.writeTextFile(path, "cut");
    await madeOnce(path, "another", make);
    assert.equal(calls.count, 3);
    await Deno.writeTextFile(`${path}.json`, "{");
    await madeOnce(path, "another", make);
    assert.equal(calls.count, 4);
  }));
