import type { EvaluationRequest } from "../../evaluation/evaluation.ts";
import type { EvaluationClock } from "../../evaluation/run.ts";
import type { Passage } from "../../retrieval/passage.ts";

/** One sentence of the example, and what is wrong with it. */
export interface ExampleSentence {
  readonly text: string;
  /** Undefined for a sentence that its source bears out. */
  readonly planted: string | undefined;
}

/** About a held-out country: no verifier was trained on anything that is said of Panama. */
export const EXAMPLE_COUNTRY = "Panama";

/** A text with planted errors. */
export const EXAMPLE_SENTENCES: readonly ExampleSentence[] = [
  { text: "Panama seceded from Colombia in 1903 with US backing.", planted: undefined },
  {
    text: "The US Army Corps of Engineers built the Panama Canal between 1904 and 1924.",
    planted: "wrong date: 1914",
  },
  { text: "Panama has a total area of 57,420 sq km.", planted: "wrong number: 75,420" },
  {
    text: "The eastern third of the country is not sparsely inhabited.",
    planted: "negated",
  },
  { text: "Panama sells most of its bananas to Sweden.", planted: "not in the source" },
  {
    text: "In my opinion it is the most beautiful country of Central America.",
    planted: "opinion",
  },
  {
    text: "The remaining US military bases were transferred to Panama by the end of 1999.",
    planted: undefined,
  },
];

const SOURCE_IDS = ["pm/Background", "pm/Area", "pm/Population distribution"];

/**
 * The example as a request; its source is what the knowledge base says under three heads.
 * @throws {RangeError} where the knowledge base lacks one of them.
 */
export function exampleRequest(passages: readonly Passage[]): EvaluationRequest {
  const texts = SOURCE_IDS.map((id) => {
    const found = passages.find((passage) => passage.id === id);
    if (found !== undefined) return found.text;
    throw new RangeError(`Cannot make the example: the knowledge base has no passage ${id}`);
  });
  return {
    id: EXAMPLE_COUNTRY,
    source: texts.join("\n\n"),
    candidate: EXAMPLE_SENTENCES.map(({ text }) => text).join(" "),
    question: "What should one know about Panama?",
  };
}

/** The same sentences with every planted error put right, for comparisons. */
export const EXAMPLE_CORRECTED = [
  "Panama seceded from Colombia in 1903 with US backing.",
  "The US Army Corps of Engineers built the Panama Canal between 1904 and 1914.",
  "Panama has a total area of 75,420 sq km.",
].join(" ");

/** The first sentences as they were, errors and all. */
export const EXAMPLE_SPOILED = EXAMPLE_SENTENCES.slice(0, 3).map(({ text }) => text).join(" ");

/** No source text: what the knowledge base has is looked up, and of Atlantis it has nothing. */
export const LOOKED_UP: EvaluationRequest = {
  id: "looked up",
  source: "",
  candidate: "Panama covers a total area of 75,420 sq km. Uzbekistan is doubly landlocked. " +
    "The Atlantean parliament elected King Poseidonios XIV by acclamation.",
  question: "",
};

/** Nothing to check against: the text can only be held against itself. */
export const BY_ITSELF: EvaluationRequest = {
  id: "by itself",
  source: "",
  candidate: "The lighthouse of Sandvik was finished in 1931. It is built of granite. " +
    "The lighthouse of Sandvik was finished in 1952. Its keeper played the violin.",
  question: "",
};

/** One request the same whenever it is made: times would change a report's bytes. */
export const STOPPED_CLOCK: EvaluationClock = {
  now: () => new Date("2026-01-01T00:00:00Z"),
  milliseconds: () => 0,
};
