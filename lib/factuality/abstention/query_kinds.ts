/** What a query can be about. */
export const QUERY_KINDS = [
  ...["country", "city", "river", "lake", "language", "person"] as const,
  ...["species", "treaty", "battle", "film"] as const,
];

export type QueryKind = typeof QUERY_KINDS[number];

/** How a kind of thing is named and asked about; the same for what exists and what does not. */
export interface KindPattern {
  /** The whole name out of its own part, `{}`: "the Treaty of {}". */
  readonly name: string;
  /** Questions with `{}` for the name. */
  readonly questions: readonly string[];
}

export const KIND_PATTERNS: Readonly<Record<QueryKind, KindPattern>> = {
  country: {
    name: "{}",
    questions: [
      "What is the capital of {}?",
      "What is the climate of {} like?",
      "Which languages are spoken in {}?",
    ],
  },
  city: {
    name: "the city of {}",
    questions: [
      "Which country is {} in?",
      "What is {} known for?",
      "How many people live in {}?",
    ],
  },
  river: {
    name: "the {} River",
    questions: [
      "Which countries does {} flow through?",
      "How long is {}?",
      "Where does {} begin?",
    ],
  },
  lake: {
    name: "Lake {}",
    questions: ["Where is {}?", "How deep is {}?", "Which fish live in {}?"],
  },
  language: {
    name: "the {} language",
    questions: [
      "Where is {} spoken?",
      "What alphabet does {} use?",
      "How many people speak {}?",
    ],
  },
  person: {
    name: "{}",
    questions: ["Who is {}?", "When was {} born?", "What is {} known for?"],
  },
  species: {
    name: "the {}",
    questions: ["Where does {} live?", "What does {} eat?", "How large does {} grow?"],
  },
  treaty: {
    name: "the Treaty of {}",
    questions: [
      "When was {} signed?",
      "Which countries signed {}?",
      "What did {} settle?",
    ],
  },
  battle: {
    name: "the Battle of {}",
    questions: ["When was {} fought?", "Who won {}?", "Why was {} fought?"],
  },
  film: {
    name: "the film {}",
    questions: ["Who directed {}?", "What is {} about?", "When was {} released?"],
  },
};
