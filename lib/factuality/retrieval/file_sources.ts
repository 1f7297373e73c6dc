import { basename, relative } from "node:path";
import { sha256Hex, sha256OfFile } from "../../files/checksum.ts";
import { readableFiles, readFolder, type ReadFolderOptions } from "./folder.ts";
import type { KnowledgeSource } from "./knowledge_source.ts";
import { readWikipediaDump } from "./wikipedia_dump.ts";

/**
 * A user's folder. It is hashed at once: names and content of all files that are read.
 * @throws {Error} naming the folder, where it cannot be read.
 */
export function folderSource(folder: string, options: ReadFolderOptions = {}): KnowledgeSource {
  const passages = () => readFolder(folder, options);
  return hashed(folder, passages, () => {
    const files = readableFiles(folder);
    return sha256Hex(
      files.map((path) => `${sha256OfFile(path)} ${relative(folder, path)}\n`).join(""),
    );
  });
}

/**
 * A Wikipedia XML dump. It is hashed at once, some seconds a gigabyte.
 * @throws {Error} naming the file, where it cannot be read.
 */
export function wikipediaSource(path: string): KnowledgeSource {
  return hashed(path, () => readWikipediaDump(path), () => sha256OfFile(path));
}

function hashed(
  path: string,
  passages: KnowledgeSource["passages"],
  hash: () => string,
): KnowledgeSource {
  try {
    return { name: basename(path), sha256: hash(), passages };
  } catch (cause) {
    throw new Error(
      `Cannot open the knowledge base: ${path} cannot be read. Check the path and its permissions.`,
      { cause },
    );
  }
}
