import assert from "node:assert/strict";
import { inFolder } from "../../files/testdata/folder.ts";
import { join } from "node:path";
import fc from "fast-check";
import type { Passage } from "../types.ts";
import { searchPostings } from "./index.ts";
import { buildIndex, type KnowledgeSource, openIndex, readIndexFile } from "./store.ts";

const PASSAGES: readonly Passage[] = ["Paris is the capital.", "Zürich ist schön.", "Rome"]
  .map((text, at) => ({ id: `p${at}`, text, collection: "cities", title: `T${at}`, section: "" }));

/** Counts how often it is read. */
function source(passages = PASSAGES): KnowledgeSource & { readonly reads: () => number } {
  let reads = 0;
  const sha256 = "ab".repeat(32);
  return { name: "cities", sha256, passages: () => (reads++, passages), reads: () => reads };
}

const filesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name);

const fileOf = (folder: string, ending: string) =>
  join(folder, filesIn(folder).find((name) => name.endsWith(ending))!);

Deno.test("openIndex() reads a source once and finds the same from the cache", () =>
  inFolder(async (folder) => {
    const opening = openIndex(source([]), { cacheDirectory: folder });
    await assert.rejects(opening, /Cannot make a knowledge base of cities: it holds no passage/);
    assert.deepEqual(filesIn(folder), []);
    const cities = source();
    const made = await openIndex(cities, { cacheDirectory: folder });
    const cached = await openIndex(cities, { cacheDirectory: folder });
    assert.equal(cities.reads(), 1);
    assert.deepEqual(cached.postings, made.postings);
    assert.deepEqual(cached.store.read([1, 0]), [PASSAGES[1], PASSAGES[0]]);
    const inMemory = await buildIndex("cities", PASSAGES);
    assert.equal(cached.sha256, inMemory.sha256);
    assert.deepEqual(cached.postings, inMemory.postings);
    assert.equal(searchPostings(cached.postings, ["zurich"], 1)[0]?.number, 1);
    Deno.removeSync(fileOf(folder, ".jsonl"));
    assert.throws(() => cached.store.read([0]), /Cannot read the knowledge base.*Open the index/);
  }));

Deno.test("openIndex() makes the index anew where one of its files is damaged", async () => {
  for (const ending of [".index", ".passages.jsonl"]) {
    await inFolder(async (folder) => {
      const cities = source();
      const { sha256 } = await openIndex(cities, { cacheDirectory: folder });
      const path = fileOf(folder, ending);
      const bytes = Deno.readFileSync(path);
      const flipped = bytes.with(-3, bytes.at(-3)! ^ 1);
      for (const damaged of [bytes.slice(0, 30), flipped, new Uint8Array()]) {
        Deno.writeFileSync(path, damaged);
        assert.equal((await openIndex(cities, { cacheDirectory: folder })).sha256, sha256);
        assert.deepEqual(Deno.readFileSync(path), bytes);
      }
      assert.equal(cities.reads(), 4);
    });
  }
});

Deno.test("Requirement 6.1: an index file with any byte changed or cut away is not taken", () =>
  inFolder(async (folder) => {
    await openIndex(source(), { cacheDirectory: folder });
    const path = fileOf(folder, ".index");
    const bytes = Deno.readFileSync(path);
    const place = fc.nat({ max: bytes.length - 1 });
    fc.assert(fc.property(place, fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, x, cut) => {
      const damaged = cut ? bytes.slice(0, at) : bytes.with(at, bytes[at]! ^ x);
      Deno.writeFileSync(path, damaged);
      assert.equal(readIndexFile(path), undefined);
    }));
  }));
