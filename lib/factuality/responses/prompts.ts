import type { SamplePrompt } from "../../models/sampling_model.ts";
import type { Passage } from "../retrieval/passage.ts";
import { type CountryQuestion, taskOf, usualName } from "./questions.ts";

/** Makes a prompt of a question and of the passages that were looked up for it. */
export type ResponsePrompt = (
  question: CountryQuestion,
  passages: readonly Passage[],
) => SamplePrompt;

/** Characters of a passage that are shown: administrative divisions go on for pages. */
const LONGEST_NOTE = 300;

/** What a base model goes on from: answers about two countries that training may see. */
const EXAMPLES = [
  {
    country: "Zambia",
    notes: [
      "Location. Southern Africa, east of Angola, south of the Democratic Republic of the Congo",
      "Government type. presidential republic",
      "Economic overview. lower middle-income economy; copper mining; high public debt",
    ],
    text: "Zambia is a landlocked country in southern Africa, east of Angola. It is a " +
      "presidential republic, and its capital is Lusaka. Its economy depends on the mining of copper.",
  },
  {
    country: "Ireland",
    notes: [
      "Location. Western Europe, occupying most of the island of Ireland west of Great Britain",
      "Government type. parliamentary republic",
      "Economic overview. strong, export-led economy; pharmaceuticals and computer services",
    ],
    text: "Ireland lies in western Europe and occupies most of the island of Ireland, west of " +
      "Great Britain. It is a parliamentary republic, and its capital is Dublin. Its economy rests " +
      "on exports, above all of medicines and computer services.",
  },
] as const;

function note({ section, text }: Passage): string {
  const whole = text.startsWith(section) ? text : `${section}. ${text}`;
  if (whole.length <= LONGEST_NOTE) return whole;
  return `${whole.slice(0, LONGEST_NOTE).replace(/\s+\S*$/u, "")} …`;
}

function noted(country: string, notes: readonly string[]): string {
  return [`Notes about ${usualName(country)}:`, ...notes.map((one) => `- ${one}`)].join("\n");
}

function heading(country: string): string {
  const task = taskOf(country);
  return `${task[0]!.toUpperCase()}${task.slice(1)}:`;
}

/** The question as it stands. */
export const askedClosed: ResponsePrompt = ({ question }) => ({ text: question });

/** The question after the passages, from which alone it is to be answered. */
export const askedOpen: ResponsePrompt = ({ country }, passages) => ({
  text: `${noted(country, passages.map(note))}\n\nUsing only these notes, write ${
    taskOf(country)
  }.`,
});

/** For a base model: the same task, done for two other countries. */
export const continuedClosed: ResponsePrompt = ({ country }) => {
  const done = EXAMPLES.map((example) => `${heading(example.country)} ${example.text}\n\n`);
  return { text: `${done.join("")}${heading(country)}` };
};

/** For a base model: the same task, done from notes about two other countries. */
export const continuedOpen: ResponsePrompt = ({ country }, passages) => {
  const done = EXAMPLES.map((example) =>
    `${noted(example.country, example.notes)}\n${heading(example.country)} ${example.text}\n\n`
  );
  const own = noted(country, passages.map(note));
  return { text: `${done.join("")}${own}\n${heading(country)}` };
};
