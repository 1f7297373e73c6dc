import { createHash } from "node:crypto";
import { join } from "node:path";
import { openTemporary, writeWhole } from "../../files/atomic.ts";
import { hasSha256, sha256Hex } from "../../files/checksum.ts";
import { readIndexFile, type StoredIndex, writeIndexFile } from "./index_file.ts";
import type { KnowledgeSource } from "./knowledge_source.ts";
import { INDEX_SETTINGS, IndexBuilder, type PassageIndex } from "./passage_index.ts";
import { passagesInFile } from "./passage_store.ts";

/** Where an index is kept, and what is told about it. */
export interface OpenIndexOptions {
  /** A folder that git ignores, `.cache/retrieval` here; created where it is missing. */
  readonly cacheDirectory: string;
  /** Called every thousand passages while an index is made; never for one from the cache. */
  readonly onProgress?: (passages: number) => void;
  readonly signal?: AbortSignal;
}

const PROGRESS_EVERY = 1000;

/**
 * The index of a knowledge source: from the cache where it was made before from the same files
 * with the same settings, else made now, passage by passage, and kept. What is found damaged in
 * the cache is made anew. Passages stay on the disk; terms, titles and postings are in memory, about
 * eight bytes for each different word of each passage, and four times that while it is made.
 * @throws {RangeError} for a source without a passage; the source's own errors.
 */
export async function openIndex(
  source: KnowledgeSource,
  options: OpenIndexOptions,
): Promise<PassageIndex> {
  const key = sha256Hex(`${source.sha256} ${JSON.stringify(INDEX_SETTINGS)}`);
  const stem = join(options.cacheDirectory, key.slice(0, 32));
  const files = { index: `${stem}.index`, passages: `${stem}.passages.jsonl` };
  const stored = intactIndex(files) ?? await makeIndex(source, files, options);
  const { sha256, postings, titles, lineOffsets } = stored;
  return {
    name: source.name,
    sha256,
    postings,
    titles,
    store: passagesInFile(files.passages, lineOffsets),
  };
}

interface IndexFiles {
  readonly index: string;
  readonly passages: string;
}

function intactIndex(files: IndexFiles): StoredIndex | undefined {
  const stored = readIndexFile(files.index);
  const intact = stored !== undefined && hasSha256(files.passages, stored.passagesSha256);
  return intact ? stored : undefined;
}

async function makeIndex(
  source: KnowledgeSource,
  files: IndexFiles,
  options: OpenIndexOptions,
): Promise<StoredIndex> {
  const temporary = openTemporary(files.passages);
  try {
    const write = (bytes: Uint8Array) => writeWhole(temporary.file, bytes);
    const made = await readThrough(source, write, options);
    temporary.commit();
    writeIndexFile(files.index, made);
    return made;
  } catch (error) {
    temporary.discard();
    throw error;
  }
}

async function readThrough(
  source: KnowledgeSource,
  write: (bytes: Uint8Array) => void,
  { onProgress, signal }: OpenIndexOptions,
): Promise<StoredIndex> {
  const builder = new IndexBuilder();
  const hash = createHash("sha256");
  const lineOffsets = [0];
  for await (const passage of source.passages()) {
    signal?.throwIfAborted();
    const line = new TextEncoder().encode(builder.add(passage));
    write(line);
    hash.update(line);
    lineOffsets.push(lineOffsets.at(-1)! + line.length);
    if ((lineOffsets.length - 1) % PROGRESS_EVERY === 0) onProgress?.(lineOffsets.length - 1);
  }
  if (lineOffsets.length === 1) {
    throw new RangeError(
      `Cannot make a knowledge base of ${source.name}: it holds no passage. ` +
        "Check that the path is the right one and that its files are not empty.",
    );
  }
  return {
    ...builder.finish(await source.aliases?.()),
    passagesSha256: hash.digest("hex"),
    lineOffsets: new Float64Array(lineOffsets),
  };
}
