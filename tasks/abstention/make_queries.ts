import { abstentionQueries } from "../../lib/factuality/abstention/invented.ts";
import { knownWords } from "../../lib/factuality/abstention/known_words.ts";
import { type AbstentionQuery, queriesCsv } from "../../lib/factuality/abstention/query.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { countryGazetteer } from "../../lib/factuality/retrieval/country_gazetteer.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { readWordNet } from "../../lib/factuality/wordnet/read_wordnet.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";

/** The names that come of it were read one by one: another seed's names have to be, too. */
const SEED = 20260717;
const PER_KIND = 6;

/** Makes the queries out of the factbook and WordNet, and writes their table. */
export async function makeQueries(): Promise<readonly AbstentionQuery[]> {
  const fields = await factbookFields(FACTUALITY_PATHS.cache);
  const wordNet = await readWordNet();
  const texts = fields.flatMap(({ country, text }) => [country, text]);
  const names = countryGazetteer(fields).flatMap(({ name, also }) => [name, ...also]);
  const isKnown = knownWords([...texts, ...names], (word) => wordNet.senseCount(word) > 0);
  const queries = abstentionQueries({ fields, isKnown, perKind: PER_KIND, seed: SEED });
  writeTextAtomic(FACTUALITY_PATHS.abstentionQueries, queriesCsv(queries));
  return queries;
}
