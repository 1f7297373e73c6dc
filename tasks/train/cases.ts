/** The labelled claims that networks and heads are trained on, wherever they come from. */
import { labelledFile } from "../../lib/factuality/datasets/labelled_case.ts";
import { type FactbookField, passagesOfFields } from "../../lib/factuality/retrieval/factbook.ts";
import { KNOWLEDGE_SEED } from "../../lib/factuality/training/knowledge_claims.ts";
import type { TrainingCase } from "../../lib/factuality/training/pairs.ts";
import { splitCountries } from "../../lib/factuality/training/splits.ts";
import { WRITTEN_CLAIMS } from "../../lib/factuality/training/tables.ts";
import { shownPath } from "../../lib/files/atomic.ts";

/** Cases of files that have a source, of the split they name or, where they name none, of the one given. */
export function fileCases(
  paths: readonly string[],
  split: TrainingCase["split"],
): readonly TrainingCase[] {
  return paths.flatMap((path) => {
    const { cases, damaged, leftOut } = labelledFile(path);
    const sourced = cases.filter(({ passages }) => passages.length > 0);
    console.log(
      `${shownPath(path)}: ${cases.length} cases, ${sourced.length} with a source; ` +
        `${damaged.length} damaged lines, ${leftOut.length} left out.`,
    );
    return sourced.map((one): TrainingCase => ({ ...one, split: one.split ?? split }));
  });
}

/** Claims that a language model wrote about countries, each with the country's whole entry. */
export function writtenCases(fields: readonly FactbookField[]): readonly TrainingCase[] {
  const names = new Map(fields.map(({ code, country }) => [code, country]));
  const splits = splitCountries([...names.keys()], KNOWLEDGE_SEED);
  const entries = Map.groupBy(passagesOfFields(fields), ({ title }) => title);
  return WRITTEN_CLAIMS.read().map(({ code, claim, label }, index): TrainingCase => {
    const [country, split] = [names.get(code), splits.get(code)];
    if (country === undefined || split === undefined) {
      throw new RangeError(
        `Cannot train on ${shownPath(WRITTEN_CLAIMS.path)}, row ${index + 1}: the knowledge base ` +
          `has no country ${code}.`,
      );
    }
    const id = `${code}/written ${index + 1}`;
    const passages = entries.get(country) ?? [];
    return { id, claim, passages, label, cluster: country, set: "written claims", split };
  });
}
