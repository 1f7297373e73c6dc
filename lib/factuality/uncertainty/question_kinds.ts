/** What is asked of one structured field. `C` is the country. */
export interface QuestionKind {
  readonly kind: string;
  readonly field: string;
  readonly subfield: string;
  readonly question: string;
  /** Takes a right answer out of the field's text, the first group; every match is one. */
  readonly value: RegExp;
}

/**
 * Fields whose values exclude one another: of types of government or religions, a wrong option may
 * be half right. Currencies are those whose name has no country in it; of parts of the world, those
 * that do not overlap.
 */
export const QUESTION_KINDS: readonly QuestionKind[] = [
  {
    ...{ kind: "capital", field: "Capital", subfield: "name" },
    question: "What is the capital of C?",
    value: /^([A-Z][\p{L}' -]+?)(?= ?[;,(]|$)/gu,
  },
  {
    ...{ kind: "currency", field: "Exchange rates", subfield: "Currency" },
    question: "What is the currency of C?",
    value: /^(\p{Ll}+)(?: \([A-Z]{3}\))? per US dollar/gu,
  },
  {
    ...{ kind: "language", field: "Languages", subfield: "Languages" },
    question: "What is an official language of C?",
    value: /([A-Z]\p{L}+) \(official\)/gu,
  },
  {
    ...{ kind: "part of the world", field: "Map references", subfield: "" },
    question: "Which part of the world is C in?",
    value: /^(Africa|Europe|North America|South America|Oceania)$/gu,
  },
  {
    ...{ kind: "year of independence", field: "Independence", subfield: "" },
    question: "In which year did C become independent?",
    value: /^(?:\d{1,2} [A-Z][a-z]+ )?(\d{4}) \(from/gu,
  },
  {
    ...{ kind: "former ruler", field: "Independence", subfield: "" },
    question: "From which country did C become independent?",
    value: /\(from (?:the )?((?:UK|US|[A-Z][a-z]+)(?: [A-Z][a-z]+)?)\)/gu,
  },
  {
    ...{ kind: "neighbour", field: "Land boundaries", subfield: "border countries" },
    question: "Which country has a border with C?",
    value: /(?:^|; )(?!US Naval Base)([A-Z][\p{L}' -]+?) [\d,.]+ km/gu,
  },
  {
    ...{ kind: "highest point", field: "Elevation", subfield: "highest point" },
    question: "What is the highest point of C?",
    value: /^([A-Z][\p{L}' -]+?) [\d,]+ m\b/gu,
  },
];
