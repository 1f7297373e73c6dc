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

/** Claims of language models about countries, each with the passages that are looked up for it. */
export function writtenCases(fields: readonly FactbookField[]): readonly TrainingCase[] {
  const names = new Map(fields.map(({ code, country }) => [code, country]));
  const splits = splitCountries([...names.keys()], KNOWLEDGE_SEED);
  const known = new Map(passagesOfFields(fields).map((passage) => [passage.id, passage]));
  return WRITTEN_CLAIMS.read().map(({ code, writer, claim, label, passages }, index) => {
    const lacks = (what: string) =>
      new RangeError(
        `Cannot train on ${shownPath(WRITTEN_CLAIMS.path)}, row ${index + 1}: the knowledge base ` +
          `has no ${what}.`,
      );
    const [country, split] = [names.get(code), splits.get(code)];
    if (country === undefined || split === undefined) throw lacks(`country ${code}`);
    const read = passages.split("; ").map((id) => {
      const passage = known.get(id);
      if (passage === undefined) throw lacks(`passage ${id}`);
      return passage;
    });
    const set = writer === "reader" ? "written claims" : "answered claims";
    const id = `${code}/written ${index + 1}`;
    return { id, claim, passages: read, label, cluster: country, set, split };
  });
}
