import { join } from "node:path";
import type { Retriever } from "../retrieval/passage.ts";
import { factbookSource } from "../retrieval/factbook_source.ts";
import { folderSource, wikipediaSource } from "../retrieval/file_sources.ts";
import type { KnowledgeSource } from "../retrieval/knowledge_source.ts";
import { openIndex } from "../retrieval/open_index.ts";
import { retriever } from "../retrieval/retriever.ts";
import type { RetrievalEntry } from "./configuration_entries.ts";
import { assertSha256, loadWords, type Opening } from "./opening.ts";

type KnowledgeEntry = Exclude<RetrievalEntry, { readonly kind: "none" }>;

function sourceOf(entry: KnowledgeEntry, opening: Opening): KnowledgeSource {
  if (entry.kind === "folder") return folderSource(entry.path);
  if (entry.kind === "wikipedia") {
    assertSha256(entry.path, entry.sha256);
    return wikipediaSource(entry.path);
  }
  return factbookSource(opening.cacheDirectory, {
    onProgress: (download) =>
      opening.tell(entry.kind, loadWords({ stage: "download", model: entry.kind, download })),
  });
}

/**
 * The retriever of a knowledge base: its index from the cache, or made now.
 *
 * @throws {Error} where the knowledge base cannot be read or holds nothing.
 */
export async function openRetriever(entry: KnowledgeEntry, opening: Opening): Promise<Retriever> {
  const { minimumShare, minimumCosine, topK: limit } = entry;
  const index = await openIndex(sourceOf(entry, opening), {
    cacheDirectory: join(opening.cacheDirectory, "retrieval"),
    onProgress: (passages) =>
      opening.tell(entry.kind, `${passages.toLocaleString("en")} passages indexed`),
  });
  const encoder = entry.rerank ? await opening.encoder() : undefined;
  return retriever(index, encoder, {
    limit,
    ...(minimumShare === undefined ? {} : { minimumShare }),
    ...(minimumCosine === undefined ? {} : { minimumCosine }),
  });
}
