import type { FactbookField } from "../retrieval/factbook_fields.ts";
import { passagesOfFields } from "../retrieval/factbook.ts";
import type { Passage } from "../retrieval/passage.ts";
import { type Fact, factsOf } from "./fact_statements.ts";
import { usualFamilyNames } from "./family_names.ts";
import { PROSE_FIELDS, proseSentences, proseStatements } from "./prose_statements.ts";
import type { Statement } from "./statement.ts";

/** What one country has to make claims of. */
export interface CountryMaterial {
  readonly country: string;
  readonly code: string;
  readonly passages: readonly Passage[];
  readonly prose: readonly PlacedStatement[];
  readonly facts: readonly Fact[];
}

/** A statement and its place among the pieces of its passage. */
export interface PlacedStatement {
  readonly statement: Statement;
  readonly passage: Passage;
  /** The passage in order, sentence by sentence, with its punctuation. */
  readonly pieces: readonly string[];
  readonly index: number;
}

/** The file of the world as a whole: no country, and most phrasings would not fit it. */
const WORLD = "xx";

/** The knowledge base country by country, in the order of its fields. */
export function countryMaterial(fields: readonly FactbookField[]): readonly CountryMaterial[] {
  const countries = fields.filter(({ code }) => code !== WORLD);
  return [...Map.groupBy(countries, ({ code }) => code)].map(([code, own]) => {
    const usual = own.map((field) => ({ ...field, text: usualFamilyNames(field.text) }));
    const passages = passagesOfFields(usual);
    return {
      country: usual[0]!.country,
      code,
      passages,
      prose: passages.flatMap(placedStatements),
      facts: factsOf(usual),
    };
  });
}

function placedStatements(passage: Passage): readonly PlacedStatement[] {
  if (!PROSE_FIELDS.includes(passage.section)) return [];
  const pieces = piecesOf(passage.text);
  return proseStatements(passage).map((statement) => ({
    statement,
    passage,
    pieces,
    index: pieces.findIndex((piece) => piece.includes(statement.source)),
  })).filter(({ index }) => index >= 0);
}

/** Sentences with what stands between them, so that their joining gives the text again. */
function piecesOf(text: string): readonly string[] {
  let cursor = 0;
  const starts = proseSentences(text).map((sentence) => {
    const start = text.indexOf(sentence, cursor);
    cursor = start + sentence.length;
    return start;
  });
  return starts.map((start, i) => text.slice(start, starts[i + 1] ?? text.length).trim());
}
